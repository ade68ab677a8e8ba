package dev.contexture.search.lucene;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Stretches of the letters of words that are joined to longer ones, as in German: a word is found
 * inside of a longer one if all its stretches are there. Needs no dictionary.
 */
final class Compounds {
  /** How long a stretch is, and the least length of a word that is found inside of another. */
  static final int CHARS = 4;

  /** From how many letters on a word may be joined of others. */
  private static final int LEAST_COMPOUND = 8;

  private Compounds() {}

  /** The stretches of the long words of a text, each once. */
  static Set<String> of(List<TextAnalysis.Word> words) {
    Set<String> parts = new LinkedHashSet<>();
    for (TextAnalysis.Word word : words) {
      if (mayBeJoined(word.term())) {
        parts.addAll(of(word.term()));
      }
    }
    return parts;
  }

  /** The stretches of one word; none if it is too short. */
  static Set<String> of(String word) {
    Set<String> parts = new LinkedHashSet<>();
    for (int i = 0; i + CHARS <= word.length(); i++) {
      parts.add(word.substring(i, i + CHARS));
    }
    return parts;
  }

  /** Whether a term of a text holds one of some words inside. */
  static boolean holds(String term, Set<String> inside) {
    return mayBeJoined(term) && inside.stream().anyMatch(term::contains);
  }

  private static boolean mayBeJoined(String term) {
    return term.length() >= LEAST_COMPOUND && term.chars().allMatch(Character::isLetter);
  }
}
