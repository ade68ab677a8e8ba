package dev.contexture.engine.request;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/** Failures of parts that every request needs. */
final class StepFailures {
  private StepFailures() {}

  static void step(String step, Runnable work) {
    step(
        step,
        () -> {
          work.run();
          return step;
        });
  }

  /** Does a step; what breaks in it, other than by the caller's input, names it. */
  static <T> T step(String step, Supplier<T> work) {
    try {
      return work.get();
    } catch (ContextureException refused) {
      throw isCallers(refused) ? refused : failed(step, refused);
    } catch (RuntimeException broken) {
      throw failed(step, broken);
    }
  }

  /** Whether the caller can do something about it, or it may pass if it is tried again. */
  private static boolean isCallers(ContextureException refused) {
    return refused.code().httpStatus() < 500
        || refused.retryable()
        || refused.code() == ErrorCode.BUILD_FAILED
        || refused.code() == ErrorCode.STORE_FULL
        || refused.code() == ErrorCode.STORE_READ_ONLY;
  }

  static ContextureException failed(String step, RuntimeException cause) {
    Map<String, Object> details = new LinkedHashMap<>();
    details.put("step", step);
    if (cause instanceof ContextureException refused) {
      details.put("cause", refused.code().wireName());
    }
    return new ContextureException(
        ErrorCode.BUILD_FAILED,
        "the request cannot be built: " + step + " failed: " + words(cause),
        details,
        cause);
  }

  /** What callers may be told of a failure: the words of a refusal, none of other exceptions. */
  static String words(RuntimeException failed) {
    return failed instanceof ContextureException refused
        ? String.valueOf(refused.getMessage())
        : "nobody foresaw it; the log has more";
  }
}
