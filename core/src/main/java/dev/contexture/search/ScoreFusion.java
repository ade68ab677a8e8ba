package dev.contexture.search;

import java.util.List;
import org.apiguardian.api.API;

/**
 * Joins the list by words and the list by meaning by their scores, each brought to the range from 0
 * (its last hit, or none) to 1 (its best).
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class ScoreFusion {
  /** What meaning counts; words count the rest. */
  private static final double WEIGHT = 0.25;

  private ScoreFusion() {}

  /** Joins two lists, best first, each entry at most once in a list; equal sums by id. */
  public static List<RankFusion.Fused> fuse(List<IndexHit> keyword, List<IndexHit> vector) {
    double weight = weight(keyword, vector);
    return RankFusion.joined(
        ids(keyword),
        at -> (1 - weight) * normal(keyword, at),
        ids(vector),
        at -> weight * normal(vector, at));
  }

  private static List<String> ids(List<IndexHit> hits) {
    return hits.stream().map(IndexHit::id).toList();
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
