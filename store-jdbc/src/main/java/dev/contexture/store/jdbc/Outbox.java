package dev.contexture.store.jdbc;

import dev.contexture.block.Scope;
import dev.contexture.block.TurnId;
import dev.contexture.store.OutboxRow;
import dev.contexture.store.OutboxTail;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Writes the outbox, which tells search indexes what to look at: one row for each entry, that of
 * its newest change.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class Outbox {
  private static final String MEMORY_BLOCK = "/m/"; // no user has an empty name
  private static final String ARCHIVAL = "/a/";

  private Outbox() {}

  /** Puts an entry behind all others; what it said before goes. Returns the number of its row. */
  private static long put(Db db, Scope scope, String entry, boolean erased) throws SQLException {
    db.sql("DELETE FROM outbox WHERE tenant = ? AND project = ? AND entry = ?")
        .update(scope, entry);
    String insert =
        "INSERT INTO outbox (number, tenant, project, entry, erased) VALUES (?, ?, ?, ?, ?)";
    if (db.outboxReads() != null) { // else the number is of no use
      return db.sql(insert + " RETURNING number").insert(db.nextNumber(), scope, entry, erased);
    }
    db.sql(insert).update(db.nextNumber(), scope, entry, erased);
    return 0;
  }

  /** Waits for whoever writes what belongs to a whole scope; others wait for this transaction. */
  static void lock(Db db, Scope scope) throws SQLException {
    if (db.dialect().hasManyWriters()
        && !db.sql(
                "SELECT 1 FROM scopes WHERE tenant = ? AND project = ?" + db.dialect().forUpdate())
            .exists(scope)) {
      db.sql("INSERT INTO scopes (tenant, project) VALUES (?, ?)").update(scope);
    }
  }

  /** Says that a turn was erased. */
  static void erased(Db db, Scope.OfConversation scope, TurnId turn) throws SQLException {
    put(db, scope.owner().scope(), entry(scope) + "/" + turn.value(), true);
  }

  /**
   * Says that a turn changed. Its row stays as it is if nobody has seen it yet.
   *
   * @param known the number of its row, if this connection wrote it since it last forgot; else 0
   * @return the number of its row; 0 if it is not known
   */
  static long changed(Db db, Scope.OfConversation scope, TurnId turn, long known)
      throws SQLException {
    OutboxReads reads = db.outboxReads();
    if (reads != null && known > 0 && reads.isUnread(known)) {
      return known;
    }
    return put(db, scope.owner().scope(), entry(scope) + "/" + turn.value(), false);
  }

  static void memoryBlock(Db db, Scope scope, String id, boolean erased) throws SQLException {
    put(db, scope, MEMORY_BLOCK + id, erased);
  }

  static void archival(Db db, Scope scope, String id, boolean erased) throws SQLException {
    put(db, scope, ARCHIVAL + id, erased);
  }

  private static String entry(Scope.OfConversation scope) {
    return scope.user() + "/" + scope.conversation();
  }

  static void erased(Db db, Scope.OfConversation conversation) throws SQLException {
    Scope scope = conversation.owner().scope();
    String entry = entry(conversation);
    // '0' follows '/': all entries that start with "user/conversation/"
    db.sql("DELETE FROM outbox WHERE tenant = ? AND project = ? AND entry > ? AND entry < ?")
        .update(scope, entry + "/", entry + "0");
    put(db, scope, entry, true);
  }

  static void erased(Db db, String tenant) throws SQLException {
    List<String> projects =
        db.sql(
                "SELECT project FROM conversations WHERE tenant = ?"
                    + " UNION SELECT project FROM agents WHERE tenant = ?"
                    + " UNION SELECT project FROM memory_blocks WHERE tenant = ?"
                    + " UNION SELECT project FROM archival WHERE tenant = ?"
                    + " UNION SELECT project FROM outbox WHERE tenant = ?")
            .with(tenant, tenant, tenant, tenant, tenant)
            .list(row -> row.getString(1));
    db.sql("DELETE FROM outbox WHERE tenant = ?").update(tenant);
    for (String project : projects) {
      put(db, Scope.of(tenant, project), "", true);
    }
  }

  /** Leaves one entry of a project, which says that all of it is gone. */
  static void erased(Db db, Scope scope) throws SQLException {
    db.sql("DELETE FROM outbox WHERE tenant = ? AND project = ?").update(scope);
    put(db, scope, "", true);
  }

  /** Forgets what was erased, up to a number; returns whether there was something. */
  static boolean forget(Db db, Scope scope, long upTo) throws SQLException {
    int gone =
        db.sql("DELETE FROM outbox WHERE tenant = ? AND project = ? AND number <= ? AND erased = 1")
            .update(scope, upTo);
    return gone > 0;
  }

  static List<OutboxRow> read(Db db, Scope scope, long after, int limit) throws SQLException {
    OutboxReads reads = db.outboxReads();
    if (reads == null) {
      return rows(db, scope, after, limit);
    }
    return reads.during(
        () -> {
          List<OutboxRow> rows = rows(db, scope, after, limit);
          if (!rows.isEmpty()) {
            reads.given(rows.getLast().number());
          }
          return rows;
        });
  }

  private static List<OutboxRow> rows(Db db, Scope scope, long after, int limit)
      throws SQLException {
    return db.sql(
            "SELECT number, entry, erased FROM outbox WHERE tenant = ? AND project = ? AND number >"
                + " ?"
                + db.dialect().settled()
                + " ORDER BY number LIMIT ?")
        .with(scope, after, limit)
        .list(row -> new OutboxRow(row.getLong(1), entry(scope, row)));
  }

  /** What was erased, in all projects. */
  public static List<OutboxRow> erasures(Db db, long after, int limit) throws SQLException {
    return db.sql(
            "SELECT number, entry, erased, tenant, project FROM outbox WHERE erased = 1"
                + " AND number > ?"
                + db.dialect().settled()
                + " ORDER BY number LIMIT ?")
        .with(after, limit)
        .list(
            row ->
                new OutboxRow(
                    row.getLong(1), entry(Scope.of(row.getString(4), row.getString(5)), row)));
  }

  static OutboxTail tail(Db db, Scope scope, long after) throws SQLException {
    return db.sql(
            "SELECT MAX(number), COUNT(*) FROM outbox WHERE tenant = ? AND project = ?"
                + " AND number > ?")
        .with(scope, after)
        .list(row -> new OutboxTail(Math.max(after, row.getLong(1)), row.getLong(2)))
        .getFirst();
  }

  /** Jumps from scope to scope in the index, whatever the number of rows of each. */
  public static List<Scope> scopes(Db db, @Nullable Scope after, int limit) throws SQLException {
    List<Scope> scopes = new ArrayList<>();
    Scope last = after;
    while (scopes.size() < limit) {
      List<Scope> next =
          db.sql(
                  "SELECT tenant, project FROM outbox WHERE (tenant, project) > (?, ?)"
                      + " ORDER BY tenant, project LIMIT 1")
              .with(last == null ? "" : last.tenant(), last == null ? "" : last.project())
              .list(row -> Scope.of(row.getString(1), row.getString(2)));
      if (next.isEmpty()) {
        break;
      }
      last = next.getFirst();
      scopes.add(last);
    }
    return scopes;
  }

  private static OutboxRow.Entry entry(Scope scope, ResultSet row) throws SQLException {
    String entry = row.getString(2);
    if (entry.isEmpty()) {
      return new OutboxRow.ScopeErased(scope);
    }
    boolean erased = row.getInt(3) != 0;
    if (entry.startsWith(MEMORY_BLOCK)) {
      String id = entry.substring(MEMORY_BLOCK.length());
      return erased
          ? new OutboxRow.MemoryBlockErased(scope, id)
          : new OutboxRow.MemoryBlockChanged(scope, id);
    }
    if (entry.startsWith(ARCHIVAL)) {
      String id = entry.substring(ARCHIVAL.length());
      return erased
          ? new OutboxRow.ArchivalErased(scope, id)
          : new OutboxRow.ArchivalAdded(scope, id);
    }
    String[] parts = entry.split("/", -1);
    Scope.OfConversation conversation = scope.user(parts[0]).conversation(parts[1]);
    if (parts.length == 2) {
      return new OutboxRow.ConversationErased(conversation);
    }
    TurnId turn = TurnId.of(parts[2]);
    return erased
        ? new OutboxRow.TurnErased(conversation, turn)
        : new OutboxRow.TurnChanged(conversation, turn);
  }
}
