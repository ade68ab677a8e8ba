package dev.contexture.provider.anthropic;

import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonText;
import dev.contexture.json.JsonValue;
import dev.contexture.provider.wire.answer.AnswerJson;
import dev.contexture.provider.wire.answer.JsonAccumulator;
import java.util.Map;
import java.util.StringJoiner;

/** One content block of an Anthropic stream while it grows. Confined to one thread. */
final class AnthropicBlock {
  private static final String INPUT = "input";

  private final JsonAccumulator.Members members;
  private final StringBuilder input = new StringBuilder();
  private boolean closed;

  AnthropicBlock(JsonObject start) {
    members = new JsonAccumulator.Members(start);
  }

  boolean closed() {
    return closed;
  }

  void close() {
    closed = true;
  }

  void grow(JsonObject delta, AnswerJson json) {
    switch (delta.string("type").orElse("")) {
      case "text_delta" -> append("text", delta, json);
      case "thinking_delta" -> append("thinking", delta, json);
      case "signature_delta" -> append("signature", delta, json);
      case "input_json_delta" ->
          input.append(json.string(delta, "partial_json", "/delta/partial_json"));
      case "citations_delta" -> {
        JsonObject citation = json.object(delta, "citation", "/delta/citation");
        members.put("citations", JsonArray.of(citation));
      }
      default -> members.merge(delta.without("type"));
    }
  }

  private void append(String key, JsonObject delta, AnswerJson json) {
    members.put(key, new JsonString(json.string(delta, key, "/delta/" + key)));
  }

  /**
   * The block as JSON without white space. Its input is spelled as it came; as a string where it
   * had not ended or is no JSON object.
   */
  String raw() {
    JsonObject part = members.value();
    if (input.toString().isBlank()) {
      return part.toJson();
    }
    String joined = input.toString();
    String spelled =
        closed && JsonText.isObject(joined)
            ? JsonText.minify(joined)
            : new JsonString(joined).toJson();
    StringJoiner raw = new StringJoiner(",", "{", "}");
    for (Map.Entry<String, JsonValue> member : part.members().entrySet()) {
      if (!member.getKey().equals(INPUT)) {
        raw.add(new JsonString(member.getKey()).toJson() + ":" + member.getValue().toJson());
      }
    }
    return raw.add("\"input\":" + spelled).toString();
  }
}
