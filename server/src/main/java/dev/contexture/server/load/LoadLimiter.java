package dev.contexture.server.load;

import dev.contexture.error.ContextureException;
import dev.contexture.server.ServerLimits;
import java.util.concurrent.atomic.AtomicLong;
import org.apiguardian.api.API;

/**
 * Bounds what a server does at the same time: requests, streams, and the memory that requests hold.
 * What is beyond is refused at once, so that nothing piles up, and each of them is shared by those
 * who call. Thread-safe.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class LoadLimiter {
  private final ServerLimits limits;
  private final Shares requests;
  private final Shares streams;
  private final Shares memory;
  private final AtomicLong bodyBytes = new AtomicLong();

  public LoadLimiter(ServerLimits limits) {
    this.limits = limits;
    this.requests = new Shares("requests", limits.requests());
    this.streams = new Shares("streams", limits.streams());
    this.memory = new Shares("bytes of memory", limits.memoryBytes());
  }

  public long requests() {
    return requests.used();
  }

  public long streams() {
    return streams.used();
  }

  public long bodyBytes() {
    return bodyBytes.get();
  }

  public long memoryBytes() {
    return memory.used();
  }

  ServerLimits limits() {
    return limits;
  }

  /**
   * Lets a request in.
   *
   * @throws ContextureException {@code too_many_requests} or {@code store_unavailable}
   */
  public Admission admit(ShareHolder by) {
    requests.take(by, 1);
    return new Admission(by);
  }

  /**
   * The share of the server that one request holds until it ends. Thread-safe: the one that ends it
   * may be another.
   */
  public final class Admission implements AutoCloseable {
    private final ShareHolder by;
    private Shares counted = requests;
    private long body;
    private long held;
    private boolean lent;
    private boolean closed;

    private Admission(ShareHolder by) {
      this.by = by;
    }

    /** From now on it counts as a stream. */
    public synchronized void stream() {
      streams.take(by, 1);
      counted.give(by, 1);
      counted = streams;
    }

    /** Lets others in while this one waits for a human. */
    public synchronized void lend() {
      if (!closed && !lent) {
        lent = true;
        counted.give(by, 1);
      }
    }

    /** Counts again, whoever came in meanwhile. */
    public synchronized void takeBack() {
      if (!closed && lent) {
        lent = false;
        counted.takeBack(by);
      }
    }

    /** Makes room for more of the body, and for what will be made of it. */
    public synchronized void body(long more) {
      hold(more * ServerLimits.BYTES_PER_BODY_BYTE);
      body += more;
      bodyBytes.addAndGet(more);
    }

    /** What it holds of memory. */
    public synchronized long held() {
      return held;
    }

    /** The most that one request can ever hold. */
    public long most() {
      return memory.most();
    }

    /** Makes room for something else. */
    public synchronized void hold(long more) {
      memory.take(by, more);
      held += more;
    }

    @Override
    public synchronized void close() {
      if (!closed) {
        closed = true;
        counted.give(by, lent ? 0 : 1);
        memory.give(by, held);
        bodyBytes.addAndGet(-body);
      }
    }
  }
}
