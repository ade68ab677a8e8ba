package dev.contexture.cli;

import dev.contexture.error.ContextureException;
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
    JsonObject.Builder problem = start(code, refused.code().httpStatus(), detail);
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
}
