package dev.contexture.server.load;

import java.time.Duration;
import org.apiguardian.api.API;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.ssl.SslConnection;
import org.jspecify.annotations.Nullable;

/** One open connection, and what it did so far. Thread-safe. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class ClientConnection {
  private static final String NO_SESSION = "NONE"; // what an engine says before hands are shaken

  private final Connection connection;
  private @Nullable RunningRequest running;
  private boolean proven;
  private long bytesBefore;
  private long quietSince = System.nanoTime();
  private boolean inHeader;
  private long headerSince;

  ClientConnection(Connection connection) {
    this.connection = connection;
  }

  public synchronized void begin(RunningRequest work) {
    running = work;
    proven = true;
    inHeader = false;
  }

  public void end(RunningRequest work) {
    work.end(); // before the lock: whoever watches the work may come to close this connection
    ended(work);
  }

  private synchronized void ended(RunningRequest work) {
    if (running == work) {
      running = null;
      bytesBefore = bytes();
      quietSince = System.nanoTime();
    }
  }

  /** The other side is gone. */
  synchronized void left() {
    if (running != null) {
      running.left();
    }
  }

  /** Whether it does nothing that anybody waits for. */
  synchronized boolean isSpare() {
    return running == null;
  }

  /** Whether it ever sent a request. */
  synchronized boolean isProven() {
    return proven;
  }

  /** Since when it sent no request. */
  synchronized long quietSince() {
    return quietSince;
  }

  void close() {
    connection.getEndPoint().close();
  }

  /** Looks at the clock: headers must come to an end. */
  void watch(long now, Duration header) {
    RunningRequest work = work(now);
    if (work != null) {
      work.watch(now);
    } else if (isLate(now, header)) {
      close();
    }
  }

  private synchronized @Nullable RunningRequest work(long now) {
    if (running == null) {
      boolean came = bytes() > bytesBefore || isShakingHands();
      if (came && !inHeader) {
        headerSince = now;
      }
      inHeader = came; // not any more, once hands are shaken and no byte of a header came
    }
    return running;
  }

  private long bytes() {
    return connection.getBytesIn();
  }

  /** TLS that has begun and not come to an end: a part of the first header. */
  private boolean isShakingHands() {
    return connection.getEndPoint() instanceof SslConnection.SslEndPoint secure
        && NO_SESSION.equals(secure.getSslConnection().getSSLEngine().getSession().getProtocol());
  }

  private synchronized boolean isLate(long now, Duration header) {
    return running == null && inHeader && now - headerSince > header.toNanos();
  }
}
