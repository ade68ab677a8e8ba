package dev.contexture.search.postgres;

import dev.contexture.search.IndexHit;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/** The order of hits. */
final class BestHits {
  private static final Comparator<IndexHit> BEST_FIRST =
      Comparator.comparingDouble((IndexHit hit) -> -hit.score()).thenComparing(IndexHit::id);

  private BestHits() {}

  /** The best ones first, equal ones by id. */
  static List<IndexHit> of(Collection<IndexHit> hits, int limit) {
    return hits.stream().sorted(BEST_FIRST).limit(limit).toList();
  }
}
