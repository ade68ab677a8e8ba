package dev.contexture.server;

import java.time.Duration;
import org.eclipse.jetty.io.Connection;
import org.jspecify.annotations.Nullable;

/** One open connection, and what it did so far. Thread-safe. */
final class ClientConnection {
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

  synchronized void begin(RunningRequest work) {
    running = work;
    proven = true;
    inHeader = false;
  }

  void end(RunningRequest work) {
    work.end(); // before the lock: whoever watches the work may come to close this connection
    ended(work);
  }

  private synchronized void ended(RunningRequest work) {
    if (running == work) {
      running = null;
      bytesBefore = connection.getBytesIn();
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
    if (running == null && !inHeader && connection.getBytesIn() > bytesBefore) {
      inHeader = true;
      headerSince = now;
    }
    return running;
  }

  private synchronized boolean isLate(long now, Duration header) {
    return running == null && inHeader && now - headerSince > header.toNanos();
  }
}
