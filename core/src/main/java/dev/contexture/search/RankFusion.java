package dev.contexture.search;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntToDoubleFunction;
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
    return joined(keyword, at -> share(at + 1), vector, at -> share(at + 1));
  }

  /** Adds up what the places in both lists are worth, by their numbers from 0. */
  static List<Fused> joined(
      List<String> keyword,
      IntToDoubleFunction keywordShare,
      List<String> vector,
      IntToDoubleFunction vectorShare) {
    Map<String, Fused> fused = new HashMap<>();
    for (int i = 0; i < keyword.size(); i++) {
      String id = keyword.get(i);
      fused.put(id, new Fused(id, keywordShare.applyAsDouble(i), i + 1, 0));
    }
    for (int i = 0; i < vector.size(); i++) {
      int rank = i + 1;
      double share = vectorShare.applyAsDouble(i);
      fused.compute(
          vector.get(i),
          (id, known) ->
              known == null
                  ? new Fused(id, share, 0, rank)
                  : new Fused(id, known.score + share, known.keywordRank, rank));
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
