package dev.contexture.search;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apiguardian.api.API;

/** Reciprocal rank fusion: the sum of 1 / (60 + rank) over the lists that hold an entry. */
@API(status = API.Status.STABLE, since = "0.1")
public final class RankFusion {
  private static final int K = 60;
  private static final int LEAST_DEPTH = 50;
  private static final int DEPTH_PER_HIT = 4;

  private RankFusion() {}

  /**
   * An entry with its places.
   *
   * @param score the sum
   * @param keywordRank from 1; 0 if the list by words does not hold it
   * @param vectorRank from 1; 0 if the list by meaning does not hold it
   */
  public record Fused(String id, double score, int keywordRank, int vectorRank) {}

  /** How deep both lists must go for this many hits. */
  public static int depth(int limit) {
    return Math.max(LEAST_DEPTH, DEPTH_PER_HIT * limit);
  }

  /** Joins two lists of ids, best first, each id at most once in a list; equal sums by id. */
  public static List<Fused> fuse(List<String> keyword, List<String> vector) {
    Map<String, Fused> fused = new HashMap<>();
    for (int i = 0; i < keyword.size(); i++) {
      fused.put(keyword.get(i), new Fused(keyword.get(i), share(i + 1), i + 1, 0));
    }
    for (int i = 0; i < vector.size(); i++) {
      int rank = i + 1;
      fused.compute(
          vector.get(i),
          (id, known) ->
              known == null
                  ? new Fused(id, share(rank), 0, rank)
                  : new Fused(id, known.score + share(rank), known.keywordRank, rank));
    }
    List<Fused> ordered = new ArrayList<>(fused.values());
    ordered.sort(Comparator.comparingDouble(Fused::score).reversed().thenComparing(Fused::id));
    return ordered;
  }

  /** What a place in one list is worth. */
  static double share(int rank) {
    return 1.0 / (K + rank);
  }
}
