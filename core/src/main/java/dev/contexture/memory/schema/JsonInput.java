package dev.contexture.memory.schema;

import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.json.SendableText;
import java.nio.charset.StandardCharsets;
import java.util.Collection;

/** Takes values in: what cannot be sent is replaced, bounds are kept. */
public final class JsonInput {
  private JsonInput() {}

  /** Refuses a value that is too large or too deep; cleans any other. */
  public static JsonValue accept(String what, JsonValue value, MemoryLimits limits) {
    MemoryErrors.atMost(what, limits.jsonDepth(), depth(value), "levels of nesting");
    JsonValue clean = SendableText.of(value);
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
