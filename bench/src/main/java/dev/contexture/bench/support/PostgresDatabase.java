package dev.contexture.bench.support;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.logging.Level;
import java.util.logging.Logger;

/** A PostgreSQL server of its own, as safe as it is by default: each commit is on the disk. */
public final class PostgresDatabase implements AutoCloseable {
  private static final String ROLE = "bench";
  private static final Logger ROOT = Logger.getLogger("");

  private final EmbeddedPostgres server;

  private PostgresDatabase(EmbeddedPostgres server) {
    this.server = server;
  }

  public static PostgresDatabase start() throws IOException, SQLException {
    ROOT.setLevel(Level.WARNING); // the server and the pool tell all that they do
    PostgresDatabase database =
        new PostgresDatabase(
            EmbeddedPostgres.builder()
                .setServerConfig("fsync", "on")
                .setServerConfig("synchronous_commit", "on")
                .setServerConfig("shared_buffers", "256MB")
                .start());
    database.execute("CREATE ROLE " + ROLE + " LOGIN");
    return database;
  }

  /** The address of a database that is empty, with the role that owns it and no more. */
  public String fresh(String name) throws SQLException {
    execute("CREATE DATABASE " + name + " OWNER " + ROLE);
    return server.getJdbcUrl(ROLE, name);
  }

  /** A setting as the server has it. */
  public String setting(String name) throws SQLException {
    try (Connection connection = server.getPostgresDatabase().getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SHOW " + name)) {
      row.next();
      return row.getString(1);
    }
  }

  /** How much room tables with such names take, with their indexes. */
  long tableBytes(String database, String like) throws SQLException {
    String sql =
        "SELECT coalesce(sum(pg_total_relation_size(oid)), 0) FROM pg_class"
            + " WHERE relkind IN ('r', 'p') AND relname LIKE '"
            + like
            + "'";
    try (Connection connection = server.getDatabase(ROLE, database).getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getLong(1);
    }
  }

  private void execute(String sql) throws SQLException {
    try (Connection connection = server.getPostgresDatabase().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
