package dev.contexture.adk;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.google.adk.JsonBaseModel;
import com.google.adk.sessions.State;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Turns values of ADK into JSON and back, as ADK itself writes them. */
final class AdkJson {
  /** How ADK writes {@link State#REMOVED}, whose identity it asks for. */
  private static final Object REMOVED_TEXT = read(write(State.REMOVED));

  private AdkJson() {}

  static String write(@Nullable Object value) {
    try {
      return JsonBaseModel.getMapper().writeValueAsString(value);
    } catch (JsonProcessingException unwritable) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_ARGUMENT,
          "value",
          unwritable.getOriginalMessage(),
          "values that ADK can write as JSON: texts, numbers, booleans, lists and maps");
    }
  }

  static JsonValue value(Object value) {
    return JsonValue.parse(write(value));
  }

  static JsonObject object(Map<String, ?> map) {
    return (JsonObject) value(map);
  }

  static Object read(String json) {
    try {
      return JsonBaseModel.getMapper().readValue(json, Object.class);
    } catch (JsonProcessingException damaged) {
      throw new IllegalStateException("stored JSON that cannot be read: " + json, damaged);
    }
  }

  static Object read(JsonValue json) {
    return read(json.toJson());
  }

  /** Whether a change of state means that the key goes, also after it was written and read. */
  static boolean isRemoved(Object value) {
    return value == State.REMOVED || REMOVED_TEXT.equals(value);
  }
}
