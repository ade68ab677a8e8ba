package dev.contexture.search;

import java.time.Instant;
import java.util.Set;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * What may be found. User, conversation and roles restrict messages only, metadata archival
 * entries.
 *
 * @param types what it may be
 * @param agent whose it must be; null: anybody's
 * @param shared ids of blocks of others that count as this agent's
 * @param user whose conversation a message must be from; null: anybody's
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

  /** The filter of options inside an agent's memory, or, without one, of the whole scope. */
  public static IndexFilter of(
      SearchOptions options, @Nullable String agent, Set<String> sharedBlocks) {
    return new IndexFilter(
        options.contentTypes(),
        agent,
        sharedBlocks,
        options.user(),
        options.conversation(),
        options.roles(),
        options.from(),
        options.to(),
        options.metadata());
  }
}
