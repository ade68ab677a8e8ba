package dev.contexture.store.jdbc;

import dev.contexture.block.Binary;
import dev.contexture.block.Scope;
import dev.contexture.store.memory.AgentRow;
import dev.contexture.store.memory.ArchivalRow;
import dev.contexture.store.memory.BlockPreview;
import dev.contexture.store.memory.BlockRow;
import dev.contexture.store.memory.CheckpointRow;
import dev.contexture.store.memory.ConsentRow;
import dev.contexture.store.memory.DocumentRows;
import dev.contexture.store.memory.MemoryEvent;
import dev.contexture.store.memory.ShareRow;
import dev.contexture.store.memory.SharedBlock;
import dev.contexture.store.memory.UpdateRow;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads rows of memory in one scope. Confined to one thread and one transaction. */
final class MemoryReads {
  private static final String FROM_BLOCKS =
      "SELECT "
          + RowCodec.BLOCK_COLUMNS
          + " FROM memory_blocks b WHERE b.tenant = ?"
          + " AND b.project = ?";
  private static final String KEY =
      "SELECT id FROM memory_blocks WHERE tenant = ? AND project = ? AND block = ?";
  private static final String SHARE_COLUMNS = "s.agent, s.level, s.pinned, s.version, s.at";
  private static final String UPDATES =
      "SELECT id, step, at, size, note, stamp, delta FROM memory_updates WHERE id > ? AND id <= ?"
          + " ORDER BY id LIMIT ?";

  /** Events that are older than a time, or not among the newest. */
  private static final String OUTLIVED =
      " FROM memory_events WHERE tenant = ? AND project = ? AND (at < ? OR number <= ?)";

  private static final int PREVIEW = 14; // behind the columns of a block
  private static final BlockRow.Cursor FIRST = new BlockRow.Cursor("", "", "");
  private static final String BEHIND =
      " AND (b.label, b.owner, b.of_user) > (?, ?, ?) ORDER BY b.label, b.owner, b.of_user LIMIT ?";

  private final Db db;
  private final Scope scope;

  MemoryReads(Db db, Scope scope) {
    this.db = db;
    this.scope = scope;
  }

  Optional<AgentRow> agent(String agent) throws SQLException {
    return db.sql(
            "SELECT "
                + RowCodec.AGENT_COLUMNS
                + " FROM agents WHERE tenant = ? AND project = ? AND agent = ?")
        .with(scope, agent)
        .one(RowCodec::agent);
  }

  List<AgentRow> agents(@Nullable String after, int limit) throws SQLException {
    return db.sql(
            "SELECT "
                + RowCodec.AGENT_COLUMNS
                + " FROM agents WHERE tenant = ? AND project = ? AND agent > ?"
                + " ORDER BY agent LIMIT ?")
        .with(scope, after == null ? "" : after, limit)
        .list(RowCodec::agent);
  }

  /** The key of a block, live or deleted. */
  Optional<Long> key(String block) throws SQLException {
    return key(block, "");
  }

  /** The same of a block that is to be erased: nobody refers to it any more meanwhile. */
  Optional<Long> lockedKey(String block) throws SQLException {
    return key(block, db.dialect().forUpdate());
  }

  /** The same of a block that is to be referred to: nobody erases it meanwhile. */
  Optional<Long> referredKey(String block) throws SQLException {
    return key(block, db.dialect().forReference());
  }

  private Optional<Long> key(String block, String lock) throws SQLException {
    return db.sql(KEY + lock).with(scope, block).one(row -> row.getLong(1));
  }

  Optional<BlockRow> block(String id) throws SQLException {
    return db.sql(FROM_BLOCKS + " AND b.block = ?").with(scope, id).one(RowCodec::block);
  }

  Optional<BlockRow> labelled(String owner, @Nullable String user, String label)
      throws SQLException {
    return db.sql(
            FROM_BLOCKS + " AND b.owner = ? AND b.of_user = ? AND b.label = ? AND b.deleted = 0")
        .with(scope, owner, RowCodec.column(user), label)
        .one(RowCodec::block);
  }

  List<BlockRow> blocks(Scope.OfAgent owner, @Nullable String after, int limit)
      throws SQLException {
    return db.sql(
            FROM_BLOCKS
                + " AND b.owner = ? AND b.of_user = ? AND b.label > ? AND b.deleted = 0"
                + " ORDER BY b.label LIMIT ?")
        .with(
            scope, owner.agent(), RowCodec.column(owner.user()), after == null ? "" : after, limit)
        .list(RowCodec::block);
  }

  List<BlockRow> deleted(Scope.OfAgent owner, @Nullable String after, int limit)
      throws SQLException {
    return db.sql(
            FROM_BLOCKS
                + " AND b.owner = ? AND b.of_user = ? AND b.block > ? AND b.deleted = 1"
                + " ORDER BY b.block LIMIT ?")
        .with(
            scope, owner.agent(), RowCodec.column(owner.user()), after == null ? "" : after, limit)
        .list(RowCodec::block);
  }

  List<BlockRow> withPrefix(String prefix, BlockRow.@Nullable Cursor after, int limit)
      throws SQLException {
    BlockRow.Cursor start = after == null ? FIRST : after;
    return db.sql(
            FROM_BLOCKS
                + " AND b.deleted = 0 AND b.label >= ? AND substr(b.label, 1, length(?)) = ?"
                + BEHIND)
        .with(scope, prefix, prefix, prefix, start.label(), start.owner(), start.user(), limit)
        .list(RowCodec::block);
  }

  Optional<DocumentRows> document(String id, long afterSeq) throws SQLException {
    BlockRow block = block(id).orElse(null);
    if (block == null) {
      return Optional.empty();
    }
    long mem = key(id).orElseThrow();
    boolean follows = afterSeq >= block.checkpointSeq();
    CheckpointRow checkpoint = follows ? null : checkpoint(mem, block);
    long from = follows ? afterSeq : block.checkpointSeq();
    List<UpdateRow> updates = from >= block.seq() ? List.of() : updates(mem, from, block.seq());
    if (from < block.seq() && updates.size() != block.seq() - from) {
      throw RowChecksum.damaged("memory block", id, "lacks updates behind " + from, null);
    }
    for (UpdateRow update : updates) {
      if (update.delta() == null) {
        throw RowChecksum.damaged(
            "update " + update.seq() + " of memory block", id, "is empty", null);
      }
    }
    return Optional.of(new DocumentRows(block, checkpoint, updates));
  }

  private CheckpointRow checkpoint(long mem, BlockRow block) throws SQLException {
    return db.sql("SELECT seq, content FROM memory_checkpoints WHERE mem = ?")
        .with(mem)
        .one(row -> new CheckpointRow(row.getLong(1), Binary.of(row.getBytes(2))))
        .filter(found -> found.seq() == block.checkpointSeq())
        .orElseThrow(
            () ->
                RowChecksum.damaged(
                    "memory block",
                    block.id(),
                    "lacks its checkpoint " + block.checkpointSeq(),
                    null));
  }

  private List<UpdateRow> updates(long mem, long from, long to) throws SQLException {
    return db.sql(UPDATES)
        .with(MemoryRowApplier.key(mem, from), MemoryRowApplier.key(mem, to), Integer.MAX_VALUE)
        .list(row -> update(row, true));
  }

  List<UpdateRow> history(String id, long afterSeq, int limit) throws SQLException {
    long mem = key(id).orElse(0L);
    return mem == 0
        ? List.of()
        : db.sql(UPDATES)
            .with(
                MemoryRowApplier.key(mem, Math.max(0, afterSeq)),
                MemoryRowApplier.key(mem + 1, 0) - 1,
                limit)
            .list(row -> update(row, false));
  }

  private static UpdateRow update(ResultSet row, boolean withDelta) throws SQLException {
    long key = row.getLong(1);
    String note = RowChecksum.read(row, 5, key, "update", Long.toString(key));
    byte[] delta = withDelta ? row.getBytes(7) : null;
    return new UpdateRow(
        ConversationState.seq(key),
        RowCodec.step(row.getInt(2)),
        delta == null ? null : Binary.of(delta),
        row.getInt(4),
        ConversationState.instant(row.getLong(3)),
        RowCodec.parse(note));
  }

  Optional<String> preview(String block) throws SQLException {
    return db.sql(
            "SELECT p.mem, p.body, p.stamp FROM memory_previews p JOIN memory_blocks b ON b.id ="
                + " p.mem WHERE b.tenant = ? AND b.project = ? AND b.block = ?")
        .with(scope, block)
        .one(
            row -> {
              String body = RowChecksum.read(row, 2, row.getLong(1), "preview of", block);
              return Objects.requireNonNull(RowCodec.unquoted(body));
            });
  }

  Optional<ShareRow> share(String block, String agent) throws SQLException {
    return db.sql(
            "SELECT "
                + SHARE_COLUMNS
                + " FROM memory_shares s JOIN memory_blocks b ON b.id = s.mem"
                + " WHERE b.tenant = ? AND b.project = ? AND b.block = ? AND s.agent = ?")
        .with(scope, block, agent)
        .one(row -> share(block, row, 1));
  }

  List<ShareRow> shares(String block) throws SQLException {
    return db.sql(
            "SELECT "
                + SHARE_COLUMNS
                + " FROM memory_shares s JOIN memory_blocks b ON b.id = s.mem"
                + " WHERE b.tenant = ? AND b.project = ? AND b.block = ? AND s.level IS NOT NULL"
                + " ORDER BY s.agent")
        .with(scope, block)
        .list(row -> share(block, row, 1));
  }

  private static ShareRow share(String block, ResultSet row, int first) throws SQLException {
    return new ShareRow(
        block,
        row.getString(first),
        row.getString(first + 1),
        row.getInt(first + 2) != 0,
        row.getLong(first + 3),
        ConversationState.instant(row.getLong(first + 4)));
  }

  List<SharedBlock> sharedWith(
      Scope.OfAgent agent, boolean everybody, BlockRow.@Nullable Cursor after, int limit)
      throws SQLException {
    BlockRow.Cursor start = after == null ? FIRST : after;
    return db.sql(
            "SELECT "
                + RowCodec.BLOCK_COLUMNS
                + ", "
                + SHARE_COLUMNS
                + " FROM memory_shares s JOIN memory_blocks b ON b.id = s.mem"
                + " WHERE s.tenant = ? AND s.project = ? AND s.agent = ? AND s.level IS NOT NULL"
                + " AND b.deleted = 0 AND (? = 1 OR b.of_user IN ('', ?))"
                + BEHIND)
        .with(
            scope,
            agent.agent(),
            everybody,
            RowCodec.column(agent.user()),
            start.label(),
            start.owner(),
            start.user(),
            limit)
        .list(
            row -> {
              BlockRow block = RowCodec.block(row);
              return new SharedBlock(block, share(block.id(), row, PREVIEW), "");
            });
  }

  /** The name of an agent; empty if it has none. */
  String name(String agent) throws SQLException {
    return agent(agent).map(AgentRow::name).orElse("");
  }

  Map<String, BlockPreview> previews(Collection<String> ids) throws SQLException {
    Map<String, BlockPreview> found = new LinkedHashMap<>();
    db.sql(
            "SELECT "
                + RowCodec.BLOCK_COLUMNS
                + ", p.mem, p.body, p.stamp FROM memory_blocks b LEFT JOIN memory_previews p ON"
                + " p.mem = b.id WHERE b.tenant = ? AND b.project = ? AND b.block")
        .with(scope)
        .listIn(ids, row -> new BlockPreview(RowCodec.block(row), preview(row, PREVIEW)))
        .forEach(each -> found.put(each.block().id(), each));
    return found;
  }

  private static String preview(ResultSet row, int column) throws SQLException {
    if (row.getString(column + 1) == null) {
      return "";
    }
    String body =
        RowChecksum.read(row, column + 1, row.getLong(column), "preview of", row.getString(1));
    return Objects.requireNonNull(RowCodec.unquoted(body));
  }

  Set<String> sharedAmong(Scope.OfAgent agent, boolean everybody, Collection<String> blocks)
      throws SQLException {
    return new LinkedHashSet<>(
        db.sql(
                "SELECT b.block FROM memory_shares s JOIN memory_blocks b ON b.id = s.mem"
                    + " WHERE s.tenant = ? AND s.project = ? AND s.agent = ?"
                    + " AND s.level IS NOT NULL AND b.deleted = 0"
                    + " AND (? = 1 OR b.of_user IN ('', ?)) AND b.block")
            .with(scope, agent.agent(), everybody, RowCodec.column(agent.user()))
            .listIn(blocks, row -> row.getString(1)));
  }

  Map<String, ArchivalRow> archivalEntries(Collection<String> ids) throws SQLException {
    Map<String, ArchivalRow> found = new LinkedHashMap<>();
    db.sql(
            "SELECT "
                + RowCodec.ARCHIVAL_COLUMNS
                + " FROM archival WHERE tenant = ? AND project = ? AND entry")
        .with(scope)
        .listIn(ids, RowCodec::archival)
        .forEach(each -> found.put(each.id(), each));
    return found;
  }

  Optional<ArchivalRow> archivalEntry(String id) throws SQLException {
    return db.sql(
            "SELECT "
                + RowCodec.ARCHIVAL_COLUMNS
                + " FROM archival WHERE tenant = ? AND project = ? AND entry = ?")
        .with(scope, id)
        .one(RowCodec::archival);
  }

  List<ArchivalRow> archival(
      Scope.OfAgent agent, boolean everybody, @Nullable String after, int limit)
      throws SQLException {
    return db.sql(
            "SELECT "
                + RowCodec.ARCHIVAL_COLUMNS
                + " FROM archival WHERE tenant = ? AND project = ? AND agent = ? AND entry > ?"
                + " AND (? = 1 OR of_user IN ('', ?)) ORDER BY entry LIMIT ?")
        .with(
            scope,
            agent.agent(),
            after == null ? "" : after,
            everybody,
            RowCodec.column(agent.user()),
            limit)
        .list(RowCodec::archival);
  }

  List<String> users(String agent, @Nullable String after, int limit) throws SQLException {
    String last = after == null ? "" : after;
    return db.sql(
            "SELECT of_user FROM memory_blocks WHERE tenant = ? AND project = ? AND owner = ?"
                + " AND of_user > ? UNION SELECT of_user FROM archival WHERE tenant = ?"
                + " AND project = ? AND agent = ? AND of_user > ? ORDER BY of_user LIMIT ?")
        .with(scope, agent, last, scope, agent, last, limit)
        .list(row -> row.getString(1));
  }

  Optional<ConsentRow> consent(String id) throws SQLException {
    return db.sql(
            "SELECT "
                + RowCodec.CONSENT_COLUMNS
                + " FROM consents WHERE tenant = ? AND project = ? AND consent = ?")
        .with(scope, id)
        .one(RowCodec::consent);
  }

  List<ConsentRow> consents(int limit) throws SQLException {
    return db.sql(
            "SELECT "
                + RowCodec.CONSENT_COLUMNS
                + " FROM consents WHERE tenant = ? AND project = ? AND answer IS NULL"
                + " ORDER BY id LIMIT ?")
        .with(scope, limit)
        .list(RowCodec::consent);
  }

  long lastEvent() throws SQLException {
    return db.sql(
            "SELECT max(number) FROM memory_events WHERE tenant = ? AND project = ?"
                + db.dialect().settled())
        .with(scope)
        .one(row -> row.getLong(1))
        .orElse(0L);
  }

  List<MemoryEvent> events(long after, int limit) throws SQLException {
    return db.sql(
            "SELECT "
                + RowCodec.EVENT_COLUMNS
                + " FROM memory_events WHERE tenant = ? AND project = ? AND number > ?"
                + db.dialect().settled()
                + " ORDER BY number LIMIT ?")
        .with(scope, after, limit)
        .list(RowCodec::event);
  }

  long outlivedEvents(Instant before, long keep) throws SQLException {
    return db.sql("SELECT count(*)" + OUTLIVED)
        .with(scope, before, newestBeyond(keep))
        .one(row -> row.getLong(1))
        .orElse(0L);
  }

  long eraseEvents(Instant before, long keep, int limit) throws SQLException {
    return db.sql(
            "DELETE FROM memory_events WHERE number IN (SELECT number"
                + OUTLIVED
                + " ORDER BY number LIMIT ?)")
        .update(scope, before, newestBeyond(keep), limit);
  }

  /** Erases the oldest of more events than are kept, a bounded number of them. */
  void boundEvents(long keep, int limit) throws SQLException {
    long last = newestBeyond(keep);
    if (last > 0) {
      db.sql(
              "DELETE FROM memory_events WHERE number IN (SELECT number FROM memory_events"
                  + " WHERE tenant = ? AND project = ? AND number <= ? ORDER BY number LIMIT ?)")
          .update(scope, last, limit);
    }
  }

  /** The newest event behind so many newer ones; 0: there is none. */
  private long newestBeyond(long keep) throws SQLException {
    return db.sql(
            "SELECT number FROM memory_events WHERE tenant = ? AND project = ?"
                + " ORDER BY number DESC LIMIT 1 OFFSET ?")
        .with(scope, keep)
        .one(row -> row.getLong(1))
        .orElse(0L);
  }

  List<MemoryEvent> activity(
      @Nullable String user, boolean everybody, Instant since, long before, int limit)
      throws SQLException {
    return db.sql(
            "SELECT "
                + RowCodec.EVENT_COLUMNS
                + " FROM memory_events WHERE tenant = ? AND project = ? AND importance IS NOT NULL"
                + " AND at >= ? AND number < ? AND (? = 1 OR of_user IN ('', ?))"
                + " ORDER BY number DESC LIMIT ?")
        .with(scope, since, before, everybody, RowCodec.column(user), limit)
        .list(RowCodec::event);
  }
}
