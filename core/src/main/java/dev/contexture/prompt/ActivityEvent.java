package dev.contexture.prompt;

import java.time.Instant;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Something that happened in a group of agents.
 *
 * @param id of the event; a later one has a higher one
 * @param at when
 * @param agent who did it; null: the system, or somebody who is no agent
 * @param who how others call the one who did it: a name, else an id, or {@code system}
 * @param what what happened
 * @param importance how much it matters
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record ActivityEvent(
    long id, Instant at, @Nullable String agent, String who, What what, Importance importance) {

  /** The importance of an event. */
  public enum Importance {
    LOW,
    MEDIUM,
    HIGH
  }

  /** The thing that happened. Closed. */
  public sealed interface What {
    /** A message was sent. */
    record Message() implements What {}

    /** A tool was used. */
    record Tool(String name) implements What {}

    /**
     * Memory changed.
     *
     * @param block the block's id
     * @param label its label, shown to whoever may read the block
     */
    record Memory(String block, String label) implements What {}

    /** A task changed. */
    record Task(String name) implements What {}

    /** Somebody has a new status. */
    record Status(String status) implements What {}

    /** Something came from outside. */
    record External(String source, String text) implements What {}

    /** Agents agreed on something. */
    record Coordination(String text) implements What {}

    /** The system says something. */
    record Notice(String text) implements What {}
  }
}
