package dev.contexture.compaction.summary;

import dev.contexture.block.CodePoints;
import java.util.List;

/** Cuts texts by characters, that is code points. */
public final class TextCutter {
  private TextCutter() {}

  /** The first characters of a text. */
  public static String first(String text, int chars) {
    return CodePoints.first(text, chars);
  }

  /** On one line, at most so many characters; what was cut ends in an ellipsis. */
  public static String line(String text, int chars) {
    String line = text.replaceAll("\\s+", " ").strip();
    return CodePoints.count(line) <= chars ? line : first(line, chars - 1).strip() + "…";
  }

  /** On one line, at most so many characters, cut at a word end. */
  public static String atWord(String text, int chars) {
    String line = text.replaceAll("\\s+", " ").strip();
    return CodePoints.count(line) <= chars ? line : Sentences.cut(line, chars - 2) + " …";
  }

  /** At most so many of the first characters, cut at a word end. */
  public static String words(String text, int chars) {
    return Sentences.cut(text, chars);
  }

  /** The sentences of a text, each with the blanks behind it. */
  public static List<String> sentences(String text) {
    return Sentences.of(text);
  }
}
