package dev.contexture.provider.anthropic;

import dev.contexture.json.JsonNull;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonText;
import dev.contexture.json.JsonValue;
import dev.contexture.model.ReplyOpaque;
import dev.contexture.model.Stop;
import dev.contexture.provider.wire.answer.AnswerJson;
import dev.contexture.provider.wire.answer.ReplyBuilder;
import java.util.Set;

/** Sorts the blocks of an Anthropic answer into texts, calls and opaque parts. */
final class AnthropicParts {
  private static final Set<String> TEXT_MEMBERS = Set.of("type", "text");
  private static final Set<String> CALL_MEMBERS = Set.of("type", "id", "name", "input");

  private final AnswerJson json;
  private final ReplyBuilder reply;
  private final boolean cutByLimit;

  AnthropicParts(AnswerJson json, ReplyBuilder reply, Stop stop) {
    this.json = json;
    this.reply = reply;
    this.cutByLimit = stop == Stop.MAX_TOKENS || stop == Stop.CONTEXT_LIMIT;
  }

  /**
   * Adds one block.
   *
   * @param raw its JSON without white space outside strings
   * @param ended false if the stream broke off inside it
   */
  void add(int order, String raw, boolean ended) {
    String pointer = "/content/" + order;
    JsonObject part = json.object(raw);
    String type = json.name(part, "type", pointer + "/type");
    if (type.equals("text")) {
      text(order, part, raw, pointer);
    } else if (!ended) {
      reply.partial(order, type, raw);
    } else if (type.equals("tool_use")) {
      call(order, part, raw, pointer);
    } else {
      reply.opaque(order, type, raw);
    }
  }

  private void text(int order, JsonObject part, String raw, String pointer) {
    String text = json.string(part, "text", pointer + "/text");
    if (text.isBlank()) {
      reply.opaque(order, ReplyOpaque.BLANK, raw);
      return;
    }
    reply.text(order, text);
    if (AnswerJson.hasMore(part, TEXT_MEMBERS) || AnswerJson.endsInLineBreak(text)) {
      reply.opaque(order, "text", raw);
    }
  }

  private void call(int order, JsonObject part, String raw, String pointer) {
    String id = json.name(part, "id", pointer + "/id");
    String name = json.name(part, "name", pointer + "/name");
    JsonValue input = part.members().getOrDefault("input", JsonNull.NULL);
    boolean sound = input instanceof JsonObject || input == JsonNull.NULL;
    if (!sound && cutByLimit) {
      reply.partial(order, "tool_use", raw);
      return;
    }
    reply.call(order, id, name, arguments(input, raw));
    if (sound && AnswerJson.hasMore(part, CALL_MEMBERS)) {
      reply.opaque(order, "tool_use", raw);
    }
  }

  /** The object as spelled; text in its place is what the model failed to write as JSON. */
  private static String arguments(JsonValue input, String raw) {
    if (input == JsonNull.NULL) {
      return "{}";
    }
    return input instanceof JsonString unfinished
        ? unfinished.value()
        : JsonText.member(raw, "input").orElse("{}");
  }
}
