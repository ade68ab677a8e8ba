package dev.contexture.bench;

import java.io.PrintStream;
import java.util.List;

/** A measurement that is one function. */
record Measurement(String name, String summary, Run body) implements Bench {
  /** What it does. */
  interface Run {
    int run(List<String> args, PrintStream out);
  }

  @Override
  public int run(List<String> args, PrintStream out) {
    return body.run(args, out);
  }
}
