package dev.contexture.bench.retention;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds what may be missed later in a text: its sentences, and its references, which are ids, paths
 * and symbols.
 */
public final class SaidText {
  private static final int LEAST_SENTENCE = 12;

  /** Every character that Unicode or ASCII calls a space. */
  private static final String SPACE =
      "[\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]";

  private static final Pattern ENDS = Pattern.compile("(?<=[.!?\\u3002])" + SPACE + "+|\\n+");
  private static final Pattern MARGIN = Pattern.compile("\\A" + SPACE + "+|" + SPACE + "+\\z");
  private static final Pattern WORD =
      Pattern.compile("[A-Za-z0-9_/][A-Za-z0-9_./:@-]{2,118}[A-Za-z0-9_/]");
  private static final Pattern TELLING = Pattern.compile("[0-9_/]");

  private SaidText() {}

  /** Sentences of 12 characters or more: they end behind a mark and a space, or with the line. */
  public static List<String> sentences(String text) {
    List<String> sentences = new ArrayList<>();
    for (String part : ENDS.split(text)) {
      String sentence = MARGIN.matcher(part).replaceAll("");
      if (sentence.codePointCount(0, sentence.length()) >= LEAST_SENTENCE) {
        sentences.add(sentence);
      }
    }
    return sentences;
  }

  /** Words of letters and {@code ./:@-} that hold a digit, an underscore or a slash. */
  static Set<String> references(String text) {
    Set<String> references = new LinkedHashSet<>();
    Matcher word = WORD.matcher(text);
    while (word.find()) {
      if (TELLING.matcher(word.group()).find()) {
        references.add(word.group());
      }
    }
    return references;
  }
}
