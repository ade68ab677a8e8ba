package dev.contexture.search;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apiguardian.api.API;

/**
 * The results of a search: hits by score, best first, equal scores by id.
 *
 * @param hits best first
 * @param requestedMode what was asked for
 * @param usedMode how it was answered; never {@link SearchMode#AUTO}
 * @param fallbacks why it was answered with less than asked for
 */
@API(status = API.Status.STABLE, since = "0.1")
public record SearchResults(
    List<MemorySearchResult> hits,
    SearchMode requestedMode,
    SearchMode usedMode,
    List<SearchFallback> fallbacks)
    implements Iterable<MemorySearchResult> {
  private static final String LATER = "not everything can be found yet";

  public SearchResults {
    hits = List.copyOf(hits);
    fallbacks = List.copyOf(fallbacks);
  }

  @Override
  public Iterator<MemorySearchResult> iterator() {
    return hits.iterator();
  }

  /**
   * The same hits, but nothing that tells of content which their reader may not see: scores are 1 /
   * (60 + rank), and neither parts of scores nor counts of the whole project are given.
   */
  public SearchResults byRank() {
    List<MemorySearchResult> ranked = new ArrayList<>();
    for (MemorySearchResult hit : hits) {
      MatchParts words =
          new MatchParts(null, 0, null, 0, hit.why().words(), hit.why().typos(), null);
      ranked.add(hit.withScore(RankFusion.share(ranked.size() + 1), words));
    }
    List<SearchFallback> uncounted =
        fallbacks.stream()
            .map(why -> why.count() == 0 ? why : new SearchFallback(why.code(), LATER, 0))
            .toList();
    return new SearchResults(ranked, requestedMode, usedMode, uncounted);
  }

  /** Whether this happened. */
  public boolean has(SearchFallback.Code code) {
    return fallbacks.stream().anyMatch(fallback -> fallback.code() == code);
  }
}
