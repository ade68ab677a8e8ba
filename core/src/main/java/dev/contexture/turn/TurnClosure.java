package dev.contexture.turn;

import dev.contexture.block.CallId;
import dev.contexture.block.TurnId;
import dev.contexture.timeline.TurnStatus;
import java.util.List;
import org.apiguardian.api.API;

/**
 * The result of closing a turn.
 *
 * @param turn the turn
 * @param status how it is closed
 * @param version of the conversation with that
 * @param cancelled calls without a result, which were answered as cancelled
 */
@API(status = API.Status.STABLE, since = "0.1")
public record TurnClosure(TurnId turn, TurnStatus status, long version, List<CallId> cancelled) {
  public TurnClosure {
    cancelled = List.copyOf(cancelled);
  }
}
