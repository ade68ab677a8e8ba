package dev.contexture.search.lucene;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A table of words and what each stands for, which is looked up in a text without copying the word
 * out of it. Filled by one thread; then thread-safe.
 */
final class SmallWords {
  private static final int SLOTS = 4_096; // several times the words, so that most are found at once

  private final Map<String, Integer> words = new HashMap<>();
  private final @Nullable String[] slots = new String[SLOTS]; // words of plain letters
  private final int[] values = new int[SLOTS];

  /** Adds the bits of a value to those of a word in small letters. */
  void add(String word, int bits) {
    int value = words.merge(word, bits, (a, b) -> a | b);
    if (words.size() > SLOTS / 2) {
      throw new IllegalStateException("more than " + SLOTS / 2 + " words");
    }
    if (word.chars().allMatch(c -> c < 0x80)) {
      int slot = slot(word, 0, word.length());
      slots[slot] = word;
      values[slot] = value;
    }
  }

  /** The bits of a word, whatever its case; 0: it is not known. */
  int find(String text, int from, int to) {
    for (int at = from; at < to; at++) {
      if (text.charAt(at) >= 0x80) {
        return words.getOrDefault(text.substring(from, to).toLowerCase(Locale.ROOT), 0);
      }
    }
    int slot = slot(text, from, to);
    return slots[slot] == null ? 0 : values[slot];
  }

  /** Where a word of plain letters is, or would be. */
  private int slot(String text, int from, int to) {
    int hash = 0;
    for (int at = from; at < to; at++) {
      hash = 31 * hash + small(text.charAt(at));
    }
    int slot = (hash ^ (hash >>> 12)) & (SLOTS - 1);
    for (String known = slots[slot]; known != null; known = slots[slot]) {
      if (isSame(known, text, from, to)) {
        return slot;
      }
      slot = (slot + 1) & (SLOTS - 1);
    }
    return slot;
  }

  private static boolean isSame(String known, String text, int from, int to) {
    if (known.length() != to - from) {
      return false;
    }
    for (int i = 0; i < known.length(); i++) {
      if (known.charAt(i) != small(text.charAt(from + i))) {
        return false;
      }
    }
    return true;
  }

  private static char small(char c) {
    return c >= 'A' && c <= 'Z' ? (char) (c + 32) : c;
  }
}
