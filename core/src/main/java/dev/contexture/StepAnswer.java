package dev.contexture;

import dev.contexture.error.ContextureException;
import dev.contexture.turn.StepRecord;
import java.util.Optional;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The result of a step.
 *
 * @param turn a handle on its turn
 * @param step what was stored
 * @param repeated whether it had been stored before, under its id
 * @param built the next request; null: none was asked for, or it could not be built
 * @param problem why the request could not be built, though the rest is stored; null: it could
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.3")
public record StepAnswer(
    Turn turn,
    StepRecord step,
    boolean repeated,
    @Nullable ContextRequest built,
    @Nullable ContextureException problem) {
  /** The next request. */
  public Optional<ContextRequest> request() {
    return Optional.ofNullable(built);
  }

  /** Why the next request could not be built. */
  public Optional<ContextureException> requestProblem() {
    return Optional.ofNullable(problem);
  }
}
