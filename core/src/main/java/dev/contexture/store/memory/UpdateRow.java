package dev.contexture.store.memory;

import dev.contexture.block.Binary;
import dev.contexture.json.JsonObject;
import java.time.Instant;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * One numbered update of a memory block.
 *
 * @param seq its number
 * @param step what it means for undo and redo
 * @param delta what it changed; null in a history, and once a checkpoint contains it
 * @param sizeBytes of the delta, also when it is gone
 * @param at when, cut to microseconds
 * @param note who did what: the caller's words
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record UpdateRow(
    long seq, Step step, @Nullable Binary delta, int sizeBytes, Instant at, JsonObject note) {

  /** The meaning of an update for undo and redo. */
  public enum Step {
    /** A new step. */
    EDIT,
    /** Reverts the newest step in effect. */
    UNDO,
    /** Reverts the newest undo. */
    REDO
  }

  /** An update to be appended. */
  public static UpdateRow of(long seq, Step step, Binary delta, Instant at, JsonObject note) {
    return new UpdateRow(seq, step, delta, delta.sizeBytes(), at, note);
  }

  /** The same without its content. */
  public UpdateRow withoutDelta() {
    return new UpdateRow(seq, step, null, sizeBytes, at, note);
  }
}
