package dev.contexture.compaction;

import dev.contexture.block.CodePoints;

/** Cuts texts by characters, that is code points. */
final class TextCutter {
  private TextCutter() {}

  /** The first characters of a text. */
  static String first(String text, int chars) {
    return CodePoints.first(text, chars);
  }

  /** On one line, at most so many characters; what was cut ends in an ellipsis. */
  static String line(String text, int chars) {
    String line = text.replaceAll("\\s+", " ").strip();
    return CodePoints.count(line) <= chars ? line : first(line, chars - 1).strip() + "…";
  }
}
