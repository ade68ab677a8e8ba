package dev.contexture.memory.textedit;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds where lines stand in a text, in time that is linear in both. Immutable.
 *
 * <p>1. Equal lines of the text get equal numbers, once. 2. Lines that are looked for are compared
 * by these numbers; one that the text has not ends the search at once. 3. The search is that of
 * Knuth, Morris and Pratt: after a mismatch it goes on with the longest beginning that still fits.
 */
final class LineSearch {
  private final Map<String, Integer> numbers = new HashMap<>();
  private final int[] text;

  LineSearch(List<String> lines) {
    text = new int[lines.size()];
    for (int i = 0; i < text.length; i++) {
      Integer next = numbers.size();
      Integer known = numbers.putIfAbsent(lines.get(i), next);
      text[i] = known == null ? next : known;
    }
  }

  /**
   * The first lines of the places where these lines stand, from 0, overlapping ones too.
   *
   * @param wanted at least one line
   * @param most how many places are enough
   */
  List<Integer> places(List<String> wanted, int most) {
    List<Integer> places = new ArrayList<>();
    int[] pattern = new int[wanted.size()];
    for (int i = 0; i < pattern.length; i++) {
      Integer number = numbers.get(wanted.get(i));
      if (number == null) {
        return places;
      }
      pattern[i] = number;
    }
    int[] fallback = fallback(pattern);
    int same = 0;
    for (int i = 0; i < text.length && places.size() < most; i++) {
      while (same > 0 && (same == pattern.length || text[i] != pattern[same])) {
        same = fallback[same - 1];
      }
      if (text[i] == pattern[same]) {
        same++;
      }
      if (same == pattern.length) {
        places.add(i - same + 1);
      }
    }
    return places;
  }

  /** For each end of a beginning: how long the longest shorter beginning is that ends there. */
  private static int[] fallback(int[] pattern) {
    int[] fallback = new int[pattern.length];
    int same = 0;
    for (int i = 1; i < pattern.length; i++) {
      while (same > 0 && pattern[i] != pattern[same]) {
        same = fallback[same - 1];
      }
      if (pattern[i] == pattern[same]) {
        same++;
      }
      fallback[i] = same;
    }
    return fallback;
  }
}
