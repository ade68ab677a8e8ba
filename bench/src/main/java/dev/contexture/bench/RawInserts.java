package dev.contexture.bench;

import dev.contexture.bench.support.StoreSamples;
import dev.contexture.block.BlockCodec;
import dev.contexture.store.sqlite.SqliteStore;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.sqlite.SQLiteConfig;

/**
 * The limit: plain JDBC that inserts the rows which the store would insert, into the same table
 * with the same settings of the database and the driver's own defaults, and does nothing else.
 */
final class RawInserts {
  private static final String INSERT =
      "INSERT INTO blocks (id, conv, version, turn, type, path, artifact, caller_id, sha, wire,"
          + " stamp) VALUES (?, ?, ?, ?, ?, NULL, NULL, NULL, NULL, ?, ?)";

  private RawInserts() {}

  /** Inserts so many rows, some in each commit, and returns the rows per second. */
  static double run(Path directory, int rows, int perCommit) throws SQLException {
    SqliteStore.open(directory).close(); // makes the tables
    List<String> wires = new ArrayList<>();
    for (int row = 0; row < rows; row++) {
      wires.add(BlockCodec.write(StoreSamples.block(StoreSamples.turn(1), row)).toJson());
    }
    SQLiteConfig config = new SQLiteConfig();
    config.setPragma(SQLiteConfig.Pragma.JOURNAL_MODE, "WAL");
    config.setPragma(SQLiteConfig.Pragma.SYNCHRONOUS, "FULL");
    config.setPragma(SQLiteConfig.Pragma.SECURE_DELETE, "ON");
    try (Connection connection =
            config.createConnection("jdbc:sqlite:" + directory.resolve(SqliteStore.FILE));
        var settings = connection.createStatement()) {
      settings.execute("PRAGMA wal_autocheckpoint = 4000");
      connection.setAutoCommit(false);
      long start = System.nanoTime();
      try (PreparedStatement insert = connection.prepareStatement(INSERT)) {
        for (int row = 0; row < rows; row++) {
          insert(insert, 1 + row % perCommit, 1L + row / perCommit, wires.get(row));
          if ((row + 1) % perCommit == 0) {
            connection.commit();
          }
        }
      }
      connection.commit();
      return rows / ((System.nanoTime() - start) / 1e9);
    }
  }

  private static void insert(PreparedStatement insert, long conversation, long seq, String wire)
      throws SQLException {
    insert.setLong(1, conversation << 32 | seq);
    insert.setLong(2, conversation);
    insert.setLong(3, seq);
    insert.setLong(4, conversation);
    insert.setString(5, "agent.block");
    insert.setString(6, wire);
    insert.setLong(7, (1L << 32) + wire.length());
    insert.executeUpdate();
  }
}
