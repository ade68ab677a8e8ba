package dev.contexture.compaction.summary;

import dev.contexture.block.CodePoints;

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
}
