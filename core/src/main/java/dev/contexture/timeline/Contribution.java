package dev.contexture.timeline;

import dev.contexture.block.Block;
import dev.contexture.block.Limits;
import dev.contexture.block.TurnId;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apiguardian.api.API;

/** Judges the blocks of one contribute: all are good, or none is taken. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class Contribution {
  private Contribution() {}

  /**
   * Fills in turn and time where a block has none, and checks every block.
   *
   * @throws ContextureException that names the first bad block, for example {@code blocks[2].text}
   */
  public static List<Block> of(
      List<Block.Builder> drafts, TurnId activeTurn, Instant now, Limits limits) {
    limits.checkBatch(drafts);
    List<Block> blocks = new ArrayList<>(drafts.size());
    for (int i = 0; i < drafts.size(); i++) {
      try {
        blocks.add(check(drafts.get(i), activeTurn, now, limits));
      } catch (ContextureException refused) {
        throw refused.within("blocks[" + i + "]");
      }
    }
    return blocks;
  }

  private static Block check(Block.Builder draft, TurnId activeTurn, Instant now, Limits limits) {
    TurnId turn = draft.turn().orElse(activeTurn);
    if (!turn.equals(activeTurn)) {
      throw ContextureException.invalid(
          ErrorCode.TURN_MISMATCH, "turn_id", turn, "the active turn, " + activeTurn);
    }
    Block block = draft.build(activeTurn, now);
    limits.check(block);
    return block;
  }
}
