package dev.contexture.compaction;

import dev.contexture.compaction.summary.TextCutter;
import dev.contexture.token.TokenMeter;
import java.util.List;

/** Bounds texts in tokens. */
final class TextBounds {
  private TextBounds() {}

  /** The text, or as many of its first lines as the tokens allow; empty if the first is longer. */
  private static String lines(String text, long tokens, TokenMeter meter) {
    if (meter.texts(List.of(text)) <= tokens) {
      return text;
    }
    String[] lines = text.split("\n", -1);
    int low = 0;
    int high = lines.length;
    while (low < high) { // what more lines cost is not less
      int middle = (low + high + 1) >>> 1;
      if (meter.texts(List.of(joined(lines, middle))) <= tokens) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return joined(lines, low).stripTrailing();
  }

  /**
   * The text, or as many of its first lines as the tokens allow; of a longer first line as many
   * whole words. Empty if not one fits.
   */
  static String text(String text, long tokens, TokenMeter meter) {
    String shown = lines(text, tokens, meter);
    String cut = shown.isEmpty() ? text.strip().lines().findFirst().orElse("") : shown;
    while (!cut.isEmpty() && meter.texts(List.of(cut)) > tokens) {
      cut = TextCutter.words(cut, cut.codePointCount(0, cut.length()) * 3 / 4);
    }
    return cut;
  }

  private static String joined(String[] lines, int count) {
    return String.join("\n", List.of(lines).subList(0, count));
  }
}
