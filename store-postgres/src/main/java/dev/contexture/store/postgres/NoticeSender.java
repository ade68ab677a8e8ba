package dev.contexture.store.postgres;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Tells other processes what this one wrote. {@code NOTIFY} takes a lock of the whole database
 * until its transaction ends: so one thread sends on a connection of its own what came together
 * within {@link #PAUSE_MILLIS}, in a transaction that waits for no disk. What cannot be sent is
 * dropped, since readers look by themselves. Thread-safe.
 */
final class NoticeSender implements AutoCloseable {
  private static final long PAUSE_MILLIS = 20;
  private static final long AFTER_FAILURE_MILLIS = 1_000;
  private static final String SEND =
      "SELECT set_config('synchronous_commit', 'off', true), pg_notify('"
          + NoticeListener.CHANNEL
          + "', ?)";

  private final NoticeConnections connections;
  private final Set<String> waiting = new LinkedHashSet<>(); // guarded by itself
  private final Semaphore wake = new Semaphore(0);
  private final Thread thread;
  private volatile boolean closed;

  /** By which the listener of this process knows what this process sent; 0: not connected. */
  private volatile int backend;

  NoticeSender(NoticeConnections connections) {
    this.connections = connections;
    this.thread = Thread.ofPlatform().name("contexture-postgres-notify").daemon().start(this::run);
  }

  /** Sends these soon, together with others. */
  void send(List<String> keys) {
    synchronized (waiting) {
      waiting.addAll(keys);
    }
    if (wake.availablePermits() == 0) {
      wake.release();
    }
  }

  /** The process of the database that sends what this process writes. */
  int backend() {
    return backend;
  }

  private void run() {
    @Nullable Connection connection = null;
    while (!closed) {
      wake.acquireUninterruptibly();
      pause(PAUSE_MILLIS);
      wake.drainPermits();
      String text = take();
      if (closed || text.isEmpty()) {
        continue;
      }
      try {
        if (connection == null) {
          connection = connections.open();
          backend = NoticeConnections.backend(connection);
        }
        send(connection, text);
      } catch (SQLException lost) {
        connections.failed("sent", lost);
        release(connection);
        connection = null;
        pause(AFTER_FAILURE_MILLIS);
      }
    }
    release(connection);
  }

  private static void release(@Nullable Connection connection) {
    if (connection != null) {
      ConnectionPool.release(connection);
    }
  }

  private String take() {
    synchronized (waiting) {
      String text = NoticeTopics.text(waiting);
      waiting.clear();
      return text;
    }
  }

  private static void send(Connection connection, String text) throws SQLException {
    try (PreparedStatement send = connection.prepareStatement(SEND)) {
      send.setString(1, text);
      send.execute();
    }
  }

  private void pause(long millis) {
    try {
      TimeUnit.MILLISECONDS.sleep(closed ? 0 : millis);
    } catch (InterruptedException ending) {
      // by close, which has said so
    }
  }

  @Override
  public void close() {
    closed = true;
    wake.release();
    thread.interrupt();
    NoticeConnections.awaitEnd(thread);
  }
}
