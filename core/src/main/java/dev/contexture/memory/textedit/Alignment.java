package dev.contexture.memory.textedit;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/*
 * What stays is found in this order: what both begin and end with; then the shortest script of
 * insertions and deletions (Myers, "An O(ND) Difference Algorithm", 1986), up to a number of
 * differences beyond which nothing more is compared. Texts are compared by lines first, and by code
 * points only between lines that stay.
 */
/** Finds what of a sequence stays in another one. Pure. */
public final class Alignment {
  private static final int MAX_DIFFERENCES = 1_000;
  private static final int LINE_FEED = '\n';

  private final int[] partners;
  private final int[] from;
  private final int[] to;

  private Alignment(int[] from, int[] to) {
    this.from = from;
    this.to = to;
    this.partners = new int[from.length];
    Arrays.fill(partners, -1);
  }

  /** For each element its place in the other sequence, or -1; places grow. */
  public static int[] ofItems(int[] from, int[] to) {
    Alignment alignment = new Alignment(from, to);
    alignment.align(0, from.length, 0, to.length);
    return alignment.partners;
  }

  /** The same for the code points of texts. */
  public static int[] ofText(int[] from, int[] to) {
    List<int[]> oldLines = lines(from);
    List<int[]> newLines = lines(to);
    Map<String, Integer> names = new HashMap<>();
    int[] staying = ofItems(named(from, oldLines, names), named(to, newLines, names));
    Alignment alignment = new Alignment(from, to);
    int oldEnd = 0;
    int newEnd = 0;
    for (int line = 0; line < staying.length; line++) {
      if (staying[line] >= 0) {
        int[] old = oldLines.get(line);
        int[] now = newLines.get(staying[line]);
        alignment.align(oldEnd, old[0], newEnd, now[0]);
        alignment.pair(old[0], now[0], old[1] - old[0]);
        oldEnd = old[1];
        newEnd = now[1];
      }
    }
    alignment.align(oldEnd, from.length, newEnd, to.length);
    return alignment.partners;
  }

  private static List<int[]> lines(int[] text) {
    List<int[]> lines = new ArrayList<>();
    int start = 0;
    for (int i = 0; i < text.length; i++) {
      if (text[i] == LINE_FEED || i == text.length - 1) {
        lines.add(new int[] {start, i + 1});
        start = i + 1;
      }
    }
    return lines;
  }

  private static int[] named(int[] text, List<int[]> lines, Map<String, Integer> names) {
    int[] out = new int[lines.size()];
    for (int i = 0; i < out.length; i++) {
      int[] line = lines.get(i);
      String name = new String(text, line[0], line[1] - line[0]);
      out[i] = names.computeIfAbsent(name, any -> names.size());
    }
    return out;
  }

  private void pair(int old, int now, int length) {
    for (int i = 0; i < length; i++) {
      partners[old + i] = now + i;
    }
  }

  private void align(int oldStart, int oldEnd, int newStart, int newEnd) {
    int front = 0;
    int shorter = Math.min(oldEnd - oldStart, newEnd - newStart);
    while (front < shorter && from[oldStart + front] == to[newStart + front]) {
      front++;
    }
    int back = 0;
    while (back < shorter - front && from[oldEnd - 1 - back] == to[newEnd - 1 - back]) {
      back++;
    }
    pair(oldStart, newStart, front);
    pair(oldEnd - back, newEnd - back, back);
    middle(oldStart + front, oldEnd - back, newStart + front, newEnd - back);
  }

  private void middle(int oldStart, int oldEnd, int newStart, int newEnd) {
    int rows = oldEnd - oldStart;
    int columns = newEnd - newStart;
    if (rows == 0 || columns == 0) {
      return;
    }
    List<int[]> trace = new ArrayList<>();
    int[] reached = {0, 0, 0};
    for (int d = 0; d <= Math.min(rows + columns, MAX_DIFFERENCES); d++) {
      int[] next = new int[2 * d + 3]; // diagonal k at k + d + 1
      for (int k = -d; k <= d; k += 2) {
        int x = d == 0 ? 0 : start(reached, d, k);
        int y = x - k;
        while (x < rows
            && y < columns
            && x >= 0
            && y >= 0
            && from[oldStart + x] == to[newStart + y]) {
          x++;
          y++;
        }
        next[k + d + 1] = x;
        if (x >= rows && y >= columns) {
          trace.add(next);
          walkBack(trace, rows, columns, oldStart, newStart);
          return;
        }
      }
      trace.add(next);
      reached = next;
    }
  }

  /** Where a path with one more difference begins on a diagonal. */
  private static int start(int[] reached, int d, int k) {
    int middle = d; // diagonal k of the round before is at k + (d - 1) + 1
    boolean down = k == -d || (k != d && reached[k - 1 + middle] < reached[k + 1 + middle]);
    return down ? reached[k + 1 + middle] : reached[k - 1 + middle] + 1;
  }

  private void walkBack(List<int[]> trace, int rows, int columns, int oldStart, int newStart) {
    int x = rows;
    int y = columns;
    for (int d = trace.size() - 1; d > 0; d--) {
      int k = x - y;
      int[] before = trace.get(d - 1);
      boolean down = k == -d || (k != d && before[k - 1 + d] < before[k + 1 + d]);
      int begin = down ? before[k + 1 + d] : before[k - 1 + d] + 1;
      for (; x > begin; x--, y--) {
        partners[oldStart + x - 1] = newStart + y - 1;
      }
      x = down ? begin : begin - 1;
      y = x - (down ? k + 1 : k - 1);
    }
    for (; x > 0; x--, y--) {
      partners[oldStart + x - 1] = newStart + y - 1;
    }
  }
}
