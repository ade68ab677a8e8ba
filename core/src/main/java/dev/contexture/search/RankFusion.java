package dev.contexture.search;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntToDoubleFunction;
import org.apiguardian.api.API;

/** Reciprocal rank fusion: the sum of 1 / (60 + rank) over the lists that hold an entry. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class RankFusion {
  private static final int K = 60;
  private static final int LEAST_DEPTH = 50;
  private static final int DEPTH_PER_HIT = 4;
  private static final double EQUAL_WEIGHT = 0.5;

  private RankFusion() {}

  /**
   * An entry with its places.
   *
   * @param shares what each list gives it
   * @param keywordRank from 1; 0 if the list by words does not hold it
   * @param vectorRank from 1; 0 if the list by meaning does not hold it
   */
  public record Fused(String id, MatchParts.Shares shares, int keywordRank, int vectorRank) {
    /** What both lists give it. */
    public double score() {
      return shares.words() + shares.meaning();
    }
  }

  /** How deep both lists must go for this many hits. */
  public static int depth(int limit) {
    return Math.max(LEAST_DEPTH, DEPTH_PER_HIT * limit);
  }

  /** Joins two lists of ids, best first, each id at most once in a list; equal sums by id. */
  public static List<Fused> fuse(List<String> keyword, List<String> vector) {
    List<Fused> fused =
        joined(keyword, at -> share(at + 1), vector, at -> share(at + 1), EQUAL_WEIGHT);
    fused.sort(Comparator.comparingDouble(Fused::score).reversed().thenComparing(Fused::id));
    return fused;
  }

  /** What the places in both lists are worth, by their numbers from 0; in no order. */
  static List<Fused> joined(
      List<String> keyword,
      IntToDoubleFunction keywordShare,
      List<String> vector,
      IntToDoubleFunction vectorShare,
      double weight) {
    Map<String, Fused> fused = new HashMap<>();
    for (int i = 0; i < keyword.size(); i++) {
      String id = keyword.get(i);
      double share = keywordShare.applyAsDouble(i);
      fused.put(id, new Fused(id, new MatchParts.Shares(share, 0, weight), i + 1, 0));
    }
    for (int i = 0; i < vector.size(); i++) {
      int rank = i + 1;
      double share = vectorShare.applyAsDouble(i);
      fused.compute(
          vector.get(i),
          (id, known) -> {
            double words = known == null ? 0 : known.shares.words();
            int keywordRank = known == null ? 0 : known.keywordRank;
            return new Fused(id, new MatchParts.Shares(words, share, weight), keywordRank, rank);
          });
    }
    return new ArrayList<>(fused.values());
  }

  /** What a place in one list is worth. */
  static double share(int rank) {
    return 1.0 / (K + rank);
  }
}
