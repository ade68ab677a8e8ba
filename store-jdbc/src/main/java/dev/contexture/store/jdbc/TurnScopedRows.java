package dev.contexture.store.jdbc;

import dev.contexture.block.TurnId;
import dev.contexture.json.JsonObject;
import dev.contexture.store.Reason;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes what is kept with an open turn. Confined to the writing thread. */
final class TurnScopedRows {
  static final int ANNOUNCE = 0;
  static final int TRANSIENT = 1;
  static final int PENDING = 2;

  private static final String UNREFER =
      "DELETE FROM binary_refs WHERE conv = ? AND holder IN"
          + " (SELECT 'k' || id FROM kept WHERE conv = ? AND turn = ? AND kind = ?)";
  private static final String DELETE = "DELETE FROM kept WHERE conv = ? AND turn = ? AND kind = ?";

  private final Db db;
  private final ConversationState state;

  TurnScopedRows(Db db, ConversationState state) {
    this.db = db;
    this.state = state;
  }

  @Nullable Reason announce(TurnId turn, List<EncodedBlock> blocks) throws SQLException {
    clear(turn, ANNOUNCE);
    for (EncodedBlock block : blocks) {
      insert(turn, ANNOUNCE, null, block);
    }
    return null;
  }

  @Nullable Reason add(TurnId turn, List<EncodedBlock> blocks) throws SQLException {
    for (EncodedBlock block : blocks) {
      insert(turn, TRANSIENT, block.callerId(), block);
    }
    return null;
  }

  private void insert(TurnId turn, int kind, @Nullable String callerId, EncodedBlock block)
      throws SQLException {
    long id = insert(turn, kind, callerId, block.sha(), block.wire());
    if (block.sha() != null) {
      db.sql(RequestReads.REFER).update(state.id, block.sha(), "k" + id);
    }
  }

  @Nullable Reason pending(TurnId turn, @Nullable JsonObject answer) throws SQLException {
    clear(turn, PENDING);
    if (answer != null) {
      insert(turn, PENDING, null, null, answer.toJson());
    }
    return null;
  }

  private long insert(
      TurnId turn, int kind, @Nullable String callerId, @Nullable String sha, String body)
      throws SQLException {
    return db.sql(
            "INSERT INTO kept (conv, turn, kind, after_seq, caller_id, sha, body, stamp)"
                + " VALUES (?, ?, ?, ?, ?, ?, ?, ?) RETURNING id")
        .insert(
            state.id,
            turn.value(),
            kind,
            state.nextSeq - 1,
            callerId,
            sha,
            body,
            RowChecksum.of(turn.value(), body));
  }

  @Nullable Reason clear(TurnId turn) throws SQLException {
    clear(turn, ANNOUNCE);
    clear(turn, TRANSIENT);
    clear(turn, PENDING);
    return null;
  }

  private void clear(TurnId turn, int kind) throws SQLException {
    db.sql(UNREFER).update(state.id, state.id, turn.value(), kind);
    db.sql(DELETE).update(state.id, turn.value(), kind);
  }
}
