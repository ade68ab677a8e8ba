package dev.contexture.engine.search;

import dev.contexture.block.Scope;
import dev.contexture.error.UncaughtErrors;
import dev.contexture.event.Change;
import dev.contexture.event.Changes;
import dev.contexture.event.WriteTopic;
import dev.contexture.search.ParkedEntries;
import dev.contexture.search.SearchIndex;
import dev.contexture.store.Store;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Keeps indexes in step in the background: shortly after this process changed something in a scope,
 * at once when a search waits for it, and for what others changed as soon as that is heard of, and
 * now and then. Thread-safe.
 *
 * <p>Indexing runs on platform threads of its own: an interrupt of a caller must not reach the
 * files of an index.
 */
final class IndexScheduler implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(IndexScheduler.class.getName());
  private static final Duration PAUSE = Duration.ofSeconds(1);
  private static final Duration POLL = Duration.ofSeconds(2);
  private static final Duration LEFT_OVER_AFTER = Duration.ofSeconds(5);
  private static final int THREADS = 2;
  private static final int MAX_PARKED = 100;
  private static final Duration CLOSE_WAIT = Duration.ofSeconds(30);

  private final Store store;
  private final SearchIndex.Provider indexes;
  private final Map<Scope, ScopeIndexer> scopes = new ConcurrentHashMap<>();
  private final Map<Scope, AtomicBoolean> queued = new ConcurrentHashMap<>();
  private final @Nullable EmbeddingWorker embedding;
  private final ScheduledThreadPoolExecutor threads;
  private final Changes.Subscription subscription;
  private final Queue<Changes.Subscription> hints = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean closed = new AtomicBoolean();

  /**
   * @param embedding what makes vectors; null: nothing does
   */
  IndexScheduler(
      Store store,
      SearchIndex.Provider indexes,
      Changes changes,
      @Nullable EmbeddingWorker embedding) {
    this.store = store;
    this.embedding = embedding;
    this.indexes = indexes;
    this.threads = new ScheduledThreadPoolExecutor(THREADS, IndexScheduler::thread);
    threads.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    threads.setKeepAliveTime(10, TimeUnit.SECONDS);
    threads.allowCoreThreadTimeOut(true);
    this.subscription = changes.subscribe(this::noticed);
    schedule(() -> eachScope(this::look), LEFT_OVER_AFTER);
    if (store.isShared()) { // what others wrote before this process began is known to be missing
      schedule(() -> eachScope(scope -> of(scope).lag()), Duration.ZERO);
    }
    schedule(this::poll, POLL);
  }

  /** All scopes with something to find, also those whose index is lost. */
  private void eachScope(Consumer<Scope> work) {
    Scope after = null;
    List<Scope> page;
    do {
      page = store.outboxScopes(after, Store.MAX_PAGE);
      page.forEach(work);
      after = page.isEmpty() ? null : page.getLast();
    } while (page.size() == Store.MAX_PAGE);
  }

  /** How many changes are not indexed, in all scopes. */
  long lag() {
    AtomicLong lag = new AtomicLong();
    eachScope(scope -> lag.addAndGet(of(scope).lag()));
    return lag.get();
  }

  /** How many changes are not indexed in the scopes that were looked at; opens no index. */
  long knownLag() {
    long lag = 0;
    for (ScopeIndexer indexing : scopes.values()) {
      lag += indexing.knownLag();
    }
    return lag;
  }

  /** How far vectors are made in the scopes that were looked at; opens no index. */
  Optional<EmbeddingProgress> embedding() {
    return Optional.ofNullable(embedding)
        .map(
            worker ->
                worker.progress(
                    scopes.values().stream().mapToLong(ScopeIndexer::knownVectorLag).sum()));
  }

  /** Entries that were left out, in the scopes that were looked at; opens no index. */
  ParkedEntries parked() {
    long count = 0;
    List<ParkedEntries.Entry> first = new ArrayList<>();
    for (ScopeIndexer indexing : scopes.values()) {
      ParkedEntries parked = indexing.parked();
      count += parked.count();
      first.addAll(
          parked.first().subList(0, Math.min(parked.first().size(), MAX_PARKED - first.size())));
    }
    return new ParkedEntries(count, first);
  }

  /** Looks at what others wrote: other processes, and ways that tell nobody. */
  private void poll() {
    try {
      for (ScopeIndexer indexing : scopes.values()) {
        if (!closed.get() && !indexing.isCurrent()) {
          look(indexing.scope());
        }
      }
    } finally {
      schedule(this::poll, POLL);
    }
  }

  private static Thread thread(Runnable work) {
    Thread thread = new Thread(work, "contexture-index");
    thread.setDaemon(true);
    return thread;
  }

  private void noticed(Change change) {
    look(change.conversation().owner().scope());
  }

  /** Looks at a scope soon, and from then on as long as there is something to do. */
  void look(Scope scope) {
    AtomicBoolean waits = queued.computeIfAbsent(scope, key -> new AtomicBoolean());
    if (waits.compareAndSet(false, true)) {
      schedule(
          () -> {
            waits.set(false);
            ScopeIndexer indexing = of(scope);
            indexing.drain(rows -> {});
            indexing.commitIfDue(); // else the next poll finds it uncommitted
            if (embedding != null) {
              embedding.wake(indexing);
            }
          },
          PAUSE);
    }
  }

  private void schedule(Runnable work, Duration after) {
    try {
      Future<?> unused = threads.schedule(guarded(work), after.toMillis(), TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException ending) {
      // The outbox keeps what is not indexed yet.
    }
  }

  private Runnable guarded(Runnable work) {
    return () -> {
      try {
        if (!closed.get()) {
          work.run();
        }
      } catch (RuntimeException failed) {
        LOG.log(System.Logger.Level.WARNING, "indexing failed; it is tried again later", failed);
      } catch (Error broken) {
        UncaughtErrors.tell(broken);
      }
    };
  }

  ScopeIndexer of(Scope scope) {
    return scopes.computeIfAbsent(scope, this::open);
  }

  private ScopeIndexer open(Scope scope) {
    hints.add(store.whenOthersWrite(WriteTopic.of(scope), () -> look(scope)));
    return new ScopeIndexer(scope, store, indexes, closed::get);
  }

  /** Starts to index a scope at once. */
  void hurry(ScopeIndexer indexing) {
    try {
      threads.execute(
          guarded(
              () -> {
                indexing.drain(rows -> {});
                look(indexing.scope()); // commits later, when it is quiet
              }));
    } catch (RejectedExecutionException ending) {
      // The search answers with what is indexed.
    }
  }

  /** Changes whenever something is indexed in the scopes that were looked at. */
  long knownPosition() {
    return scopes.values().stream().mapToLong(ScopeIndexer::position).sum();
  }

  /**
   * Indexes what a scope's outbox holds now, and makes it durable.
   *
   * @return false if that failed or took too long; it is tried again later
   */
  boolean settle(Scope scope, Duration within) {
    return drained(scope, within) && of(scope).isCurrent();
  }

  /**
   * The same up to a number, whatever is written meanwhile. What was erased is then in no file.
   *
   * @return false if that failed or took too long
   */
  boolean reach(Scope scope, long number, Duration within) {
    return drained(scope, within) && of(scope).position() >= number;
  }

  private boolean drained(Scope scope, Duration within) {
    ScopeIndexer indexing = of(scope);
    try {
      threads
          .submit(
              () -> {
                indexing.drain(rows -> {});
                indexing.commitIfNeeded();
              })
          .get(within.toMillis(), TimeUnit.MILLISECONDS);
      return true;
    } catch (InterruptedException early) {
      Thread.currentThread().interrupt();
      return false;
    } catch (ExecutionException | TimeoutException | RejectedExecutionException later) {
      look(scope);
      return false;
    }
  }

  /** Runs something on the threads of indexes and waits for it. */
  <T extends @Nullable Object> T call(java.util.concurrent.Callable<T> work) throws Exception {
    return threads.submit(work).get();
  }

  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    subscription.close();
    hints.forEach(Changes.Subscription::close);
    if (embedding != null) {
      embedding.close();
    }
    threads.shutdown();
    boolean interrupted = false;
    try {
      if (!threads.awaitTermination(CLOSE_WAIT.toMillis(), TimeUnit.MILLISECONDS)) {
        LOG.log(System.Logger.Level.WARNING, "indexing did not end in time");
      }
    } catch (InterruptedException early) {
      interrupted = true;
    }
    indexes.close();
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
