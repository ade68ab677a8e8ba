package dev.contexture.provider.foreign;

import dev.contexture.json.JsonNull;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.provider.history.ForeignChat;
import dev.contexture.provider.history.ForeignMessage.Media;
import dev.contexture.provider.history.ForeignMessage.Role;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads a conversation of a Claude.ai export. Messages that name their parent are a tree, of which
 * the branch that ends at the current, or the last, message is the conversation.
 */
final class ClaudeExport {
  private final ChatDraft draft = new ChatDraft();

  private ClaudeExport() {}

  static ForeignChat read(ChatUnit unit) {
    JsonObject chat = unit.object();
    List<JsonObject> all = ChatUnit.objects(chat, "chat_messages", unit.place());
    ClaudeExport export = new ClaudeExport();
    Set<String> branch = branch(all, ChatUnit.text(chat, "current_leaf_message_uuid"));
    for (int i = 0; i < all.size(); i++) {
      if (branch.isEmpty() || branch.contains(all.get(i).string("uuid").orElse(""))) {
        export.message(all.get(i), unit.place() + "/chat_messages/" + i);
      }
    }
    return export
        .draft
        .chat()
        .id(ChatUnit.text(chat, "uuid"))
        .title(ChatUnit.text(chat, "name", "title"))
        .model(ChatUnit.text(chat, "model"))
        .at(ChatUnit.time(chat, "created_at"));
  }

  /** The messages of the current branch; empty: the export knows no branches. */
  private static Set<String> branch(List<JsonObject> all, @Nullable String leaf) {
    Map<String, JsonObject> byId = new HashMap<>();
    all.forEach(message -> byId.put(message.string("uuid").orElse(""), message));
    boolean linked =
        all.stream()
            .skip(1)
            .allMatch(
                message ->
                    byId.containsKey(message.string("parent_message_uuid").orElse("no parent")));
    if (!linked || all.size() < 2) {
      return Set.of();
    }
    Deque<String> next = new ArrayDeque<>();
    next.add(leaf == null ? all.getLast().string("uuid").orElse("") : leaf);
    Set<String> branch = new HashSet<>();
    while (!next.isEmpty()) {
      String id = next.pop();
      if (byId.containsKey(id) && branch.add(id)) {
        byId.get(id).string("parent_message_uuid").ifPresent(next::add);
      }
    }
    return branch;
  }

  private void message(JsonObject message, String place) {
    Role role =
        switch (message.string("sender").orElse("")) {
          case "human", "user" -> Role.USER;
          case "assistant" -> Role.ASSISTANT;
          case "system" -> Role.INSTRUCTIONS;
          default ->
              throw ChatUnit.malformed(
                  place + "/sender", message.string("sender").orElse("none"), "human or assistant");
        };
    draft.begin(role, place, ChatUnit.time(message, "created_at"), null);
    List<JsonObject> content = ChatUnit.objects(message, "content", place);
    for (int i = 0; i < content.size(); i++) {
      part(content.get(i), place + "/content/" + i);
    }
    if (content.isEmpty()) {
      draft.text(message.string("text").orElse(null));
    }
    for (JsonObject attached : ChatUnit.objects(message, "attachments", place)) {
      draft.text(attached(attached));
    }
    for (JsonObject file : ChatUnit.objects(message, "files", place)) {
      String name = ChatUnit.text(file, "file_name", "file_uuid");
      if (name != null) {
        draft.add(List.of(new Media(draft.next(), mime(file), null, null, name)));
      }
    }
  }

  /** The text of a file that the user attached, under its name. */
  private static @Nullable String attached(JsonObject file) {
    String text = ChatUnit.text(file, "extracted_content");
    String name = file.string("file_name").orElse("");
    return text == null ? null : "[" + (name.isEmpty() ? "attachment" : name) + "]\n" + text;
  }

  private static String mime(JsonObject file) {
    return file.string("file_kind").orElse("").equals("image")
        ? "image/*"
        : file.string("file_type")
            .filter(type -> type.contains("/"))
            .orElse("application/octet-stream");
  }

  private void part(JsonObject part, String place) {
    switch (part.string("type").orElse("")) {
      case "tool_use" -> {
        JsonValue input = part.find("input").orElse(JsonObject.EMPTY);
        draft.call(part.string("id").orElse(null), part.string("name").orElse(""), input.toJson());
      }
      case "tool_result" -> {
        JsonValue content = part.find("content").orElse(JsonNull.NULL);
        draft.result(
            part.string("tool_use_id").orElse(null),
            ChatUnit.text(part, "name"),
            part.isTrue("is_error"),
            ContentParts.given(content, place + "/content"));
      }
      case "thinking" -> draft.opaque("thinking", part);
      case "text" -> draft.text(part.string("text").orElse(null));
      case "token_budget", "flag" -> {}
      default -> draft.opaque(part.string("type").orElse("part"), part);
    }
  }
}
