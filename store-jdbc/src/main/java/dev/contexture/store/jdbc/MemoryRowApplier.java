package dev.contexture.store.jdbc;

import dev.contexture.block.Binary;
import dev.contexture.block.Scope;
import dev.contexture.store.MemoryRow;
import dev.contexture.store.Reason;
import dev.contexture.store.Store;
import dev.contexture.store.WriteSet;
import dev.contexture.store.memory.AgentRow;
import dev.contexture.store.memory.ArchivalRow;
import dev.contexture.store.memory.BlockRow;
import dev.contexture.store.memory.BlockSettings;
import dev.contexture.store.memory.CheckpointRow;
import dev.contexture.store.memory.ConsentRow;
import dev.contexture.store.memory.MemoryEvent;
import dev.contexture.store.memory.UpdateRow;
import java.sql.SQLException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Applies the rows of the memory of a project. Confined to the writing thread. */
final class MemoryRowApplier {
  private static final int EVENT_STEP_BITS = 10; // one event of so many looks for those too old
  private static final int MAX_ERASED_EVENTS = 4 << EVENT_STEP_BITS;

  private final Db db;
  private final WriteSet set;
  private final Scope scope;
  private final PreconditionChecker judge;
  private final MemoryReads reads;
  private final long at;
  private long lastEvent;

  MemoryRowApplier(Db db, WriteSet set, PreconditionChecker judge) {
    this.db = db;
    this.set = set;
    this.scope = set.scope();
    this.reads = new MemoryReads(db, scope);
    this.judge = judge;
    this.at = ConversationState.micros(set.at());
  }

  /** The key of an update. */
  static long key(long mem, long seq) {
    return mem << 32 | seq;
  }

  /** The number of the last event that was added; 0: none was. */
  long lastEvent() {
    return lastEvent;
  }

  /** Writes a row, or says what keeps it from being written. */
  @Nullable Reason apply(MemoryRow row) throws SQLException {
    Reason reason = judge.judge(row);
    if (reason == null) {
      write(row);
    }
    return reason;
  }

  private void write(MemoryRow row) throws SQLException {
    switch (row) {
      case MemoryRow.PutAgent put -> put(put.agent());
      case MemoryRow.EnsureAgent ensure -> ensure(ensure.agent());
      case MemoryRow.AddBlock add -> add(add);
      case MemoryRow.MoveBlock move -> move(move.block(), move.user());
      case MemoryRow.PutSettings put -> put(put.block(), put.settings());
      case MemoryRow.AppendUpdate append -> append(append.block(), append.update());
      case MemoryRow.PutPreview put -> put(put);
      case MemoryRow.DeleteBlock delete -> deleted(delete.block(), 1);
      case MemoryRow.RestoreBlock restore -> deleted(restore.block(), 0);
      case MemoryRow.Consolidate fold -> consolidate(fold.block(), fold.checkpoint());
      case MemoryRow.PutShare put -> share(put.block(), put.agent(), put.level(), put.pinned());
      case MemoryRow.RemoveShare remove -> unshare(remove.block(), remove.agent());
      case MemoryRow.AddArchival add -> add(add.entry());
      case MemoryRow.MoveArchival move -> moveEntry(move.id(), move.user());
      case MemoryRow.AddConsent add -> add(add.consent());
      case MemoryRow.AnswerConsent answer -> answer(answer);
      case MemoryRow.DropConsent drop ->
          db.sql("DELETE FROM consents WHERE tenant = ? AND project = ? AND consent = ?")
              .update(scope, drop.id());
      case MemoryRow.AddEvent add -> {
        lastEvent = add(add.event());
        if (looksForOld(lastEvent)) {
          reads.boundEvents(Store.MAX_EVENTS, MAX_ERASED_EVENTS);
        }
      }
      case MemoryRow.IndexBlock index -> Outbox.memoryBlock(db, scope, index.block(), false);
      case MemoryRow.IndexArchival index -> Outbox.archival(db, scope, index.id(), false);
    }
  }

  /** Spread over the numbers, of which events may have every second one only. */
  private static boolean looksForOld(long event) {
    return ((event * 0x9E3779B97F4A7C15L) >>> (Long.SIZE - EVENT_STEP_BITS)) == 0;
  }

  private void put(AgentRow agent) throws SQLException {
    String body = RowCodec.write(agent);
    db.sql(
            "INSERT INTO agents (tenant, project, agent, created_at, body, stamp)"
                + " VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (tenant, project, agent)"
                + " DO UPDATE SET body = excluded.body, stamp = excluded.stamp")
        .update(scope, agent.agent(), agent.createdAt(), body, RowChecksum.of(agent.agent(), body));
  }

  private void ensure(String agent) throws SQLException {
    if (reads.agent(agent).isEmpty()) {
      put(new AgentRow(agent, "", "", set.at()));
    }
  }

  private void add(MemoryRow.AddBlock add) throws SQLException {
    String settings = RowCodec.write(add.settings());
    db.sql(
            "INSERT INTO memory_blocks (tenant, project, block, owner, of_user, label, deleted,"
                + " settings, settings_version, seq, checkpoint_seq, size, created_at, updated_at,"
                + " stamp) VALUES (?, ?, ?, ?, ?, ?, 0, ?, 1, 0, 0, 0, ?, ?, ?)")
        .update(
            scope,
            add.block(),
            add.owner(),
            RowCodec.column(add.user()),
            add.label(),
            settings,
            add.createdAt() == null ? at : ConversationState.micros(add.createdAt()),
            at,
            RowCodec.stamp(add.block(), add.owner(), add.user(), add.label(), settings));
  }

  private void put(String id, BlockSettings settings) throws SQLException {
    BlockRow block = reads.block(id).orElseThrow();
    String body = RowCodec.write(settings);
    db.sql(
            "UPDATE memory_blocks SET settings = ?, settings_version = settings_version + 1,"
                + " updated_at = ?, stamp = ? WHERE id = ?")
        .update(body, at, stamp(block, block.user(), body), key(id));
  }

  private static long stamp(BlockRow block, @Nullable String user, String settings) {
    return RowCodec.stamp(block.id(), block.owner(), user, block.label(), settings);
  }

  /** Settings rise in version, so that nobody goes on who decided on whose it was. */
  private void move(String id, @Nullable String user) throws SQLException {
    BlockRow block = reads.block(id).orElseThrow();
    db.sql(
            "UPDATE memory_blocks SET of_user = ?, settings_version = settings_version + 1,"
                + " updated_at = ?, stamp = ? WHERE id = ?")
        .update(
            RowCodec.column(user),
            at,
            stamp(block, user, RowCodec.write(block.settings())),
            key(id));
    db.sql("UPDATE memory_events SET of_user = ? WHERE tenant = ? AND project = ? AND block = ?")
        .update(RowCodec.column(user), scope, id);
  }

  private void moveEntry(String id, @Nullable String user) throws SQLException {
    ArchivalRow entry = reads.archivalEntry(id).orElse(null);
    if (entry != null) {
      db.sql(
              "UPDATE archival SET of_user = ?, stamp = ? WHERE tenant = ? AND project = ?"
                  + " AND entry = ?")
          .update(
              RowCodec.column(user), RowCodec.stamp(id, user, RowCodec.write(entry)), scope, id);
    }
  }

  private long key(String block) throws SQLException {
    return reads.key(block).orElseThrow();
  }

  private void append(String block, UpdateRow update) throws SQLException {
    long mem = key(block);
    long key = key(mem, update.seq());
    String note = update.note().toJson();
    Binary delta = Objects.requireNonNull(update.delta(), "an update that is appended has content");
    db.sql(
            "INSERT INTO memory_updates (id, step, at, size, delta, note, stamp)"
                + " VALUES (?, ?, ?, ?, ?, ?, ?)")
        .update(
            key,
            RowCodec.code(update.step()),
            update.at(),
            update.sizeBytes(),
            delta.bytes(),
            note,
            RowChecksum.of(key, RowChecksum.crc(note)));
    db.sql("UPDATE memory_blocks SET seq = ?, updated_at = ? WHERE id = ?")
        .update(update.seq(), at, mem);
  }

  private void put(MemoryRow.PutPreview put) throws SQLException {
    long mem = key(put.block());
    String text = put.text();
    if (text == null) {
      db.sql("DELETE FROM memory_previews WHERE mem = ?").update(mem);
    } else {
      String body = RowCodec.quoted(text);
      db.sql(
              "INSERT INTO memory_previews (mem, body, stamp) VALUES (?, ?, ?)"
                  + " ON CONFLICT "
                  + db.dialect().key("mem")
                  + " DO UPDATE SET body = excluded.body, stamp = excluded.stamp")
          .update(mem, body, RowChecksum.of(mem, RowChecksum.crc(body)));
    }
    db.sql("UPDATE memory_blocks SET size = ? WHERE id = ?").update(put.size(), mem);
  }

  private void deleted(String block, int deleted) throws SQLException {
    db.sql(
            "UPDATE memory_blocks SET deleted = ?, settings_version = settings_version + 1"
                + " WHERE id = ?")
        .update(deleted, key(block));
  }

  private void consolidate(String block, CheckpointRow checkpoint) throws SQLException {
    long mem = key(block);
    db.sql(
            "INSERT INTO memory_checkpoints (mem, seq, content) VALUES (?, ?, ?)"
                + " ON CONFLICT "
                + db.dialect().key("mem")
                + " DO UPDATE SET seq = excluded.seq, content = excluded.content")
        .update(mem, checkpoint.seq(), checkpoint.content().bytes());
    db.sql("UPDATE memory_updates SET delta = NULL WHERE id > ? AND id <= ? AND delta IS NOT NULL")
        .update(key(mem, 0), key(mem, checkpoint.seq()));
    db.sql("UPDATE memory_blocks SET checkpoint_seq = ? WHERE id = ?")
        .update(checkpoint.seq(), mem);
  }

  private void share(String block, String agent, String level, boolean pinned) throws SQLException {
    db.sql(
            "INSERT INTO memory_shares (mem, tenant, project, agent, level, pinned, version, at)"
                + " VALUES (?, ?, ?, ?, ?, ?, 1, ?) ON CONFLICT "
                + db.dialect().key("mem, agent")
                + " DO UPDATE SET"
                + " level = excluded.level, pinned = excluded.pinned, "
                + " version = memory_shares.version + 1, at = excluded.at")
        .update(key(block), scope, agent, level, pinned, at);
  }

  private void unshare(String block, String agent) throws SQLException {
    db.sql(
            "UPDATE memory_shares SET level = NULL, version = version + 1, at = ?"
                + " WHERE mem = ? AND agent = ? AND level IS NOT NULL")
        .update(at, key(block), agent);
  }

  private void add(ArchivalRow entry) throws SQLException {
    String body = RowCodec.write(entry);
    db.sql(
            "INSERT INTO archival (tenant, project, entry, agent, of_user, at, body, stamp)"
                + " VALUES (?, ?, ?, ?, ?, ?, ?, ?)")
        .update(
            scope,
            entry.id(),
            entry.agent(),
            RowCodec.column(entry.user()),
            entry.at(),
            body,
            RowCodec.stamp(entry.id(), entry.user(), body));
  }

  private void add(ConsentRow consent) throws SQLException {
    String request = consent.request().toJson();
    db.sql(
            "INSERT INTO consents (tenant, project, consent, block, asked_at, expires_at, request,"
                + " answer, stamp) VALUES (?, ?, ?, ?, ?, ?, ?, NULL, ?)")
        .update(
            scope,
            consent.id(),
            consent.block(),
            consent.askedAt(),
            consent.expiresAt(),
            request,
            RowCodec.consentStamp(consent.id(), request, null));
  }

  private void answer(MemoryRow.AnswerConsent row) throws SQLException {
    String request = reads.consent(row.id()).orElseThrow().request().toJson();
    String answer = row.answer().toJson();
    db.sql(
            "UPDATE consents SET answer = ?, stamp = ? WHERE tenant = ? AND project = ?"
                + " AND consent = ?")
        .update(answer, RowCodec.consentStamp(row.id(), request, answer), scope, row.id());
  }

  private long add(MemoryEvent event) throws SQLException {
    String details = event.details().toJson();
    return db.sql(
            "INSERT INTO memory_events (number, tenant, project, at, agent, of_user, block,"
                + " importance, type, details, stamp) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
                + " RETURNING number")
        .insert(
            db.nextNumber(),
            scope,
            event.at(),
            event.agent(),
            RowCodec.column(event.user()),
            event.block(),
            event.importance(),
            event.type(),
            details,
            RowChecksum.of(event.type(), details));
  }
}
