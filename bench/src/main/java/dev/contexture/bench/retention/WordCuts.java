package dev.contexture.bench.retention;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Finds places where what the user said was cut inside a word: a text that repeats part of it and
 * begins or ends between two letters or digits of the original. Characters of scripts that write no
 * spaces are words by themselves.
 *
 * <p>1. Every run of 20 characters of the original is indexed. 2. A line is read from the left: at
 * each position the longest passage is taken that any of the user's messages has, too. 3. What the
 * original has before and behind that passage decides, unless the line has another word there; then
 * reading goes on behind it.
 */
final class WordCuts {
  private static final int LEAST = 20;
  private static final Set<Character.UnicodeScript> WITHOUT_SPACES =
      Set.of(
          Character.UnicodeScript.HAN,
          Character.UnicodeScript.HIRAGANA,
          Character.UnicodeScript.KATAKANA,
          Character.UnicodeScript.THAI);

  private final Map<String, List<Place>> index = new HashMap<>();

  /** Where a run stands: which message, and from which character. */
  private record Place(String text, int from) {}

  WordCuts(List<String> said) {
    for (String text : said) {
      for (int from = 0; from + LEAST <= text.length(); from++) {
        String run = text.substring(from, from + LEAST);
        index.computeIfAbsent(run, unused -> new ArrayList<>()).add(new Place(text, from));
      }
    }
  }

  /** How many lines of a text repeat something that is cut inside a word. */
  long count(String text) {
    return text.lines().filter(this::isCut).count();
  }

  private boolean isCut(String line) {
    int at = 0;
    while (at + LEAST <= line.length()) {
      int longest = 0;
      boolean cut = false;
      for (Place place : index.getOrDefault(line.substring(at, at + LEAST), List.of())) {
        int length = common(line, at, place);
        boolean here =
            (inWord(place.text, place.from) && !inWord(line, at))
                || (inWord(place.text, place.from + length) && !inWord(line, at + length));
        if (length > longest) {
          longest = length;
          cut = here;
        } else if (length == longest) {
          cut &= here; // another message has the same and ends with it
        }
      }
      if (cut) {
        return true;
      }
      at += Math.max(1, longest);
    }
    return false;
  }

  private static int common(String line, int at, Place place) {
    int length = LEAST;
    while (at + length < line.length()
        && place.from + length < place.text.length()
        && line.charAt(at + length) == place.text.charAt(place.from + length)) {
      length++;
    }
    return length;
  }

  /** Whether a word goes on across this place of a text. */
  private static boolean inWord(String text, int index) {
    return index > 0
        && index < text.length()
        && isOfWord(text.codePointBefore(index))
        && isOfWord(text.codePointAt(index));
  }

  private static boolean isOfWord(int character) {
    return Character.isLetterOrDigit(character)
        && !WITHOUT_SPACES.contains(Character.UnicodeScript.of(character));
  }
}
