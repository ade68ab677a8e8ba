package dev.contexture.provider.openai;

import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonNull;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonText;
import dev.contexture.json.JsonValue;
import dev.contexture.model.ReplyOpaque;
import dev.contexture.model.Stop;
import dev.contexture.provider.wire.answer.AnswerJson;
import dev.contexture.provider.wire.answer.ReplyBuilder;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Sorts the message of a chat completion into texts, calls and opaque parts. */
final class ChatParts {
  static final String REASONING = "reasoning_content";
  static final String CONTENT = "content";
  private static final String REFUSAL = "refusal";
  static final String CALLS = "tool_calls";
  private static final Set<String> IN_ORDER = Set.of("role", REASONING, CONTENT, REFUSAL, CALLS);
  private static final Set<String> CALL_MEMBERS = Set.of("id", "type", "function");
  private static final Set<String> FUNCTION_MEMBERS = Set.of("name", "arguments");
  private static final String FUNCTION = "function";

  private final AnswerJson json;
  private final ReplyBuilder reply;
  private final Stop stop;
  private int order;

  ChatParts(AnswerJson json, ReplyBuilder reply, Stop stop) {
    this.json = json;
    this.reply = reply;
    this.stop = stop;
  }

  /**
   * Adds all parts of a message.
   *
   * @param raw its JSON without white space outside strings
   * @param open the member in which the stream broke off
   */
  void add(String raw, @Nullable String open) {
    JsonObject message = json.object(raw);
    other(message, raw, REASONING, open);
    content(message, raw);
    refusal(message, raw, REFUSAL.equals(open));
    calls(message, raw, CALLS.equals(open));
    for (String key : message.keys()) {
      if (!IN_ORDER.contains(key)) {
        other(message, raw, key, open);
      }
    }
  }

  private void other(JsonObject message, String raw, String key, @Nullable String open) {
    if (AnswerJson.isEmpty(message.members().get(key))) {
      return;
    }
    String part = member(raw, key);
    if (key.equals(open)) {
      reply.partial(order++, key, part);
    } else {
      reply.opaque(order++, key, part);
    }
  }

  /** A refusal is a text; its own member is kept beside it. */
  private void refusal(JsonObject message, String raw, boolean open) {
    String text = message.string(REFUSAL).orElse("");
    if (text.isBlank()) {
      other(message, raw, REFUSAL, open ? REFUSAL : null);
      return;
    }
    reply.refusal(order, text);
    if (!open) {
      reply.opaque(order, REFUSAL, member(raw, REFUSAL));
    }
    order++;
  }

  private void content(JsonObject message, String raw) {
    JsonValue content = message.members().get(CONTENT);
    if (content == null || AnswerJson.isEmpty(content)) {
      return;
    }
    String part = member(raw, CONTENT);
    if (content instanceof JsonString string && string.value().isBlank()) {
      reply.opaque(order++, ReplyOpaque.BLANK, part);
    } else if (content instanceof JsonString string) {
      text(string.value(), part, AnswerJson.endsInLineBreak(string.value()));
    } else if (content instanceof JsonArray items && !textOf(items).isBlank()) {
      text(textOf(items), part, true);
    } else {
      reply.opaque(order++, CONTENT, part);
    }
  }

  private void text(String text, String part, boolean verbatim) {
    reply.text(order, text);
    if (verbatim) {
      reply.opaque(order, CONTENT, part);
    }
    order++;
  }

  /** Some servers that speak this format give content as typed parts. */
  private static String textOf(JsonArray items) {
    return items.items().stream()
        .map(item -> item instanceof JsonObject part ? part : JsonObject.EMPTY)
        .filter(part -> part.string("type").orElse("").equals("text"))
        .map(part -> part.string("text").orElse(""))
        .collect(Collectors.joining());
  }

  private void calls(JsonObject message, String raw, boolean lastIsOpen) {
    JsonValue calls = message.members().getOrDefault(CALLS, JsonNull.NULL);
    if (calls == JsonNull.NULL) {
      return;
    }
    JsonArray items = json.array(message, CALLS, "/choices/0/message/" + CALLS);
    List<String> raws = JsonText.items(JsonText.member(raw, CALLS).orElse("[]"));
    for (int i = 0; i < raws.size(); i++) {
      String pointer = "/choices/0/message/tool_calls/" + i;
      JsonObject call = json.asObject(items.items().get(i), pointer);
      String type = call.string("type").orElse(FUNCTION);
      if (lastIsOpen && i == raws.size() - 1) {
        reply.partial(order++, type, raws.get(i));
      } else if (type.equals(FUNCTION)) {
        call(call, raws.get(i), pointer);
      } else {
        reply.opaque(order++, type, raws.get(i));
      }
    }
  }

  private void call(JsonObject call, String raw, String pointer) {
    JsonObject function = json.object(call, FUNCTION, pointer + "/function");
    String id = json.string(call, "id", pointer + "/id");
    String name = json.name(function, "name", pointer + "/function/name");
    String arguments = arguments(function);
    boolean sound = JsonText.isObject(arguments);
    if (!sound && stop == Stop.MAX_TOKENS) {
      reply.partial(order++, FUNCTION, raw);
      return;
    }
    reply.call(order, id.isEmpty() ? null : id, name, arguments);
    if (!id.isEmpty() && !(sound && isPlain(call, function, arguments))) {
      reply.opaque(order, FUNCTION, raw);
    }
    order++;
  }

  private static String arguments(JsonObject function) {
    JsonValue arguments = function.members().getOrDefault("arguments", JsonNull.NULL);
    if (arguments == JsonNull.NULL) {
      return "";
    }
    return arguments instanceof JsonString string ? string.value() : arguments.toJson();
  }

  /** Whether the neutral call, whose arguments lose white space around them, says all of it. */
  private static boolean isPlain(JsonObject call, JsonObject function, String arguments) {
    return !AnswerJson.hasMore(call, CALL_MEMBERS)
        && !AnswerJson.hasMore(function, FUNCTION_MEMBERS)
        && function.members().get("arguments") instanceof JsonString
        && arguments.strip().length() == arguments.length();
  }

  private static String member(String raw, String key) {
    String value = JsonText.member(raw, key).orElse("null");
    return "{" + new JsonString(key).toJson() + ":" + value + "}";
  }
}
