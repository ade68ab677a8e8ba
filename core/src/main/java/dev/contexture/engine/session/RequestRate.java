package dev.contexture.engine.session;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import org.apiguardian.api.API;

/**
 * The rate at which requests that share a beginning follow each other: the median of the last gaps
 * between their starts. Thread-safe.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class RequestRate {
  private static final Duration UNKNOWN = Duration.ofSeconds(60);
  private static final int STARTS = 6;

  private final Deque<Instant> starts = new ArrayDeque<>();

  public synchronized void started(Instant at) {
    if (starts.isEmpty() || !at.isBefore(starts.getLast())) {
      starts.addLast(at);
    }
    if (starts.size() > STARTS) {
      starts.removeFirst();
    }
  }

  /** The gap to expect; a minute as long as nothing is known. */
  public synchronized Duration gap() {
    if (starts.size() < 2) {
      return UNKNOWN;
    }
    long[] gaps = new long[starts.size() - 1];
    Instant before = null;
    int count = 0;
    for (Instant start : starts) {
      if (before != null) {
        gaps[count++] = Duration.between(before, start).toMillis();
      }
      before = start;
    }
    java.util.Arrays.sort(gaps);
    return Duration.ofMillis(gaps[gaps.length / 2]);
  }
}
