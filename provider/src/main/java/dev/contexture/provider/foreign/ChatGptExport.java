package dev.contexture.provider.foreign;

import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonNull;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonText;
import dev.contexture.json.JsonValue;
import dev.contexture.provider.history.ForeignChat;
import dev.contexture.provider.history.ForeignMessage.Media;
import dev.contexture.provider.history.ForeignMessage.Piece;
import dev.contexture.provider.history.ForeignMessage.Role;
import dev.contexture.provider.history.ForeignMessage.Text;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads a conversation of a ChatGPT export: a tree of messages, of which the branch that ends at
 * {@code current_node} is the conversation. Tools have no call ids there: what a tool says answers
 * the oldest call to it that has no answer.
 */
final class ChatGptExport {
  private static final String ALL = "all"; // the recipient of what is for the user

  private final ChatDraft draft = new ChatDraft();

  private ChatGptExport() {}

  static ForeignChat read(ChatUnit unit) {
    JsonObject chat = unit.object();
    ChatGptExport export = new ChatGptExport();
    for (String node : branch(chat, unit.place())) {
      JsonObject at = chat.object("mapping").flatMap(all -> all.object(node)).orElseThrow();
      at.object("message")
          .ifPresent(message -> export.message(message, unit.place() + "/mapping/" + node));
    }
    return export
        .draft
        .chat()
        .id(ChatUnit.text(chat, "conversation_id", "id"))
        .title(ChatUnit.text(chat, "title"))
        .model(ChatUnit.text(chat, "default_model_slug"))
        .at(ChatUnit.time(chat, "create_time"));
  }

  /** The nodes from the root to the newest message of the current branch. */
  private static List<String> branch(JsonObject chat, String place) {
    JsonObject nodes = chat.object("mapping").orElse(JsonObject.EMPTY);
    String at = ChatUnit.text(chat, "current_node");
    at = at == null ? newestLeaf(nodes) : at;
    Deque<String> branch = new ArrayDeque<>();
    Set<String> passed = new HashSet<>();
    while (at != null && passed.add(at)) {
      JsonObject node = nodes.object(at).orElse(null);
      if (node == null) {
        throw ChatUnit.malformed(place + "/mapping", "without " + at, "all messages of the branch");
      }
      branch.addFirst(at);
      at = ChatUnit.text(node, "parent");
    }
    return List.copyOf(branch);
  }

  private static @Nullable String newestLeaf(JsonObject nodes) {
    String leaf = null;
    for (String id : nodes.keys()) {
      boolean last =
          nodes.object(id).flatMap(node -> node.array("children")).orElse(JsonArray.of()).isEmpty();
      leaf = last ? id : leaf;
    }
    return leaf;
  }

  private void message(JsonObject message, String place) {
    JsonObject author = message.object("author").orElse(JsonObject.EMPTY);
    JsonObject meta = message.object("metadata").orElse(JsonObject.EMPTY);
    JsonObject content = message.object("content").orElse(JsonObject.EMPTY);
    Instant at = ChatUnit.time(message, "create_time");
    String to = message.string("recipient").orElse(ALL);
    switch (author.string("role").orElse("")) {
      case "user" -> {
        draft.begin(isContext(content) ? Role.INSTRUCTIONS : Role.USER, place, at, null);
        draft.add(pieces(content, draft.next(), place));
      }
      case "system" -> {
        draft.begin(Role.INSTRUCTIONS, place, at, null);
        draft.add(pieces(content, draft.next(), place));
      }
      case "assistant" -> {
        draft.begin(Role.ASSISTANT, place, at, ChatUnit.text(meta, "model_slug"));
        said(content, to, place);
      }
      case "tool" -> {
        draft.begin(Role.USER, place, at, null);
        String tool = ChatUnit.text(author, "name");
        draft.result(null, tool, isError(content), pieces(content, 0, place));
      }
      default ->
          throw ChatUnit.malformed(
              place + "/author/role",
              author.string("role").orElse("none"),
              "user, assistant, tool or system");
    }
  }

  /** What users tell about themselves once and for all. */
  private static boolean isContext(JsonObject content) {
    return content.string("content_type").orElse("").endsWith("_editable_context");
  }

  private static boolean isError(JsonObject content) {
    return content.string("content_type").orElse("").equals("system_error");
  }

  private void said(JsonObject content, String to, String place) {
    String type = content.string("content_type").orElse("");
    if (type.equals("thoughts") || type.equals("reasoning_recap")) {
      draft.opaque(type, content);
      return;
    }
    List<Piece> pieces = pieces(content, draft.next(), place);
    if (to.equals(ALL)) {
      draft.add(pieces);
      return;
    }
    StringBuilder text = new StringBuilder();
    for (Piece piece : pieces) {
      if (piece instanceof Text part) {
        text.append(part.text());
      }
    }
    draft.call(null, to, arguments(text.toString()));
  }

  /** What is sent to a tool is often a program, no JSON. */
  private static String arguments(String text) {
    return JsonText.isObject(text) ? text : JsonObject.of("input", JsonValue.of(text)).toJson();
  }

  private static List<Piece> pieces(JsonObject content, int from, String place) {
    List<Piece> pieces = new ArrayList<>();
    List<JsonValue> parts =
        content
            .array("parts")
            .map(JsonArray::items)
            .orElseGet(() -> List.of(content.find("text").orElse(whole(content))));
    for (JsonValue part : parts) {
      int at = from + pieces.size();
      switch (part) {
        case JsonString text -> pieces.add(new Text(at, text.value()));
        case JsonObject object -> pieces.add(object(object, at));
        case JsonNull _unused -> {}
        default -> throw ChatUnit.malformed(place + "/content", part.kind(), "texts and objects");
      }
    }
    return pieces;
  }

  private static JsonValue whole(JsonObject content) {
    String said = ChatUnit.text(content, "result", "content", "user_instructions", "user_profile");
    if (content.string("content_type").orElse("").endsWith("_editable_context")) {
      String profile = ChatUnit.text(content, "user_profile");
      String told = ChatUnit.text(content, "user_instructions", "model_set_context");
      return JsonValue.of((profile == null ? "" : profile + "\n\n") + (told == null ? "" : told));
    }
    if (said != null) {
      return JsonValue.of(said);
    }
    boolean tells =
        content.without("content_type").members().values().stream().anyMatch(ChatGptExport::tells);
    return tells ? JsonValue.of(content.toJson()) : JsonNull.NULL;
  }

  /** Whether a content of a kind that is not known has anything in it. */
  private static boolean tells(JsonValue value) {
    return switch (value) {
      case JsonString text -> !text.value().isBlank();
      case JsonObject object -> object.members().values().stream().anyMatch(ChatGptExport::tells);
      case JsonArray array -> array.items().stream().anyMatch(ChatGptExport::tells);
      default -> false;
    };
  }

  /** A picture or a sound is a name in another file of the export. */
  private static Piece object(JsonObject part, int at) {
    String asset = ChatUnit.text(part, "asset_pointer");
    if (asset == null) {
      return new Text(at, part.string("text").orElse(part.toJson()));
    }
    boolean sound = part.string("content_type").orElse("").startsWith("audio");
    return new Media(at, sound ? "audio/*" : "image/*", null, asset, null);
  }
}
