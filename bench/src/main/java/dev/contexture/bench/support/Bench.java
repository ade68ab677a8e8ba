package dev.contexture.bench.support;

import java.io.PrintStream;
import java.util.List;

/** One measurement. */
public interface Bench {
  /** What it is called on the command line: lower-case words joined by hyphens. */
  String name();

  /** What it measures, in one line. */
  String summary();

  /**
   * Measures and prints a report.
   *
   * @param args what followed the name, to be read by {@link BenchArgs#parse}
   * @return the exit code: 0 if it was measured, 1 if it could not be
   * @throws UsageException if the arguments are not understood
   */
  int run(List<String> args, PrintStream out);
}
