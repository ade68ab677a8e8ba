package dev.contexture.memory;

import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonBoolean;
import dev.contexture.json.JsonNull;
import dev.contexture.json.JsonNumber;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonValue;
import java.nio.charset.StandardCharsets;
import java.util.Collection;

/** What comes in, as it is stored (M-35), and its bounds (M-3). */
final class JsonInput {
  private JsonInput() {}

  /** The text with U+0000 and unpaired surrogates as U+FFFD. */
  static String clean(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == 0 || Character.isSurrogate(c)) {
        return text.codePoints()
            .map(point -> isStorable(point) ? point : 0xFFFD)
            .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
            .toString();
      }
    }
    return text;
  }

  private static boolean isStorable(int point) {
    return point != 0 && (point < Character.MIN_SURROGATE || point > Character.MAX_SURROGATE);
  }

  /** The value with all its texts cleaned. */
  static JsonValue clean(JsonValue value) {
    return switch (value) {
      case JsonObject object -> {
        JsonObject.Builder out = JsonObject.builder();
        object.members().forEach((key, member) -> out.put(clean(key), clean(member)));
        yield out.build();
      }
      case JsonArray array ->
          new JsonArray(array.items().stream().<JsonValue>map(JsonInput::clean).toList());
      case JsonString text -> new JsonString(clean(text.value()));
      case JsonNumber _unused -> value;
      case JsonBoolean _unused -> value;
      case JsonNull _unused -> value;
    };
  }

  /** Refuses a value that is too large or too deep; cleans any other. */
  static JsonValue accept(String what, JsonValue value, MemoryLimits limits) {
    MemoryErrors.atMost(what, limits.jsonDepth(), depth(value), "levels of nesting");
    JsonValue clean = clean(value);
    int bytes = clean.toJson().getBytes(StandardCharsets.UTF_8).length;
    MemoryErrors.atMost(what, limits.jsonBytes(), bytes, "bytes");
    return clean;
  }

  private static int depth(JsonValue value) {
    Collection<JsonValue> inner =
        value instanceof JsonObject object
            ? object.members().values()
            : value instanceof JsonArray array ? array.items() : null;
    if (inner == null) {
      return 0;
    }
    int deepest = 0;
    for (JsonValue item : inner) {
      deepest = Math.max(deepest, depth(item));
    }
    return deepest + 1;
  }
}
