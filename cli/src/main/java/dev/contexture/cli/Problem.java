package dev.contexture.cli;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import java.util.Objects;

/**
 * Failures as problem objects, the shape that the HTTP API has too: {@code type, title, status,
 * code, detail}, then the facts of the failure.
 */
final class Problem {
  /** The code of a failure that nobody foresaw. */
  static final String INTERNAL = "internal";

  private static final int INTERNAL_STATUS = 500;

  private Problem() {}

  static JsonObject of(ContextureException refused) {
    String code = refused.code().wireName();
    String detail = Objects.requireNonNullElse(refused.getMessage(), code);
    JsonObject.Builder problem = start(code, status(refused.code()), detail);
    refused.details().forEach((name, value) -> problem.put(name, value(value)));
    return problem.build();
  }

  static JsonObject internal(String detail) {
    return start(INTERNAL, INTERNAL_STATUS, detail).build();
  }

  private static JsonObject.Builder start(String code, int status, String detail) {
    return JsonObject.builder()
        .put("type", "urn:contexture:problem:" + code)
        .put("title", code.replace('_', ' '))
        .put("status", status)
        .put("code", code)
        .put("detail", detail);
  }

  private static JsonValue value(Object value) {
    return switch (value) {
      case Boolean flag -> JsonValue.of(flag.booleanValue());
      case Long number -> JsonValue.of(number.longValue());
      case Integer number -> JsonValue.of(number.longValue());
      default -> JsonValue.of(value.toString());
    };
  }

  /** The HTTP status of a code. */
  static int status(ErrorCode code) {
    return switch (code) {
      case SCOPE_REQUIRED,
          INVALID_SCOPE,
          MALFORMED_JSON,
          UNKNOWN_FIELD,
          FIELD_REQUIRED,
          FIELD_TYPE,
          INVALID_ID,
          INVALID_TYPE,
          INVALID_AUTHOR,
          INVALID_TURN_ID,
          INVALID_CALL_ID,
          INVALID_PATH,
          UNSAFE_PATH,
          INVALID_TS,
          INVALID_MIME,
          INVALID_DATA,
          INVALID_CONFIG,
          INVALID_PARAMS,
          TURN_MISMATCH,
          CONTEXT_MISMATCH ->
          400;
      case NOT_FOUND -> 404;
      case NO_ACTIVE_TURN, TURN_CLOSED, SID_CONFLICT, ID_CONFLICT -> 409;
      case TEXT_TOO_LARGE,
          DATA_TOO_LARGE,
          META_TOO_LARGE,
          TOO_MANY_BLOCKS,
          TURN_FULL,
          REPLACEMENT_TOO_LONG,
          ANNOUNCE_TOO_LARGE,
          SOURCES_TOO_MANY,
          SOURCE_TOO_LARGE,
          CONTEXT_TOO_LARGE ->
          422;
      case STORE_UNAVAILABLE, STORE_READ_ONLY, STORE_FULL, STORE_IN_USE -> 503;
      case STORE_DAMAGED, STORE_NEWER, STORE_FOREIGN -> 500;
    };
  }
}
