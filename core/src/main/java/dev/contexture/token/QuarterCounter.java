package dev.contexture.token;

/** Estimates one token for every four code points. */
final class QuarterCounter implements TokenCounter {
  @Override
  public String name() {
    return "chars4";
  }

  @Override
  public long count(String text) {
    return (text.codePointCount(0, text.length()) + 3L) / 4;
  }
}
