package dev.contexture.mcp;

import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import org.jspecify.annotations.Nullable;

/**
 * A tool that hosts may call.
 *
 * @param name of letters, digits, underscore and hyphen, 64 at most: hosts hand it on to models
 * @param title for people
 * @param description for models
 * @param input the schema of its arguments
 * @param output the schema of its structured result; null: it has none
 * @param effect what it may do
 * @param handler runs it; what it throws is the answer of a failed call
 */
record McpTool(
    String name,
    String title,
    String description,
    JsonObject input,
    @Nullable JsonObject output,
    Effect effect,
    Handler handler) {
  /** The effect that a call may have on what is stored. */
  enum Effect {
    /** Nothing. */
    READS,
    /** It adds, or changes what can be undone. */
    WRITES,
    /** It removes or replaces. */
    REPLACES
  }

  /** Runs a tool. */
  @FunctionalInterface
  interface Handler {
    ToolReply call(ToolInput input);
  }

  static McpTool of(
      String name,
      String title,
      Effect effect,
      String description,
      String properties,
      Handler handler) {
    return new McpTool(name, title, description, schema(properties), null, effect, handler);
  }

  /** The same with a schema of its structured result. */
  McpTool giving(String properties) {
    return new McpTool(name, title, description, input, schema(properties), effect, handler);
  }

  /** A schema of an object: the JSON of its members, after {@code properties}. */
  private static JsonObject schema(String properties) {
    return (JsonObject) JsonValue.parse("{\"type\":\"object\",\"properties\":" + properties + "}");
  }

  /** As hosts are told. */
  JsonObject json() {
    JsonObject.Builder json =
        JsonObject.builder()
            .put("name", name)
            .put("title", title)
            .put("description", description)
            .put("inputSchema", input);
    if (output != null) {
      json.put("outputSchema", output);
    }
    return json.put(
            "annotations",
            JsonObject.builder()
                .put("title", title)
                .put("readOnlyHint", effect == Effect.READS)
                .put("destructiveHint", effect == Effect.REPLACES)
                .put("idempotentHint", effect == Effect.READS)
                .put("openWorldHint", false)
                .build())
        .build();
  }
}
