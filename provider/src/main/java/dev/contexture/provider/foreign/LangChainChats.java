package dev.contexture.provider.foreign;

import dev.contexture.error.Choices;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonNull;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.provider.history.ForeignChat;
import dev.contexture.provider.history.ForeignMessage.Piece;
import dev.contexture.provider.history.ForeignMessage.Role;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads messages of LangChain for Python and JavaScript: {@code {"type","data"}}, plain
 * dictionaries, and constructors of {@code lc}.
 */
final class LangChainChats {
  static final List<String> TYPES =
      List.of("human", "ai", "system", "developer", "tool", "function", "chat");
  private static final Set<String> CALLS = Set.of("tool_use", "tool_call", "function_call");

  private LangChainChats() {}

  static ForeignChat read(JsonValue list, String place) {
    ChatDraft draft = new ChatDraft();
    List<JsonObject> messages = ChatUnit.objects(list, place);
    for (int i = 0; i < messages.size(); i++) {
      message(messages.get(i), place + "/" + i, draft);
    }
    return draft.chat();
  }

  /** The type of a message, without what only streams add to it; empty: it is none. */
  static String type(JsonObject message) {
    String type =
        message
            .array("id")
            .filter(id -> message.has("lc") && !id.isEmpty())
            .map(id -> id.items().getLast())
            .map(name -> JsonObject.of("n", name).string("n").orElse(""))
            .or(() -> message.string("type"))
            .orElse("");
    String name = type.replaceFirst("(Message)?(Chunk)?$", "");
    String known = name.toLowerCase(java.util.Locale.ROOT);
    return TYPES.contains(known) || known.equals("remove") ? known : "";
  }

  private static void message(JsonObject message, String place, ChatDraft draft) {
    String type = type(message);
    JsonObject data = message.object("data").or(() -> message.object("kwargs")).orElse(message);
    if (type.equals("chat")) {
      String role = data.string("role").orElse("");
      type = role.equals("assistant") ? "ai" : role.equals("user") ? "human" : role;
    }
    JsonObject more = data.object("additional_kwargs").orElse(JsonObject.EMPTY);
    JsonValue content = data.find("content").orElse(JsonNull.NULL);
    Instant at = time(data, more);
    switch (type) {
      case "human" -> {
        draft.begin(Role.USER, place, at, null);
        draft.add(ContentParts.of(content, draft.next(), place + "/content"));
      }
      case "system", "developer" -> {
        draft.begin(Role.INSTRUCTIONS, place, at, null);
        draft.add(ContentParts.of(content, draft.next(), place + "/content"));
      }
      case "ai" -> answer(data, more, content, place, at, draft);
      case "tool", "function" -> {
        draft.begin(Role.USER, place, at, null);
        boolean failed = data.string("status").orElse("").equals("error");
        List<Piece> given = ContentParts.given(content, place + "/content");
        draft.result(
            ChatUnit.text(data, "tool_call_id"), ChatUnit.text(data, "name"), failed, given);
      }
      case "remove" -> {}
      default ->
          throw ChatUnit.malformed(
              place + "/type", message.string("type").orElse("none"), Choices.inWords(TYPES));
    }
  }

  private static void answer(
      JsonObject data,
      JsonObject more,
      JsonValue content,
      String place,
      @Nullable Instant at,
      ChatDraft draft) {
    JsonObject response = data.object("response_metadata").orElse(JsonObject.EMPTY);
    draft.begin(Role.ASSISTANT, place, at, ChatUnit.text(response, "model_name", "model"));
    draft.thinking(ChatUnit.text(more, "reasoning_content"));
    List<JsonObject> calls = ChatUnit.objects(data, "tool_calls", place);
    draft.add(ContentParts.of(said(content), draft.next(), place + "/content"));
    for (JsonObject call : calls) {
      JsonValue args = call.find("args").orElse(JsonObject.EMPTY);
      draft.call(call.string("id").orElse(null), call.string("name").orElse(""), args.toJson());
    }
    if (calls.isEmpty()) {
      for (JsonObject call : ChatUnit.objects(more, "tool_calls", place)) {
        JsonObject function = call.object("function").orElse(JsonObject.EMPTY);
        draft.call(
            call.string("id").orElse(null),
            function.string("name").orElse(""),
            function.string("arguments").orElse("{}"));
      }
    }
    more.object("function_call")
        .ifPresent(
            call ->
                draft.call(
                    null, call.string("name").orElse(""), call.string("arguments").orElse("{}")));
  }

  /** The content without the calls in it: these are beside it, too. */
  private static JsonValue said(JsonValue content) {
    return content instanceof JsonArray array
        ? new JsonArray(
            array.items().stream()
                .filter(
                    item ->
                        !(item instanceof JsonObject part
                            && CALLS.contains(part.string("type").orElse(""))))
                .toList())
        : content;
  }

  private static @Nullable Instant time(JsonObject data, JsonObject more) {
    Instant own = ChatUnit.time(data, "created_at", "timestamp");
    return own == null ? ChatUnit.time(more, "created_at", "timestamp", "time") : own;
  }
}
