package dev.contexture.search;

import java.time.Instant;
import java.util.Set;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A filter on the entries that may be found. Conversation and roles restrict messages only,
 * metadata archival entries.
 *
 * @param types what it may be
 * @param agent whose it must be; null: anybody's
 * @param shared ids of blocks of others that count as this agent's
 * @param user whose conversation a message must be from, and whose memory counts beside that of
 *     agents; null: anybody's message
 * @param everybody whether memory of any user may be found, if no user is named
 * @param conversation which conversation a message must be from; null: any
 * @param roles of messages; none given means all
 * @param from nothing older; null: no bound
 * @param to nothing as new or newer; null: no bound
 * @param metadata what archival entries must have
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record IndexFilter(
    Set<SearchContentType> types,
    @Nullable String agent,
    Set<String> shared,
    @Nullable String user,
    boolean everybody,
    @Nullable String conversation,
    Set<String> roles,
    @Nullable Instant from,
    @Nullable Instant to,
    MetadataFilter metadata) {
  public IndexFilter {
    types = Set.copyOf(types);
    shared = Set.copyOf(shared);
    roles = Set.copyOf(roles);
  }

  /** Whether memory may be found that belongs to a user; null: to an agent itself. */
  public boolean sees(@Nullable String owner) {
    return owner == null || (user == null ? everybody : owner.equals(user));
  }

  /** The same with memory of any user. */
  public IndexFilter forEverybody() {
    return new IndexFilter(
        types, agent, shared, user, true, conversation, roles, from, to, metadata);
  }

  /** The filter of options inside an agent's memory, or, without one, of the whole scope. */
  public static IndexFilter of(
      SearchOptions options, @Nullable String agent, Set<String> sharedBlocks) {
    return new IndexFilter(
        options.contentTypes(),
        agent,
        sharedBlocks,
        options.user(),
        agent == null,
        options.conversation(),
        options.roles(),
        options.from(),
        options.to(),
        options.metadata());
  }
}
