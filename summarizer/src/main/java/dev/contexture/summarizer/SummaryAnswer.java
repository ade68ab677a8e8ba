package dev.contexture.summarizer;

import dev.contexture.compaction.summary.Summarizer;
import dev.contexture.compaction.summary.SummaryRequest;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.model.ContextLimitErrors;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The part that the summarisers of both providers share: how long an answer may be, and what is
 * made of it.
 */
final class SummaryAnswer {
  private static final System.Logger LOG = System.getLogger(SummaryAnswer.class.getName());
  private static final long MIN_OUTPUT_TOKENS = 1_024;
  private static final int OUTPUT_PER_TARGET = 4;
  private static final int SECRET_CHARS = 8; // shorter ones are placeholders
  private static final int MESSAGE_CHARS = 300;
  private static final int FIRST_ABOUT_THE_KEY = 401;
  private static final int LAST_ABOUT_THE_KEY = 403;

  private final String provider;
  private final ModelEndpoint endpoint;

  SummaryAnswer(String provider, ModelEndpoint endpoint) {
    this.provider = provider;
    this.endpoint = endpoint;
  }

  /** The instructions with the length that is wanted. */
  static String instructions(SummaryRequest request) {
    return request.instructions().stripTrailing()
        + "\n\nStay within "
        + request.targetTokens()
        + " tokens. Answer with the summary only.";
  }

  /** Models that think first need more than the text itself. */
  static long outputTokens(SummaryRequest request) {
    return Math.max(MIN_OUTPUT_TOKENS, OUTPUT_PER_TARGET * request.targetTokens());
  }

  String model(SummaryRequest request) {
    return request.model().orElse(endpoint.model());
  }

  /**
   * The text of an answer.
   *
   * @param cut whether it ended because it became too long: then its whole lines count
   */
  String text(String text, boolean cut) {
    String whole = cut ? text.substring(0, Math.max(0, text.lastIndexOf('\n'))) : text;
    if (whole.isBlank()) {
      throw failed(
          cut ? "cut_off" : "empty",
          cut ? "its answer was cut off before a line ended" : "its answer has no text",
          null);
    }
    return whole.length() > Summarizer.MAX_CHARS && cut
        ? whole.substring(0, whole.lastIndexOf('\n', Summarizer.MAX_CHARS))
        : whole;
  }

  ContextureException refused(String why) {
    return failed("refused", "it refused: " + why, null);
  }

  ContextureException tooLong() {
    return failed("context_limit", "the input is longer than it can read", null);
  }

  /**
   * The provider answered with an error.
   *
   * @param code its own code or type
   * @param message its own words; left out where they are about the key
   */
  ContextureException error(
      int status, @Nullable String code, @Nullable String message, Throwable cause) {
    if (ContextLimitErrors.isContextLimit(status, code, message)) {
      return tooLong();
    }
    boolean aboutTheKey = status >= FIRST_ABOUT_THE_KEY && status <= LAST_ABOUT_THE_KEY;
    String words = aboutTheKey || message == null ? "" : ": " + message;
    String named = code == null ? "" : " " + code;
    return failed(
        "status_" + status,
        "it answered " + status + named + words + (aboutTheKey ? "; check the key" : ""),
        cause.getCause());
  }

  ContextureException unreadable() {
    return failed("unreadable", "its answer cannot be read", null);
  }

  ContextureException unreachable(Throwable cause) {
    LOG.log(
        System.Logger.Level.WARNING, "no answer of " + provider + " " + endpoint + " came", cause);
    return failed("unreachable", "no answer came", null);
  }

  private ContextureException failed(String reason, String why, @Nullable Throwable cause) {
    Map<String, Object> details = new LinkedHashMap<>();
    details.put("provider", provider);
    details.put("model", endpoint.model());
    details.put("reason", reason);
    String message = "the summary by " + provider + " " + endpoint.model() + " failed: " + why;
    return new ContextureException(ErrorCode.SUMMARIZER_FAILED, clean(message), details, cause);
  }

  /** On one line, bounded, and without the key, whoever repeated it. */
  private String clean(String message) {
    boolean secret = endpoint.key().length() >= SECRET_CHARS;
    String shown = secret ? message.replace(endpoint.key(), "***") : message;
    String plain = shown.replaceAll("\\s+", " ");
    return plain.length() <= MESSAGE_CHARS ? plain : plain.substring(0, MESSAGE_CHARS) + "...";
  }
}
