package dev.contexture.store.sqlite;

import dev.contexture.block.Scope;
import dev.contexture.store.Store;
import dev.contexture.store.memory.AgentRow;
import dev.contexture.store.memory.ArchivalRow;
import dev.contexture.store.memory.BlockRow;
import dev.contexture.store.memory.ConsentRow;
import dev.contexture.store.memory.DocumentRows;
import dev.contexture.store.memory.EraseReport;
import dev.contexture.store.memory.MemoryCommit;
import dev.contexture.store.memory.MemoryEvent;
import dev.contexture.store.memory.MemoryTables;
import dev.contexture.store.memory.MemoryWriteSet;
import dev.contexture.store.memory.ShareRow;
import dev.contexture.store.memory.SharedBlock;
import dev.contexture.store.memory.UpdateRow;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The memory tables, behind the same writer and readers as the conversations. Thread-safe. */
final class SqliteMemory implements MemoryTables {
  private final Writer writer;
  private final FileEraser eraser;
  private final Readers readers;

  SqliteMemory(Writer writer, FileEraser eraser, Readers readers) {
    this.writer = writer;
    this.eraser = eraser;
    this.readers = readers;
  }

  @Override
  public MemoryCommit commit(MemoryWriteSet set) {
    return writer.write(
        db -> new MemoryRowApplier(db, set).apply(),
        (db, commit) -> MemoryRowApplier.landed(db, set, commit));
  }

  @Override
  public Optional<AgentRow> agent(Scope.OfAgent agent) {
    return read(agent.scope(), reads -> reads.agent(agent.agent()));
  }

  @Override
  public List<AgentRow> agents(Scope scope, @Nullable String after, int limit) {
    return read(scope, reads -> reads.agents(after, page(limit)));
  }

  @Override
  public Optional<BlockRow> block(Scope scope, String id) {
    return read(scope, reads -> reads.block(id));
  }

  @Override
  public Optional<BlockRow> blockLabelled(Scope.OfAgent owner, String label) {
    return read(owner.scope(), reads -> reads.labelled(owner.agent(), label));
  }

  @Override
  public List<BlockRow> blocks(Scope.OfAgent owner, @Nullable String after, int limit) {
    return read(owner.scope(), reads -> reads.blocks(owner.agent(), after, page(limit)));
  }

  @Override
  public List<BlockRow> deletedBlocks(Scope.OfAgent owner, @Nullable String after, int limit) {
    return read(owner.scope(), reads -> reads.deleted(owner.agent(), after, page(limit)));
  }

  @Override
  public List<BlockRow> blocksWithPrefix(
      Scope scope, String prefix, BlockRow.@Nullable Cursor after, int limit) {
    return read(scope, reads -> reads.withPrefix(prefix, after, page(limit)));
  }

  @Override
  public Optional<DocumentRows> document(Scope scope, String block, long afterSeq) {
    return read(scope, reads -> reads.document(block, afterSeq));
  }

  @Override
  public List<UpdateRow> history(Scope scope, String block, long afterSeq, int limit) {
    return read(scope, reads -> reads.history(block, afterSeq, page(limit)));
  }

  @Override
  public Optional<String> preview(Scope scope, String block) {
    return read(scope, reads -> reads.preview(block));
  }

  @Override
  public Optional<ShareRow> share(Scope scope, String block, String agent) {
    return read(scope, reads -> reads.share(block, agent));
  }

  @Override
  public List<ShareRow> shares(Scope scope, String block) {
    return read(scope, reads -> reads.shares(block));
  }

  @Override
  public List<SharedBlock> sharedWith(
      Scope.OfAgent agent, BlockRow.@Nullable Cursor after, int limit) {
    return read(
        agent.scope(),
        reads -> {
          List<SharedBlock> named = new ArrayList<>();
          for (SharedBlock shared : reads.sharedWith(agent.agent(), after, page(limit))) {
            String name = reads.name(shared.block().owner());
            named.add(new SharedBlock(shared.block(), shared.share(), name));
          }
          return named;
        });
  }

  @Override
  public Optional<ArchivalRow> archivalEntry(Scope scope, String id) {
    return read(scope, reads -> reads.archivalEntry(id));
  }

  @Override
  public List<ArchivalRow> archival(Scope.OfAgent agent, @Nullable String after, int limit) {
    return read(agent.scope(), reads -> reads.archival(agent.agent(), after, page(limit)));
  }

  @Override
  public Optional<ConsentRow> consent(Scope scope, String id) {
    return read(scope, reads -> reads.consent(id));
  }

  @Override
  public List<ConsentRow> consents(Scope scope, int limit) {
    return read(scope, reads -> reads.consents(page(limit)));
  }

  @Override
  public long lastEvent(Scope scope) {
    return read(scope, MemoryReads::lastEvent);
  }

  @Override
  public List<MemoryEvent> events(Scope scope, long after, int limit) {
    return read(scope, reads -> reads.events(after, page(limit)));
  }

  @Override
  public List<MemoryEvent> activity(Scope scope, Instant since, int limit) {
    return read(scope, reads -> reads.activity(since, page(limit)));
  }

  @Override
  public boolean eraseBlock(Scope scope, String block, Instant at) {
    return eraser.erase(
        db -> new RowEraser(db).memoryBlock(scope, block),
        (db, erased) -> new MemoryReads(db, scope).block(block).isEmpty());
  }

  @Override
  public boolean eraseArchival(Scope scope, String id, Instant at) {
    return eraser.erase(
        db -> new RowEraser(db).archival(scope, id),
        (db, erased) -> new MemoryReads(db, scope).archivalEntry(id).isEmpty());
  }

  @Override
  public EraseReport eraseAgent(Scope.OfAgent agent, Instant at) {
    return eraser.agent(agent);
  }

  /** A reading in one scope. */
  private interface Reading<T> {
    T run(MemoryReads reads) throws SQLException;
  }

  private <T> T read(Scope scope, Reading<T> reading) {
    return readers.read(db -> reading.run(new MemoryReads(db, scope)));
  }

  private static int page(int limit) {
    return Math.clamp(limit, 1, Store.MAX_PAGE);
  }
}
