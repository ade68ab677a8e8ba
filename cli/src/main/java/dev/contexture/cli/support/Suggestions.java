package dev.contexture.cli.support;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Finds the name that was probably meant. */
public final class Suggestions {
  private Suggestions() {}

  /** The known name with the fewest changes, if they are at most a third of what was written. */
  public static Optional<String> to(String written, Collection<String> known) {
    return known.stream()
        .min(Comparator.<String>comparingInt(name -> changes(written, name)).thenComparing(n -> n))
        .filter(name -> changes(written, name) <= Math.max(2, written.length() / 3));
  }

  /** Letters to be added, removed, replaced or swapped with their neighbour. */
  private static int changes(String from, String to) {
    int[][] costs = new int[from.length() + 1][to.length() + 1];
    for (int i = 0; i <= from.length(); i++) {
      for (int j = 0; j <= to.length(); j++) {
        costs[i][j] = i == 0 || j == 0 ? i + j : cheapest(costs, from, to, i, j);
      }
    }
    return costs[from.length()][to.length()];
  }

  private static int cheapest(int[][] costs, String from, String to, int i, int j) {
    boolean same = from.charAt(i - 1) == to.charAt(j - 1);
    int cost = Math.min(costs[i - 1][j], costs[i][j - 1]) + 1;
    cost = Math.min(cost, costs[i - 1][j - 1] + (same ? 0 : 1));
    boolean swapped =
        i > 1
            && j > 1
            && from.charAt(i - 1) == to.charAt(j - 2)
            && from.charAt(i - 2) == to.charAt(j - 1);
    return swapped ? Math.min(cost, costs[i - 2][j - 2] + 1) : cost;
  }
}
