package dev.contexture.bench;

import dev.contexture.store.sqlite.SqliteStore;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * The bytes of the rows that edits of memory blocks write: those that they add, and those that they
 * write over. Confined to one thread.
 */
final class StoredBytes implements AutoCloseable {
  private static final List<String> ADDED = List.of("memory_updates", "memory_events");

  private final Connection connection;

  private StoredBytes(Connection connection) {
    this.connection = connection;
  }

  static StoredBytes in(Path directory) {
    try {
      return new StoredBytes(
          DriverManager.getConnection("jdbc:sqlite:" + directory.resolve(SqliteStore.FILE)));
    } catch (SQLException failed) {
      throw new IllegalStateException("the database cannot be read", failed);
    }
  }

  /** What was added so far. */
  long added() {
    long sum = 0;
    for (String table : ADDED) {
      sum += one("SELECT total(" + rowBytes(table) + ") FROM " + table);
    }
    return sum;
  }

  /**
   * What each of some edits of a block wrote, without checkpoints.
   *
   * @param before what had been added before them
   */
  double each(String label, long before, int edits) {
    return (added() - before) / (double) edits
        + one("SELECT max(" + rowBytes("outbox") + ") FROM outbox")
        + one("SELECT " + rowBytes("memory_blocks") + " FROM memory_blocks WHERE label = ?", label)
        + one(
            "SELECT coalesce(sum(length(p.body)), 0) FROM memory_previews p JOIN memory_blocks b"
                + " ON b.id = p.mem WHERE b.label = ?",
            label);
  }

  private String rowBytes(String table) {
    List<String> columns = new ArrayList<>();
    try (PreparedStatement statement =
        connection.prepareStatement("SELECT name FROM pragma_table_info(?)")) {
      statement.setString(1, table);
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          columns.add("coalesce(length(CAST(" + rows.getString(1) + " AS BLOB)), 0)");
        }
      }
    } catch (SQLException failed) {
      throw new IllegalStateException("the columns of " + table + " cannot be read", failed);
    }
    return String.join(" + ", columns);
  }

  private long one(String sql, String... values) {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < values.length; i++) {
        statement.setString(i + 1, values[i]);
      }
      try (ResultSet rows = statement.executeQuery()) {
        return rows.next() ? rows.getLong(1) : 0;
      }
    } catch (SQLException failed) {
      throw new IllegalStateException("the bytes of the database cannot be counted", failed);
    }
  }

  @Override
  public void close() {
    try {
      connection.close();
    } catch (SQLException failed) {
      throw new IllegalStateException("the database cannot be closed", failed);
    }
  }
}
