package dev.contexture.simulator;

import dev.contexture.simulator.PrefixTree.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Automatic caching of equal beginnings, also of a part of the first block that differs. Assumption
 * A5: how long such a cache lives when it is not used.
 */
final class PrefixMode implements CacheMode {
  private final CacheModel model;
  private final Map<Integer, Known> newestAt = new HashMap<>();
  private final List<Known> notReadable = new ArrayList<>();

  PrefixMode(CacheModel model) {
    this.model = model;
  }

  /** A request that can be read, and when it was last. */
  private static final class Known {
    private final Path path;
    private double lastUse;

    Known(Path path) {
      this.path = path;
      this.lastUse = path.request().start();
    }
  }

  @Override
  public Step next(Path path, int shared) {
    double now = path.request().start();
    release(now);
    int same = 0;
    Known best = null;
    while (same < path.size()) {
      Known known = newestAt.get(path.node(same));
      if (known == null || now >= known.lastUse + model.idleSeconds()) {
        break;
      }
      best = known;
      same++;
    }
    long common = path.through(same - 1) + partial(path, best, same);
    long min = model.minTokens();
    long steps = Math.max(0, common - min) / model.granularity();
    long read = common < min ? 0 : min + model.granularity() * steps;
    if (best != null && read > 0) {
      best.lastUse = now;
      note(best);
    }
    notReadable.add(new Known(path));
    return new Step(read, 0, 0, 0, cause(path, shared, same, common), "");
  }

  /** Requests whose answer has begun can be read. */
  private void release(double now) {
    for (Iterator<Known> waiting = notReadable.iterator(); waiting.hasNext(); ) {
      Known known = waiting.next();
      if (known.path.request().firstToken() <= now) {
        note(known);
        waiting.remove();
      }
    }
  }

  private void note(Known known) {
    for (int block = 0; block < known.path.size(); block++) {
      newestAt.merge(known.path.node(block), known, (a, b) -> a.lastUse > b.lastUse ? a : b);
    }
  }

  private static long partial(Path path, @Nullable Known best, int at) {
    if (best == null || at >= path.size() || at >= best.path.size()) {
      return 0;
    }
    SentBlock mine = path.block(at);
    SentBlock theirs = best.path.block(at);
    if (mine.tier() != theirs.tier() || !mine.kind().equals(theirs.kind())) {
      return 0;
    }
    String text = mine.content();
    int most = Math.min(text.length(), theirs.content().length());
    int same = 0;
    while (same < most && text.charAt(same) == theirs.content().charAt(same)) {
      same++;
    }
    return text.isEmpty() ? 0 : mine.tokens() * same / text.length();
  }

  private CacheUse.Cause cause(Path path, int shared, int same, long common) {
    if (same < shared) {
      boolean waits =
          notReadable.stream()
              .anyMatch(
                  known ->
                      known.path.size() >= shared
                          && known.path.node(shared - 1) == path.node(shared - 1));
      return waits ? CacheUse.Cause.NOT_READABLE_YET : CacheUse.Cause.EXPIRED;
    }
    return common < model.minTokens() ? CacheUse.Cause.BELOW_MINIMUM : CacheUse.Cause.GRANULARITY;
  }
}
