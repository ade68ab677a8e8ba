package dev.contexture.search;

import java.util.ArrayList;
import java.util.List;
import org.apiguardian.api.API;

/**
 * Cuts a long text into overlapping passages, so that one place of it is found as well as a short
 * text would be. A text of at most {@link #WHOLE_WORDS} words is one passage. Each later passage
 * starts with the first line of the text, which often is its title.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class Passages {
  private static final int WORDS = 150;
  private static final int OVERLAP = 40;
  private static final int WHOLE_WORDS = 195;
  private static final int MAX_TITLE_CHARS = 120;

  /** More than one word in a row without a blank is cut here, as in Chinese. */
  private static final int MAX_WORD_CHARS = 64;

  private Passages() {}

  /** At least one; together they hold the whole text. */
  public static List<String> of(String text) {
    if (text.length() <= WHOLE_WORDS) {
      return List.of(text);
    }
    List<Integer> starts = wordStarts(text);
    if (starts.size() <= WHOLE_WORDS) {
      return List.of(text);
    }
    String title = title(text);
    List<String> passages = new ArrayList<>();
    for (int i = 0; ; i += WORDS - OVERLAP) {
      int end = i + WORDS;
      boolean last = end >= starts.size();
      String passage =
          text.substring(starts.get(i), last ? text.length() : starts.get(end)).strip();
      passages.add(i == 0 || title.isEmpty() ? passage : title + "\n" + passage);
      if (last) {
        return passages;
      }
    }
  }

  private static String title(String text) {
    String line = text.lines().findFirst().orElse("").strip();
    return line.length() <= MAX_TITLE_CHARS ? line : "";
  }

  private static List<Integer> wordStarts(String text) {
    List<Integer> starts = new ArrayList<>();
    boolean inWord = false;
    int start = 0;
    for (int at = 0; at < text.length(); at += Character.charCount(text.codePointAt(at))) {
      boolean blank = Character.isWhitespace(text.codePointAt(at));
      if (!blank && (!inWord || at - start >= MAX_WORD_CHARS)) {
        starts.add(at);
        start = at;
      }
      inWord = !blank;
    }
    return starts;
  }
}
