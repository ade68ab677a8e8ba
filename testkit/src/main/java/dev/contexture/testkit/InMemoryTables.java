package dev.contexture.testkit;

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
import dev.contexture.store.memory.MemoryReason;
import dev.contexture.store.memory.MemoryRow;
import dev.contexture.store.memory.MemoryTables;
import dev.contexture.store.memory.MemoryWriteSet;
import dev.contexture.store.memory.ShareRow;
import dev.contexture.store.memory.SharedBlock;
import dev.contexture.store.memory.UpdateRow;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The memory tables of a store in memory. A set is tried on a copy of its scope, which then takes
 * its place: simple, whole, and slow. Guarded by its store's lock.
 */
final class InMemoryTables implements MemoryTables {
  private static final Comparator<BlockRow.Cursor> BY_LABEL =
      Comparator.comparing(BlockRow.Cursor::label).thenComparing(BlockRow.Cursor::owner);

  private final Gate gate;
  private final InMemoryOutbox outbox;
  private final Map<Scope, MemoryScope> scopes = new HashMap<>();
  private long lastEvent;

  /** Runs work at a point under the store's lock. */
  interface Gate {
    <T> T at(String point, Supplier<T> work);

    void reach(String point);

    /** Takes a memory block out of everything else that shows it. */
    void erased(Scope scope, String block);

    /** Takes an agent out of everything else. */
    void erased(Scope.OfAgent agent);
  }

  InMemoryTables(Gate gate, InMemoryOutbox outbox) {
    this.gate = gate;
    this.outbox = outbox;
  }

  /** Whether a block is there, live or deleted. Under the store's lock. */
  boolean knows(Scope scope, String block) {
    MemoryScope in = scopes.get(scope);
    return in != null && in.blocks.containsKey(block);
  }

  @Override
  public MemoryCommit commit(MemoryWriteSet set) {
    return gate.at(
        "memory.commit",
        () -> {
          MemoryScope next = new MemoryScope(scopes.get(set.scope()), lastEvent);
          Optional<MemoryReason> reason = next.apply(set);
          if (reason.isPresent()) {
            return new MemoryCommit.Conflict(reason.get());
          }
          scopes.put(set.scope(), next);
          long added = next.lastEvent == lastEvent ? 0 : next.lastEvent;
          lastEvent = next.lastEvent;
          index(set);
          gate.reach("memory.commit.done");
          return new MemoryCommit.Committed(added);
        });
  }

  private void index(MemoryWriteSet set) {
    for (MemoryRow row : set.rows()) {
      if (row instanceof MemoryRow.IndexBlock index) {
        outbox.blockChanged(set.scope(), index.block());
      } else if (row instanceof MemoryRow.IndexArchival index) {
        outbox.archivalAdded(set.scope(), index.id());
      }
    }
  }

  @Override
  public Optional<AgentRow> agent(Scope.OfAgent agent) {
    return find("agent", agent.scope(), scope -> scope.agents.get(agent.agent()));
  }

  @Override
  public List<AgentRow> agents(Scope scope, @Nullable String after, int limit) {
    return list(
        "agents",
        scope,
        in ->
            in.agents.values().stream()
                .filter(agent -> after == null || agent.agent().compareTo(after) > 0)
                .limit(page(limit))
                .toList());
  }

  @Override
  public Optional<BlockRow> block(Scope scope, String id) {
    return find("block", scope, in -> in.blocks.containsKey(id) ? in.block(id) : null);
  }

  @Override
  public Optional<BlockRow> blockLabelled(Scope.OfAgent owner, String label) {
    return find("blockLabelled", owner.scope(), in -> in.labelled(owner.agent(), label));
  }

  @Override
  public List<BlockRow> blocks(Scope.OfAgent owner, @Nullable String after, int limit) {
    return list(
        "blocks",
        owner.scope(),
        in ->
            in.live()
                .filter(block -> block.owner().equals(owner.agent()))
                .filter(block -> after == null || block.label().compareTo(after) > 0)
                .sorted(Comparator.comparing(BlockRow::label))
                .limit(page(limit))
                .toList());
  }

  @Override
  public List<BlockRow> deletedBlocks(Scope.OfAgent owner, @Nullable String after, int limit) {
    return list(
        "deletedBlocks",
        owner.scope(),
        in ->
            in.blocks.values().stream()
                .filter(block -> block.deleted() && block.owner().equals(owner.agent()))
                .filter(block -> after == null || block.id().compareTo(after) > 0)
                .sorted(Comparator.comparing(BlockRow::id))
                .limit(Math.clamp(limit, 1, Store.MAX_PAGE))
                .toList());
  }

  @Override
  public List<BlockRow> blocksWithPrefix(
      Scope scope, String prefix, BlockRow.@Nullable Cursor after, int limit) {
    return list(
        "blocksWithPrefix",
        scope,
        in ->
            in.live()
                .filter(block -> block.label().startsWith(prefix))
                .filter(block -> after == null || BY_LABEL.compare(block.cursor(), after) > 0)
                .sorted(Comparator.comparing(BlockRow::cursor, BY_LABEL))
                .limit(page(limit))
                .toList());
  }

  @Override
  public Optional<DocumentRows> document(Scope scope, String block, long afterSeq) {
    return find(
        "document", scope, in -> in.blocks.containsKey(block) ? in.rows(block, afterSeq) : null);
  }

  @Override
  public List<UpdateRow> history(Scope scope, String block, long afterSeq, int limit) {
    return list(
        "history",
        scope,
        in ->
            in.blocks.containsKey(block)
                ? in.updates(block).tailMap(afterSeq, false).values().stream()
                    .map(UpdateRow::withoutDelta)
                    .limit(page(limit))
                    .toList()
                : List.of());
  }

  @Override
  public Optional<String> preview(Scope scope, String block) {
    return find("preview", scope, in -> in.previews.get(block));
  }

  @Override
  public Optional<ShareRow> share(Scope scope, String block, String agent) {
    return find("share", scope, in -> in.shares.get(new MemoryScope.ShareKey(block, agent)));
  }

  @Override
  public List<ShareRow> shares(Scope scope, String block) {
    return list(
        "shares",
        scope,
        in ->
            in.shares.values().stream()
                .filter(share -> share.block().equals(block) && share.level() != null)
                .sorted(Comparator.comparing(ShareRow::agent))
                .toList());
  }

  @Override
  public List<SharedBlock> sharedWith(
      Scope.OfAgent agent, BlockRow.@Nullable Cursor after, int limit) {
    return list(
        "sharedWith",
        agent.scope(),
        in ->
            in.shares.values().stream()
                .filter(share -> share.agent().equals(agent.agent()) && share.level() != null)
                .map(share -> new SharedBlock(in.block(share.block()), share, in.name(share)))
                .filter(shared -> !shared.block().deleted())
                .filter(
                    shared -> after == null || BY_LABEL.compare(shared.block().cursor(), after) > 0)
                .sorted(Comparator.comparing(shared -> shared.block().cursor(), BY_LABEL))
                .limit(page(limit))
                .toList());
  }

  @Override
  public Optional<ArchivalRow> archivalEntry(Scope scope, String id) {
    return find("archivalEntry", scope, in -> in.archival.get(id));
  }

  @Override
  public List<ArchivalRow> archival(Scope.OfAgent agent, @Nullable String after, int limit) {
    return list(
        "archival",
        agent.scope(),
        in ->
            in.archival.values().stream()
                .filter(entry -> entry.agent().equals(agent.agent()))
                .filter(entry -> after == null || entry.id().compareTo(after) > 0)
                .limit(page(limit))
                .toList());
  }

  @Override
  public Optional<ConsentRow> consent(Scope scope, String id) {
    return find("consent", scope, in -> in.consents.get(id));
  }

  @Override
  public List<ConsentRow> consents(Scope scope, int limit) {
    return list(
        "consents",
        scope,
        in ->
            in.consents.values().stream()
                .filter(consent -> consent.answer() == null)
                .limit(page(limit))
                .toList());
  }

  @Override
  public long lastEvent(Scope scope) {
    return this.<Long>find(
            "lastEvent", scope, in -> in.events.isEmpty() ? null : in.events.lastKey())
        .orElse(0L);
  }

  @Override
  public List<MemoryEvent> events(Scope scope, long after, int limit) {
    return list(
        "events",
        scope,
        in -> in.events.tailMap(after, false).values().stream().limit(page(limit)).toList());
  }

  @Override
  public List<MemoryEvent> activity(Scope scope, Instant since, int limit) {
    return list(
        "activity",
        scope,
        in ->
            in.events.descendingMap().values().stream()
                .filter(event -> event.importance() != null && !event.at().isBefore(since))
                .limit(page(limit))
                .toList());
  }

  @Override
  public boolean eraseBlock(Scope scope, String block, Instant at) {
    return gate.at(
        "memory.eraseBlock",
        () -> {
          MemoryScope in = scopes.get(scope);
          boolean existed = in != null && in.erase(block);
          if (existed) {
            gate.erased(scope, block);
            outbox.blockErased(scope, block);
          }
          return existed;
        });
  }

  @Override
  public boolean eraseArchival(Scope scope, String id, Instant at) {
    return gate.at(
        "memory.eraseArchival",
        () -> {
          MemoryScope in = scopes.get(scope);
          boolean existed = in != null && in.archival.remove(id) != null;
          if (existed) {
            outbox.archivalErased(scope, id);
          }
          return existed;
        });
  }

  @Override
  public EraseReport eraseAgent(Scope.OfAgent agent, Instant at) {
    return gate.at(
        "memory.eraseAgent",
        () -> {
          Map<String, Long> counts = new TreeMap<>();
          MemoryScope in = scopes.get(agent.scope());
          if (in != null) {
            for (String block : in.blocksOf(agent.agent())) {
              in.erase(block, counts);
              gate.erased(agent.scope(), block);
              outbox.blockErased(agent.scope(), block);
            }
            for (String entry : in.archivalOf(agent.agent())) {
              in.archival.remove(entry);
              counts.merge("archival", 1L, Long::sum);
              outbox.archivalErased(agent.scope(), entry);
            }
            in.eraseAgent(agent.agent(), counts);
            gate.erased(agent);
          }
          return new EraseReport(counts, false);
        });
  }

  /** Removes the memory of a project, and counts what it had. Under the store's lock. */
  void erase(Scope scope, Map<String, Long> counts) {
    MemoryScope gone = scopes.remove(scope);
    if (gone != null) {
      counts.put("memory_blocks", (long) gone.blocks.size());
      counts.put("shares", (long) gone.shares.size());
      counts.put("archival", (long) gone.archival.size());
      counts.put("agents", (long) gone.agents.size());
      counts.put("events", (long) gone.events.size());
    }
  }

  /** Removes a tenant; returns the scopes it had. */
  List<Scope> erase(String tenant) {
    List<Scope> gone =
        scopes.keySet().stream().filter(scope -> scope.tenant().equals(tenant)).toList();
    gone.forEach(scopes::remove);
    return gone;
  }

  private <T> Optional<T> find(
      String point, Scope scope, Function<MemoryScope, @Nullable T> reading) {
    return gate.at(
        "memory." + point,
        () -> {
          MemoryScope in = scopes.get(scope);
          return in == null ? Optional.<T>empty() : Optional.ofNullable(reading.apply(in));
        });
  }

  private <T> List<T> list(String point, Scope scope, Function<MemoryScope, List<T>> reading) {
    return gate.at(
        "memory." + point,
        () -> {
          MemoryScope in = scopes.get(scope);
          return in == null ? List.of() : reading.apply(in);
        });
  }

  private static int page(int limit) {
    return Math.clamp(limit, 1, Store.MAX_PAGE);
  }
}
