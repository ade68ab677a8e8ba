package dev.contexture.simulator;

import dev.contexture.model.CacheRules;
import org.apiguardian.api.API;

/**
 * The rules and prices of a cache.
 *
 * @param mode who decides what is cached
 * @param minTokens a shorter prefix is not cached
 * @param lookback how many positions a read looks back from a mark, the marked one counted
 * @param runsAreOne whether a run of calls, or of results, is one position
 * @param granularity in what steps beyond the minimum an automatic cache reads
 * @param idleSeconds how long an automatic cache lives after its last use
 * @param read price of a token that is read, in plain input tokens
 * @param write of one that is written, for modes with one life
 * @param write5m of one written for five minutes
 * @param write1h of one written for an hour
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record CacheModel(
    CacheRules.Mode mode,
    long minTokens,
    int lookback,
    boolean runsAreOne,
    long granularity,
    long idleSeconds,
    double read,
    double write,
    double write5m,
    double write1h) {
  private static final int USUAL_LIFE = 300;

  public CacheModel {
    if (minTokens < 0 || lookback < 1 || granularity < 1 || idleSeconds < 1) {
      throw new IllegalArgumentException(
          "minTokens "
              + minTokens
              + " lookback "
              + lookback
              + " granularity "
              + granularity
              + " idleSeconds "
              + idleSeconds);
    }
  }

  /** The cache of a model, as the catalogue describes it. */
  public static CacheModel of(CacheRules rules) {
    CacheRules.Multipliers prices = rules.multipliers();
    return new CacheModel(
        rules.mode(),
        rules.minTokens(),
        rules.lookback().map(CacheRules.Lookback::limit).orElse(1),
        rules.lookback().map(reach -> reach.unit().equals("position")).orElse(false),
        rules.granularity(),
        rules.idleSeconds() == 0 ? USUAL_LIFE : rules.idleSeconds(),
        prices.read(),
        prices.write(),
        prices.write5m(),
        prices.write1h());
  }

  /** Explicit marks with the usual prices. */
  public static CacheModel explicit(long minTokens) {
    return new CacheModel(
        CacheRules.Mode.EXPLICIT, minTokens, 20, true, 1, 300, 0.1, 1.25, 1.25, 2);
  }

  /** Automatic caching of equal beginnings. */
  public static CacheModel prefix(long minTokens, long granularity) {
    return new CacheModel(
        CacheRules.Mode.PREFIX, minTokens, 1, false, granularity, 300, 0.1, 1, 1, 1);
  }

  /** Marks that are read exactly where they stand. */
  public static CacheModel breakpoint(long minTokens) {
    return new CacheModel(
        CacheRules.Mode.BREAKPOINT, minTokens, 1, false, 1, 1_800, 0.1, 1.25, 1.25, 1.25);
  }

  /** The same, counting every block as a position. */
  public CacheModel countingBlocks() {
    return new CacheModel(
        mode, minTokens, lookback, false, granularity, idleSeconds, read, write, write5m, write1h);
  }

  /** The life that a write without another has. */
  double defaultLife() {
    return mode == CacheRules.Mode.BREAKPOINT ? 1_800 : idleSeconds;
  }

  /** What a written token costs at least. */
  double cheapestWrite() {
    return mode == CacheRules.Mode.EXPLICIT ? write5m : write;
  }
}
