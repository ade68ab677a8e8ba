package dev.contexture.store.postgres;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Properties;
import org.postgresql.PGConnection;

/** Opens the connections of notices, beside those of the pool. Thread-safe. */
final class NoticeConnections {
  /** By which an administrator finds them in {@code pg_stat_activity}. */
  static final String NAME = "contexture-notices";

  private static final Duration END = Duration.ofSeconds(5);

  private final PostgresSettings settings;

  NoticeConnections(PostgresSettings settings) {
    this.settings = settings;
  }

  Connection open() throws SQLException {
    Properties login = new Properties();
    login.setProperty("ApplicationName", NAME);
    login.setProperty("logServerErrorDetail", "false"); // it quotes rows
    login.setProperty("tcpKeepAlive", "true");
    String timeout = Long.toString(Math.max(1, settings.connectTimeout().toSeconds()));
    login.setProperty("connectTimeout", timeout);
    login.setProperty("socketTimeout", Long.toString(settings.statementTimeout().toSeconds() + 1));
    if (settings.user() != null) {
      login.setProperty("user", settings.user());
    }
    if (settings.password() != null) {
      login.setProperty("password", settings.password());
    }
    return DriverManager.getConnection(settings.url(), login);
  }

  /** The process of the database that serves a connection now. */
  static int backend(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT pg_backend_pid()")) {
      row.next();
      return row.getInt(1);
    }
  }

  /**
   * Whether the database itself is at the other end. A pooler answers with a key of its own, and
   * would leave a {@code LISTEN} behind on a connection that it gives to others.
   */
  static boolean isDirect(Connection connection) throws SQLException {
    return connection.unwrap(PGConnection.class).getBackendPID() == backend(connection);
  }

  /** Waits a little for a thread that was told to end; one that connects ends by itself. */
  static void awaitEnd(Thread thread) {
    try {
      boolean unused = thread.join(END);
    } catch (InterruptedException early) {
      Thread.currentThread().interrupt();
    }
  }

  /** Reports what readers need not know: they look by themselves. */
  void failed(String what, SQLException why) {
    System.getLogger(NoticeConnections.class.getName())
        .log(
            System.Logger.Level.DEBUG,
            "notices are not " + what + " at " + settings.address() + " now",
            why);
  }

  /** Reports that there will be none. */
  void unavailable(String why) {
    System.getLogger(NoticeConnections.class.getName())
        .log(
            System.Logger.Level.INFO,
            "no notices from " + settings.address() + ": " + why + "; it is read every second");
  }
}
