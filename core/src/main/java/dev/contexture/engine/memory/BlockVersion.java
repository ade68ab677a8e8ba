package dev.contexture.engine.memory;

import dev.contexture.memory.permission.Actor;
import java.time.Instant;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * One committed update of a memory block, as its history tells it.
 *
 * @param version its number
 * @param at when it was committed
 * @param actor who committed it
 * @param operation what was done, for example {@code append}
 * @param message what the committer said about it; may be empty
 * @param sizeBytes of what it stored
 * @param grant who approved it, where that was needed; null: it was not
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record BlockVersion(
    long version,
    Instant at,
    Actor actor,
    String operation,
    String message,
    int sizeBytes,
    @Nullable Grant grant) {

  /** The approval of an update: who gave it, and when. */
  public record Grant(Actor granter, Instant at) {}

  /** The text form: {@code append by agent:entropy}. */
  public String attribution() {
    return operation + " by " + actor;
  }
}
