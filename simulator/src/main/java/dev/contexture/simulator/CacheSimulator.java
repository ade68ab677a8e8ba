package dev.contexture.simulator;

import dev.contexture.model.CacheRules;
import dev.contexture.simulator.PrefixTree.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apiguardian.api.API;

/**
 * Replays requests against the rules of a prompt cache.
 *
 * <pre>{@code
 * CacheReport report = CacheSimulator.simulate(CacheModel.explicit(512), requests);
 * report.efficiency();
 * }</pre>
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class CacheSimulator {
  private final CacheModel model;
  private final List<Path> paths = new ArrayList<>();

  private CacheSimulator(CacheModel model, List<SentRequest> requests) {
    this.model = model;
    PrefixTree tree = new PrefixTree();
    requests.forEach(request -> paths.add(tree.add(request)));
  }

  /**
   * Computes how the cache serves the requests.
   *
   * @param requests in the order in which they were sent
   */
  public static CacheReport simulate(CacheModel model, List<SentRequest> requests) {
    return new CacheSimulator(model, requests).run();
  }

  private CacheReport run() {
    CacheMode mode = mode();
    int[] sharedSoon = sharedWithLater();
    Map<Integer, Path> newestAt = new HashMap<>();
    Map<Integer, Double> startAt = new HashMap<>();
    List<CacheUse> uses = new ArrayList<>();
    for (int i = 0; i < paths.size(); i++) {
      Path path = paths.get(i);
      double start = path.request().start();
      int shared = 0;
      int sharedLive = 0;
      while (shared < path.size() && newestAt.containsKey(path.node(shared))) {
        if (start - startAt.getOrDefault(path.node(shared), start) <= model.defaultLife()) {
          sharedLive = shared + 1;
        }
        shared++;
      }
      CacheMode.Step step = mode.next(path, shared);
      boolean first = !newestAt.containsKey(path.root());
      double ideal = ideal(path, sharedLive, sharedSoon[i]);
      CacheUse.Miss miss = first ? firstOne() : miss(path, step, shared, newestAt);
      Path before = newestAt.get(path.root());
      Rewrite rewrite = before == null ? Rewrite.NONE : rewrite(before, path, shared);
      uses.add(use(path, step, ideal, rewrite, miss));
      newestAt.put(path.root(), path);
      for (int block = 0; block < path.size(); block++) {
        newestAt.put(path.node(block), path);
        startAt.put(path.node(block), start);
      }
    }
    return new CacheReport(uses, null);
  }

  private CacheMode mode() {
    return switch (model.mode()) {
      case EXPLICIT -> new ExplicitMode(model);
      case BREAKPOINT -> new BreakpointMode(model);
      case PREFIX, UNIT -> new PrefixMode(model);
      case UNKNOWN -> (path, shared) -> nothing();
    };
  }

  private static CacheMode.Step nothing() {
    return new CacheMode.Step(0, 0, 0, 0, CacheUse.Cause.NO_MARK, "no cache is known");
  }

  /** By request: how many of its blocks one that starts soon enough after it has, too. */
  private int[] sharedWithLater() {
    int[] shared = new int[paths.size()];
    Map<Integer, Double> next = new HashMap<>();
    for (int i = paths.size() - 1; i >= 0; i--) {
      Path path = paths.get(i);
      double start = path.request().start();
      int at = 0;
      while (at < path.size()) {
        Double later = next.get(path.node(at));
        if (later == null || later - start > model.defaultLife()) {
          break;
        }
        at++;
      }
      shared[i] = at;
      for (int block = 0; block < path.size(); block++) {
        next.put(path.node(block), start);
      }
    }
    return shared;
  }

  /** The cost with marks everywhere that pay, without minimum and limits. */
  private double ideal(Path path, int sharedEarlier, int sharedLater) {
    long read = path.through(sharedEarlier - 1);
    long write = Math.max(0, path.through(sharedLater - 1) - read);
    return model.read() * read + model.cheapestWrite() * write + (path.total() - read - write);
  }

  /**
   * The tokens that a request writes again.
   *
   * @param kept tokens of blocks that the request before it had
   * @param inserted tokens in place of what went
   */
  private record Rewrite(long kept, long inserted) {
    static final Rewrite NONE = new Rewrite(0, 0);
  }

  /**
   * Compares with the request before: where the beginning changed, blocks of it that come again
   * have to be written again, and so has what stands before the first of them.
   */
  private Rewrite rewrite(Path before, Path path, int shared) {
    boolean live = path.request().start() - before.request().start() <= model.defaultLife();
    if (!live || shared > before.lastStable() || shared >= path.size()) {
      return Rewrite.NONE;
    }
    Set<String> known = new HashSet<>();
    for (int i = shared; i <= before.lastStable(); i++) {
      known.add(name(before.block(i)));
    }
    long kept = 0;
    long inserted = 0;
    for (int i = shared; i < path.size(); i++) {
      if (known.contains(name(path.block(i)))) {
        kept += path.block(i).tokens();
      } else if (kept == 0) {
        inserted += path.block(i).tokens();
      }
    }
    return kept == 0 ? Rewrite.NONE : new Rewrite(kept, inserted);
  }

  private static String name(SentBlock block) {
    return block.tier() + " " + block.kind() + " " + block.content();
  }

  /** What a token costs that is not read. */
  private double dearer() {
    return model.mode() == CacheRules.Mode.PREFIX ? 1 : model.cheapestWrite();
  }

  private CacheUse use(
      Path path, CacheMode.Step step, double ideal, Rewrite rewrite, CacheUse.Miss miss) {
    long uncached = step.uncached(path.total());
    double cost =
        model.read() * step.read()
            + model.write5m() * step.write5m()
            + model.write1h() * step.write1h()
            + model.write() * step.write()
            + uncached;
    CacheUse.Miss kept = miss.tokensLost() == 0 && miss.cause() != first() ? null : miss;
    return new CacheUse(
        step.read(),
        step.write5m(),
        step.write1h(),
        step.write(),
        uncached,
        cost,
        path.total(),
        ideal,
        rewrite.kept + rewrite.inserted,
        rewrite.kept * (dearer() - model.read()) + rewrite.inserted * dearer(),
        kept);
  }

  private static CacheUse.Cause first() {
    return CacheUse.Cause.FIRST_REQUEST;
  }

  private static CacheUse.Miss firstOne() {
    return new CacheUse.Miss(first(), 0, 0, 0, "");
  }

  private CacheUse.Miss miss(
      Path path, CacheMode.Step step, int shared, Map<Integer, Path> newestAt) {
    long lost = Math.max(0, path.through(shared - 1) - step.read());
    double cost = lost * (dearer() - model.read());
    int block = firstBehind(path, step.read());
    int node = shared == 0 ? path.root() : path.node(shared - 1);
    Path earlier = newestAt.get(node);
    if (earlier != null && shared <= earlier.lastStable()) {
      SentBlock changed = earlier.block(shared);
      CacheUse.Cause cause =
          switch (changed.tier()) {
            case SETTING -> CacheUse.Cause.SETTINGS_CHANGED;
            case TOOLS -> CacheUse.Cause.TOOLS_CHANGED;
            case SYSTEM -> CacheUse.Cause.SYSTEM_CHANGED;
            case MESSAGES -> CacheUse.Cause.MESSAGES_CHANGED;
          };
      return new CacheUse.Miss(cause, shared, lost, cost, "the block there was another one");
    }
    return new CacheUse.Miss(step.cause(), block, lost, cost, step.detail());
  }

  private static int firstBehind(Path path, long read) {
    int at = 0;
    while (at < path.size() && path.through(at) <= read) {
      at++;
    }
    return at;
  }
}
