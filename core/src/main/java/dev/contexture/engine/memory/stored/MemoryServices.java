package dev.contexture.engine.memory.stored;

import dev.contexture.block.Scope;
import dev.contexture.crdt.ReplicaId;
import dev.contexture.engine.memory.row.MemoryIds;
import dev.contexture.engine.search.Search;
import dev.contexture.event.EngineObserver;
import dev.contexture.event.EngineWork;
import dev.contexture.event.WorkResult;
import dev.contexture.memory.permission.Actor;
import dev.contexture.memory.permission.ConsentBroker;
import dev.contexture.memory.schema.MemoryLimits;
import dev.contexture.store.Commit;
import dev.contexture.store.MemoryReader;
import dev.contexture.store.Store;
import dev.contexture.store.WriteSet;
import dev.contexture.store.memory.AgentRow;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The services that the memory of one project works with.
 *
 * @param partner the human that owns the store; null: none is configured
 * @param search finds things again; null: no index is configured
 * @param observer watches what is done
 * @param erased is told that memory of a project was erased, so that nobody keeps anything of it
 */
record MemoryServices(
    Store store,
    Scope scope,
    InstantSource clock,
    MemoryIds ids,
    MemoryLimits limits,
    @Nullable String partner,
    ConsentBroker broker,
    @Nullable Search search,
    EngineObserver observer,
    Consumer<Scope> erased) {

  /** What is stored. */
  MemoryReader rows() {
    return store.memory();
  }

  /** Writes to the store, and has it indexed soon. */
  Commit commit(WriteSet set) {
    Commit done = store.commit(set);
    toIndex();
    return done;
  }

  /** Changes memory under the eyes of the observer. */
  <T> T watched(
      EngineWork.MemoryWrite.Kind kind,
      String agent,
      @Nullable String record,
      Supplier<T> action,
      Function<T, WorkResult> result) {
    if (observer == EngineObserver.NONE) {
      return action.get();
    }
    Scope.OfAgent owner = scope.agent(agent);
    return observer.watch(new EngineWork.MemoryWrite(owner, kind, record), action, result);
  }

  /** Says that something that can be found changed. */
  void toIndex() {
    if (search != null) {
      search.notice(scope);
    }
  }

  /** The human who approves writes to blocks of an agent; its own, else that of the store. */
  @Nullable String partnerOf(String agent) {
    return ownPartner(agent).orElse(partner);
  }

  /** The human whom an agent itself names. */
  Optional<String> ownPartner(String agent) {
    return rows()
        .agent(scope.agent(agent))
        .map(AgentRow::partner)
        .map(name -> Actor.parse(name).id());
  }

  /** The time, as it is written into rows: to the millisecond. */
  Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.MILLIS);
  }

  ReplicaId freshReplica() {
    return ReplicaId.of(ids.replica());
  }
}
