package dev.contexture.compaction;

import dev.contexture.token.TokenCounter;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Counts what a text says that it costs: {@code #cost=50}. A summary costs 10, a preview 40, and
 * everything else nothing, as in the vectors of the specification.
 */
final class CostCounter implements TokenCounter {
  private static final Pattern COST = Pattern.compile("#cost=(\\d+)");
  private static final long SUMMARY = 10;
  private static final long PREVIEW = 40;

  static String cost(long tokens) {
    return "#cost=" + tokens;
  }

  @Override
  public String name() {
    return "cost";
  }

  @Override
  public long count(String text) {
    if (text.startsWith("[SUMMARY]")) {
      return SUMMARY;
    }
    if (text.contains("[PREVIEW]")) {
      return PREVIEW;
    }
    Matcher cost = COST.matcher(text);
    return cost.find() ? Long.parseLong(cost.group(1)) : 0;
  }
}
