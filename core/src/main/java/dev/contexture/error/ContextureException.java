package dev.contexture.error;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The root of everything Contexture refuses or fails at.
 *
 * <p>The message says what failed, the actual against the allowed value, and what to do. {@link
 * #code()} is stable; {@link #details()} holds the same facts for programs, in a fixed order.
 */
@API(status = API.Status.STABLE, since = "0.1")
public class ContextureException extends RuntimeException {
  private static final int MAX_SHOWN_CHARS = 120;

  private final ErrorCode code;
  private final transient Map<String, Object> details;

  public ContextureException(ErrorCode code, String message) {
    this(code, message, Map.of(), null);
  }

  /**
   * @param details facts beside the message: texts, whole numbers and booleans by name
   */
  public ContextureException(
      ErrorCode code, String message, Map<String, ?> details, @Nullable Throwable cause) {
    super(message, cause);
    this.code = Objects.requireNonNull(code);
    this.details = Collections.unmodifiableMap(new LinkedHashMap<>(details));
  }

  /**
   * A value that is not acceptable: names the field, what it was and what it may be. A name that
   * leads to nothing ({@code not_found}) is said to be one: no conversation 'nope'.
   */
  public static ContextureException invalid(
      ErrorCode code, String field, @Nullable Object actual, String allowed) {
    String shown = shown(actual);
    Map<String, Object> details = new LinkedHashMap<>();
    details.put("field", field);
    details.put("actual", shown);
    details.put("allowed", allowed);
    String what =
        code == ErrorCode.NOT_FOUND
            ? "no " + noun(field) + " " + quoted(shown)
            : field + " is " + quoted(shown);
    return new ContextureException(code, what + "; allowed: " + allowed, details, null);
  }

  /** What a field names: {@code turn_id} names a turn. */
  private static String noun(String field) {
    return field.endsWith("_id") ? field.substring(0, field.length() - "_id".length()) : field;
  }

  /** A name that nothing has: says which ones there are. */
  public static ContextureException unknown(ErrorCode code, String name, String allowed) {
    Map<String, Object> details = new LinkedHashMap<>();
    details.put("field", name);
    details.put("allowed", allowed);
    String message =
        "unknown field "
            + quoted(shown(name))
            + "; allowed: "
            + (allowed.isEmpty() ? "none" : allowed);
    return new ContextureException(code, message, details, null);
  }

  /** A size beyond its limit. */
  public static ContextureException limit(
      ErrorCode code, String field, long limit, long actual, String unit) {
    Map<String, Object> details = new LinkedHashMap<>();
    details.put("field", field);
    details.put("limit", limit);
    details.put("actual", actual);
    return new ContextureException(
        code, field + " has " + actual + " " + unit + "; allowed: at most " + limit, details, null);
  }

  /** The same failure, its field named from further out, for example {@code blocks[3].path}. */
  public ContextureException within(String outer) {
    Object inner = details.get("field");
    Map<String, Object> located = new LinkedHashMap<>(details);
    String field = inner == null ? outer : outer + "." + inner;
    located.put("field", field);
    String message = Objects.requireNonNullElse(getMessage(), code.wireName());
    String moved =
        inner != null && message.startsWith(inner + " ")
            ? field + message.substring(inner.toString().length())
            : outer + ": " + message;
    return new ContextureException(code, moved, located, this);
  }

  public ErrorCode code() {
    return code;
  }

  /** Whether the same call may succeed later without any change. */
  public boolean retryable() {
    return switch (code) {
      case STORE_UNAVAILABLE, TOO_MANY_REQUESTS, TIMED_OUT -> true;
      default -> false;
    };
  }

  /** The facts beside the message, in a fixed order; never null, maybe empty. */
  public Map<String, Object> details() {
    return details;
  }

  /** The field that was refused, if the failure is about one. */
  public Optional<String> field() {
    return Optional.ofNullable(details.get("field")).map(Object::toString);
  }

  private static String shown(@Nullable Object value) {
    if (value == null) {
      return "absent";
    }
    String text = value.toString();
    return text.length() <= MAX_SHOWN_CHARS ? text : text.substring(0, MAX_SHOWN_CHARS) + "…";
  }

  private static String quoted(String text) {
    return text.equals("absent")
        ? text
        : "'" + text.replace("\n", "\\n").replace("\r", "\\r") + "'";
  }
}
