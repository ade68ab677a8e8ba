package dev.contexture.engine.session;

import dev.contexture.block.TurnId;
import dev.contexture.timeline.Timeline;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a conversation that the renders of the open turn showed. A turn may be rendered with
 * several budgets: what one of them left out, or showed shortened, does not count as seen.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class SeenContext {
  private final Set<TurnId> leftOut = new HashSet<>();
  private @Nullable TurnId turn;
  private long viewTokens = Long.MAX_VALUE;
  private long streamTokens = Long.MAX_VALUE;

  /**
   * Takes note of a render.
   *
   * @param shown what was rendered
   * @param budget the budget of the view
   * @param stream what the stream of it may have; {@link Long#MAX_VALUE}: there is no budget
   */
  public void rendered(Timeline shown, long budget, long stream) {
    TurnId open = shown.activeTurn().orElse(null);
    if (!Objects.equals(turn, open)) {
      leftOut.clear();
      viewTokens = budget;
      streamTokens = stream;
      turn = open;
    }
    streamTokens = Math.min(streamTokens, stream);
    viewTokens = Math.min(viewTokens, budget);
    leftOut.addAll(shown.omittedTurns());
  }

  /** The smallest budget of the open turn's renders; {@link Long#MAX_VALUE}: it is not known. */
  public long budget(Timeline timeline) {
    return isOf(timeline) ? viewTokens : Long.MAX_VALUE;
  }

  /** The least that one of them had for the stream; {@link Long#MAX_VALUE}: it is not known. */
  public long streamTokens(Timeline timeline) {
    return isOf(timeline) ? streamTokens : Long.MAX_VALUE;
  }

  private boolean isOf(Timeline timeline) {
    return turn != null && timeline.isActive(turn);
  }

  /**
   * A timeline as those renders show it. Before the first of them everything counts as shortened
   * that some view shows so.
   */
  public Timeline of(Timeline timeline) {
    if (!isOf(timeline)) {
      return timeline.forView(1);
    }
    Timeline seen = timeline.forView(viewTokens);
    return leftOut.isEmpty() ? seen : seen.withOmittedTurns(leftOut);
  }
}
