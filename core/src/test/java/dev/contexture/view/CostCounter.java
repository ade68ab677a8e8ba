package dev.contexture.view;

import dev.contexture.token.TokenCounter;
import dev.contexture.token.TokenMeter;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Takes the cost of a text from the text itself: {@code #130} anywhere in it, else 100. */
final class CostCounter implements TokenCounter {
  private static final Pattern STATED = Pattern.compile("#([0-9]+)");
  private final long otherwise;

  private CostCounter(long otherwise) {
    this.otherwise = otherwise;
  }

  /** A meter by which every text costs 100 that does not state something else. */
  static TokenMeter meter() {
    return meter(100);
  }

  static TokenMeter meter(long otherwise) {
    return TokenMeter.of(new CostCounter(otherwise));
  }

  @Override
  public String name() {
    return "stated";
  }

  @Override
  public long count(String text) {
    if (text.contains("runcated") || text.contains("TRUNCATED")) {
      return 10;
    }
    Matcher stated = STATED.matcher(text);
    return stated.find() ? Long.parseLong(stated.group(1)) : otherwise;
  }
}
