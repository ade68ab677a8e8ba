package dev.contexture.model;

import dev.contexture.error.ErrorCode;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** Tells whether a model refused a request because it was too long. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class ContextLimitErrors {
  /** Whatever they say, these are about the caller, the address or the rate. */
  private static final Set<Integer> OTHER_STATUS = Set.of(401, 403, 404, 429);

  private static final int MAX_CAUSES = 8;

  private static final Set<String> CODES =
      Set.of("context_length_exceeded", "model_context_window_exceeded");

  private static final Pattern ABOUT_OUTPUT_OR_RATE =
      Pattern.compile(
          "max_(output_|completion_)?tokens['\"`]?"
              + "( or ['\"`]?max_(output_|completion_)?tokens['\"`]?)?\\s*"
              + "(is too (large|small)|must be|should be|is not supported|:\\s*\\d+\\s*>)"
              + "|tokens per min|rate limit");

  private static final Pattern ABOUT_INPUT =
      Pattern.compile(
          "context_length_exceeded|prompt is too long|prompt too long|input is too long"
              + "|input too long|maximum context length"
              + "|exceeds? the (model'?s )?(maximum )?context (window|length|limit)"
              + "|exceeds? context limit|exceeds the available context size"
              + "|input token count( \\([\\d,]+\\))? exceeds|too many input tokens");

  private ContextLimitErrors() {}

  /**
   * Whether a request failed at the length of its context.
   *
   * @param status the HTTP status; 0 if there was none
   * @param code the provider's error code or stop reason
   * @param message the provider's message
   */
  public static boolean isContextLimit(
      int status, @Nullable String code, @Nullable String message) {
    if (OTHER_STATUS.contains(status)) {
      return false;
    }
    if (code != null && CODES.contains(code)) {
      return true;
    }
    String text = ((code == null ? "" : code + " ") + (message == null ? "" : message));
    String lower = text.toLowerCase(Locale.ROOT);
    return !ABOUT_OUTPUT_OR_RATE.matcher(lower).find() && ABOUT_INPUT.matcher(lower).find();
  }

  /**
   * Whether a failure, or one that it was caused by, is about the length of the context. It reads
   * the provider's code and message of an {@link AnswerException}, and the message of others.
   */
  public static boolean isContextLimit(Throwable failure) {
    Throwable cause = failure;
    for (int depth = 0; cause != null && depth < MAX_CAUSES; depth++) {
      boolean limit =
          (cause instanceof AnswerException answer && answer.code() == ErrorCode.ANSWER_ERROR)
              ? isContextLimit(
                  0, answer.errorCode().orElse(null), answer.errorMessage().orElse(null))
              : isContextLimit(0, null, cause.getMessage());
      if (limit) {
        return true;
      }
      cause = cause.getCause();
    }
    return false;
  }
}
