package dev.contexture.tool;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonValue;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Replaces the references of a JSON Schema by what they refer to, because not every provider
 * follows them. Members beside a reference stay and win; definitions that nothing refers to any
 * more are left out.
 */
final class SchemaInliner {
  /** Members that hold values, not schemas. */
  private static final Set<String> DATA = Set.of("enum", "const", "default", "examples");

  private static final Set<String> DEFINITIONS = Set.of("$defs", "definitions");
  private static final int MAX_NODES = 20_000;

  private final String tool;
  private final JsonObject root;
  private final Deque<String> following = new ArrayDeque<>();
  private int nodes;

  SchemaInliner(String tool, JsonObject root) {
    this.tool = tool;
    this.root = root;
  }

  JsonObject inlined() {
    JsonObject.Builder result = JsonObject.builder();
    inline(root)
        .members()
        .forEach(
            (key, value) -> {
              if (!DEFINITIONS.contains(key)) {
                result.put(key, value);
              }
            });
    return result.build();
  }

  private JsonObject inline(JsonObject schema) {
    if (++nodes > MAX_NODES) {
      throw invalid("references", "at most " + MAX_NODES + " schemas when they are replaced");
    }
    JsonObject.Builder result = JsonObject.builder();
    if (schema.find("$ref").orElse(null) instanceof JsonString reference) {
      result.putAll(target(reference.value()));
    }
    for (Map.Entry<String, JsonValue> member : schema.members().entrySet()) {
      String key = member.getKey();
      boolean isReference = key.equals("$ref") && member.getValue() instanceof JsonString;
      if (!isReference && !DEFINITIONS.contains(key)) {
        result.put(key, DATA.contains(key) ? member.getValue() : member(key, member.getValue()));
      }
    }
    return result.build();
  }

  private JsonValue member(String key, JsonValue value) {
    boolean named =
        key.equals("properties")
            || key.equals("patternProperties")
            || key.equals("dependentSchemas");
    if (named && value instanceof JsonObject schemas) {
      JsonObject.Builder result = JsonObject.builder();
      schemas.members().forEach((name, schema) -> result.put(name, any(schema)));
      return result.build();
    }
    return any(value);
  }

  private JsonValue any(JsonValue value) {
    return switch (value) {
      case JsonObject schema -> inline(schema);
      case JsonArray list -> {
        List<JsonValue> items = new ArrayList<>();
        list.items().forEach(item -> items.add(any(item)));
        yield new JsonArray(items);
      }
      default -> value;
    };
  }

  private JsonObject target(String reference) {
    if (following.contains(reference)) {
      throw invalid(reference, "a reference that does not lead to itself");
    }
    JsonValue found = find(reference);
    if (!(found instanceof JsonObject schema)) {
      throw invalid(reference, "a reference to a schema inside this one, such as #/$defs/name");
    }
    following.push(reference);
    JsonObject inlined = inline(schema);
    following.pop();
    return inlined;
  }

  private @Nullable JsonValue find(String reference) {
    if (!reference.equals("#") && !reference.startsWith("#/")) {
      return null;
    }
    JsonValue at = root;
    for (String step : reference.substring(1).split("/", -1)) {
      if (step.isEmpty() && at == root) {
        continue;
      }
      String key = step.replace("~1", "/").replace("~0", "~");
      at = at instanceof JsonObject object ? object.members().get(key) : null;
      if (at == null) {
        return null;
      }
    }
    return at;
  }

  private ContextureException invalid(String actual, String allowed) {
    return ContextureException.invalid(
        ErrorCode.TOOL_SCHEMA_INVALID, "$ref in the schema of " + tool, actual, allowed);
  }
}
