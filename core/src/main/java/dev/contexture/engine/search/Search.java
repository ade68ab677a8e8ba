package dev.contexture.engine.search;

import dev.contexture.block.Scope;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.event.Changes;
import dev.contexture.event.EngineObserver;
import dev.contexture.event.EngineWork;
import dev.contexture.event.WorkResult;
import dev.contexture.search.CheckedEmbedder;
import dev.contexture.search.DamagedIndexException;
import dev.contexture.search.Embedder;
import dev.contexture.search.IndexFilter;
import dev.contexture.search.IndexPosition;
import dev.contexture.search.ParkedEntries;
import dev.contexture.search.SearchContentType;
import dev.contexture.search.SearchFallback;
import dev.contexture.search.SearchIndex;
import dev.contexture.search.SearchMode;
import dev.contexture.search.SearchOptions;
import dev.contexture.search.SearchResults;
import dev.contexture.store.Store;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.function.LongConsumer;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Finds messages, memory blocks and archival entries again.
 *
 * <pre>{@code
 * for (MemorySearchResult hit : cx.search().search(scope.agent("atlas"), "flight to Oslo", options)) { … }
 * }</pre>
 *
 * A search sees every write that was committed before it started: it waits for the index, at most
 * two seconds, and then says how far that lags. Thread-safe.
 */
@API(status = API.Status.STABLE, since = "0.1")
public final class Search implements AutoCloseable {
  private static final Duration WAIT = Duration.ofSeconds(2);
  private static final int MAX_PARKED = 100;
  private static final int MAX_ATTEMPTS = 3;

  private final Store store;
  private final SearchIndex.@Nullable Provider indexes;
  private final @Nullable IndexScheduler keeper;
  private final @Nullable CheckedEmbedder embedder;
  private final boolean byRank;
  private final EngineObserver observer;

  private Search(
      Store store,
      SearchIndex.@Nullable Provider indexes,
      @Nullable IndexScheduler keeper,
      @Nullable CheckedEmbedder embedder,
      boolean byRank,
      EngineObserver observer) {
    this.observer = observer;
    this.byRank = byRank;
    this.store = store;
    this.indexes = indexes;
    this.keeper = keeper;
    this.embedder = embedder;
  }

  /** A search over an index. */
  @API(status = API.Status.INTERNAL, since = "0.1")
  public static Search over(
      Store store,
      SearchIndex.Provider indexes,
      @Nullable Embedder embedder,
      Changes changes,
      EngineObserver observer) {
    CheckedEmbedder checked =
        embedder == null ? null : new CheckedEmbedder(embedder, Thread::sleep);
    EmbeddingWorker embedding = checked == null ? null : new EmbeddingWorker(checked);
    return new Search(
        store,
        indexes,
        new IndexScheduler(store, indexes, changes, embedding),
        checked,
        false,
        observer);
  }

  /** A search that refuses everything, because no index is configured. */
  @API(status = API.Status.INTERNAL, since = "0.1")
  public static Search none(Store store) {
    return new Search(store, null, null, null, false, EngineObserver.NONE);
  }

  /**
   * The same search for somebody who may not see everything of the project: its answers are {@link
   * SearchResults#byRank}. It shares everything else, also being closed.
   */
  public Search byRank() {
    return new Search(store, indexes, keeper, embedder, true, observer);
  }

  /**
   * Finds what an agent knows: its messages, blocks and entries, and blocks shared with it. For a
   * user: messages of that user's conversations, and memory of the agent and of that user; else
   * messages of all of its users, and memory of the agent itself.
   */
  public SearchResults search(Scope.OfAgent agent, String query, SearchOptions options) {
    SearchOptions own =
        agent.user() == null ? options : options.toBuilder().user(agent.user()).build();
    return watched(agent.scope(), agent.agent(), query, own, filter(agent, own, false));
  }

  /** As {@link #search(Scope.OfAgent, String, SearchOptions)}, with memory of all its users. */
  public SearchResults searchEverybody(Scope.OfAgent agent, String query, SearchOptions options) {
    return watched(
        agent.scope(), agent.agent(), query, options, filter(agent, options, true).forEverybody());
  }

  private IndexFilter filter(Scope.OfAgent agent, SearchOptions options, boolean everybody) {
    Scope.OfAgent reader = agent.forUser(options.user());
    Set<String> shared =
        options.contentTypes().contains(SearchContentType.BLOCKS)
            ? new MemoryEntries(store, agent.scope()).sharedWith(reader, everybody)
            : Set.of();
    return IndexFilter.of(options, agent.agent(), shared);
  }

  /** Finds messages of one user's conversations, whatever agent took part. */
  public SearchResults search(Scope.OfUser user, String query, SearchOptions options) {
    SearchOptions own =
        options.toBuilder()
            .user(user.user())
            .contentTypes(Set.of(SearchContentType.MESSAGES))
            .build();
    return watched(user.scope(), null, query, own, IndexFilter.of(own, null, Set.of()));
  }

  /** Finds anything in a project. For the host only: agents see their own memory. */
  public SearchResults searchAll(Scope scope, String query, SearchOptions options) {
    return watched(scope, null, query, options, IndexFilter.of(options, null, Set.of()));
  }

  /** What kind of index it is; empty: not said. */
  public Optional<String> indexKind() {
    return indexes == null ? Optional.empty() : indexes.kind();
  }

  /** Says that something in a scope changed, so that it is indexed soon. Never blocks. */
  @API(status = API.Status.INTERNAL, since = "0.1")
  public void notice(Scope scope) {
    if (keeper != null) {
      keeper.look(scope);
    }
  }

  /**
   * How far the indexes that {@link #knownLag} looks at have come: a number that changes whenever
   * something is indexed, and means nothing else.
   */
  public long knownPosition() {
    return keeper == null ? 0 : keeper.knownPosition();
  }

  /**
   * Takes in what was erased in a scope and removes it from the files of the index.
   *
   * @return false if that could not be done in time; it goes on in the background
   */
  @API(status = API.Status.INTERNAL, since = "0.1")
  public boolean settle(Scope scope) {
    return keeper == null || keeper.settle(scope, WAIT);
  }

  /**
   * Removes what was erased in a scope up to a number of its outbox, if there is an index of it.
   *
   * @return false if that could not be done in time; it goes on in the background
   */
  @API(status = API.Status.INTERNAL, since = "0.1")
  public boolean removeErased(Scope scope, long upTo) {
    return keeper == null || !provider().exists(scope) || keeper.reach(scope, upTo, WAIT);
  }

  private SearchResults watched(
      Scope scope,
      @Nullable String agent,
      String query,
      SearchOptions options,
      IndexFilter filter) {
    return observer.watch(
        new EngineWork.MemoryQuery(scope, agent, options.mode().wireName(), options.limit()),
        () -> search(scope, query, options, filter),
        found ->
            new WorkResult.QueryAnswered(
                found.usedMode().wireName(),
                found.hits().size(),
                found.fallbacks().stream().map(why -> why.code().wireName()).toList()));
  }

  private SearchResults search(
      Scope scope, String query, SearchOptions options, IndexFilter filter) {
    SearchOptions.checkQuery(query);
    IndexScheduler working = keeper();
    if (isUnknown(scope)) {
      return new SearchResults(List.of(), options.mode(), used(options.mode()), List.of());
    }
    SearchResults found = search(working, scope, query, options, filter);
    return byRank ? found.byRank() : found;
  }

  /** Whether a scope holds nothing and never did: looking for it must leave no index behind. */
  private boolean isUnknown(Scope scope) {
    return !provider().exists(scope) && store.outboxTail(scope, 0).newest() == 0;
  }

  private SearchMode used(SearchMode wanted) {
    return embedder == null
        ? SearchMode.FTS
        : wanted == SearchMode.AUTO ? SearchMode.HYBRID : wanted;
  }

  private SearchResults search(
      IndexScheduler working,
      Scope scope,
      String query,
      SearchOptions options,
      IndexFilter filter) {
    ScopeIndexer indexing = working.of(scope);
    for (int attempt = 1; ; attempt++) {
      try (SearchIndex index = provider().open(scope)) {
        try {
          List<SearchFallback> fallbacks = new ArrayList<>();
          catchUp(working, indexing, index, fallbacks);
          StoredHits hits = new StoredHits(store, scope, filter);
          return new QueryExecutor(index, hits, indexing, embedder)
              .answer(query, options, filter, fallbacks);
        } catch (DamagedIndexException damaged) {
          if (attempt == MAX_ATTEMPTS) {
            throw unavailable("the search index of " + scope + " cannot be read", damaged);
          }
          indexing.replace(index, damaged);
        }
      }
    }
  }

  /** Waits for what is in the outbox now; what cannot be waited for is a fallback. */
  private void catchUp(
      IndexScheduler working,
      ScopeIndexer indexing,
      SearchIndex index,
      List<SearchFallback> fallbacks) {
    long deadline = System.nanoTime() + WAIT.toNanos();
    long newest = store.outboxTail(indexing.scope(), index.position().text()).newest();
    if (newest <= index.position().text()) {
      return;
    }
    working.hurry(indexing);
    boolean current = false;
    try {
      current = indexing.await(newest, deadline);
    } catch (InterruptedException early) {
      Thread.currentThread().interrupt();
    }
    if (!current) {
      long count = indexing.lag(index.position().text());
      fallbacks.add(
          new SearchFallback(
              SearchFallback.Code.INDEX_LAG, count + " changes are not indexed yet", count));
    }
  }

  /**
   * The status of the index of a scope.
   *
   * @param entries that can be found by words
   * @param embedded entries that can be found by meaning
   * @param lag changes that are not indexed yet
   * @param vectorLag changes that are not embedded yet; 0 without an embedder
   * @param parked entries that cannot be indexed or embedded, with why; at most 100
   */
  public record IndexStatus(
      long entries, long embedded, long lag, long vectorLag, List<SearchIndex.Parked> parked) {
    public IndexStatus {
      parked = List.copyOf(parked);
    }
  }

  /** How the index of a scope stands. */
  public IndexStatus indexStatus(Scope scope) {
    IndexScheduler working = keeper();
    if (isUnknown(scope)) {
      return new IndexStatus(0, 0, 0, 0, List.of());
    }
    try (SearchIndex index = provider().open(scope)) {
      ScopeIndexer indexing = working.of(scope);
      IndexPosition at = index.position(); // first: what it says is indexed is then counted
      SearchIndex.Counts counts = index.counts();
      boolean ours = embedder != null && at.model().equals(EmbeddingWorker.model(embedder));
      return new IndexStatus(
          counts.entries(),
          ours ? counts.embedded() : 0,
          indexing.lag(at.text()),
          embedder == null ? 0 : indexing.lag(ours ? at.vectors() : 0),
          index.parked(MAX_PARKED));
    }
  }

  /** How many changes are not indexed yet, in all scopes; 0 without an index. */
  public long lag() {
    return keeper == null ? 0 : keeper.lag();
  }

  /**
   * The same for the scopes whose index was used since the start, which soon are all of them. It
   * opens no index, so that it may be asked often.
   */
  public long knownLag() {
    return keeper == null ? 0 : keeper.knownLag();
  }

  /**
   * How far the making of vectors has come, in the scopes whose index was used since the start. It
   * opens no index, so that it may be asked often. Empty without an embedder.
   */
  public Optional<EmbeddingProgress> embedding() {
    return keeper == null ? Optional.empty() : keeper.embedding();
  }

  /**
   * Entries that cannot be indexed or embedded and were left out, in the scopes whose index was
   * used since the start. It opens no index, so that it may be asked often. {@link #rebuild} tries
   * them again.
   */
  public ParkedEntries parked() {
    return keeper == null ? ParkedEntries.NONE : keeper.parked();
  }

  /**
   * Indexes everything of a scope again, from the store. Searches go on meanwhile and say that the
   * index lags.
   *
   * @param progress is told how many changes are indexed
   */
  public IndexStatus rebuild(Scope scope, LongConsumer progress) {
    IndexScheduler working = keeper();
    if (isUnknown(scope)) {
      return indexStatus(scope);
    }
    try {
      working.call(
          () -> {
            working.of(scope).rebuild(progress);
            working.of(scope).commitIfNeeded();
            return true;
          });
    } catch (InterruptedException early) {
      Thread.currentThread().interrupt();
      throw unavailable("the search index was not built", early);
    } catch (ExecutionException failed) {
      if (failed.getCause() instanceof ContextureException refused) {
        throw refused;
      }
      throw unavailable("the search index was not built", failed);
    } catch (Exception failed) {
      throw unavailable("the search index was not built", failed);
    }
    return indexStatus(scope);
  }

  private static ContextureException unavailable(String what, Exception cause) {
    return new ContextureException(
        ErrorCode.SEARCH_UNAVAILABLE, what + "; try again", Map.of(), cause);
  }

  private IndexScheduler keeper() {
    if (keeper == null) {
      throw notConfigured();
    }
    return keeper;
  }

  private SearchIndex.Provider provider() {
    if (indexes == null) {
      throw notConfigured();
    }
    return indexes;
  }

  /** Says that no index is configured. */
  @API(status = API.Status.INTERNAL, since = "0.1")
  public static ContextureException notConfigured() {
    return new ContextureException(
        ErrorCode.SEARCH_UNAVAILABLE,
        "no search index is configured; open the engine with Contexture.open, or give its builder"
            + " a search index");
  }

  @Override
  public void close() {
    if (keeper != null) {
      keeper.close();
    }
  }
}
