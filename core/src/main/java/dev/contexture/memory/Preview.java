package dev.contexture.memory;

import dev.contexture.block.CodePoints;
import java.util.List;

/** A change as lines for whoever must approve it: what goes, then what comes. */
final class Preview {
  private static final int MAX_CHARS = 2_000;

  private Preview() {}

  static String of(String before, String after) {
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

  private static String cut(String text) {
    String shown = CodePoints.first(text, MAX_CHARS);
    return shown.length() == text.length() ? text : shown + "…";
  }
}
