package dev.contexture.view;

import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The JSON of calls and results as a model may see it. */
final class ToolJson {
  private static final Set<String> HANDLES = Set.of("hosted_uri", "rn", "key");

  private ToolJson() {}

  /** A call: tool, id and parameters first, no time. */
  static JsonObject call(JsonObject json, @Nullable String tool, @Nullable String call) {
    JsonObject.Builder shown = JsonObject.builder();
    identify(shown, json, tool, call);
    json.find("params").ifPresent(params -> shown.put("params", params));
    return withRest(shown, json.without("ts")).build();
  }

  /** A result: tool and id first; an array stands under {@code result}; no hosting handles. */
  static JsonObject result(JsonValue json, @Nullable String tool, @Nullable String call) {
    JsonValue clean = withoutHandles(json);
    JsonObject object =
        clean instanceof JsonObject itself ? itself : JsonObject.of("result", clean);
    JsonObject.Builder shown = JsonObject.builder();
    identify(shown, object, tool, call);
    return withRest(shown, object).build();
  }

  private static void identify(
      JsonObject.Builder shown, JsonObject json, @Nullable String tool, @Nullable String call) {
    if (tool != null) {
      shown.put("tool_id", tool);
    } else {
      json.find("tool_id").ifPresent(value -> shown.put("tool_id", value));
    }
    if (call != null) {
      shown.put("tool_call_id", call);
    } else {
      json.find("tool_call_id").ifPresent(value -> shown.put("tool_call_id", value));
    }
  }

  private static JsonObject.Builder withRest(JsonObject.Builder shown, JsonObject json) {
    JsonObject first = shown.build();
    for (Map.Entry<String, JsonValue> member : json.members().entrySet()) {
      if (!first.has(member.getKey())) {
        shown.put(member.getKey(), member.getValue());
      }
    }
    return shown;
  }

  /**
   * The value without the handles of where an artifact is hosted; the same object if it has none.
   */
  static JsonValue withoutHandles(JsonValue value) {
    return switch (value) {
      case JsonObject object -> withoutHandles(object);
      case JsonArray array -> withoutHandles(array);
      default -> value;
    };
  }

  private static JsonValue withoutHandles(JsonObject object) {
    boolean artifact = object.has("artifact_path");
    JsonObject.Builder clean = JsonObject.builder();
    boolean changed = false;
    for (Map.Entry<String, JsonValue> member : object.members().entrySet()) {
      if (artifact && HANDLES.contains(member.getKey())) {
        changed = true;
        continue;
      }
      JsonValue inner = withoutHandles(member.getValue());
      changed |= inner != member.getValue();
      clean.put(member.getKey(), inner);
    }
    return changed ? clean.build() : object;
  }

  private static JsonValue withoutHandles(JsonArray array) {
    JsonArray clean = new JsonArray(array.items().stream().map(ToolJson::withoutHandles).toList());
    for (int i = 0; i < array.size(); i++) {
      if (clean.items().get(i) != array.items().get(i)) {
        return clean;
      }
    }
    return array;
  }
}
