package dev.contexture.compaction.summary;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Divides texts into sentences. The pieces together are the text: each has the blanks behind its
 * sentence.
 */
final class Sentences {
  private static final Pattern END =
      Pattern.compile("\\R\\s*|[。！？]+[」』”’\"')\\]]*\\s*|[.!?…؟।]+[\"'”’)\\]»]*\\s+");
  private static final Pattern ABBREVIATION =
      Pattern.compile(
          "(?:^|[\\s(])(?:\\p{L}|\\p{L}\\.\\p{L}|Dr|Mr|Mrs|Ms|Prof|St|Sr|Sra|Nr|No|Art|Str|bzw|etc|ca|vs|approx|ул|г|д|кв)\\.$");

  private Sentences() {}

  static List<String> of(String text) {
    List<String> pieces = new ArrayList<>();
    Matcher end = END.matcher(text);
    int start = 0;
    while (end.find()) {
      if (end.end() == text.length() || isEnd(text, start, end)) {
        pieces.add(text.substring(start, end.end()));
        start = end.end();
      }
    }
    if (start < text.length()) {
      pieces.add(text.substring(start));
    }
    return pieces;
  }

  /** Whether a mark ends a sentence: not behind an abbreviation, nor before a small letter. */
  private static boolean isEnd(String text, int start, Matcher end) {
    String mark = end.group();
    if (!mark.stripTrailing().equals(".")) {
      return true;
    }
    int next = text.codePointAt(end.end());
    return !Character.isLowerCase(next)
        && !ABBREVIATION.matcher(text.substring(start, end.start() + 1)).find();
  }

  /** The first characters of a text up to a word end; the whole text if it is no longer. */
  static String cut(String text, int chars) {
    if (text.codePointCount(0, text.length()) <= chars) {
      return text;
    }
    int end = text.offsetByCodePoints(0, chars);
    int at = end;
    while (at > 0 && isInsideWord(text, at)) {
      at = text.offsetByCodePoints(at, -1);
    }
    return text.substring(0, at).stripTrailing();
  }

  /** Whether a cut at this place divides a word; scripts without blanks have none. */
  private static boolean isInsideWord(String text, int at) {
    int before = text.codePointBefore(at);
    int behind = text.codePointAt(at);
    return isWord(before) && isWord(behind);
  }

  private static boolean isWord(int c) {
    return (Character.isLetterOrDigit(c) && !Character.isIdeographic(c) && !isKana(c))
        || c == '_'
        || Character.getType(c) == Character.NON_SPACING_MARK
        || Character.getType(c) == Character.COMBINING_SPACING_MARK;
  }

  private static boolean isKana(int c) {
    Character.UnicodeScript script = Character.UnicodeScript.of(c);
    return script == Character.UnicodeScript.HIRAGANA || script == Character.UnicodeScript.KATAKANA;
  }
}
