package dev.contexture.simulator;

import dev.contexture.simulator.PrefixTree.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * Breakpoints that are read exactly where they stand, in the request or at the ends of messages.
 * Assumption A3: the ends of earlier user and tool messages can be read.
 */
final class BreakpointMode implements CacheMode {
  private static final int READABLE = 80;
  private static final int WRITTEN = 4;

  private final CacheModel model;
  private final CacheEntries entries = new CacheEntries();

  BreakpointMode(CacheModel model) {
    this.model = model;
  }

  @Override
  public Step next(Path path, int shared) {
    boolean explicitOnly = path.request().explicitOnly();
    List<Integer> marks = path.marks();
    List<Integer> ends = explicitOnly ? List.of() : ends(path);
    TreeSet<Integer> candidates = new TreeSet<>(marks);
    candidates.addAll(ends);
    int hit = -1;
    for (int block : last(new ArrayList<>(candidates), READABLE)) {
      if (path.through(block) >= model.minTokens() && entries.isLive(path, block)) {
        hit = block;
      }
    }
    List<Integer> written = new ArrayList<>(last(marks, explicitOnly ? WRITTEN : WRITTEN - 1));
    if (!ends.isEmpty()) {
      written.add(ends.getLast());
    }
    written.removeIf(block -> path.through(block) < model.minTokens());
    long furthest = written.stream().mapToLong(path::through).max().orElse(0);
    CacheUse.Cause cause = cause(path, shared, hit, candidates);
    for (int block : written) {
      entries.write(path, block, model.defaultLife());
    }
    if (hit >= 0) {
      entries.refresh(path, hit);
    }
    long read = path.through(hit);
    return new Step(read, 0, 0, Math.max(0, furthest - read), cause, "");
  }

  private static List<Integer> ends(Path path) {
    List<Integer> ends = new ArrayList<>();
    for (int i = 0; i < path.size(); i++) {
      if (path.block(i).endsMessage()) {
        ends.add(i);
      }
    }
    return ends;
  }

  private static List<Integer> last(List<Integer> all, int most) {
    return all.subList(Math.max(0, all.size() - most), all.size());
  }

  private CacheUse.Cause cause(Path path, int shared, int hit, TreeSet<Integer> candidates) {
    double now = path.request().start();
    for (int i = shared - 1; i > hit; i--) {
      var entry = entries.find(path, i).orElse(null);
      if (entry != null && now >= entry.expires()) {
        return CacheUse.Cause.EXPIRED;
      }
      if (entry != null && entry.readable() > now) {
        return CacheUse.Cause.NOT_READABLE_YET;
      }
    }
    if (shared > 0 && path.through(shared - 1) < model.minTokens()) {
      return CacheUse.Cause.BELOW_MINIMUM;
    }
    boolean behindTail = !candidates.isEmpty() && candidates.last() > path.lastStable();
    return behindTail && path.lastStable() >= 0 ? CacheUse.Cause.TAIL_MARK : CacheUse.Cause.NO_MARK;
  }
}
