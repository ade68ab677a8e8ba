package dev.contexture.engine.memory;

import dev.contexture.memory.permission.Actor;
import java.time.Instant;
import java.util.Locale;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** A message to the subscribers of a memory store. Closed. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public sealed interface MemoryNotice {

  /**
   * One commit, of this process or of another.
   *
   * @param number its place among all notices of the store
   * @param kind what happened
   * @param block the block's id
   * @param owner the agent it belongs to
   * @param user of that agent, to whom it belongs; null: it is the agent's
   * @param label its label
   * @param seq the block's version with the commit
   * @param actor who did it
   * @param operation what was done, for example {@code append}
   * @param message what the actor said about it; may be empty
   * @param at when
   */
  record Changed(
      long number,
      Kind kind,
      String block,
      String owner,
      @Nullable String user,
      String label,
      long seq,
      Actor actor,
      String operation,
      String message,
      Instant at)
      implements MemoryNotice {}

  /**
   * Notices from one number to another, both included, were dropped: the subscriber is too slow.
   */
  record Missed(long from, long to) implements MemoryNotice {}

  /** The kind of change that a commit made. */
  enum Kind {
    CREATED,
    CHANGED,
    UNDONE,
    REDONE,
    CONFIGURED,
    SHARED,
    UNSHARED,
    DELETED;

    public String wireName() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
