package dev.contexture.store.memory;

import dev.contexture.json.JsonObject;
import java.time.Instant;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Something that happened in a project. The numbers rise with every event of the store.
 *
 * @param number its place; 0 in one that is to be added
 * @param at when, cut to microseconds
 * @param agent the agent that did it; null: nobody or somebody else
 * @param user whose memory it is about, with which it is erased; null: nobody's, or everybody's
 * @param block the memory block it is about, with which it is erased; null: none
 * @param type what happened
 * @param importance how much it matters to people and agents; null: it is for machines only
 * @param details the caller's words
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record MemoryEvent(
    long number,
    Instant at,
    @Nullable String agent,
    @Nullable String user,
    @Nullable String block,
    String type,
    @Nullable String importance,
    JsonObject details) {

  public MemoryEvent numbered(long number) {
    return new MemoryEvent(number, at, agent, user, block, type, importance, details);
  }
}
