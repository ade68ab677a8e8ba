package dev.contexture.timeline;

import dev.contexture.block.TurnId;
import java.time.Instant;
import java.util.Optional;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The properties of a turn beside its blocks.
 *
 * @param id the turn
 * @param status where it stands
 * @param agent whose turn it is
 * @param startedAt when it was opened
 * @param endedAt when it was closed
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record TurnState(
    TurnId id,
    TurnStatus status,
    @Nullable String agent,
    @Nullable Instant startedAt,
    @Nullable Instant endedAt) {

  public static TurnState open(TurnId id, Instant startedAt) {
    return new TurnState(id, TurnStatus.OPEN, null, startedAt, null);
  }

  public TurnState close(TurnStatus how, Instant at) {
    return new TurnState(id, how, agent, startedAt, at);
  }

  public Optional<String> agentName() {
    return Optional.ofNullable(agent);
  }

  public Optional<Instant> started() {
    return Optional.ofNullable(startedAt);
  }

  public Optional<Instant> ended() {
    return Optional.ofNullable(endedAt);
  }
}
