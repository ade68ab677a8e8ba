package dev.contexture.memory.schema;

import dev.contexture.crdt.CrdtException;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.memory.permission.Actor;
import dev.contexture.memory.permission.Decision;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The refusals of this package, each made in one place. */
public final class MemoryErrors {
  private MemoryErrors() {}

  static ContextureException schema(String what, String actual, String allowed) {
    return ContextureException.invalid(ErrorCode.SCHEMA_INVALID, what, actual, allowed);
  }

  public static ContextureException argument(String what, @Nullable Object actual, String allowed) {
    return ContextureException.invalid(ErrorCode.INVALID_ARGUMENT, what, actual, allowed);
  }

  public static void atMost(String what, long limit, long actual, String unit) {
    if (actual > limit) {
      throw ContextureException.limit(ErrorCode.LIMIT_EXCEEDED, what, limit, actual, unit);
    }
  }

  public static ContextureException index(
      String what, long index, long length, boolean endAllowed) {
    Map<String, Object> details = new LinkedHashMap<>();
    details.put("field", what);
    details.put("index", index);
    details.put("length", length);
    long last = endAllowed ? length : length - 1;
    String allowed = last < 0 ? "none, it is empty" : "0 to " + last;
    return new ContextureException(
        ErrorCode.INDEX_OUT_OF_RANGE,
        what + " has length " + length + ", index is " + index + "; allowed: " + allowed,
        details,
        null);
  }

  public static ContextureException wrongSchema(String operation, String kind, String allowed) {
    Map<String, Object> details = new LinkedHashMap<>();
    details.put("operation", operation);
    details.put("kind", kind);
    return new ContextureException(
        ErrorCode.WRONG_SCHEMA,
        operation + " does not fit a document of kind " + kind + "; it needs " + allowed,
        details,
        null);
  }

  public static ContextureException denied(
      DocumentSettings block, String operation, Actor actor, Decision.Denied denied) {
    Map<String, Object> details = new LinkedHashMap<>();
    details.put("operation", denied.operation().wireName());
    details.put("required", denied.needed().identifier());
    details.put("actual", denied.actual().identifier());
    details.put("actor", actor.toString());
    details.put("document_operation", operation);
    return new ContextureException(
        ErrorCode.PERMISSION_DENIED,
        "cannot "
            + denied.operation().verb()
            + " "
            + block.shown()
            + ": permission is "
            + denied.actual().identifier()
            + ", needed "
            + denied.needed().identifier()
            + "; ask the owner to change the permission",
        details,
        null);
  }

  public static ContextureException readOnly(DocumentSettings block, Actor actor, String part) {
    Map<String, Object> details = new LinkedHashMap<>();
    details.put("field", part);
    details.put("actor", actor.toString());
    details.put("agent", block.owner());
    return new ContextureException(
        ErrorCode.READ_ONLY,
        "cannot change "
            + part
            + " of "
            + block.shown()
            + ": it is read-only for "
            + actor
            + "; only the system may write it",
        details,
        null);
  }

  /** Runs a step on the document beneath; what that refuses gets the codes of M-5. */
  public static <T> T translating(Supplier<T> step) {
    try {
      return step.get();
    } catch (CrdtException refused) {
      throw of(refused);
    }
  }

  static ContextureException of(CrdtException refused) {
    ErrorCode code =
        switch (refused.code()) {
          case INVALID_ARGUMENT, UNKNOWN_VERSION -> ErrorCode.INVALID_ARGUMENT;
          case INDEX_OUT_OF_RANGE -> ErrorCode.INDEX_OUT_OF_RANGE;
          case LIMIT_EXCEEDED -> ErrorCode.LIMIT_EXCEEDED;
          case CORRUPT_DATA -> ErrorCode.STORE_DAMAGED;
          case UNSUPPORTED_FORMAT -> ErrorCode.UNSUPPORTED_FORMAT;
          case HISTORY_TRIMMED -> ErrorCode.HISTORY_TRIMMED;
        };
    String message = Objects.requireNonNullElse(refused.getMessage(), code.wireName());
    return new ContextureException(code, message, Map.of(), refused);
  }

  public static ContextureException trimmed(long version, long oldest) {
    Map<String, Object> details = new LinkedHashMap<>();
    details.put("field", "version");
    details.put("actual", version);
    details.put("oldest", oldest);
    return new ContextureException(
        ErrorCode.HISTORY_TRIMMED,
        "version "
            + version
            + " is no longer kept, the oldest is "
            + oldest
            + "; refresh and redo the edit",
        details,
        null);
  }
}
