package dev.contexture.memory.textedit;

import dev.contexture.error.ContextureException;
import dev.contexture.memory.schema.MemoryErrors;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the hunks of a unified diff. Confined to one diff. */
final class DiffReader {
  private static final Pattern HEADER =
      Pattern.compile("@@ -([0-9]{1,9})(?:,([0-9]{1,9}))? \\+([0-9]{1,9})(?:,([0-9]{1,9}))? @@.*");

  private final List<String> lines;
  private int next;

  DiffReader(String diff) {
    this.lines = TextLines.of(diff).lines();
  }

  /**
   * A place of the diff.
   *
   * @param start the index of its first line, from 0; without lines before: the line it is put at
   * @param before the context and the removed lines
   * @param after the context and the added lines
   * @param openBefore whether the last line before has no line feed
   * @param openAfter whether the last line after has none
   */
  record Hunk(
      int start, List<String> before, List<String> after, boolean openBefore, boolean openAfter) {}

  List<Hunk> hunks() {
    List<Hunk> hunks = new ArrayList<>();
    while (next < lines.size()) {
      String line = lines.get(next);
      if (line.startsWith("@@")) {
        hunks.add(hunk(hunks.size() + 1));
      } else if (hunks.isEmpty() || line.isBlank()) {
        next++; // file names, or what a model says around a diff
      } else {
        throw invalid(
            hunks.size(), line, "the end of the diff, or the next hunk: one text at a time");
      }
    }
    if (hunks.isEmpty()) {
      throw MemoryErrors.argument(
          "patch", lines.isEmpty() ? "empty" : lines.getFirst(), "a unified diff: @@ -1,2 +1,2 @@");
    }
    return hunks;
  }

  private Hunk hunk(int number) {
    String title = lines.get(next++);
    Matcher header = HEADER.matcher(title);
    if (!header.matches()) {
      throw invalid(number, title, "@@ -<line>,<count> +<line>,<count> @@");
    }
    int oldCount = count(header.group(2));
    int newCount = count(header.group(4));
    Sides sides = new Sides();
    while (sides.before.size() < oldCount || sides.after.size() < newCount) {
      if (next == lines.size() || !sides.take(lines.get(next))) {
        break;
      }
      next++;
    }
    if (next < lines.size() && lines.get(next).startsWith("\\")) {
      sides.take(lines.get(next++));
    }
    boolean more = next < lines.size() && !lines.get(next).isEmpty() && isBody(lines.get(next));
    if (sides.before.size() != oldCount || sides.after.size() != newCount || more) {
      throw invalid(
          number,
          sides.before.size()
              + " lines before, "
              + sides.after.size()
              + " after"
              + (more ? ", and more" : ""),
          oldCount + " and " + newCount + ", as its header says");
    }
    int line = Integer.parseInt(header.group(1));
    int start = oldCount == 0 ? line : line - 1;
    if (start < 0) {
      throw invalid(number, title, "lines from 1");
    }
    return new Hunk(start, sides.before, sides.after, sides.openBefore, sides.openAfter);
  }

  private static int count(String given) {
    return given == null ? 1 : Integer.parseInt(given);
  }

  private static boolean isBody(String line) {
    char c = line.charAt(0);
    return c == ' ' || c == '-' || c == '+';
  }

  /** The two sides of a hunk as they grow. */
  private static final class Sides {
    private final List<String> before = new ArrayList<>();
    private final List<String> after = new ArrayList<>();
    private boolean openBefore;
    private boolean openAfter;
    private char last = ' ';

    /** Takes a line; false if it is no line of a hunk. */
    boolean take(String line) {
      char kind = line.isEmpty() ? ' ' : line.charAt(0); // a blank context line may lose its blank
      String content = line.isEmpty() ? "" : line.substring(1);
      switch (kind) {
        case ' ' -> {
          before.add(content);
          after.add(content);
        }
        case '-' -> before.add(content);
        case '+' -> after.add(content);
        case '\\' -> {
          openBefore |= last != '+';
          openAfter |= last != '-';
          return true;
        }
        default -> {
          return false;
        }
      }
      last = kind;
      return true;
    }
  }

  private static ContextureException invalid(int hunk, String actual, String allowed) {
    return MemoryErrors.argument("hunk " + hunk + " of the patch", actual, allowed);
  }
}
