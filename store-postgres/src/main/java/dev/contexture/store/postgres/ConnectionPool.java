package dev.contexture.store.postgres;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.contexture.store.jdbc.Db;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;

/**
 * Connections to a database. All that a transaction needs is said at its begin, for it alone, so
 * that a pooler between may give each transaction another connection. Thread-safe.
 */
final class ConnectionPool implements AutoCloseable {
  private static final String SETTINGS =
      "SELECT set_config('contexture.tenant', ?, true), set_config('statement_timeout', ?, true),"
          + " set_config('lock_timeout', ?, true),"
          + " set_config('idle_in_transaction_session_timeout', ?, true)";
  private static final String READ =
      "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY; " + SETTINGS;
  private static final Duration GRACE = Duration.ofSeconds(15); // for the network

  private final PostgresSettings settings;
  private final HikariDataSource source;
  private final Db.FaultPoint faults;

  ConnectionPool(PostgresSettings settings, Db.FaultPoint faults) {
    this.settings = settings;
    this.faults = faults;
    HikariConfig config = new HikariConfig();
    config.setPoolName("contexture-postgres");
    config.setJdbcUrl(settings.url());
    config.setUsername(settings.user());
    config.setPassword(settings.password());
    config.setAutoCommit(false);
    config.setMaximumPoolSize(settings.connections());
    config.setMinimumIdle(Math.min(2, settings.connections()));
    config.setConnectionTimeout(settings.connectTimeout().toMillis());
    config.setInitializationFailTimeout(-1); // whoever opens the store tries, and says what failed
    long silent = settings.statementTimeout().plus(GRACE).toSeconds();
    config.addDataSourceProperty("socketTimeout", Long.toString(silent));
    config.addDataSourceProperty("connectTimeout", Long.toString(connectSeconds(settings)));
    config.addDataSourceProperty("tcpKeepAlive", "true");
    config.addDataSourceProperty("logServerErrorDetail", "false"); // it quotes rows
    config.addDataSourceProperty("ApplicationName", "contexture");
    this.source = new HikariDataSource(config);
  }

  private static long connectSeconds(PostgresSettings settings) {
    return Math.max(1, settings.connectTimeout().toSeconds());
  }

  /** Begins a transaction that reads one state. */
  Db reading(String tenant) throws SQLException {
    return begin(READ, tenant, Db.FaultPoint.NONE);
  }

  /** Begins a transaction that writes. */
  Db writing(String tenant) throws SQLException {
    return begin(SETTINGS, tenant, faults);
  }

  private Db begin(String statements, String tenant, Db.FaultPoint points) throws SQLException {
    Connection connection = source.getConnection();
    try (PreparedStatement begin = connection.prepareStatement(statements)) {
      bind(begin, tenant);
      begin.execute();
      return new Db(connection, PostgresDialect.INSTANCE, points);
    } catch (SQLException failed) {
      release(connection);
      throw failed;
    }
  }

  private void bind(PreparedStatement begin, String tenant) throws SQLException {
    begin.setString(1, tenant);
    begin.setString(2, Long.toString(settings.statementTimeout().toMillis()));
    begin.setString(3, Long.toString(settings.lockTimeout().toMillis()));
    begin.setString(4, Long.toString(settings.statementTimeout().plus(GRACE).toMillis()));
  }

  /** Gives a connection back; what was not committed is undone, also where this fails. */
  static void release(AutoCloseable connection) {
    try {
      connection.close();
    } catch (Exception broken) {
      // the pool lets go of a connection that fails, and the server undoes what it had begun
    }
  }

  @Override
  public void close() {
    source.close();
  }
}
