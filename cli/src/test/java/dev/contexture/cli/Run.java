package dev.contexture.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;

/** One command line that was run: its exit code and what it printed. */
record Run(int exitCode, String out, String err) {
  static Run of(String... args) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int exitCode = Main.run(List.of(args), new PrintWriter(out), new PrintWriter(err));
    return new Run(exitCode, out.toString(), err.toString());
  }
}
