package dev.contexture.simulator;

import dev.contexture.model.CacheRules;
import dev.contexture.simulator.PrefixTree.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
   * What becomes of the requests.
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
      uses.add(use(path, step, ideal, miss));
      newestAt.put(path.root(), path);
      for (int block = 0; block < path.size(); block++) {
        newestAt.put(path.node(block), path);
        startAt.put(path.node(block), start);
      }
    }
    return new CacheReport(uses);
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

  private CacheUse use(Path path, CacheMode.Step step, double ideal, CacheUse.Miss miss) {
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
    double dearer = model.mode() == CacheRules.Mode.PREFIX ? 1 : model.cheapestWrite();
    double cost = lost * (dearer - model.read());
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
