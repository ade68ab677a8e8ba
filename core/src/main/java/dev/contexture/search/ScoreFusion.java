package dev.contexture.search;

import java.util.Comparator;
import java.util.List;
import org.apiguardian.api.API;

/**
 * Joins the list by words and the list by meaning by their scores. Words give an entry its score as
 * a share of the best one, meaning how much nearer it is than the last of its list: a list whose
 * hits are all alike near says nothing and adds nothing. Of each list the first {@link #WINDOW}
 * hits count, so that whoever asks for more hits gets the same ones first.
 *
 * <p>The longer a query, the less meaning counts: each further word says more about what is wanted,
 * but the query remains one vector.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class ScoreFusion {
  /** How many hits of a list count; what the last of them has is taken for nothing. */
  static final int WINDOW = 100;

  /** What meaning counts at most; words count the rest. */
  private static final double MOST_WEIGHT = 0.5;

  /** A query of this many characters halves what meaning counts. */
  private static final double HALVING_CHARS = 300;

  /** By score, then by the place in words, then by that in meaning; first by those that count. */
  private static final Comparator<RankFusion.Fused> BEST_FIRST =
      Comparator.comparingDouble(RankFusion.Fused::score)
          .reversed()
          .thenComparingInt(fused -> place(fused.keywordRank(), WINDOW))
          .thenComparingInt(fused -> place(fused.vectorRank(), WINDOW))
          .thenComparingInt(fused -> place(fused.keywordRank(), Integer.MAX_VALUE))
          .thenComparingInt(fused -> place(fused.vectorRank(), Integer.MAX_VALUE));

  private ScoreFusion() {}

  /** How deep both lists must go for this many hits. */
  public static int depth(int limit) {
    return Math.max(WINDOW, limit);
  }

  /**
   * Joins two lists, best first, each entry at most once in a list; equal sums by rank.
   *
   * @param minSimilarity the least cosine of a hit by meaning; those below it only tell how far
   *     away the others are
   * @param query what was asked
   */
  public static List<RankFusion.Fused> fuse(
      List<IndexHit> keyword, List<IndexHit> vector, double minSimilarity, String query) {
    List<IndexHit> near = vector.stream().filter(hit -> hit.score() >= minSimilarity).toList();
    double farthest =
        vector.isEmpty() ? 0 : 1 - vector.get(Math.min(WINDOW, vector.size()) - 1).score();
    double weight = weight(keyword, near, query);
    List<RankFusion.Fused> fused =
        RankFusion.joined(
            ids(keyword),
            at -> (1 - weight) * byWords(keyword, at),
            ids(near),
            at -> weight * byMeaning(near.get(at), farthest),
            weight);
    fused.sort(BEST_FIRST);
    return fused;
  }

  private static int place(int rank, int last) {
    return rank == 0 || rank > last ? Integer.MAX_VALUE : rank;
  }

  private static List<String> ids(List<IndexHit> hits) {
    return hits.stream().map(IndexHit::id).toList();
  }

  private static double weight(List<IndexHit> keyword, List<IndexHit> vector, String query) {
    if (keyword.isEmpty() || vector.isEmpty()) {
      return vector.isEmpty() ? 0 : 1;
    }
    return MOST_WEIGHT / (1 + query.codePointCount(0, query.length()) / HALVING_CHARS);
  }

  /** 1 for the best, 0 for the last that counts, and for what no word is found in. */
  private static double byWords(List<IndexHit> hits, int at) {
    double none = hits.size() < WINDOW ? 0 : hits.get(WINDOW - 1).score();
    double range = hits.getFirst().score() - none;
    return range > 0 ? Math.max(0, hits.get(at).score() - none) / range : 1;
  }

  /** How much of the distance of the farthest is saved: 0 for that one, 1 for the same vector. */
  private static double byMeaning(IndexHit hit, double farthest) {
    return farthest > 0 ? Math.max(0, 1 - (1 - hit.score()) / farthest) : 0;
  }
}
