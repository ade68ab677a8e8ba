package dev.contexture.provider.openai;

import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonText;
import dev.contexture.json.JsonValue;
import dev.contexture.model.ReplyOpaque;
import dev.contexture.provider.wire.answer.AnswerJson;
import dev.contexture.provider.wire.answer.ReplyBuilder;
import java.util.List;

/**
 * Sorts the items of a response into texts, calls and opaque parts. Every item is also kept as it
 * came: it goes back whole, ids and all.
 */
final class ResponsesParts {
  static final String MESSAGE = "message";
  static final String CALL = "function_call";
  private static final String OUTPUT_TEXT = "output_text";
  private static final String REFUSAL = "refusal";

  private final AnswerJson json;
  private final ReplyBuilder reply;
  private final boolean cutByLimit;

  ResponsesParts(AnswerJson json, ReplyBuilder reply, boolean cutByLimit) {
    this.json = json;
    this.reply = reply;
    this.cutByLimit = cutByLimit;
  }

  /** Adds an item that is whole; its JSON is without white space outside strings. */
  void add(int order, String raw) {
    String pointer = "/output/" + order;
    JsonObject item = json.object(raw);
    String type = json.name(item, "type", pointer + "/type");
    switch (type) {
      case MESSAGE -> message(order, item, raw, pointer);
      case CALL -> call(order, item, raw, pointer);
      default -> reply.opaque(order, type, raw);
    }
  }

  /** Adds an item in which a stream broke off: what was said counts, nothing else does. */
  void addOpen(int order, JsonObject item) {
    String type = item.string("type").orElse("item");
    String text = type.equals(MESSAGE) ? textOf(content(item)) : "";
    if (text.isBlank()) {
      reply.partial(order, type, item.toJson());
    } else {
      reply.text(order, text);
    }
  }

  private void message(int order, JsonObject item, String raw, String pointer) {
    JsonArray content = json.array(item, "content", pointer + "/content");
    String text = textOf(content.items());
    boolean textsAlone = content.items().stream().allMatch(part -> isType(part, OUTPUT_TEXT));
    boolean declines = content.items().stream().allMatch(part -> isType(part, REFUSAL));
    if (!text.isBlank() && declines) {
      reply.refusal(order, text);
      reply.opaque(order, MESSAGE, raw);
    } else if (!text.isBlank()) {
      reply.text(order, text);
      reply.opaque(order, MESSAGE, raw);
    } else {
      reply.opaque(order, textsAlone ? ReplyOpaque.BLANK : MESSAGE, raw);
    }
  }

  private static List<JsonValue> content(JsonObject item) {
    return item.array("content").map(JsonArray::items).orElse(List.of());
  }

  private static String textOf(List<JsonValue> content) {
    StringBuilder text = new StringBuilder();
    for (JsonValue part : content) {
      if (isType(part, OUTPUT_TEXT)) {
        text.append(((JsonObject) part).string("text").orElse(""));
      } else if (isType(part, REFUSAL)) {
        text.append(((JsonObject) part).string(REFUSAL).orElse(""));
      }
    }
    return text.toString();
  }

  private static boolean isType(JsonValue part, String type) {
    return part instanceof JsonObject object && object.string("type").orElse("").equals(type);
  }

  private void call(int order, JsonObject item, String raw, String pointer) {
    String id = json.name(item, "call_id", pointer + "/call_id");
    String name = json.name(item, "name", pointer + "/name");
    String arguments =
        item.members().get("arguments") instanceof JsonString text ? text.value() : "";
    if (cutByLimit && !JsonText.isObject(arguments)) {
      reply.partial(order, CALL, raw);
      return;
    }
    reply.call(order, id, name, arguments);
    reply.opaque(order, CALL, raw);
  }
}
