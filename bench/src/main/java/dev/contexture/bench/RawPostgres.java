package dev.contexture.bench;

import dev.contexture.bench.support.StoreSamples;
import dev.contexture.block.BlockCodec;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * The limit: plain pgjdbc that inserts the rows which the store would insert, into the same table,
 * in batches of the driver, and does nothing else.
 */
final class RawPostgres {
  private static final String INSERT =
      "INSERT INTO blocks (id, conv, version, turn, type, path, artifact, caller_id, sha, wire,"
          + " stamp) VALUES (?, ?, ?, ?, ?, NULL, NULL, NULL, NULL, ?, ?)";
  private static final int FIRST_CONVERSATION = 1_000_000; // of nobody else

  private static int runs;

  private RawPostgres() {}

  /** Inserts so many rows, a batch in each commit, and returns the rows per second. */
  static double run(String url, int rows, int perCommit) throws SQLException {
    int first = FIRST_CONVERSATION + runs++ * perCommit;
    List<String> wires = new ArrayList<>();
    for (int row = 0; row < rows; row++) {
      wires.add(BlockCodec.write(StoreSamples.block(StoreSamples.turn(1), row)).toJson());
    }
    try (Connection connection = DriverManager.getConnection(url);
        var settings = connection.createStatement()) {
      settings.execute("SELECT set_config('contexture.tenant', 'bench', false)");
      connection.setAutoCommit(false);
      long start = System.nanoTime();
      try (PreparedStatement insert = connection.prepareStatement(INSERT)) {
        for (int row = 0; row < rows; row++) {
          add(insert, first + row % perCommit, 1L + row / perCommit, wires.get(row));
          if ((row + 1) % perCommit == 0) {
            insert.executeBatch();
            connection.commit();
          }
        }
        insert.executeBatch();
        connection.commit();
      }
      return rows / ((System.nanoTime() - start) / 1e9);
    }
  }

  private static void add(PreparedStatement insert, long conversation, long seq, String wire)
      throws SQLException {
    insert.setLong(1, conversation << 32 | seq);
    insert.setLong(2, conversation);
    insert.setLong(3, seq);
    insert.setLong(4, conversation);
    insert.setString(5, "agent.block");
    insert.setString(6, wire);
    insert.setLong(7, (1L << 32) + wire.length());
    insert.addBatch();
  }
}
