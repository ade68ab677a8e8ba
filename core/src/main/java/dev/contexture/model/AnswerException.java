package dev.contexture.model;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * An answer that is none: {@code answer_malformed}, {@code answer_error} if the provider itself
 * reported a failure, {@code answer_too_large}.
 */
@API(status = API.Status.STABLE, since = "0.1")
public final class AnswerException extends ContextureException {
  private final transient @Nullable ModelAnswer partial;

  private AnswerException(
      ErrorCode code,
      String message,
      Map<String, Object> details,
      @Nullable AnswerException cause,
      @Nullable ModelAnswer partial) {
    super(code, message, details, cause);
    this.partial = partial;
  }

  /** Something that must be there is not, or is of another type. */
  public static AnswerException malformed(
      String provider, String pointer, String expected, String found) {
    Map<String, Object> details = new LinkedHashMap<>();
    details.put("provider", provider);
    details.put("pointer", pointer);
    details.put("expected", expected);
    details.put("found", found);
    String place = pointer.isEmpty() ? "it" : pointer;
    return new AnswerException(
        ErrorCode.ANSWER_MALFORMED,
        "the answer of "
            + provider
            + " cannot be read: expected "
            + place
            + " to be "
            + expected
            + ", found "
            + found
            + "; check that the named format is the provider's",
        details,
        null,
        null);
  }

  /** The provider answered with an error of its own. */
  public static AnswerException error(
      String provider, @Nullable String errorCode, @Nullable String errorMessage) {
    Map<String, Object> details = new LinkedHashMap<>();
    details.put("provider", provider);
    if (errorCode != null) {
      details.put("error_code", errorCode);
    }
    if (errorMessage != null) {
      details.put("error_message", errorMessage);
    }
    return new AnswerException(
        ErrorCode.ANSWER_ERROR,
        provider
            + " answered with an error"
            + (errorCode == null ? "" : " " + errorCode)
            + (errorMessage == null ? "" : ": " + errorMessage),
        details,
        null,
        null);
  }

  /** The answer, an event of it or its nesting is beyond a limit. */
  public static AnswerException tooLarge(String provider, String what, long limit, String unit) {
    Map<String, Object> details = new LinkedHashMap<>();
    details.put("provider", provider);
    details.put("field", what);
    details.put("limit", limit);
    return new AnswerException(
        ErrorCode.ANSWER_TOO_LARGE,
        what + " of " + provider + " has more than " + limit + " " + unit + ", which is the limit",
        details,
        null,
        null);
  }

  /** The same failure, with what had been read before it. */
  public AnswerException withPartial(ModelAnswer reply) {
    String message = getMessage() == null ? code().wireName() : getMessage();
    return new AnswerException(code(), message, details(), this, reply);
  }

  public String provider() {
    return detail("provider").orElse("");
  }

  /** Where in the answer, as a JSON Pointer. */
  public Optional<String> pointer() {
    return detail("pointer");
  }

  public Optional<String> expected() {
    return detail("expected");
  }

  public Optional<String> found() {
    return detail("found");
  }

  /** The provider's own code, for {@code answer_error}. */
  public Optional<String> errorCode() {
    return detail("error_code");
  }

  /** The provider's own message, for {@code answer_error}. */
  public Optional<String> errorMessage() {
    return detail("error_message");
  }

  /** What a stream had said before it failed. */
  public Optional<ModelAnswer> partial() {
    return Optional.ofNullable(partial);
  }

  private Optional<String> detail(String key) {
    return Optional.ofNullable(details().get(key)).map(Object::toString);
  }
}
