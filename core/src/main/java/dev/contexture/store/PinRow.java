package dev.contexture.store;

import dev.contexture.block.BlockPath;
import java.time.Instant;
import org.apiguardian.api.API;

/**
 * A path that stays in context.
 *
 * @param path what was pinned; it names a turn, with which the row goes
 * @param at when
 * @param asOf the sequence number that the next block had then
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.2")
public record PinRow(BlockPath path, Instant at, long asOf) {
  public PinRow {
    if (path.turn().isEmpty()) {
      throw new IllegalArgumentException("a pin is on a path of a turn, not " + path);
    }
  }
}
