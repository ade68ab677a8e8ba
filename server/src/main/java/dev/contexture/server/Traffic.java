package dev.contexture.server;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Bounds what a server does at the same time: requests, streams, and bytes of bodies. What is
 * beyond is refused at once with {@code store_unavailable}, so that nothing piles up. Thread-safe.
 */
final class Traffic {
  private final ServerLimits limits;
  private final AtomicLong requests = new AtomicLong();
  private final AtomicLong streams = new AtomicLong();
  private final AtomicLong bodyBytes = new AtomicLong();

  Traffic(ServerLimits limits) {
    this.limits = limits;
  }

  long requests() {
    return requests.get();
  }

  long streams() {
    return streams.get();
  }

  long bodyBytes() {
    return bodyBytes.get();
  }

  ServerLimits limits() {
    return limits;
  }

  /**
   * Lets a request in.
   *
   * @throws ContextureException {@code store_unavailable}
   */
  Admission admit() {
    take(requests, 1, limits.requests(), "requests");
    return new Admission(requests);
  }

  private static void take(AtomicLong used, long more, long most, String what) {
    if (used.addAndGet(more) > most) {
      used.addAndGet(-more);
      throw new ContextureException(
          ErrorCode.STORE_UNAVAILABLE,
          "the server is busy: at most " + most + " " + what + " at the same time; try again later",
          Map.of("field", what, "limit", most),
          null);
    }
  }

  /** What one request holds until it ends. Confined to its thread. */
  final class Admission implements AutoCloseable {
    private AtomicLong counted;
    private long bytes;
    private boolean closed;

    private Admission(AtomicLong counted) {
      this.counted = counted;
    }

    /** From now on it counts as a stream. */
    void stream() {
      take(streams, 1, limits.streams(), "streams");
      counted.decrementAndGet();
      counted = streams;
    }

    /** Lets others in while this one waits for a human. */
    void lend() {
      counted.decrementAndGet();
    }

    /** Counts again, whoever came in meanwhile. */
    void takeBack() {
      counted.incrementAndGet();
    }

    /** Makes room for more of the body. */
    void body(long more) {
      take(Traffic.this.bodyBytes, more, limits.bodiesBytes(), "bytes of bodies");
      bytes += more;
    }

    @Override
    public void close() {
      if (!closed) {
        closed = true;
        counted.decrementAndGet();
        Traffic.this.bodyBytes.addAndGet(-bytes);
      }
    }
  }
}
