package dev.contexture.bench.support;

import java.io.PrintStream;
import java.util.List;

/** Prints rows as columns of equal width; the first row is the head. */
public final class TextTable {
  private static final String GAP = "  ";

  private TextTable() {}

  public static void print(List<List<String>> rows, PrintStream out) {
    int[] widths = new int[rows.getFirst().size()];
    for (List<String> row : rows) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    for (int line = 0; line < rows.size(); line++) {
      out.println(padded(rows.get(line), widths));
      if (line == 0) {
        out.println(rule(widths));
      }
    }
  }

  private static String padded(List<String> row, int[] widths) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < widths.length; i++) {
      String cell = row.get(i);
      line.append(cell).repeat(" ", widths[i] - cell.length()).append(GAP);
    }
    return line.toString().stripTrailing();
  }

  private static String rule(int[] widths) {
    StringBuilder line = new StringBuilder();
    for (int width : widths) {
      line.repeat("-", width).append(GAP);
    }
    return line.toString().stripTrailing();
  }
}
