package dev.contexture.search;

import java.util.ArrayList;
import java.util.List;
import org.apiguardian.api.API;

/**
 * A query as people and models write it. Any text is one: its words are alternatives, what stands
 * in a balanced pair of quotation marks is a phrase that must occur, and every other punctuation
 * only separates. In a text of more than {@link #MAX_WORDS} words quotation marks are those of
 * prose, such as in a task that quotes people: there they only separate, too.
 *
 * @param words what is outside of quotation marks
 * @param phrases what must occur as it stands
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record QueryText(String words, List<String> phrases) {
  /** The most words of a query whose quotation marks demand something. */
  public static final int MAX_WORDS = 64;

  private static final char QUOTE = '"';

  public QueryText {
    phrases = List.copyOf(phrases);
  }

  public static QueryText parse(String query) {
    String text = query.replace('\u201c', QUOTE).replace('\u201d', QUOTE);
    if (text.strip().split("\\s+", MAX_WORDS + 2).length > MAX_WORDS) {
      return new QueryText(text.replace(QUOTE, ' '), List.of());
    }
    StringBuilder words = new StringBuilder();
    List<String> phrases = new ArrayList<>();
    int at = 0;
    while (at < text.length()) {
      int open = text.indexOf(QUOTE, at);
      int close = open < 0 ? -1 : text.indexOf(QUOTE, open + 1);
      if (close < 0) { // none, or one without its partner, which separates
        words.append(text.substring(at).replace(QUOTE, ' '));
        break;
      }
      words.append(text, at, open).append(' ');
      String phrase = text.substring(open + 1, close);
      if (!phrase.isBlank()) {
        phrases.add(phrase);
      }
      at = close + 1;
    }
    return new QueryText(words.toString(), phrases);
  }
}
