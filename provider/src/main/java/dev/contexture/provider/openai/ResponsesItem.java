package dev.contexture.provider.openai;

import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonNumber;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonValue;
import dev.contexture.provider.wire.answer.AnswerJson;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** One item of a stream of Responses while it grows. Confined to one thread. */
final class ResponsesItem {
  private final JsonObject start;
  private final AnswerJson json;
  private final StringBuilder arguments = new StringBuilder();
  private final Map<Long, Content> contents = new TreeMap<>();
  private @Nullable String whole;

  ResponsesItem(JsonObject start, AnswerJson json) {
    this.start = start;
    this.json = json;
  }

  /** A part of a message: its type, the member that grows, and its text. */
  private record Content(String type, String member, StringBuilder text) {}

  void growContent(String type, String member, JsonObject event) {
    long index =
        event.members().get("content_index") instanceof JsonNumber number
            ? number.asLong().orElse(0)
            : 0;
    contents
        .computeIfAbsent(index, unused -> new Content(type, member, new StringBuilder()))
        .text
        .append(json.string(event, "delta", "/delta"));
  }

  void growArguments(JsonObject event) {
    arguments.append(json.string(event, "delta", "/delta"));
  }

  void done(String raw) {
    whole = raw;
  }

  /** The item as it came when it was done; null before. */
  @Nullable String whole() {
    return whole;
  }

  /** What is known of it before it is done. */
  JsonObject soFar() {
    JsonObject item = start;
    if (!arguments.isEmpty()) {
      item = item.with("arguments", new JsonString(arguments.toString()));
    }
    if (!contents.isEmpty()) {
      List<JsonValue> parts = new ArrayList<>();
      contents
          .values()
          .forEach(
              part ->
                  parts.add(
                      JsonObject.builder()
                          .put("type", part.type)
                          .put(part.member, part.text.toString())
                          .build()));
      item = item.with("content", new JsonArray(parts));
    }
    return item;
  }
}
