package dev.contexture.store.jdbc;

import dev.contexture.block.Binary;
import dev.contexture.block.Scope;
import dev.contexture.store.RequestRow;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * Request records of a tenant, with the content that they alone refer to: it goes in the same
 * transaction as the last record that refers to it. Confined to the thread of its connection.
 */
final class RequestReads {
  /** Of content to which nothing of its tenant refers. */
  static final String UNREFERRED =
      " AND NOT EXISTS (SELECT 1 FROM binary_refs r JOIN conversations c ON c.id = r.conv"
          + " WHERE r.sha = binaries.sha AND c.tenant = binaries.tenant)";

  static final String REFER =
      "INSERT INTO binary_refs (conv, sha, holder) VALUES (?, ?, ?) ON CONFLICT DO NOTHING";

  private static final String CONTENT = "SELECT 1 FROM binaries WHERE tenant = ? AND sha = ?";

  private final Db db;
  private final String tenant;

  RequestReads(Db db, String tenant) {
    this.db = db;
    this.tenant = tenant;
  }

  void keep(Binary content) throws SQLException {
    keep(db, tenant, content.sha256(), content.bytes());
  }

  static void keep(Db db, String tenant, String sha, byte[] content) throws SQLException {
    do {
      db.sql("INSERT INTO binaries (tenant, sha, content) VALUES (?, ?, ?) ON CONFLICT DO NOTHING")
          .update(tenant, sha, content);
    } while (db.dialect().hasManyWriters() && !refer(db, tenant, sha)); // removed in between
  }

  /** Whether content is there, which then stays until this transaction ends. */
  static boolean refer(Db db, String tenant, String sha) throws SQLException {
    return db.sql(CONTENT + db.dialect().forReference()).exists(tenant, sha);
  }

  void put(long conv, RequestRow request, long version) throws SQLException {
    String body = RowCodec.write(request);
    db.sql(
            "INSERT INTO requests (conv, request, version, body, stamp) VALUES (?, ?, ?, ?, ?)"
                + " ON CONFLICT "
                + db.dialect().key("conv, request")
                + " DO UPDATE SET version = excluded.version,"
                + " body = excluded.body, stamp = excluded.stamp")
        .update(conv, request.id(), version, body, RowChecksum.of(request.id(), body));
    List<String> before = unrefer(conv, request.id());
    for (String sha : request.binaries()) {
      db.sql(REFER).update(conv, sha, "r" + request.id());
    }
    for (String block : request.memory()) {
      db.sql("INSERT INTO request_memory (conv, request, block) VALUES (?, ?, ?)")
          .update(conv, request.id(), block);
    }
    release(before);
  }

  int drop(long conv, String id) throws SQLException {
    int dropped = db.sql("DELETE FROM requests WHERE conv = ? AND request = ?").update(conv, id);
    release(unrefer(conv, id));
    return dropped;
  }

  /** Removes records of a conversation; how many there were. */
  static long erase(Db db, Scope.OfConversation conversation, Collection<String> ids)
      throws SQLException {
    ConversationState state = ConversationState.find(db, conversation).orElse(null);
    if (state == null) {
      return 0;
    }
    RequestReads requests = new RequestReads(db, conversation.tenant());
    long erased = 0;
    for (String id : ids) {
      erased += requests.drop(state.id, id);
    }
    return erased;
  }

  /** Lets go of what a record refers to, and says what that was. */
  private List<String> unrefer(long conv, String id) throws SQLException {
    List<String> referred =
        db.sql("SELECT sha FROM binary_refs WHERE conv = ? AND holder = ?")
            .with(conv, "r" + id)
            .list(row -> row.getString(1));
    db.sql("DELETE FROM binary_refs WHERE conv = ? AND holder = ?").update(conv, "r" + id);
    db.sql("DELETE FROM request_memory WHERE conv = ? AND request = ?").update(conv, id);
    return referred;
  }

  /** Removes those of these to which nothing of the tenant refers any more. */
  int release(List<String> hashes) throws SQLException {
    int removed = 0;
    for (String sha : hashes) {
      if (db.dialect().hasManyWriters()) { // what others refer to is seen once they are done
        db.sql(CONTENT + db.dialect().forUpdate()).exists(tenant, sha);
      }
      removed +=
          db.sql("DELETE FROM binaries WHERE tenant = ? AND sha = ?" + UNREFERRED)
              .update(tenant, sha);
    }
    return removed;
  }

  /** The key of a record: its conversation and id, with its version. */
  private record Key(long conv, String request, long version) {}

  /** Takes what was sent out of the records of a project that hold a memory block. */
  static void erase(Db db, Scope scope, String block) throws SQLException {
    RequestReads requests = new RequestReads(db, scope.tenant());
    List<Key> holding =
        db.sql(
                "SELECT m.conv, m.request, r.version FROM request_memory m"
                    + " JOIN conversations c ON c.id = m.conv"
                    + " JOIN requests r ON r.conv = m.conv AND r.request = m.request"
                    + " WHERE m.block = ? AND c.tenant = ? AND c.project = ?")
            .with(block, scope)
            .list(row -> new Key(row.getLong(1), row.getString(2), row.getLong(3)));
    for (Key key : holding) {
      RequestRow request = read(db, key.conv, key.request).orElseThrow();
      requests.put(key.conv, request.erased(), key.version);
    }
  }

  static Optional<RequestRow> read(Db db, long conv, String id) throws SQLException {
    return db.sql("SELECT request, body, stamp FROM requests WHERE conv = ? AND request = ?")
        .with(conv, id)
        .one(RequestReads::row);
  }

  static RequestRow row(ResultSet row) throws SQLException {
    String id = row.getString(1);
    String body = RowChecksum.read(row, 2, id, "request record", id);
    return RowCodec.request(id, body);
  }
}
