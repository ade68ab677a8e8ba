package dev.contexture.store.jdbc;

import dev.contexture.block.Scope;
import dev.contexture.block.TurnId;
import dev.contexture.json.JsonObject;
import dev.contexture.store.Commit;
import dev.contexture.store.Reason;
import dev.contexture.store.jdbc.ConversationState.TurnState;
import dev.contexture.timeline.ArchivedRange;
import dev.contexture.timeline.Summary;
import dev.contexture.timeline.TurnStatus;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Removes rows, and counts them by kind. SQLite overwrites what is deleted (secure_delete), and the
 * {@code FileEraser} empties the log afterwards, so that no byte of it stays in the files. Confined
 * to the writing thread.
 */
final class RowEraser {
  private static final int STEP_ROWS = 500; // of small rows, in one transaction
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
          "pins",
          "epochs",
          "epoch_blocks",
          "binary_refs");

  /** Which tables hold what is counted, by the kind that callers are told. */
  private static final Map<String, String> KINDS =
      Map.of(
          "turns", "turns",
          "blocks", "blocks",
          "summaries", "summaries",
          "requests", "requests",
          "agents", "agents",
          "archival", "archival",
          "memory_events", "events");

  private static final List<String> MEMORY_BY_TENANT =
      List.of("agents", "archival", "consents", "memory_events");

  private final Db db;
  private final Map<String, Long> counts = new TreeMap<>();

  RowEraser(Db db) {
    this.db = db;
  }

  /** How many rows were removed, by kind. */
  Map<String, Long> counts() {
    return counts;
  }

  private void count(String kind, long removed) {
    if (removed > 0) {
      counts.merge(kind, removed, Long::sum);
    }
  }

  private void removed(String table, long rows) {
    String kind = KINDS.get(table);
    if (kind != null) {
      count(kind, rows);
    }
  }

  boolean conversation(Scope.OfConversation scope) throws SQLException {
    boolean existed = conversationRows(scope);
    if (existed) {
      sweep(scope.tenant());
    }
    return existed;
  }

  private boolean conversationRows(Scope.OfConversation scope) throws SQLException {
    ConversationState state = ConversationState.lock(db, scope).orElse(null);
    if (state == null) {
      return false;
    }
    rows(state.id);
    Outbox.erased(db, scope);
    return true;
  }

  private void rows(long conv) throws SQLException {
    lockConversation(conv);
    long from = conv << 32;
    long to = (conv + 1) << 32;
    for (String table : BY_CONVERSATION) {
      if (!table.equals("blocks")) {
        removed(table, db.sql("DELETE FROM " + table + " WHERE conv = ?").update(conv));
      }
    }
    removed("blocks", db.sql("DELETE FROM blocks WHERE id >= ? AND id < ?").update(from, to));
    db.sql("DELETE FROM visibility WHERE id >= ? AND id < ?").update(from, to);
    db.sql("DELETE FROM block_memory WHERE block >= ? AND block < ?").update(from, to);
    count("conversations", db.sql("DELETE FROM conversations WHERE id = ?").update(conv));
  }

  Commit turn(Scope.OfConversation scope, TurnId turn, Instant at, JsonObject note)
      throws SQLException {
    ConversationState state = ConversationState.lock(db, scope).orElse(null);
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
    for (String table : List.of("kept", "feedback", "outcomes", "pins", "turns")) {
      db.sql("DELETE FROM " + table + " WHERE conv = ? AND turn = ?")
          .update(state.id, turn.value());
    }
    raise(state, found, at);
    ConversationRowApplier.note(db, state, ConversationState.micros(at), note.toJson());
    sweep(scope.tenant());
    Outbox.erased(db, scope, turn);
    return new Commit.Committed(state.version, 0, 0);
  }

  private void requestsSince(ConversationState state, TurnState turn) throws SQLException {
    String since =
        " FROM requests WHERE conv = ? AND version >="
            + " (SELECT opened_version FROM turns WHERE id = ?)";
    db.sql(
            "DELETE FROM binary_refs WHERE conv = ? AND holder IN (SELECT 'r' || request"
                + since
                + ")")
        .update(state.id, state.id, turn.id);
    db.sql("DELETE FROM request_memory WHERE conv = ? AND request IN (SELECT request" + since + ")")
        .update(state.id, state.id, turn.id);
    db.sql("DELETE" + since).update(state.id, turn.id);
  }

  private void blocks(ConversationState state, TurnState turn) throws SQLException {
    if (turn.blocks == 0) {
      return;
    }
    long from = state.key(turn.firstSeq);
    long to = state.key(turn.lastSeq);
    String ours = " (SELECT id FROM blocks WHERE id >= ? AND id <= ? AND turn = ?)";
    db.sql("DELETE FROM visibility WHERE id IN" + ours).update(from, to, turn.id);
    db.sql("DELETE FROM block_memory WHERE block IN" + ours).update(from, to, turn.id);
    db.sql(
            "DELETE FROM binary_refs WHERE conv = ? AND holder IN"
                + " (SELECT 'b' || (id & 4294967295) FROM blocks WHERE id >= ? AND id <= ?"
                + " AND turn = ?)")
        .update(state.id, from, to, turn.id);
    db.sql("DELETE FROM blocks WHERE id >= ? AND id <= ? AND turn = ?").update(from, to, turn.id);
  }

  /** Summaries and archived ranges that cover the turn. */
  private void quoting(ConversationState state, Scope.OfConversation scope, TurnId turn)
      throws SQLException {
    for (Summary summary : new SummaryReads(db, state.id).all()) {
      if (summary.turn().equals(turn) || summary.coveredTurns().contains(turn)) {
        db.sql("DELETE FROM summaries WHERE conv = ? AND summary = ?")
            .update(state.id, summary.id());
      }
    }
    for (ArchivedRange range : new ConversationReads(db, state, scope).archived()) {
      if (range.turns().contains(turn)) {
        db.sql("DELETE FROM ranges WHERE conv = ? AND range = ?").update(state.id, range.id());
      }
    }
  }

  private void raise(ConversationState state, TurnState turn, Instant at) throws SQLException {
    state.version++;
    db.sql(
            "UPDATE conversations SET version = ?, erased_version = ?, turns = ?, kept_turns = ?,"
                + " blocks = ?, last_activity = ?, activity = "
                + ConversationState.NEXT_ACTIVITY
                + " WHERE id = ?")
        .update(
            state.version,
            state.version,
            state.turns - 1,
            state.keptTurns - (turn.status.kept() ? 1 : 0),
            state.blocks - turn.blocks,
            at,
            at,
            at,
            state.id);
  }

  long tenant(String tenant) throws SQLException {
    Outbox.erased(db, tenant);
    List<Long> conversations =
        db.sql("SELECT id FROM conversations WHERE tenant = ? ORDER BY id")
            .with(tenant)
            .list(row -> row.getLong(1));
    for (long conv : conversations) {
      rows(conv);
    }
    sweep(tenant);
    List<Long> memory =
        db.sql("SELECT id FROM memory_blocks WHERE tenant = ?")
            .with(tenant)
            .list(row -> row.getLong(1));
    for (long mem : memory) {
      memoryRows(mem);
    }
    for (String table : MEMORY_BY_TENANT) {
      db.sql("DELETE FROM " + table + " WHERE tenant = ?").update(tenant);
    }
    return conversations.size();
  }

  /** Whether anything of a tenant is left. */
  static boolean anything(Db db, String tenant) throws SQLException {
    boolean left =
        db.sql("SELECT 1 FROM conversations WHERE tenant = ? LIMIT 1").exists(tenant)
            || db.sql("SELECT 1 FROM memory_blocks WHERE tenant = ? LIMIT 1").exists(tenant);
    for (String table : MEMORY_BY_TENANT) {
      left = left || db.sql("SELECT 1 FROM " + table + " WHERE tenant = ? LIMIT 1").exists(tenant);
    }
    return left;
  }

  boolean memoryBlock(Scope scope, String block) throws SQLException {
    lockHolders(scope, block);
    Outbox.lock(db, scope);
    Long mem = new MemoryReads(db, scope).lockedKey(block).orElse(null);
    if (mem == null) {
      return false;
    }
    lockHolders(scope, block); // from here on there are no new ones
    memoryRows(mem);
    EpochReads.erase(db, scope, block);
    RequestReads.erase(db, scope, block);
    repeating(scope, block);
    sweep(scope.tenant());
    for (String table : List.of("memory_events", "consents")) {
      db.sql("DELETE FROM " + table + " WHERE tenant = ? AND project = ? AND block = ?")
          .update(scope, block);
    }
    Outbox.memoryBlock(db, scope, block, true);
    return true;
  }

  /** Locks the conversations that hold something of a memory block, in one order for all. */
  private void lockHolders(Scope scope, String memory) throws SQLException {
    if (!db.dialect().hasManyWriters()) {
      return;
    }
    db.sql(
            "SELECT id FROM conversations WHERE tenant = ? AND project = ? AND id IN ("
                + "SELECT conv FROM request_memory WHERE block = ?"
                + " UNION SELECT conv FROM epoch_blocks WHERE block = ?"
                + " UNION SELECT b.conv FROM block_memory m JOIN blocks b ON b.id = m.block"
                + " WHERE m.memory IN (?, '')) ORDER BY id"
                + db.dialect().forUpdate())
        .with(scope, memory, memory, memory)
        .list(row -> row.getLong(1));
  }

  /** The place of a block of a conversation. */
  private record Place(long key, long conv, long turn) {}

  /** Removes the blocks of conversations that repeat a memory block, or may. */
  private void repeating(Scope scope, String memory) throws SQLException {
    List<Place> places =
        db.sql(
                "SELECT DISTINCT b.id, b.conv, b.turn FROM block_memory m"
                    + " JOIN blocks b ON b.id = m.block JOIN conversations c ON c.id = b.conv"
                    + " WHERE m.memory IN (?, '') AND c.tenant = ? AND c.project = ?")
            .with(memory, scope)
            .list(row -> new Place(row.getLong(1), row.getLong(2), row.getLong(3)));
    Set<Long> conversations = new TreeSet<>();
    for (Place place : places) {
      db.sql("DELETE FROM visibility WHERE id = ?").update(place.key);
      db.sql("DELETE FROM block_memory WHERE block = ?").update(place.key);
      db.sql("DELETE FROM blocks WHERE id = ?").update(place.key);
      db.sql("UPDATE turns SET blocks = blocks - 1 WHERE id = ?").update(place.turn);
      db.sql("UPDATE conversations SET blocks = blocks - 1 WHERE id = ?").update(place.conv);
      conversations.add(place.conv);
    }
    for (long conv : conversations) {
      db.sql(
              "UPDATE conversations SET version = version + 1, erased_version = version + 1"
                  + " WHERE id = ?")
          .update(conv);
    }
  }

  private void memoryRows(long mem) throws SQLException {
    db.sql("DELETE FROM memory_updates WHERE id >= ? AND id < ?")
        .update(mem << 32, (mem + 1) << 32);
    for (String table : List.of("memory_checkpoints", "memory_previews", "memory_shares")) {
      int rows = db.sql("DELETE FROM " + table + " WHERE mem = ?").update(mem);
      if (table.equals("memory_shares")) {
        count("shares", rows);
      }
    }
    count("memory_blocks", db.sql("DELETE FROM memory_blocks WHERE id = ?").update(mem));
  }

  boolean archival(Scope scope, String id) throws SQLException {
    Outbox.lock(db, scope);
    int removed =
        db.sql("DELETE FROM archival WHERE tenant = ? AND project = ? AND entry = ?")
            .update(scope, id);
    if (removed > 0) {
      Outbox.archival(db, scope, id, true);
      count("archival", removed);
    }
    return removed > 0;
  }

  /**
   * Removes the next conversation of a user; if there is none, the next part of the memory that
   * agents have for it; at last what nothing refers to.
   *
   * @return whether that was the last step
   */
  boolean userStep(Scope.OfUser user) throws SQLException {
    Optional<String> next =
        db.sql(
                "SELECT conversation FROM conversations WHERE tenant = ? AND project = ? AND owner"
                    + " = ? LIMIT 1")
            .with(user.scope(), user.user())
            .one(row -> row.getString(1));
    if (next.isPresent()) {
      conversationRows(user.conversation(next.get()));
      return false;
    }
    if (memoryStep(user.scope(), "of_user", "of_user", user.user())) {
      return false;
    }
    int events =
        db.sql("DELETE FROM memory_events WHERE tenant = ? AND project = ? AND of_user = ?")
            .update(user.scope(), user.user());
    removed("memory_events", events);
    sweep(user.scope().tenant());
    return true;
  }

  /**
   * Removes the next memory block, else the next archival entries.
   *
   * @param ofBlock which column of blocks names whose it is
   * @param ofEntry which column of entries does
   * @return whether there was anything
   */
  private boolean memoryStep(Scope scope, String ofBlock, String ofEntry, String whose)
      throws SQLException {
    Optional<String> block =
        db.sql(
                "SELECT block FROM memory_blocks WHERE tenant = ? AND project = ? AND "
                    + ofBlock
                    + " = ? LIMIT 1")
            .with(scope, whose)
            .one(row -> row.getString(1));
    if (block.isPresent()) {
      memoryBlock(scope, block.get());
      return true;
    }
    List<String> entries =
        db.sql(
                "SELECT entry FROM archival WHERE tenant = ? AND project = ? AND "
                    + ofEntry
                    + " = ? LIMIT ?")
            .with(scope, whose, STEP_ROWS)
            .list(row -> row.getString(1));
    for (String entry : entries) {
      archival(scope, entry);
    }
    return !entries.isEmpty();
  }

  /** Removes the next part of an agent, as {@link #userStep} does of a user. */
  boolean agentStep(Scope.OfAgent agent) throws SQLException {
    Scope scope = agent.scope();
    if (memoryStep(scope, "owner", "agent", agent.agent())) {
      return false;
    }
    agentRows(scope, agent.agent());
    return true;
  }

  private void agentRows(Scope scope, String agent) throws SQLException {
    Outbox.lock(db, scope);
    for (String table : List.of("memory_shares", "memory_events", "agents")) {
      int rows =
          db.sql("DELETE FROM " + table + " WHERE tenant = ? AND project = ? AND agent = ?")
              .update(scope, agent);
      count(table.equals("memory_shares") ? "shares" : KINDS.getOrDefault(table, table), rows);
    }
    db.sql(
            "DELETE FROM consents WHERE tenant = ? AND project = ? AND "
                + db.dialect().jsonText("request", "actor")
                + " = ?")
        .update(scope, "agent:" + agent);
    for (String table : List.of("epoch_blocks", "epochs")) {
      db.sql(
              "DELETE FROM "
                  + table
                  + " WHERE agent = ? AND conv IN"
                  + " (SELECT id FROM conversations WHERE tenant = ? AND project = ?)")
          .update(agent, scope);
    }
  }

  /** Removes the next part of a project, as {@link #userStep} does of a user. */
  boolean projectStep(Scope scope) throws SQLException {
    Outbox.lock(db, scope);
    for (String table : List.of("conversations", "memory_blocks")) {
      Optional<Long> next =
          db.sql("SELECT id FROM " + table + " WHERE tenant = ? AND project = ? LIMIT 1")
              .with(scope)
              .one(row -> row.getLong(1));
      if (next.isPresent()) {
        if (table.equals("conversations")) {
          rows(next.get());
        } else {
          memoryRows(next.get());
        }
        return false;
      }
    }
    for (String table : MEMORY_BY_TENANT) {
      String key = table.equals("memory_events") ? "number" : "id";
      int rows =
          db.sql(
                  "DELETE FROM "
                      + table
                      + " WHERE tenant = ? AND project = ? AND "
                      + key
                      + " IN (SELECT "
                      + key
                      + " FROM "
                      + table
                      + " WHERE tenant = ? AND project = ? LIMIT ?)")
              .update(scope, scope, STEP_ROWS);
      removed(table, rows);
      if (rows > 0) {
        return false;
      }
    }
    sweep(scope.tenant());
    Outbox.erased(db, scope);
    return true;
  }

  /** Removes the content of a tenant to which nothing refers. */
  private void sweep(String tenant) throws SQLException {
    List<String> unreferred =
        db.sql("SELECT sha FROM binaries WHERE tenant = ?" + RequestReads.UNREFERRED)
            .with(tenant)
            .list(row -> row.getString(1));
    count("binaries", new RequestReads(db, tenant).release(unreferred));
  }

  /** Waits for whoever writes to a conversation, and has others wait until this is done. */
  private void lockConversation(long conv) throws SQLException {
    if (db.dialect().hasManyWriters()) {
      db.sql("SELECT 1 FROM conversations WHERE id = ?" + db.dialect().forUpdate()).exists(conv);
    }
  }
}
