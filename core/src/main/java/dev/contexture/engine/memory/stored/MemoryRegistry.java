package dev.contexture.engine.memory.stored;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.contexture.block.Scope;
import dev.contexture.engine.memory.MemoryStore;
import dev.contexture.engine.memory.row.MemoryIds;
import dev.contexture.engine.search.Search;
import dev.contexture.event.EngineObserver;
import dev.contexture.memory.permission.ConsentBroker;
import dev.contexture.memory.schema.MemoryLimits;
import dev.contexture.store.EraseReport;
import dev.contexture.store.Store;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Set;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Gives out the memories of an engine. A project that anybody uses has one in this process; all of
 * them share one cache of documents. Thread-safe.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class MemoryRegistry implements AutoCloseable {
  private static final int RECENT = 256;

  private final Store store;
  private final InstantSource clock;
  private final MemoryIds ids;
  private final MemoryLimits limits;
  private final @Nullable String partner;
  private final ConsentBroker broker;
  private final @Nullable Search search;
  private final EngineObserver observer;
  private final DocumentCache documents;
  private volatile Consumer<Scope> whenErased = scope -> {};
  private final Cache<Scope, StoredMemory> memories = Caffeine.newBuilder().weakValues().build();
  private final Cache<Scope, StoredMemory> recent =
      Caffeine.newBuilder().maximumSize(RECENT).build();

  public MemoryRegistry(
      Store store,
      InstantSource clock,
      RandomGenerator random,
      MemoryLimits limits,
      @Nullable String partner,
      ConsentBroker broker) {
    this(store, clock, random, limits, partner, broker, null, EngineObserver.NONE);
  }

  /**
   * @param search finds things again; null: no index is configured
   * @param observer watches what is done
   */
  public MemoryRegistry(
      Store store,
      InstantSource clock,
      RandomGenerator random,
      MemoryLimits limits,
      @Nullable String partner,
      ConsentBroker broker,
      @Nullable Search search,
      EngineObserver observer) {
    this.observer = observer;
    this.search = search;
    this.store = store;
    this.clock = clock;
    this.ids = new MemoryIds(clock, random);
    this.limits = limits;
    this.partner = partner;
    this.broker = broker;
    this.documents = new DocumentCache(limits);
  }

  public MemoryStore of(Scope scope) {
    StoredMemory memory = memories.get(scope, this::open);
    recent.put(scope, memory);
    return memory;
  }

  private StoredMemory open(Scope scope) {
    return new StoredMemory(
        new MemoryServices(
            store, scope, clock, ids, limits, partner, broker, search, observer, this::forget),
        documents);
  }

  /** Says who has to forget what it holds of a project after memory of it was erased. */
  public void whenErased(Consumer<Scope> told) {
    whenErased = told;
  }

  /** Removes an agent with its memory beyond recovery. */
  public EraseReport eraseAgent(Scope.OfAgent agent) {
    EraseReport erased = store.eraseAgent(agent, clock.instant().truncatedTo(ChronoUnit.MILLIS));
    forget(agent.scope());
    return erased;
  }

  /** Forgets everything of a project that was erased, or of which something was. */
  public void forget(Scope scope) {
    documents.drop(scope);
    whenErased.accept(scope);
    if (search != null) {
      search.notice(scope);
    }
  }

  /** The projects whose memory is in use in this process. */
  public Set<Scope> used() {
    return Set.copyOf(memories.asMap().keySet());
  }

  /** Takes in what other processes committed to the memory of a project, if anybody listens. */
  public void poll(Scope scope) {
    StoredMemory memory = memories.getIfPresent(scope);
    if (memory != null) {
      memory.poll();
    }
  }

  /** Documents in the cache. */
  public int cachedDocuments() {
    return documents.documents();
  }

  /** Their size as it is stored. */
  public long cachedBytes() {
    return documents.sizeBytes();
  }

  @Override
  public void close() {
    memories.asMap().values().forEach(StoredMemory::close);
  }
}
