package dev.contexture.bench.retrieval;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** How well ranked lists answer questions: averages by category, in percent. */
final class RetrievalScores {
  static final List<String> COLUMNS = List.of("R@5", "R@10", "R@20", "R@50", "MRR", "nDCG@10");
  static final String ALL = "ALL";

  private static final int[] DEPTHS = {5, 10, 20, 50};
  private static final int MRR_DEPTH = 100;
  private static final int GAIN_DEPTH = 10;

  private final Map<String, List<double[]>> byCategory = new LinkedHashMap<>();

  RetrievalScores() {
    byCategory.put(ALL, new ArrayList<>());
  }

  void add(String category, List<String> ranked, Set<String> relevant) {
    double[] scores = new double[COLUMNS.size()];
    for (int i = 0; i < DEPTHS.length; i++) {
      scores[i] = recall(ranked, relevant, DEPTHS[i]);
    }
    scores[DEPTHS.length] = reciprocalRank(ranked, relevant);
    scores[DEPTHS.length + 1] = gain(ranked, relevant);
    byCategory.computeIfAbsent(ALL, name -> new ArrayList<>()).add(scores);
    byCategory.computeIfAbsent(category, name -> new ArrayList<>()).add(scores);
  }

  private static double recall(List<String> ranked, Set<String> relevant, int depth) {
    long found = ranked.stream().limit(depth).filter(relevant::contains).count();
    return relevant.isEmpty() ? 0 : (double) found / relevant.size();
  }

  private static double reciprocalRank(List<String> ranked, Set<String> relevant) {
    for (int i = 0; i < Math.min(MRR_DEPTH, ranked.size()); i++) {
      if (relevant.contains(ranked.get(i))) {
        return 1.0 / (i + 1);
      }
    }
    return 0;
  }

  private static double gain(List<String> ranked, Set<String> relevant) {
    double gain = 0;
    double best = 0;
    for (int i = 0; i < GAIN_DEPTH; i++) {
      double discounted = Math.log(2) / Math.log(i + 2.0);
      if (i < ranked.size() && relevant.contains(ranked.get(i))) {
        gain += discounted;
      }
      if (i < relevant.size()) {
        best += discounted;
      }
    }
    return best == 0 ? 0 : gain / best;
  }

  /** Categories, all questions first. */
  List<String> categories() {
    return List.copyOf(byCategory.keySet());
  }

  int count(String category) {
    return byCategory.getOrDefault(category, List.of()).size();
  }

  /** The average of a column in percent. */
  double percent(String category, String column) {
    int at = COLUMNS.indexOf(column);
    return 100
        * byCategory.getOrDefault(category, List.of()).stream()
            .mapToDouble(scores -> scores[at])
            .average()
            .orElse(0);
  }

  /** A table: a head, then a row for each category. */
  List<List<String>> table() {
    List<List<String>> rows = new ArrayList<>();
    List<String> head = new ArrayList<>(List.of("category", "n"));
    head.addAll(COLUMNS);
    rows.add(head);
    for (String category : categories()) {
      List<String> row = new ArrayList<>(List.of(category, String.valueOf(count(category))));
      for (String column : COLUMNS) {
        row.add(String.format(Locale.ROOT, "%.1f", percent(category, column)));
      }
      rows.add(row);
    }
    return rows;
  }
}
