package dev.contexture.bench.support;

import java.util.Arrays;
import java.util.function.LongSupplier;

/** How long something took, measured several times; in nanoseconds, sorted. */
public final class Samples {
  private final long[] sortedNanos;

  private Samples(long[] sortedNanos) {
    this.sortedNanos = sortedNanos;
  }

  /**
   * Runs the task unmeasured, then measured.
   *
   * @param task the work; its result is consumed so that it cannot be optimised away
   */
  public static Samples measure(int warmups, int repetitions, LongSupplier task) {
    if (warmups < 0 || repetitions < 1) {
      throw new IllegalArgumentException(warmups + " warmups, " + repetitions + " repetitions");
    }
    long consumed = 0;
    for (int i = 0; i < warmups; i++) {
      consumed += task.getAsLong();
    }
    long[] nanos = new long[repetitions];
    for (int i = 0; i < repetitions; i++) {
      long start = System.nanoTime();
      consumed += task.getAsLong();
      nanos[i] = System.nanoTime() - start;
    }
    sink = consumed;
    return of(nanos);
  }

  /** Written and never read: what makes the results of measured work needed. */
  @SuppressWarnings("UnusedVariable")
  private static volatile long sink;

  /** Samples that were taken elsewhere. */
  public static Samples of(long... nanos) {
    if (nanos.length == 0) {
      throw new IllegalArgumentException("no samples");
    }
    long[] sorted = nanos.clone();
    Arrays.sort(sorted);
    return new Samples(sorted);
  }

  public int count() {
    return sortedNanos.length;
  }

  public double medianMillis() {
    return percentileMillis(50);
  }

  /** The smallest sample that at least this share of all samples does not exceed. */
  public double percentileMillis(double percent) {
    if (!(percent > 0 && percent <= 100)) {
      throw new IllegalArgumentException(percent + " is no percentage above 0");
    }
    int rank = (int) Math.ceil(percent / 100 * sortedNanos.length);
    return sortedNanos[Math.max(rank, 1) - 1] / 1e6;
  }
}
