package dev.contexture.store.jdbc;

import dev.contexture.block.Scope;
import dev.contexture.store.MemoryReader;
import dev.contexture.store.memory.AgentRow;
import dev.contexture.store.memory.ArchivalRow;
import dev.contexture.store.memory.BlockPreview;
import dev.contexture.store.memory.BlockRow;
import dev.contexture.store.memory.ConsentRow;
import dev.contexture.store.memory.DocumentRows;
import dev.contexture.store.memory.MemoryEvent;
import dev.contexture.store.memory.ShareRow;
import dev.contexture.store.memory.SharedBlock;
import dev.contexture.store.memory.UpdateRow;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads agents' memory out of a store. As thread-safe as that is. */
final class JdbcMemory implements MemoryReader {
  private final JdbcStore store;

  JdbcMemory(JdbcStore store) {
    this.store = store;
  }

  @Override
  public Optional<AgentRow> agent(Scope.OfAgent agent) {
    return read(agent.scope(), reads -> reads.agent(agent.agent()));
  }

  @Override
  public List<AgentRow> agents(Scope scope, @Nullable String after, int limit) {
    return read(scope, reads -> reads.agents(after, JdbcStore.page(limit)));
  }

  @Override
  public Optional<BlockRow> block(Scope scope, String id) {
    return read(scope, reads -> reads.block(id));
  }

  @Override
  public Optional<BlockRow> blockLabelled(Scope.OfAgent owner, String label) {
    return read(owner.scope(), reads -> reads.labelled(owner.agent(), owner.user(), label));
  }

  @Override
  public List<BlockRow> blocks(Scope.OfAgent owner, @Nullable String after, int limit) {
    return read(owner.scope(), reads -> reads.blocks(owner, after, JdbcStore.page(limit)));
  }

  @Override
  public List<BlockRow> deletedBlocks(Scope.OfAgent owner, @Nullable String after, int limit) {
    return read(owner.scope(), reads -> reads.deleted(owner, after, JdbcStore.page(limit)));
  }

  @Override
  public List<BlockRow> blocksWithPrefix(
      Scope scope, String prefix, BlockRow.@Nullable Cursor after, int limit) {
    return read(scope, reads -> reads.withPrefix(prefix, after, JdbcStore.page(limit)));
  }

  @Override
  public Optional<DocumentRows> document(Scope scope, String block, long afterSeq) {
    return read(scope, reads -> reads.document(block, afterSeq));
  }

  @Override
  public List<UpdateRow> history(Scope scope, String block, long afterSeq, int limit) {
    return read(scope, reads -> reads.history(block, afterSeq, JdbcStore.page(limit)));
  }

  @Override
  public Optional<String> preview(Scope scope, String block) {
    return read(scope, reads -> reads.preview(block));
  }

  @Override
  public Map<String, BlockPreview> previews(Scope scope, Collection<String> ids) {
    Collection<String> page = JdbcStore.page(ids);
    return read(scope, reads -> reads.previews(page));
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
      Scope.OfAgent agent, boolean everybody, BlockRow.@Nullable Cursor after, int limit) {
    int page = JdbcStore.page(limit);
    return read(
        agent.scope(),
        reads -> {
          List<SharedBlock> named = new ArrayList<>();
          for (SharedBlock shared : reads.sharedWith(agent, everybody, after, page)) {
            String name = reads.name(shared.block().owner());
            named.add(new SharedBlock(shared.block(), shared.share(), name));
          }
          return named;
        });
  }

  @Override
  public Set<String> sharedAmong(
      Scope.OfAgent agent, boolean everybody, Collection<String> blocks) {
    Collection<String> page = JdbcStore.page(blocks);
    return read(agent.scope(), reads -> reads.sharedAmong(agent, everybody, page));
  }

  @Override
  public Map<String, ArchivalRow> archivalEntries(Scope scope, Collection<String> ids) {
    Collection<String> page = JdbcStore.page(ids);
    return read(scope, reads -> reads.archivalEntries(page));
  }

  @Override
  public Optional<ArchivalRow> archivalEntry(Scope scope, String id) {
    return read(scope, reads -> reads.archivalEntry(id));
  }

  @Override
  public List<ArchivalRow> archival(
      Scope.OfAgent agent, boolean everybody, @Nullable String after, int limit) {
    int page = JdbcStore.page(limit);
    return read(agent.scope(), reads -> reads.archival(agent, everybody, after, page));
  }

  @Override
  public List<String> users(Scope.OfAgent agent, @Nullable String after, int limit) {
    int page = JdbcStore.page(limit);
    return read(agent.scope(), reads -> reads.users(agent.agent(), after, page));
  }

  @Override
  public Optional<ConsentRow> consent(Scope scope, String id) {
    return read(scope, reads -> reads.consent(id));
  }

  @Override
  public List<ConsentRow> consents(Scope scope, int limit) {
    return read(scope, reads -> reads.consents(JdbcStore.page(limit)));
  }

  @Override
  public long lastEvent(Scope scope) {
    return read(scope, MemoryReads::lastEvent);
  }

  @Override
  public List<MemoryEvent> events(Scope scope, long after, int limit) {
    return read(scope, reads -> reads.events(after, JdbcStore.page(limit)));
  }

  @Override
  public long outlivedEvents(Scope scope, Instant before, long keep) {
    return read(scope, reads -> reads.outlivedEvents(before, keep));
  }

  @Override
  public List<MemoryEvent> activity(
      Scope scope,
      @Nullable String user,
      boolean everybody,
      Instant since,
      long before,
      int limit) {
    int page = JdbcStore.page(limit);
    return read(scope, reads -> reads.activity(user, everybody, since, before, page));
  }

  /** A reading in one scope. */
  private interface Reading<T> {
    T run(MemoryReads reads) throws SQLException;
  }

  private <T> T read(Scope scope, Reading<T> reading) {
    return store.read(scope.tenant(), db -> reading.run(new MemoryReads(db, scope)));
  }
}
