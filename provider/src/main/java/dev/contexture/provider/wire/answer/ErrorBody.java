package dev.contexture.provider.wire.answer;

import dev.contexture.json.JsonNumber;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonValue;
import dev.contexture.model.AnswerException;
import java.util.Optional;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** Errors as providers write them: {@code {"error": {"type"|"code", "message"}}}. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class ErrorBody {
  private ErrorBody() {}

  /** The error that an answer or event holds, if it holds one. */
  public static Optional<JsonObject> in(JsonObject body) {
    JsonValue error = body.members().get("error");
    if (error instanceof JsonString message) {
      return Optional.of(JsonObject.of("message", message));
    }
    return error instanceof JsonObject object ? Optional.of(object) : Optional.empty();
  }

  public static void refuse(String provider, JsonObject body) {
    in(body)
        .ifPresent(
            error -> {
              throw AnswerException.error(provider, code(error), message(error));
            });
  }

  public static @Nullable String code(JsonObject error) {
    JsonValue code = error.members().get("code");
    if (code instanceof JsonNumber number) {
      return number.text();
    }
    return code instanceof JsonString text ? text.value() : error.string("type").orElse(null);
  }

  public static @Nullable String message(JsonObject error) {
    return error.string("message").orElse(null);
  }
}
