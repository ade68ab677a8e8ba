package dev.contexture.server;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import java.util.List;
import java.util.Objects;
import org.apiguardian.api.API;

/**
 * Failures as problem objects, the one shape that the HTTP API and the command line have: {@code
 * type, title, status, code, detail}, then the facts of the failure.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class Problem {
  /** The media type of a problem object. */
  public static final String MEDIA_TYPE = "application/problem+json";

  private Problem() {}

  /** The problem object of a refusal. */
  public static JsonObject of(ContextureException refused) {
    ErrorCode code = refused.code();
    String detail = Objects.requireNonNullElse(refused.getMessage(), code.wireName());
    JsonObject.Builder problem = start(code.wireName(), code.httpStatus(), detail);
    refused.details().forEach((name, value) -> problem.put(name, value(value)));
    return problem.build();
  }

  /** The problem object of a failure that nobody foresaw. */
  public static JsonObject internal(String detail) {
    ErrorCode code = ErrorCode.INTERNAL;
    return start(code.wireName(), code.httpStatus(), detail).build();
  }

  /** A problem object with another status than that of its code. */
  public static JsonObject of(String code, int status, String detail) {
    return start(code, status, detail).build();
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
      case List<?> list -> JsonArray.ofStrings(list.stream().map(String::valueOf).toList());
      default -> JsonValue.of(value.toString());
    };
  }
}
