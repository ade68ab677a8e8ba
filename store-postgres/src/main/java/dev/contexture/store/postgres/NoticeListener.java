package dev.contexture.store.postgres;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/**
 * Hears what other processes wrote, on a connection of its own. When it hears again after it could
 * not, all listeners are called, since it cannot know what it missed. Where a pooler stands between
 * or the database has no {@code LISTEN}, it ends, and readers look by themselves. Thread-safe.
 */
final class NoticeListener implements AutoCloseable {
  static final String CHANNEL = "contexture";

  private static final int LOOK_MILLIS = 10_000; // whether the connection still lives
  private static final long AGAIN_MILLIS = 1_000;

  private final NoticeConnections connections;
  private final NoticeTopics topics;
  private final IntSupplier own;
  private final Semaphore closing = new Semaphore(0);
  private final Thread thread;
  private volatile @Nullable Connection open;
  private volatile boolean closed;

  /**
   * @param own the process of the database that sends what this process wrote
   */
  NoticeListener(NoticeConnections connections, NoticeTopics topics, IntSupplier own) {
    this.connections = connections;
    this.topics = topics;
    this.own = own;
    this.thread = Thread.ofPlatform().name("contexture-postgres-listen").daemon().start(this::run);
  }

  private void run() {
    boolean heard = true;
    while (heard && !closed) {
      try (Connection connection = connections.open()) {
        open = connection;
        heard = listens(connection);
        if (heard) {
          topics.tell(NoticeTopics.ALL);
          hear(connection);
        }
      } catch (SQLException lost) {
        if (!closed) {
          connections.failed("heard", lost);
          pause();
        }
      }
    }
  }

  private boolean listens(Connection connection) throws SQLException {
    if (!NoticeConnections.isDirect(connection)) {
      connections.unavailable("a pooler stands between");
      return false;
    }
    try (Statement statement = connection.createStatement()) {
      statement.execute("LISTEN " + CHANNEL);
      return true;
    } catch (SQLException refused) {
      if (PostgresErrors.isLost(refused)) {
        throw refused;
      }
      connections.unavailable(String.valueOf(refused.getMessage()));
      return false;
    }
  }

  private void hear(Connection connection) throws SQLException {
    PGConnection notices = connection.unwrap(PGConnection.class);
    while (!closed) {
      PGNotification[] heard = notices.getNotifications(LOOK_MILLIS);
      if (heard == null || heard.length == 0) {
        int unused = NoticeConnections.backend(connection); // fails if it is gone
      } else {
        for (PGNotification notice : heard) {
          if (notice.getPID() != own.getAsInt()) {
            topics.tell(notice.getParameter());
          }
        }
      }
    }
  }

  private void pause() {
    try {
      boolean unused = closing.tryAcquire(AGAIN_MILLIS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException ending) {
      // by close, which has said so
    }
  }

  /** Breaks off the connection, at which the thread waits. */
  @Override
  public void close() {
    closed = true;
    closing.release();
    Connection connection = open;
    if (connection != null) {
      try {
        connection.abort(Runnable::run);
      } catch (SQLException gone) {
        connections.failed("ended", gone);
      }
    }
    NoticeConnections.awaitEnd(thread);
  }
}
