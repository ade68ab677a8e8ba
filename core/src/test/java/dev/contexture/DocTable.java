package dev.contexture;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** Reads the tables of a page in {@code docs/}. */
final class DocTable {
  private DocTable() {}

  /**
   * The cells of every table row whose first cell is one piece of code, that cell without its
   * backquotes.
   */
  static List<List<String>> rows(String page) {
    Path root = Path.of(Objects.requireNonNull(System.getProperty("contexture.root")));
    try {
      return Files.readAllLines(root.resolve(page)).stream()
          .filter(line -> line.matches("\\| `[^`]+` \\|.*\\|"))
          .map(DocTable::cells)
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<String> cells(String line) {
    List<String> cells =
        Arrays.stream(line.substring(1, line.length() - 1).split("(?<!\\\\)\\|", -1))
            .map(String::strip)
            .toList();
    String code = cells.getFirst().replace("`", "");
    return Stream.concat(Stream.of(code), cells.stream().skip(1)).toList();
  }
}
