package dev.contexture.simulator;

import dev.contexture.simulator.PrefixTree.Path;
import java.util.List;
import java.util.Optional;

/**
 * Marks that are written, and reads that look back from a mark to the nearest entry.
 *
 * <p>Assumptions that real usage has to confirm: A1, the marked position is the first of those
 * looked at; A4, entries at marks before the one that is read live on without a price.
 */
final class ExplicitMode implements CacheMode {
  private final CacheModel model;
  private final CacheEntries entries = new CacheEntries();

  ExplicitMode(CacheModel model) {
    this.model = model;
  }

  @Override
  public Step next(Path path, int shared) {
    int[] positions = positions(path);
    List<Integer> marks = path.marks();
    int hit = -1;
    for (int mark : marks) {
      hit = Math.max(hit, liveBehind(path, positions, mark));
    }
    List<Integer> written =
        marks.stream().filter(mark -> path.through(mark) >= model.minTokens()).toList();
    int hourly = last(path, written, hit, true);
    int last = last(path, written, hit, false);
    CacheUse.Cause cause = shared == 0 ? CacheUse.Cause.NO_MARK : cause(path, shared, hit, marks);
    String detail = detail(path, positions, shared, cause, marks);
    for (int mark : written) {
      entries.write(path, mark, life(path, mark));
    }
    if (hit >= 0) {
      entries.refresh(path, hit);
    }
    return new Step(
        path.through(hit),
        path.through(last) - path.through(hourly),
        path.through(hourly) - path.through(hit),
        0,
        cause,
        detail);
  }

  private int liveBehind(Path path, int[] positions, int mark) {
    for (int i = mark; i >= 0 && positions[mark] - positions[i] < model.lookback(); i--) {
      if (entries.isLive(path, i)) {
        return i;
      }
    }
    return -1;
  }

  /** The last mark behind the hit, of those for an hour or of all; the hit if there is none. */
  private static int last(Path path, List<Integer> marks, int hit, boolean hourly) {
    int last = hit;
    for (int mark : marks) {
      if (mark > hit && (!hourly || path.block(mark).ttl() == SentBlock.Ttl.ONE_HOUR)) {
        last = mark;
      }
    }
    return last;
  }

  private static double life(Path path, int mark) {
    return path.block(mark).mark().orElse(SentBlock.Ttl.FIVE_MINUTES).seconds();
  }

  /** By block: at which position it stands; settings stand at none of their own. */
  private int[] positions(Path path) {
    int[] positions = new int[path.size()];
    int at = -1;
    String kindBefore = "";
    for (int i = 0; i < positions.length; i++) {
      SentBlock block = path.block(i);
      if (block.tier() != SentBlock.Tier.SETTING) {
        boolean run = block.kind().equals("tool_use") || block.kind().equals("tool_result");
        if (!(model.runsAreOne() && run && block.kind().equals(kindBefore))) {
          at++;
        }
        kindBefore = block.kind();
      }
      positions[i] = Math.max(0, at);
    }
    return positions;
  }

  private CacheUse.Cause cause(Path path, int shared, int hit, List<Integer> marks) {
    double now = path.request().start();
    boolean below = true;
    for (int i = shared - 1; i > hit; i--) {
      Optional<CacheEntries.Entry> entry = entries.find(path, i);
      if (entry.isPresent() && now >= entry.get().expires()) {
        return CacheUse.Cause.EXPIRED;
      }
      if (entry.isPresent() && entry.get().readable() > now) {
        return CacheUse.Cause.NOT_READABLE_YET;
      }
      if (entry.isPresent()) {
        return CacheUse.Cause.LOOKBACK;
      }
      below &= path.through(i) < model.minTokens();
    }
    if (below) {
      return CacheUse.Cause.BELOW_MINIMUM;
    }
    boolean behindTail = !marks.isEmpty() && marks.getLast() > path.lastStable();
    return behindTail ? CacheUse.Cause.TAIL_MARK : CacheUse.Cause.NO_MARK;
  }

  private String detail(
      Path path, int[] positions, int shared, CacheUse.Cause cause, List<Integer> marks) {
    return switch (cause) {
      case BELOW_MINIMUM ->
          "has " + path.through(shared - 1) + " tokens, needs " + model.minTokens();
      case LOOKBACK -> {
        int nearest =
            marks.stream().filter(mark -> mark >= shared - 1).findFirst().orElse(path.size() - 1);
        yield (positions[nearest] - positions[shared - 1])
            + " positions before the next mark, of "
            + (model.lookback() - 1);
      }
      default -> "";
    };
  }
}
