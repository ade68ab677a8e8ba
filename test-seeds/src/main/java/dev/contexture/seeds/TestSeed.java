package dev.contexture.seeds;

import java.lang.System.Logger.Level;
import java.util.Optional;
import java.util.Random;
import java.util.SplittableRandom;

/**
 * Seed of every random choice in tests. Without a flag each test has its own fixed one, so that all
 * runs are the same. {@code -Dseed=random} explores with a new one and prints it, {@code
 * -Dseed=NUMBER} replays it, and {@code -Dtries=NUMBER} says how many cases a test tries.
 * Thread-safe.
 */
public final class TestSeed {
  private static final Optional<Long> ASKED = asked(System.getProperty("seed", ""));
  private static final Optional<Integer> TRIES =
      Optional.of(System.getProperty("tries", "")).filter(t -> !t.isEmpty()).map(Integer::valueOf);

  private TestSeed() {}

  private static Optional<Long> asked(String flag) {
    if (flag.isEmpty()) {
      return Optional.empty();
    }
    long seed = flag.equals("random") ? new SplittableRandom().nextLong() : Long.parseLong(flag);
    System.getLogger(TestSeed.class.getName())
        .log(Level.INFO, "tests explore; replay with -Dseed={0}", Long.toString(seed));
    return Optional.of(seed);
  }

  /** A source of random numbers: {@code new Random(own)} if no flag was given. */
  public static Random random(long own) {
    return new Random(of(own));
  }

  /**
   * The seed to use.
   *
   * @param own what tells this use from others; the seed itself if no flag was given
   */
  public static long of(long own) {
    return of(own, ASKED);
  }

  static long of(long own, Optional<Long> asked) {
    return asked.map(seed -> new SplittableRandom(seed ^ (own * 31 + 1)).nextLong()).orElse(own);
  }

  /** How many cases to try: as many as the flag says, else {@code usual}. */
  public static int tries(int usual) {
    return TRIES.orElse(usual);
  }
}
