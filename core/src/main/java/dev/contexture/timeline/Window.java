package dev.contexture.timeline;

import dev.contexture.block.Block;
import dev.contexture.block.BlockType;
import dev.contexture.block.TurnId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a timeline that a render may show: the newest usable summary, what is repeated
 * behind it, and the blocks after it, without excluded turns and archived ranges.
 *
 * @param openingSummary the summary that opens the window
 * @param carried header, and where the summary says so prompt and attachment lines, of the turn
 *     that the cut divides
 * @param entries the blocks, oldest first
 * @param splitTurn the turn that the cut divides
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Window(
    @Nullable Summary openingSummary,
    List<TimelineEntry> carried,
    List<TimelineEntry> entries,
    @Nullable TurnId splitTurn) {

  public Optional<Summary> summary() {
    return Optional.ofNullable(openingSummary);
  }

  /** Whether earlier blocks of the turn lie before the window. */
  public boolean isSplit(TurnId turn) {
    return turn.equals(splitTurn);
  }

  /**
   * What of a divided turn is repeated behind its summary, found among its blocks before the cut.
   */
  static List<TimelineEntry> carried(Summary summary, TurnId turn, List<TimelineEntry> before) {
    List<TimelineEntry> carried = new ArrayList<>();
    carried.add(
        before.stream()
            .filter(entry -> entry.block().type().equals(BlockType.TURN_HEADER))
            .findFirst()
            .orElseGet(() -> impliedHeader(turn, before.getFirst())));
    if (summary.carriesPrompt()) {
      before.stream().filter(Window::isCarriedWithPrompt).forEach(carried::add);
    }
    return carried;
  }

  private static boolean isCarriedWithPrompt(TimelineEntry entry) {
    BlockType type = entry.block().type();
    return type.equals(BlockType.USER_PROMPT) || type.equals(BlockType.USER_ATTACHMENT_META);
  }

  private static TimelineEntry impliedHeader(TurnId turn, TimelineEntry first) {
    Block.Builder header = Block.builder(BlockType.TURN_HEADER).turn(turn);
    first.block().ts().ifPresent(header::ts);
    return TimelineEntry.notPersisted(header.build());
  }
}
