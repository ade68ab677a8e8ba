package dev.contexture.search;

import java.util.Iterator;
import java.util.List;
import org.apiguardian.api.API;

/**
 * What a search found: hits by score, best first, equal scores by id (M-75).
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
  public SearchResults {
    hits = List.copyOf(hits);
    fallbacks = List.copyOf(fallbacks);
  }

  @Override
  public Iterator<MemorySearchResult> iterator() {
    return hits.iterator();
  }

  /** Whether this happened. */
  public boolean has(SearchFallback.Code code) {
    return fallbacks.stream().anyMatch(fallback -> fallback.code() == code);
  }
}
