package dev.contexture.mcp;

import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The reply of a tool.
 *
 * @param content what models read
 * @param structured the same for programs; null: there is nothing beside the text
 * @param error whether the call failed
 */
record ToolReply(List<JsonObject> content, @Nullable JsonObject structured, boolean error) {
  ToolReply {
    content = List.copyOf(content);
  }

  static ToolReply text(String text) {
    return new ToolReply(List.of(block(text)), null, false);
  }

  /** An object, as text and as itself. */
  static ToolReply of(JsonObject result) {
    return new ToolReply(List.of(block(result.toJson())), result, false);
  }

  static ToolReply failed(String text) {
    return new ToolReply(List.of(block(text)), null, true);
  }

  static ToolReply image(String base64, String mime) {
    return new ToolReply(
        List.of(
            JsonObject.builder()
                .put("type", "image")
                .put("data", base64)
                .put("mimeType", mime)
                .build()),
        null,
        false);
  }

  private static JsonObject block(String text) {
    return JsonObject.builder().put("type", "text").put("text", text).build();
  }

  JsonObject json() {
    JsonObject.Builder json =
        JsonObject.builder().put("content", new JsonArray(List.<JsonValue>copyOf(content)));
    if (structured != null) {
      json.put("structuredContent", structured);
    }
    return json.put("isError", error).build();
  }

  int bytes() {
    return json().toJson().getBytes(StandardCharsets.UTF_8).length;
  }
}
