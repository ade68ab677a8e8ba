package dev.contexture.bench.support;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What follows the name of a measurement.
 *
 * @param files data to measure with; none means the measurement's own
 * @param json one JSON object instead of a table
 * @param quick fewer and smaller repetitions: to see that it works, not to quote
 */
public record BenchArgs(List<Path> files, boolean json, boolean quick) {
  public BenchArgs {
    files = List.copyOf(files);
  }

  /**
   * Reads the arguments.
   *
   * @throws UsageException for an unknown option or a file that does not exist
   */
  public static BenchArgs parse(List<String> args) {
    List<Path> files = new ArrayList<>();
    boolean json = false;
    boolean quick = false;
    for (String arg : args) {
      switch (arg) {
        case "--json" -> json = true;
        case "--quick" -> quick = true;
        default -> files.add(file(arg));
      }
    }
    return new BenchArgs(files, json, quick);
  }

  private static Path file(String arg) {
    if (arg.startsWith("-")) {
      throw new UsageException("unknown option '" + arg + "'; options: --json, --quick");
    }
    Path file = Path.of(arg);
    if (!Files.isReadable(file)) {
      throw new UsageException("there is no readable file '" + arg + "'");
    }
    return file;
  }
}
