package dev.contexture.search;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apiguardian.api.API;

/**
 * Joins the list by words and the list by meaning by their scores, each brought to the range from 0
 * (its last hit, or none) to 1 (its best).
 */
@API(status = API.Status.STABLE, since = "0.1")
public final class ScoreFusion {
  /** What meaning counts; words count the rest. */
  private static final double WEIGHT = 0.25;

  private ScoreFusion() {}

  /** Joins two lists, best first, each entry at most once in a list; equal sums by id. */
  public static List<RankFusion.Fused> fuse(List<IndexHit> keyword, List<IndexHit> vector) {
    double weight = weight(keyword, vector);
    Map<String, RankFusion.Fused> fused = new HashMap<>();
    for (int i = 0; i < keyword.size(); i++) {
      String id = keyword.get(i).id();
      double share = (1 - weight) * normal(keyword, i);
      fused.put(id, new RankFusion.Fused(id, share, i + 1, 0));
    }
    for (int i = 0; i < vector.size(); i++) {
      int rank = i + 1;
      double share = weight * normal(vector, i);
      fused.compute(
          vector.get(i).id(),
          (id, known) ->
              known == null
                  ? new RankFusion.Fused(id, share, 0, rank)
                  : new RankFusion.Fused(id, known.score() + share, known.keywordRank(), rank));
    }
    List<RankFusion.Fused> ordered = new ArrayList<>(fused.values());
    ordered.sort(
        Comparator.comparingDouble(RankFusion.Fused::score)
            .reversed()
            .thenComparing(RankFusion.Fused::id));
    return ordered;
  }

  private static double weight(List<IndexHit> keyword, List<IndexHit> vector) {
    return keyword.isEmpty() ? 1 : vector.isEmpty() ? 0 : WEIGHT;
  }

  /** Between 0 and 1; of a list with one hit, or equal ones, 1. */
  private static double normal(List<IndexHit> hits, int at) {
    double best = hits.getFirst().score();
    double range = best - hits.getLast().score();
    return range > 0 ? (hits.get(at).score() - hits.getLast().score()) / range : 1;
  }
}
