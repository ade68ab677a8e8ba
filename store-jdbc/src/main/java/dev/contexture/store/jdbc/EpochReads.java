package dev.contexture.store.jdbc;

import dev.contexture.block.Scope;
import dev.contexture.store.EpochRow;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Reads and writes the texts that the prompts of agents repeat. Confined to the thread of its
 * connection.
 */
final class EpochReads {
  private static final String SELECT =
      "SELECT conv, agent, number, started_at, built_at, body, stamp FROM epochs";

  private EpochReads() {}

  static void put(Db db, long conv, EpochRow epoch) throws SQLException {
    delete(db, conv, epoch.agent());
    String body = epoch.state().toJson();
    db.sql(
            "INSERT INTO epochs (conv, agent, number, started_at, built_at, body, stamp)"
                + " VALUES (?, ?, ?, ?, ?, ?, ?)")
        .update(
            conv,
            epoch.agent(),
            epoch.number(),
            epoch.startedAt(),
            epoch.builtAt(),
            body,
            RowChecksum.of(epoch.agent(), body));
    for (String block : epoch.blocks()) {
      db.sql("INSERT INTO epoch_blocks (conv, agent, block) VALUES (?, ?, ?)")
          .update(conv, epoch.agent(), block);
    }
  }

  private static void delete(Db db, long conv, String agent) throws SQLException {
    db.sql("DELETE FROM epochs WHERE conv = ? AND agent = ?").update(conv, agent);
    db.sql("DELETE FROM epoch_blocks WHERE conv = ? AND agent = ?").update(conv, agent);
  }

  static void touch(Db db, long conv, String agent, Instant at) throws SQLException {
    db.sql("UPDATE epochs SET built_at = ? WHERE conv = ? AND agent = ?").update(at, conv, agent);
  }

  static Optional<EpochRow> read(Db db, long conv, String agent) throws SQLException {
    Optional<EpochRow> found =
        db.sql(SELECT + " WHERE conv = ? AND agent = ?").with(conv, agent).one(EpochReads::row);
    return found.isEmpty() ? found : Optional.of(withBlocks(db, conv, found.get()));
  }

  static List<EpochRow> list(Db db, long conv) throws SQLException {
    List<EpochRow> rows =
        db.sql(SELECT + " WHERE conv = ? ORDER BY agent").with(conv).list(EpochReads::row);
    for (int i = 0; i < rows.size(); i++) {
      rows.set(i, withBlocks(db, conv, rows.get(i)));
    }
    return rows;
  }

  private static EpochRow row(ResultSet row) throws SQLException {
    String agent = row.getString(2);
    String body = RowChecksum.read(row, 6, agent, "epoch of agent", agent);
    return new EpochRow(
        agent,
        row.getLong(3),
        ConversationState.instant(row.getLong(4)),
        ConversationState.instant(row.getLong(5)),
        RowCodec.parse(body),
        Set.of());
  }

  private static EpochRow withBlocks(Db db, long conv, EpochRow epoch) throws SQLException {
    List<String> blocks =
        db.sql("SELECT block FROM epoch_blocks WHERE conv = ? AND agent = ?")
            .with(conv, epoch.agent())
            .list(row -> row.getString(1));
    return new EpochRow(
        epoch.agent(),
        epoch.number(),
        epoch.startedAt(),
        epoch.builtAt(),
        epoch.state(),
        new HashSet<>(blocks));
  }

  /** The key of an epoch: its conversation and agent. */
  private record Key(long conv, String agent) {}

  /** Empties the epochs of a project that show a memory block; their numbers stay. */
  static void erase(Db db, Scope scope, String block) throws SQLException {
    List<Key> showing =
        db.sql(
                "SELECT e.conv, e.agent FROM epoch_blocks e JOIN conversations c ON c.id = e.conv"
                    + " WHERE e.block = ? AND c.tenant = ? AND c.project = ?")
            .with(block, scope)
            .list(row -> new Key(row.getLong(1), row.getString(2)));
    for (Key key : showing) {
      EpochRow epoch = read(db, key.conv, key.agent).orElseThrow();
      put(db, key.conv, epoch.erased());
    }
  }
}
