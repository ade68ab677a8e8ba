package dev.contexture.cli.output;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Texts of others as a terminal may show them. What would move the cursor, set a title, hide text
 * or turn its order around is named, as {@code \x1b} or {@code \u202e}: a terminal obeys the text
 * that it prints.
 */
public final class TerminalText {
  private static final String COLOUR = "\u001b\\[(?:0|1|2|31|32|33)m"; // those of Paint
  private static final String STRANGE =
      "\\r(?!\\n)|[\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f-\\x9f\\u061c\\u200b\\u200e\\u200f"
          + "\\u2028-\\u202e\\u2060-\\u2069\\ufeff]";
  private static final Pattern IN_LINE = Pattern.compile(COLOUR + "|" + STRANGE);
  private static final Pattern IN_CELL = Pattern.compile("[\\r\\n\\t]|" + STRANGE);
  private static final int ONE_BYTE = 0x100;

  private TerminalText() {}

  /** A line, or several; colours of {@link Paint} stay. */
  public static String line(String text) {
    return replaced(IN_LINE, text);
  }

  /** What stands in one line with other things. */
  public static String cell(String text) {
    return replaced(IN_CELL, text);
  }

  private static String replaced(Pattern pattern, String text) {
    return pattern
        .matcher(text)
        .replaceAll(found -> Matcher.quoteReplacement(named(found.group())));
  }

  private static String named(String found) {
    if (found.length() > 1) {
      return found;
    }
    char strange = found.charAt(0);
    if (strange == '\n' || strange == '\t') {
      return " ";
    }
    return String.format(Locale.ROOT, strange < ONE_BYTE ? "\\x%02x" : "\\u%04x", (int) strange);
  }
}
