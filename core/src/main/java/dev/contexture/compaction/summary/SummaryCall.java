package dev.contexture.compaction.summary;

import dev.contexture.error.ContextureException;

/** One call of a summariser, whose answer is a text or a reason why there is none. */
public final class SummaryCall {
  private static final int REASON_CHARS = 200;

  private SummaryCall() {}

  /**
   * Asks the summariser.
   *
   * @throws Unusable if it fails or answers nothing
   */
  public static String ask(Summarizer summarizer, SummaryRequest request) {
    String text;
    try {
      text = summarizer.summarize(request);
    } catch (RuntimeException failure) {
      throw new Unusable("summarizer_failed: " + TextCutter.line(reason(failure), REASON_CHARS));
    }
    if (text == null || text.isBlank()) {
      throw new Unusable("blank_summary");
    }
    return text.strip();
  }

  private static String reason(RuntimeException failure) {
    return failure instanceof ContextureException known
        ? String.valueOf(known.getMessage())
        : "it failed in a way that nobody foresaw";
  }

  /**
   * Reports that there is no text, and why. Control flow inside this package; callers see a draft
   * without texts.
   */
  public static final class Unusable extends RuntimeException {
    private final String reason;

    public Unusable(String reason) {
      super(reason, null, false, false);
      this.reason = reason;
    }

    public String reason() {
      return reason;
    }
  }
}
