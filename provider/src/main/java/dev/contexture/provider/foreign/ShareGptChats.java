package dev.contexture.provider.foreign;

import dev.contexture.json.JsonNull;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.provider.history.ForeignChat;
import dev.contexture.provider.history.ForeignMessage.Role;
import dev.contexture.provider.history.ForeignMessage.Text;
import java.util.List;

/** Reads chats of ShareGPT, which is a form of training data, too. */
final class ShareGptChats {
  private ShareGptChats() {}

  static ForeignChat read(ChatUnit unit) {
    JsonObject chat =
        unit.value() instanceof JsonObject object
            ? object
            : JsonObject.of("conversations", unit.value());
    ChatDraft draft = new ChatDraft();
    List<JsonObject> messages = ChatUnit.objects(chat, "conversations", unit.place());
    for (int i = 0; i < messages.size(); i++) {
      message(messages.get(i), unit.place() + "/conversations/" + i, draft);
    }
    String system = ChatUnit.text(chat, "system");
    return draft
        .chat()
        .id(ChatUnit.text(chat, "id"))
        .told(system == null ? List.of() : List.of(system));
  }

  private static void message(JsonObject message, String place, ChatDraft draft) {
    String value = message.string("value").orElse(null);
    switch (message.string("from").orElse("")) {
      case "human", "user" -> {
        draft.begin(Role.USER, place, null, null);
        draft.text(value);
      }
      case "gpt", "assistant", "chatgpt", "bing", "bard", "model" -> {
        draft.begin(Role.ASSISTANT, place, null, null);
        draft.text(value);
      }
      case "system" -> {
        draft.begin(Role.INSTRUCTIONS, place, null, null);
        draft.text(value);
      }
      case "function_call" -> {
        draft.begin(Role.ASSISTANT, place, null, null);
        called(value == null ? "" : value, draft);
      }
      case "observation", "tool" -> {
        draft.begin(Role.USER, place, null, null);
        draft.result(null, null, false, List.of(new Text(0, value == null ? "" : value)));
      }
      default ->
          throw ChatUnit.malformed(
              place + "/from",
              message.string("from").orElse("none"),
              "human, gpt, system, function_call or observation");
    }
  }

  private static void called(String value, ChatDraft draft) {
    JsonObject call =
        dev.contexture.json.JsonText.isObject(value)
            ? (JsonObject) JsonValue.parse(value)
            : JsonObject.EMPTY;
    JsonValue arguments = call.find("arguments").orElse(JsonNull.NULL);
    draft.call(
        null,
        call.string("name").orElse("function"),
        arguments == JsonNull.NULL ? value : arguments.toJson());
  }
}
