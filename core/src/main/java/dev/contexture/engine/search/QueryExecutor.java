package dev.contexture.engine.search;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.error.ReadMeter;
import dev.contexture.search.CheckedEmbedder;
import dev.contexture.search.EmbedderException;
import dev.contexture.search.IndexFilter;
import dev.contexture.search.IndexHit;
import dev.contexture.search.MatchParts;
import dev.contexture.search.MemorySearchResult;
import dev.contexture.search.RankFusion;
import dev.contexture.search.ScoreFusion;
import dev.contexture.search.SearchContent;
import dev.contexture.search.SearchFallback;
import dev.contexture.search.SearchIndex;
import dev.contexture.search.SearchIndex.KeywordQuery;
import dev.contexture.search.SearchMode;
import dev.contexture.search.SearchOptions;
import dev.contexture.search.SearchResults;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Answers one query from an index that is as current as it gets. Confined to one search. */
final class QueryExecutor {
  private static final System.Logger LOG = System.getLogger(QueryExecutor.class.getName());
  private static final int ROUNDS = 4;
  private static final int SPARE = 8;

  /** The most hits that are read from the store at once, so that few contents are held. */
  private static final int BATCH = 100;

  private final SearchIndex index;
  private final StoredHits stored;
  private final ScopeIndexer indexing;
  private final @Nullable CheckedEmbedder embedder;
  private long largestBatch;

  QueryExecutor(
      SearchIndex index,
      StoredHits stored,
      ScopeIndexer indexing,
      @Nullable CheckedEmbedder embedder) {
    this.index = index;
    this.stored = stored;
    this.indexing = indexing;
    this.embedder = embedder;
  }

  /** A hit before it is read from the store. */
  private record Candidate(
      IndexHit keyword,
      int keywordRank,
      @Nullable IndexHit vector,
      int vectorRank,
      double score,
      MatchParts.@Nullable Shares shares) {}

  /** Joins the list by words and the list by meaning. */
  private interface Fusion
      extends BiFunction<List<IndexHit>, List<IndexHit>, List<RankFusion.Fused>> {}

  SearchResults answer(
      String text, SearchOptions options, IndexFilter filter, List<SearchFallback> fallbacks) {
    KeywordQuery query = new KeywordQuery(text, options.raw());
    SearchMode wanted = options.mode();
    SearchMode mode =
        wanted != SearchMode.AUTO ? wanted : embedder == null ? SearchMode.FTS : SearchMode.HYBRID;
    float[] vector = mode == SearchMode.FTS ? null : embedded(text, fallbacks);
    if (vector == null) {
      mode = SearchMode.FTS;
    } else {
      noteVectorLag(fallbacks);
    }
    boolean wordless = index.isEmpty(query);
    if (wordless && (mode != SearchMode.VECTOR || text.isBlank())) {
      fallbacks.add(
          new SearchFallback(SearchFallback.Code.EMPTY_QUERY, "the query holds no word", 0));
    }
    List<MemorySearchResult> hits =
        switch (mode) {
          case FTS -> wordless ? List.of() : byWords(query, options, filter);
          case VECTOR -> byMeaning(query, vector, options, filter);
          case HYBRID, AUTO ->
              byBoth(
                  new BothLists(query, wordless, vector, options, filter),
                  ScoreFusion.depth(options.limit()),
                  (words, meanings) ->
                      ScoreFusion.fuse(words, meanings, options.minSimilarity(), text));
          case RRF ->
              byBoth(
                  new BothLists(query, wordless, vector, options, filter),
                  RankFusion.depth(options.limit()),
                  (words, meanings) -> byRanks(words, near(meanings, options)));
        };
    if (hits.isEmpty() && !wordless && mode != SearchMode.VECTOR) {
      hits = forgiving(query, options, filter);
      if (!hits.isEmpty()) {
        fallbacks.add(
            new SearchFallback(
                SearchFallback.Code.TYPOS_FORGIVEN,
                "nothing holds these words; found by words that are spelled alike",
                0));
      }
    }
    return new SearchResults(hits, wanted, mode, fallbacks);
  }

  /** The vector of the query; null: it is answered by words, and a fallback says why. */
  private float @Nullable [] embedded(String text, List<SearchFallback> fallbacks) {
    if (embedder == null) {
      fallbacks.add(
          new SearchFallback(
              SearchFallback.Code.NO_EMBEDDER, "no embedder is configured; found by words", 0));
      return null;
    }
    if (text.isBlank()) {
      return null;
    }
    try {
      return embedder.query(text);
    } catch (EmbedderException failed) {
      LOG.log(System.Logger.Level.WARNING, "a query was not embedded", failed);
      String why =
          switch (failed.kind()) {
            case TRANSIENT -> "the embedder did not answer";
            case INPUT_TOO_LARGE -> "it is too long for the embedder";
            case PERMANENT -> "the embedder failed";
          };
      fallbacks.add(
          new SearchFallback(
              SearchFallback.Code.EMBEDDER_FAILED,
              "the query was not embedded, because " + why + "; found by words",
              0));
      return null;
    }
  }

  private void noteVectorLag(List<SearchFallback> fallbacks) {
    CheckedEmbedder used = embedder;
    boolean sameModel =
        used != null && index.position().model().equals(EmbeddingWorker.model(used));
    long count = indexing.lag(sameModel ? index.position().vectors() : 0);
    if (count > 0) {
      fallbacks.add(
          new SearchFallback(
              SearchFallback.Code.VECTOR_LAG, count + " changes are not embedded yet", count));
    }
  }

  private List<MemorySearchResult> byWords(
      KeywordQuery query, SearchOptions options, IndexFilter filter) {
    return until(
        options,
        depth -> candidates(index.keyword(query, filter, depth), false),
        index.matcher(query));
  }

  /** What is found if the words of the query are misspelled. */
  private List<MemorySearchResult> forgiving(
      KeywordQuery query, SearchOptions options, IndexFilter filter) {
    try {
      return until(
          options,
          depth -> candidates(index.misspelled(query, filter, depth), false),
          index.misspelledMatcher(query));
    } catch (ContextureException refused) {
      if (refused.code() != ErrorCode.SEARCH_TOO_COSTLY) {
        throw refused;
      }
      return List.of(); // the query itself was answered in time: nothing matches it
    }
  }

  private List<MemorySearchResult> byMeaning(
      KeywordQuery query, float @Nullable [] vector, SearchOptions options, IndexFilter filter) {
    return until(
        options,
        depth -> candidates(near(similar(vector, filter, depth), options), true),
        index.matcher(query));
  }

  private List<IndexHit> similar(float @Nullable [] vector, IndexFilter filter, int depth) {
    return vector == null ? List.of() : index.vector(vector, filter, depth);
  }

  private static List<IndexHit> near(List<IndexHit> similar, SearchOptions options) {
    return similar.stream().filter(hit -> hit.score() >= options.minSimilarity()).toList();
  }

  private static List<Candidate> candidates(List<IndexHit> hits, boolean vector) {
    List<Candidate> candidates = new ArrayList<>();
    for (IndexHit hit : hits) {
      int rank = candidates.size() + 1;
      candidates.add(
          vector
              ? new Candidate(hit, 0, hit, rank, hit.score(), null)
              : new Candidate(hit, rank, null, 0, hit.score(), null));
    }
    return candidates;
  }

  /** The query that is put to both lists. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record BothLists(
      KeywordQuery query,
      boolean wordless,
      float @Nullable [] vector,
      SearchOptions options,
      IndexFilter filter) {}

  private List<MemorySearchResult> byBoth(BothLists asked, int least, Fusion fusion) {
    return until(
        asked.options,
        depth -> joined(asked, Math.max(depth, least), fusion),
        index.matcher(asked.query));
  }

  private List<Candidate> joined(BothLists asked, int depth, Fusion fusion) {
    List<IndexHit> keyword =
        asked.wordless ? List.of() : index.keyword(asked.query, asked.filter, depth);
    List<IndexHit> similar = similar(asked.vector, asked.filter, depth);
    Map<String, IndexHit> words = new HashMap<>();
    keyword.forEach(hit -> words.put(hit.id(), hit));
    Map<String, IndexHit> meanings = new HashMap<>();
    similar.forEach(hit -> meanings.put(hit.id(), hit));
    List<Candidate> candidates = new ArrayList<>();
    for (RankFusion.Fused fused : fusion.apply(keyword, similar)) {
      IndexHit word = words.get(fused.id());
      IndexHit meaning = meanings.get(fused.id());
      IndexHit either = word != null ? word : meaning;
      if (either != null) {
        candidates.add(
            new Candidate(
                either,
                fused.keywordRank(),
                fused.vectorRank() == 0 ? null : meaning,
                fused.vectorRank(),
                fused.score(),
                fused.shares()));
      }
    }
    return candidates;
  }

  private static List<RankFusion.Fused> byRanks(List<IndexHit> keyword, List<IndexHit> vector) {
    return RankFusion.fuse(
        keyword.stream().map(IndexHit::id).toList(), vector.stream().map(IndexHit::id).toList());
  }

  /** Reads candidates from the store, and looks deeper if too many of them are gone. */
  private List<MemorySearchResult> until(
      SearchOptions options,
      IntFunction<List<Candidate>> find,
      Function<String, SearchIndex.TextMatch> matching) {
    int limit = options.limit();
    int depth = limit + SPARE;
    for (int round = 1; ; round++) {
      List<Candidate> candidates = find.apply(depth);
      List<MemorySearchResult> hits = new ArrayList<>();
      for (int at = 0; at < candidates.size() && hits.size() < limit; ) {
        int end = Math.min(candidates.size(), at + Math.min(BATCH, limit - hits.size()));
        hits.addAll(results(candidates.subList(at, end), options.content(), matching));
        at = end;
      }
      if (hits.size() == limit || candidates.size() < depth || round == ROUNDS) {
        return hits;
      }
      depth *= 4;
    }
  }

  private List<MemorySearchResult> results(
      List<Candidate> candidates,
      SearchContent content,
      Function<String, SearchIndex.TextMatch> matching) {
    Map<String, StoredHit> found =
        stored.read(candidates.stream().map(Candidate::keyword).toList());
    meter(found.values(), content);
    List<MemorySearchResult> results = new ArrayList<>();
    for (Candidate candidate : candidates) {
      StoredHit now = found.get(candidate.keyword.id());
      if (now != null) {
        result(candidate, now, content, matching).ifPresent(results::add);
      }
    }
    return results;
  }

  /** Whole contents stay in the answer; of excerpts only the contents of one batch are held. */
  private void meter(Collection<StoredHit> read, SearchContent content) {
    long chars = read.stream().mapToLong(hit -> hit.content().length()).sum();
    boolean stays = content == SearchContent.FULL;
    ReadMeter.read(stays ? chars : Math.max(0, chars - largestBatch));
    largestBatch = Math.max(largestBatch, chars);
  }

  private static Optional<MemorySearchResult> result(
      Candidate candidate,
      StoredHit now,
      SearchContent content,
      Function<String, SearchIndex.TextMatch> matching) {
    SearchIndex.TextMatch match = matching.apply(now.content());
    SearchIndex.TextMatch named =
        now.name().isEmpty() || match.matches() ? match : matching.apply(now.name());
    boolean changed = !now.hash().equals(candidate.keyword.hash());
    if (changed && (candidate.keywordRank == 0 || !named.matches())) {
      return Optional.empty(); // what matched is no longer there
    }
    boolean byWords = candidate.keywordRank > 0;
    MatchParts parts =
        new MatchParts(
            byWords && named.typos().isEmpty() ? candidate.keyword.score() : null,
            candidate.keywordRank,
            candidate.vector == null ? null : candidate.vector.score(),
            candidate.vectorRank,
            match.words(),
            named.typos(),
            candidate.shares);
    return Optional.of(
        new MemorySearchResult(
            candidate.keyword.id(),
            candidate.keyword.type(),
            now.agent(),
            now.user(),
            now.conversation(),
            now.role(),
            now.label(),
            now.path(),
            content == SearchContent.FULL ? now.content() : match.excerpt(),
            match.excerpt(),
            now.at(),
            candidate.score,
            parts,
            now.content().codePointCount(0, now.content().length())));
  }
}
