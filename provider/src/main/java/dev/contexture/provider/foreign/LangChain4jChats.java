package dev.contexture.provider.foreign;

import dev.contexture.error.Choices;
import dev.contexture.json.JsonNull;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.provider.history.ForeignChat;
import dev.contexture.provider.history.ForeignMessage.Role;
import dev.contexture.provider.history.ForeignMessage.Text;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads messages of LangChain4j, as its {@code ChatMessageSerializer} writes them. */
final class LangChain4jChats {
  static final List<String> TYPES =
      List.of("SYSTEM", "USER", "AI", "TOOL_EXECUTION_RESULT", "CUSTOM");

  private LangChain4jChats() {}

  static ForeignChat read(JsonValue list, String place) {
    ChatDraft draft = new ChatDraft();
    List<JsonObject> messages = ChatUnit.objects(list, place);
    for (int i = 0; i < messages.size(); i++) {
      message(messages.get(i), place + "/" + i, draft);
    }
    return draft.chat();
  }

  private static void message(JsonObject message, String place, ChatDraft draft) {
    JsonObject attributes = message.object("attributes").orElse(JsonObject.EMPTY);
    Instant at = ChatUnit.time(attributes, "timestamp", "created_at", "createdAt");
    switch (message.string("type").orElse("")) {
      case "SYSTEM" -> {
        draft.begin(Role.INSTRUCTIONS, place, at, null);
        draft.text(message.string("text").orElse(null));
      }
      case "USER" -> {
        draft.begin(Role.USER, place, at, null);
        draft.text(message.string("text").orElse(null)); // before version 0.30
        draft.add(
            ContentParts.of(
                message.find("contents").orElse(JsonNull.NULL), draft.next(), place + "/contents"));
      }
      case "AI" -> answer(message, place, at, draft);
      case "TOOL_EXECUTION_RESULT" -> {
        draft.begin(Role.USER, place, at, null);
        String text = message.string("text").orElse("");
        draft.result(
            ChatUnit.text(message, "id"),
            ChatUnit.text(message, "toolName"),
            message.isTrue("isError"),
            text.isEmpty()
                ? ContentParts.given(message.find("contents").orElse(JsonNull.NULL), place)
                : List.of(new Text(0, text)));
      }
      case "CUSTOM" -> {
        draft.begin(Role.USER, place, at, null);
        draft.opaque("custom", message);
      }
      default ->
          throw ChatUnit.malformed(
              place + "/type", message.string("type").orElse("none"), Choices.inWords(TYPES));
    }
  }

  private static void answer(
      JsonObject message, String place, @Nullable Instant at, ChatDraft draft) {
    draft.begin(Role.ASSISTANT, place, at, null);
    draft.thinking(ChatUnit.text(message, "thinking"));
    draft.text(message.string("text").orElse(null));
    for (JsonObject call : ChatUnit.objects(message, "toolExecutionRequests", place)) {
      draft.call(
          call.string("id").orElse(null),
          call.string("name").orElse(""),
          call.string("arguments").orElse("{}"));
    }
  }
}
