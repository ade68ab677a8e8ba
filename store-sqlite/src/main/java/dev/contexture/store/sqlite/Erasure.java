package dev.contexture.store.sqlite;

import dev.contexture.block.Scope;
import dev.contexture.block.TurnId;
import dev.contexture.json.JsonObject;
import dev.contexture.store.Commit;
import dev.contexture.store.Reason;
import dev.contexture.store.sqlite.ConversationState.TurnState;
import dev.contexture.timeline.ArchivedRange;
import dev.contexture.timeline.Summary;
import dev.contexture.timeline.TurnStatus;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;

/**
 * Removes rows. SQLite overwrites what is deleted (secure_delete), and the caller empties the log
 * afterwards, so that no byte of it stays in the files. Confined to the writing thread.
 */
final class Erasure {
  private static final List<String> BY_CONVERSATION =
      List.of(
          "turns",
          "blocks",
          "summaries",
          "ranges",
          "sources",
          "kept",
          "feedback",
          "outcomes",
          "requests",
          "request_memory",
          "notes",
          "epochs",
          "epoch_blocks",
          "binary_refs");

  private static final List<String> MEMORY_BY_TENANT =
      List.of("agents", "archival", "consents", "memory_events");

  private final Db db;

  Erasure(Db db) {
    this.db = db;
  }

  boolean conversation(Scope.OfConversation scope) throws SQLException {
    ConversationState state = ConversationState.find(db, scope).orElse(null);
    if (state == null) {
      return false;
    }
    rows(state.id);
    sweep(scope.tenant());
    Outbox.erased(db, scope);
    return true;
  }

  private void rows(long conv) throws SQLException {
    for (String table : BY_CONVERSATION) {
      if (!table.equals("blocks")) {
        db.update("DELETE FROM " + table + " WHERE conv = ?", conv);
      }
    }
    db.update("DELETE FROM blocks WHERE id >= ? AND id < ?", conv << 32, (conv + 1) << 32);
    db.update("DELETE FROM visibility WHERE id >= ? AND id < ?", conv << 32, (conv + 1) << 32);
    db.update("DELETE FROM conversations WHERE id = ?", conv);
  }

  Commit turn(Scope.OfConversation scope, TurnId turn, Instant at, JsonObject note)
      throws SQLException {
    ConversationState state = ConversationState.find(db, scope).orElse(null);
    TurnState found = state == null ? null : state.turn(db, turn).orElse(null);
    if (state == null || found == null) {
      return new Commit.Conflict(state == null ? 0 : state.version, new Reason.TurnUnknown(turn));
    }
    if (found.status == TurnStatus.OPEN) {
      return new Commit.Conflict(state.version, new Reason.TurnOpen(turn));
    }
    requestsSince(state, found);
    blocks(state, found);
    quoting(state, scope, turn);
    for (String table : List.of("kept", "feedback", "outcomes", "turns")) {
      db.update("DELETE FROM " + table + " WHERE conv = ? AND turn = ?", state.id, turn.value());
    }
    raise(state, found, at);
    Applier.note(db, state, ConversationState.micros(at), note.toJson());
    sweep(scope.tenant());
    Outbox.put(db, scope, turn, true);
    return new Commit.Committed(state.version, 0, 0);
  }

  private void requestsSince(ConversationState state, TurnState turn) throws SQLException {
    String since =
        " FROM requests WHERE conv = ?1 AND version >="
            + " (SELECT opened_version FROM turns WHERE id = ?2)";
    db.update(
        "DELETE FROM binary_refs WHERE conv = ?1 AND holder IN (SELECT 'r' || request"
            + since
            + ")",
        state.id,
        turn.id);
    db.update(
        "DELETE FROM request_memory WHERE conv = ?1 AND request IN (SELECT request" + since + ")",
        state.id,
        turn.id);
    db.update("DELETE" + since, state.id, turn.id);
  }

  private void blocks(ConversationState state, TurnState turn) throws SQLException {
    if (turn.blocks == 0) {
      return;
    }
    long from = state.key(turn.firstSeq);
    long to = state.key(turn.lastSeq);
    String ours = " (SELECT id FROM blocks WHERE id >= ? AND id <= ? AND turn = ?)";
    db.update("DELETE FROM visibility WHERE id IN" + ours, from, to, turn.id);
    db.update(
        "DELETE FROM binary_refs WHERE conv = ? AND holder IN"
            + " (SELECT 'b' || (id & 4294967295) FROM blocks WHERE id >= ? AND id <= ?"
            + " AND turn = ?)",
        state.id,
        from,
        to,
        turn.id);
    db.update("DELETE FROM blocks WHERE id >= ? AND id <= ? AND turn = ?", from, to, turn.id);
  }

  /** Summaries and archived ranges that cover the turn. */
  private void quoting(ConversationState state, Scope.OfConversation scope, TurnId turn)
      throws SQLException {
    for (Summary summary : Summaries.all(db, state.id)) {
      if (summary.turn().equals(turn) || summary.coveredTurns().contains(turn)) {
        db.update("DELETE FROM summaries WHERE conv = ? AND summary = ?", state.id, summary.id());
      }
    }
    for (ArchivedRange range : new Reads(db, state, scope).archived()) {
      if (range.turns().contains(turn)) {
        db.update("DELETE FROM ranges WHERE conv = ? AND range = ?", state.id, range.id());
      }
    }
  }

  private void raise(ConversationState state, TurnState turn, Instant at) throws SQLException {
    state.version++;
    db.update(
        "UPDATE conversations SET version = ?, erased_version = ?, turns = ?, kept_turns = ?,"
            + " blocks = ?, last_activity = ?, activity = "
            + ConversationState.NEXT_ACTIVITY
            + " WHERE id = ?",
        state.version,
        state.version,
        state.turns - 1,
        state.keptTurns - (turn.status.kept() ? 1 : 0),
        state.blocks - turn.blocks,
        ConversationState.micros(at),
        ConversationState.micros(at),
        state.id);
  }

  long tenant(String tenant) throws SQLException {
    List<Long> conversations =
        db.list("SELECT id FROM conversations WHERE tenant = ?", row -> row.getLong(1), tenant);
    Outbox.erased(db, tenant);
    for (long conv : conversations) {
      rows(conv);
    }
    db.update("DELETE FROM binaries WHERE tenant = ?", tenant);
    List<Long> memory =
        db.list("SELECT id FROM memory_blocks WHERE tenant = ?", row -> row.getLong(1), tenant);
    for (long mem : memory) {
      memoryRows(mem);
    }
    for (String table : MEMORY_BY_TENANT) {
      db.update("DELETE FROM " + table + " WHERE tenant = ?", tenant);
    }
    return conversations.size();
  }

  /** Whether anything of a tenant is left. */
  static boolean anything(Db db, String tenant) throws SQLException {
    boolean left =
        db.exists("SELECT 1 FROM conversations WHERE tenant = ? LIMIT 1", tenant)
            || db.exists("SELECT 1 FROM memory_blocks WHERE tenant = ? LIMIT 1", tenant);
    for (String table : MEMORY_BY_TENANT) {
      left = left || db.exists("SELECT 1 FROM " + table + " WHERE tenant = ? LIMIT 1", tenant);
    }
    return left;
  }

  boolean memoryBlock(Scope scope, String block) throws SQLException {
    Long mem = new MemoryReads(db, scope).key(block).orElse(null);
    if (mem == null) {
      return false;
    }
    memoryRows(mem);
    Epochs.erase(db, scope, block);
    Requests.erase(db, scope, block);
    sweep(scope.tenant());
    for (String table : List.of("memory_events", "consents")) {
      db.update(
          "DELETE FROM " + table + " WHERE tenant = ? AND project = ? AND block = ?",
          scope.tenant(),
          scope.project(),
          block);
    }
    Outbox.memoryBlock(db, scope, block, true);
    return true;
  }

  private void memoryRows(long mem) throws SQLException {
    db.update("DELETE FROM memory_updates WHERE id >= ? AND id < ?", mem << 32, (mem + 1) << 32);
    for (String table : List.of("memory_checkpoints", "memory_previews", "memory_shares")) {
      db.update("DELETE FROM " + table + " WHERE mem = ?", mem);
    }
    db.update("DELETE FROM memory_blocks WHERE id = ?", mem);
  }

  boolean archival(Scope scope, String id) throws SQLException {
    int removed =
        db.update(
            "DELETE FROM archival WHERE tenant = ? AND project = ? AND entry = ?",
            scope.tenant(),
            scope.project(),
            id);
    if (removed > 0) {
      Outbox.archival(db, scope, id, true);
    }
    return removed > 0;
  }

  /** Removes the content of a tenant to which nothing refers. */
  private void sweep(String tenant) throws SQLException {
    db.update(
        "DELETE FROM binaries WHERE tenant = ?1 AND NOT EXISTS (SELECT 1 FROM binary_refs r"
            + " JOIN conversations c ON c.id = r.conv WHERE r.sha = binaries.sha"
            + " AND c.tenant = ?1)",
        tenant);
  }
}
