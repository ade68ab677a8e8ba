package dev.contexture.search.lucene;

import dev.contexture.search.SearchIndex.TextMatch;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Finds where a text matches: the stretch with the most different words of the query. */
final class Excerpts {
  private static final int EXCERPT_CHARS = 240;
  private static final int MAX_WORDS = 20;
  private static final int SEARCHED_CHARS = 200_000;

  private Excerpts() {}

  /**
   * @param matching whether a term of the text is looked for
   * @param language the language of the text; null: English, or not known
   */
  static TextMatch of(Predicate<String> matching, String text, @Nullable Language language) {
    return of(matching, text, words(text, language));
  }

  /**
   * The same where it is known which words may match.
   *
   * @param words of the text; others are not looked at
   */
  static TextMatch of(Predicate<String> matching, String text, List<TextAnalysis.Word> words) {
    List<TextAnalysis.Word> found = new ArrayList<>();
    for (TextAnalysis.Word word : words) {
      if (matching.test(word.term())) {
        found.add(word);
      }
    }
    Set<String> shown = new LinkedHashSet<>();
    for (TextAnalysis.Word word : found) {
      if (shown.size() < MAX_WORDS) {
        shown.add(text.substring(word.start(), word.end()));
      }
    }
    int start = found.isEmpty() ? 0 : bestStart(found);
    return new TextMatch(cut(text, start), List.copyOf(shown), !found.isEmpty());
  }

  /** The words of the beginning of a text, which is looked at. */
  static List<TextAnalysis.Word> words(String text, @Nullable Language language) {
    return TextAnalysis.INDEX.in(language).words(seen(text));
  }

  /** As much of a text as is looked at. */
  static String seen(String text) {
    return text.substring(0, boundary(text, Math.min(text.length(), SEARCHED_CHARS)));
  }

  /** Slides a window over the words and keeps the one with the most different terms. */
  private static int bestStart(List<TextAnalysis.Word> found) {
    Map<String, Integer> inside = new HashMap<>();
    int best = 0;
    int bestStart = found.getFirst().start();
    int left = 0;
    for (int at = 0; at < found.size(); at++) {
      TextAnalysis.Word word = found.get(at);
      inside.merge(word.term(), 1, Integer::sum);
      while (word.end() - found.get(left).start() > EXCERPT_CHARS && left < at) {
        inside.computeIfPresent(found.get(left).term(), (term, n) -> n == 1 ? null : n - 1);
        left++;
      }
      if (inside.size() > best) {
        best = inside.size();
        bestStart = found.get(left).start();
      }
    }
    return bestStart;
  }

  private static String cut(String text, int matchStart) {
    if (text.length() <= EXCERPT_CHARS) {
      return text.strip();
    }
    int from = Math.clamp(matchStart - EXCERPT_CHARS / 6, 0, text.length() - EXCERPT_CHARS);
    from = boundary(text, from);
    while (from > 0 && from < matchStart && !Character.isWhitespace(text.charAt(from - 1))) {
      from++;
    }
    int to = boundary(text, Math.min(text.length(), from + EXCERPT_CHARS));
    return (from > 0 ? "…" : "")
        + text.substring(boundary(text, from), to).strip()
        + (to < text.length() ? "…" : "");
  }

  /** Not inside of a surrogate pair. */
  private static int boundary(String text, int at) {
    return at > 0 && at < text.length() && Character.isLowSurrogate(text.charAt(at)) ? at - 1 : at;
  }
}
