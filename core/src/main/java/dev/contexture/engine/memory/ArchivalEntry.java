package dev.contexture.engine.memory;

import dev.contexture.json.JsonValue;
import java.time.Instant;
import java.util.List;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A text that an agent keeps for good; it never changes.
 *
 * @param id {@code arc_} and 32 hex digits
 * @param agent whose
 * @param user of the agent, to whom it belongs; null: it is the agent's, for all of its users
 * @param metadata what else is known about it; null: nothing
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record ArchivalEntry(
    String id,
    String agent,
    @Nullable String user,
    String content,
    @Nullable JsonValue metadata,
    Instant at) {

  /**
   * Some of an agent's entries, oldest first.
   *
   * @param next what the next page is asked for with; null: there is none
   */
  public record Page(List<ArchivalEntry> entries, @Nullable String next) {
    public Page {
      entries = List.copyOf(entries);
    }
  }
}
