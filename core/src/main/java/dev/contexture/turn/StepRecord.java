package dev.contexture.turn;

import dev.contexture.block.TurnId;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A record of what a step stored, in one commit.
 *
 * @param turn the turn that it was about
 * @param version of the conversation with it
 * @param begun the turn that it began, or found open; null: it named none
 * @param recorded the model's answer; null: it brought none
 * @param results the outcomes of its results, in order
 * @param closed how it closed the turn; null: it did not
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.3")
public record StepRecord(
    TurnId turn,
    long version,
    @Nullable Begun begun,
    @Nullable Reply recorded,
    List<AppendResult> results,
    @Nullable TurnClosure closed) {
  public StepRecord {
    results = List.copyOf(results);
  }

  /**
   * The begin of a turn.
   *
   * @param resumed whether it was open already
   * @param newConversation whether no kept turn was before it
   * @param omittedTurns how many turns the limit leaves out
   */
  public record Begun(boolean resumed, boolean newConversation, int omittedTurns) {}

  public Optional<Reply> reply() {
    return Optional.ofNullable(recorded);
  }

  public Optional<TurnClosure> closure() {
    return Optional.ofNullable(closed);
  }
}
