package dev.contexture.engine.session;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Counts the requests of this engine that share a cache key, and tracks which of those that begin
 * alike wait for an answer. Thread-safe.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class InFlightRequests {
  /** Requests of one key in a minute, beyond which a provider spreads them over its machines. */
  public static final int MOST_PER_MINUTE = 15;

  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Duration LONGEST_ANSWER = Duration.ofMinutes(10);
  private static final int MAX_ENTRIES = 1_000;
  private static final int MAX_FLYING = 64;

  private final Cache<String, Deque<Instant>> startsByKey =
      Caffeine.newBuilder().maximumSize(MAX_ENTRIES).build();
  private final Cache<List<String>, Beginning> beginnings =
      Caffeine.newBuilder().maximumSize(MAX_ENTRIES).build();
  private final Cache<String, Beginning> byRequest =
      Caffeine.newBuilder().maximumSize(MAX_ENTRIES).build();

  /** Requests that begin alike. Guarded by itself. */
  private static final class Beginning {
    private final Map<String, Instant> flying = new LinkedHashMap<>(); // without a first token
    private @Nullable Instant written; // when the last one of the others was sent
  }

  /** Counts a request; returns how many there were with its key in the last minute. */
  public int started(String key, Instant at) {
    Deque<Instant> starts = startsByKey.get(key, unused -> new ArrayDeque<>());
    synchronized (starts) {
      starts.addLast(at);
      while (starts.getFirst().plus(MINUTE).isBefore(at) || starts.size() > MAX_ENTRIES) {
        starts.removeFirst();
      }
      return starts.size();
    }
  }

  /**
   * Notes that a request is sent.
   *
   * @param begins what it begins with
   * @param life how long a cache lives
   * @return whether its beginning cannot be read yet, because the one that writes it still waits
   */
  public boolean sent(String request, List<String> begins, Instant at, Duration life) {
    Beginning beginning = beginnings.get(begins, unused -> new Beginning());
    byRequest.put(request, beginning);
    synchronized (beginning) {
      beginning.flying.values().removeIf(start -> start.plus(LONGEST_ANSWER).isBefore(at));
      Instant written = beginning.written;
      boolean readable = written != null && at.isBefore(written.plus(life));
      boolean waits = !readable && !beginning.flying.isEmpty();
      if (beginning.flying.size() < MAX_FLYING) {
        beginning.flying.put(request, at);
      }
      return waits;
    }
  }

  /** Notes that an answer has begun: what its request wrote can be read. */
  public void answering(String request) {
    Beginning beginning = byRequest.getIfPresent(request);
    if (beginning == null) {
      return;
    }
    synchronized (beginning) {
      Instant start = beginning.flying.remove(request);
      Instant written = beginning.written;
      if (start != null && (written == null || written.isBefore(start))) {
        beginning.written = start;
      }
    }
  }
}
