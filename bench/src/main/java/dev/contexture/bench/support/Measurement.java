package dev.contexture.bench.support;

import java.io.PrintStream;
import java.util.List;

/** A measurement that is one function. */
public record Measurement(String name, String summary, Run body) implements Bench {
  /** What it does. */
  public interface Run {
    int run(List<String> args, PrintStream out);
  }

  @Override
  public int run(List<String> args, PrintStream out) {
    return body.run(args, out);
  }
}
