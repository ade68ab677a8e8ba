package dev.contexture.memory.textedit;

import java.util.ArrayList;
import java.util.List;
import org.apiguardian.api.API;

/**
 * A text as lines. Each line is kept without its line feed; the last one may have one or not.
 * Immutable.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class TextLines {
  private final String text;
  private final List<String> lines;
  private final boolean ended;

  private TextLines(String text, List<String> lines, boolean ended) {
    this.text = text;
    this.lines = lines;
    this.ended = ended;
  }

  public static TextLines of(String text) {
    List<String> lines = new ArrayList<>();
    int from = 0;
    for (int end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', from)) {
      lines.add(text.substring(from, end));
      from = end + 1;
    }
    boolean ended = from == text.length() && from > 0;
    if (from < text.length()) {
      lines.add(text.substring(from));
    }
    return new TextLines(text, lines, ended);
  }

  public List<String> lines() {
    return lines;
  }

  int size() {
    return lines.size();
  }

  /** Whether the last line has a line feed. */
  public boolean ended() {
    return ended;
  }

  /**
   * Lines that take the place of others.
   *
   * @param first the index of the first line, from 0
   * @param count how many lines go
   * @param lines what comes
   */
  record Change(int first, int count, List<String> lines) {
    int end() {
      return first + count;
    }
  }

  /**
   * What changes of lines come to in the text.
   *
   * @param changes by their place, not overlapping
   * @param endedAfter whether the last line has a line feed afterwards; where this differs, the
   *     last change reaches the end
   */
  List<TextEdit.Splice> splices(List<Change> changes, boolean endedAfter) {
    List<Change> joined = joined(changes);
    List<String> after = new ArrayList<>();
    int done = 0;
    for (Change change : joined) {
      after.addAll(lines.subList(done, change.first));
      after.addAll(change.lines);
      done = change.end();
    }
    after.addAll(lines.subList(done, lines.size()));
    String target = String.join("\n", after) + (endedAfter && !after.isEmpty() ? "\n" : "");
    return splices(joined, target);
  }

  /** Changes that touch become one. */
  private static List<Change> joined(List<Change> changes) {
    List<Change> joined = new ArrayList<>();
    for (int i = 0; i < changes.size(); ) {
      Change first = changes.get(i++);
      List<String> all = new ArrayList<>(first.lines);
      int end = first.end();
      for (; i < changes.size() && changes.get(i).first == end; i++) {
        all.addAll(changes.get(i).lines);
        end = changes.get(i).end();
      }
      joined.add(new Change(first.first, end - first.first, all));
    }
    return joined;
  }

  private List<TextEdit.Splice> splices(List<Change> joined, String target) {
    List<TextEdit.Splice> splices = new ArrayList<>();
    int[] starts = starts();
    long shift = 0; // what the changes before added
    for (Change change : joined) {
      long added = change.lines.stream().mapToLong(line -> line.length() + 1L).sum();
      int removed = starts[change.end()] - starts[change.first];
      boolean atEnd = change.end() == lines.size();
      int from = starts[change.first];
      int targetFrom = Math.toIntExact(from + shift);
      shift += added - removed;
      // Behind a last line without line feed, or where the last lines go: one char earlier.
      int over = Math.max(0, Math.max(from - text.length(), targetFrom - target.length()));
      int to = atEnd ? text.length() : starts[change.end()];
      int targetTo = atEnd ? target.length() : Math.toIntExact(to + shift);
      String insert = target.substring(targetFrom - over, targetTo);
      splices.add(trimmed(from - over, to, insert));
    }
    return splices;
  }

  /** Where each line starts, as if all had line feeds; one more for the end. */
  private int[] starts() {
    int[] starts = new int[lines.size() + 1];
    for (int i = 0; i < lines.size(); i++) {
      starts[i + 1] = starts[i] + lines.get(i).length() + 1;
    }
    return starts;
  }

  /** Without what is the same before and after. */
  private TextEdit.Splice trimmed(int from, int to, String insert) {
    int same = 0;
    int most = Math.min(to - from, insert.length());
    while (same < most && text.charAt(from + same) == insert.charAt(same)) {
      same++;
    }
    if (same > 0 && Character.isHighSurrogate(insert.charAt(same - 1))) {
      same--;
    }
    int last = 0;
    while (last < most - same
        && text.charAt(to - 1 - last) == insert.charAt(insert.length() - 1 - last)) {
      last++;
    }
    if (last > 0 && Character.isLowSurrogate(insert.charAt(insert.length() - last))) {
      last--;
    }
    return new TextEdit.Splice(
        from + same, to - last, insert.substring(same, insert.length() - last));
  }
}
