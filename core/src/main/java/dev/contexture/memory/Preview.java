package dev.contexture.memory;

import dev.contexture.block.CodePoints;
import java.util.List;

/**
 * A change as lines for whoever must approve it: what goes, then what comes.
 *
 * @param text the lines, cut where they are long
 * @param omitted how many characters were cut off
 */
record Preview(String text, long omitted) {
  private static final int MAX_CHARS = 2_000;

  static Preview of(DocumentSnapshot before, DocumentSnapshot after) {
    return of(before.renderWithoutViewport(), after.renderWithoutViewport());
  }

  static Preview of(String before, String after) {
    List<String> was = before.isEmpty() ? List.of() : List.of(before.split("\n", -1));
    List<String> is = after.isEmpty() ? List.of() : List.of(after.split("\n", -1));
    int shorter = Math.min(was.size(), is.size());
    int front = 0;
    while (front < shorter && was.get(front).equals(is.get(front))) {
      front++;
    }
    int back = 0;
    while (back < shorter - front
        && was.get(was.size() - 1 - back).equals(is.get(is.size() - 1 - back))) {
      back++;
    }
    StringBuilder out = new StringBuilder();
    was.subList(front, was.size() - back)
        .forEach(line -> out.append("- ").append(line).append('\n'));
    is.subList(front, is.size() - back).forEach(line -> out.append("+ ").append(line).append('\n'));
    if (!out.isEmpty()) {
      out.setLength(out.length() - 1);
    }
    return cut(out.toString());
  }

  private static Preview cut(String text) {
    String shown = CodePoints.first(text, MAX_CHARS);
    return shown.length() == text.length()
        ? new Preview(text, 0)
        : new Preview(shown + "…", CodePoints.count(text) - MAX_CHARS);
  }
}
