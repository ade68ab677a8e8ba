package dev.contexture.bench.peer;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** SQLite's full-text index, FTS5: what an embedded store has without a search engine. */
public final class FullTextPeer implements AutoCloseable {
  private final Connection connection;
  private int rows;

  public FullTextPeer(Path file) throws SQLException {
    connection = DriverManager.getConnection("jdbc:sqlite:" + file);
    try (Statement statement = connection.createStatement()) {
      statement.execute("PRAGMA journal_mode = WAL");
      statement.execute(
          "CREATE VIRTUAL TABLE t USING fts5(text, agent UNINDEXED, tokenize = 'porter"
              + " unicode61')");
    }
    connection.setAutoCommit(false);
  }

  public String name() {
    return "sqlite fts5";
  }

  /** Adds texts, given to agents in turn. */
  public void add(List<String> texts, int agents) {
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO t (text, agent) VALUES (?, ?)")) {
      for (String text : texts) {
        insert.setString(1, text);
        insert.setString(2, "a" + rows++ % agents);
        insert.addBatch();
      }
      insert.executeBatch();
      connection.commit();
    } catch (SQLException failed) {
      throw new IllegalStateException(failed);
    }
  }

  /** The best rows for any of the words. */
  public int search(String words, @Nullable String agent, int limit) throws SQLException {
    String any = "\"" + String.join("\" OR \"", words.strip().split(" ")) + "\"";
    String sql =
        "SELECT rowid FROM t WHERE t MATCH ?"
            + (agent == null ? "" : " AND agent = ?")
            + " ORDER BY bm25(t) LIMIT "
            + limit;
    try (PreparedStatement select = connection.prepareStatement(sql)) {
      select.setString(1, any);
      if (agent != null) {
        select.setString(2, agent);
      }
      int found = 0;
      try (ResultSet hits = select.executeQuery()) {
        while (hits.next()) {
          found++;
        }
      }
      return found;
    }
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
