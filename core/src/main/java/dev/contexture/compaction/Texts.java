package dev.contexture.compaction;

/** Cuts texts by characters, that is code points. */
final class Texts {
  private Texts() {}

  /** The first characters of a text. */
  static String first(String text, int chars) {
    return text.codePointCount(0, text.length()) <= chars
        ? text
        : text.substring(0, text.offsetByCodePoints(0, chars));
  }

  /** On one line, at most so many characters; what was cut ends in an ellipsis. */
  static String line(String text, int chars) {
    String line = text.replaceAll("\\s+", " ").strip();
    return line.codePointCount(0, line.length()) <= chars
        ? line
        : first(line, chars - 1).strip() + "…";
  }
}
