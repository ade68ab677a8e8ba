package dev.contexture.search;

import java.time.Instant;
import java.util.Set;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The properties by which an index filters an entry and finds it again, beside its words.
 *
 * @param id unique in the index
 * @param group what is replaced and removed together, such as a turn
 * @param type what it is
 * @param agent whose it is, if anybody said
 * @param user of a message; of memory the user to whom it belongs, if it is not the agent itself
 * @param conversation of a message
 * @param role of a message
 * @param at when it was written
 * @param seq where a message stands in its conversation; 0 for other types
 * @param hash of its content
 * @param tags of the metadata of an archival entry, see {@link MetadataFilter#tags}
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record IndexEntry(
    String id,
    String group,
    SearchContentType type,
    @Nullable String agent,
    @Nullable String user,
    @Nullable String conversation,
    @Nullable String role,
    Instant at,
    long seq,
    String hash,
    Set<String> tags) {
  public IndexEntry {
    tags = Set.copyOf(tags);
  }

  /** An entry without metadata. */
  public IndexEntry(
      String id,
      String group,
      SearchContentType type,
      @Nullable String agent,
      @Nullable String user,
      @Nullable String conversation,
      @Nullable String role,
      Instant at,
      long seq,
      String hash) {
    this(id, group, type, agent, user, conversation, role, at, seq, hash, Set.of());
  }
}
