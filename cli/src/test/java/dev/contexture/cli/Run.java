package dev.contexture.cli;

import dev.contexture.cli.support.Environment;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;

/** One command line that was run: its exit code and what it printed. */
public record Run(int exitCode, String out, String err) {
  public static Run of(String... args) {
    return with(Map.of(), args);
  }

  /** With variables of the environment. */
  public static Run with(Map<String, String> variables, String... args) {
    return in(new Environment(variables, false, false), args);
  }

  public static Run in(Environment environment, String... args) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int exitCode = Main.run(List.of(args), environment, new PrintWriter(out), new PrintWriter(err));
    return new Run(exitCode, out.toString(), err.toString());
  }

  /** What was printed for programs. */
  public JsonObject json() {
    return (JsonObject) JsonValue.parse(exitCode == Main.DONE || err.isEmpty() ? out : err);
  }
}
