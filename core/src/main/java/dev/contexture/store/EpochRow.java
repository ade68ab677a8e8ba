package dev.contexture.store;

import dev.contexture.json.JsonObject;
import java.time.Instant;
import java.util.Set;
import org.apiguardian.api.API;

/**
 * The text that an agent's prompts in a conversation repeat until something ends its epoch.
 *
 * @param agent whose prompts
 * @param number how many there were with this one
 * @param startedAt when it began
 * @param builtAt when it was last used
 * @param state the caller's words; empty once a memory block that it shows is erased
 * @param blocks ids of the memory blocks whose content the state holds
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record EpochRow(
    String agent,
    long number,
    Instant startedAt,
    Instant builtAt,
    JsonObject state,
    Set<String> blocks) {
  public EpochRow {
    blocks = Set.copyOf(blocks);
  }

  /** The same, used at a later time. */
  public EpochRow builtAt(Instant at) {
    return new EpochRow(agent, number, startedAt, at, state, blocks);
  }

  /** The same without what it held. */
  public EpochRow erased() {
    return new EpochRow(agent, number, startedAt, builtAt, JsonObject.EMPTY, Set.of());
  }
}
