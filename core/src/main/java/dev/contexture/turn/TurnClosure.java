package dev.contexture.turn;

import dev.contexture.block.TurnId;
import dev.contexture.timeline.TurnStatus;
import org.apiguardian.api.API;

/**
 * What closing a turn led to.
 *
 * @param turn the turn
 * @param status how it is closed
 * @param version of the conversation with that
 */
@API(status = API.Status.STABLE, since = "0.1")
public record TurnClosure(TurnId turn, TurnStatus status, long version) {}
