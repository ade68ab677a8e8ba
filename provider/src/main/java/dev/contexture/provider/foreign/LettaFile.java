package dev.contexture.provider.foreign;

import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonNull;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonText;
import dev.contexture.json.JsonValue;
import dev.contexture.memory.permission.MemoryPermission;
import dev.contexture.memory.schema.TextSchema;
import dev.contexture.provider.history.ForeignChat;
import dev.contexture.provider.history.ForeignMessage.Role;
import dev.contexture.request.history.ImportedFile.ImportedMemory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads an agent file of Letta, of either generation: agents with messages, and memory blocks as
 * text. Tools, sources and settings of models stay behind.
 */
final class LettaFile {
  private static final Set<String> THOUGHTS =
      Set.of("reasoning", "redacted_reasoning", "omitted_reasoning", "summarized_reasoning");

  private final ChatDraft draft = new ChatDraft();

  private LettaFile() {}

  /** The conversation of each agent. */
  static List<ForeignChat> chats(ChatUnit unit) {
    JsonObject file = unit.object();
    List<ForeignChat> chats = new ArrayList<>();
    if (!file.has("agents")) {
      chats.add(chat(file, unit.place()));
      return chats;
    }
    List<JsonObject> agents = ChatUnit.objects(file, "agents", unit.place());
    for (int i = 0; i < agents.size(); i++) {
      chats.add(chat(agents.get(i), unit.place() + "/agents/" + i));
    }
    return chats;
  }

  /** The blocks of each agent. */
  static List<ImportedMemory> memory(ChatUnit unit) {
    JsonObject file = unit.object();
    List<ImportedMemory> memory = new ArrayList<>();
    if (!file.has("agents")) {
      String agent = SafeNames.id(file.string("name").orElse(""));
      ChatUnit.objects(file, "core_memory", unit.place())
          .forEach(block -> memory.add(block(agent, block)));
      return memory;
    }
    Map<String, JsonObject> blocks = new HashMap<>();
    ChatUnit.objects(file, "blocks", unit.place())
        .forEach(block -> blocks.put(block.string("id").orElse(""), block));
    for (JsonObject agent : ChatUnit.objects(file, "agents", unit.place())) {
      String name = SafeNames.id(agent.string("name").orElse(""));
      ids(agent).stream()
          .flatMap(id -> Optional.ofNullable(blocks.get(id)).stream())
          .forEach(block -> memory.add(block(name, block)));
      ChatUnit.objects(agent, "memory_blocks", unit.place())
          .forEach(block -> memory.add(block(name, block)));
    }
    return memory;
  }

  private static List<String> ids(JsonObject agent) {
    List<String> ids = new ArrayList<>();
    for (JsonValue id : agent.array("block_ids").map(JsonArray::items).orElse(List.of())) {
      if (id instanceof JsonString text) {
        ids.add(text.value());
      }
    }
    return ids;
  }

  private static ImportedMemory block(String agent, JsonObject block) {
    return new ImportedMemory(
        ForeignFormat.LETTA,
        agent.isEmpty() ? null : agent,
        SafeNames.label(block.string("label").orElse("block")),
        block.string("description").orElse(""),
        MemoryPermission.READ_WRITE,
        0,
        TextSchema.PLAIN,
        JsonValue.of(block.string("value").orElse("")));
  }

  private static ForeignChat chat(JsonObject agent, String place) {
    LettaFile file = new LettaFile();
    List<JsonObject> messages = ChatUnit.objects(agent, "messages", place);
    for (int i = 0; i < messages.size(); i++) {
      file.message(messages.get(i), place + "/messages/" + i);
    }
    String name = agent.string("name").orElse("");
    String system = ChatUnit.text(agent, "system");
    JsonObject model = agent.object("llm_config").orElse(JsonObject.EMPTY);
    return file.draft
        .chat()
        .id(name.isEmpty() ? null : name)
        .agent(name.isEmpty() ? null : SafeNames.id(name))
        .model(ChatUnit.text(model, "model"))
        .at(ChatUnit.time(agent, "created_at"))
        .told(system == null ? List.of() : List.of(system));
  }

  private void message(JsonObject message, String place) {
    String role = message.string("role").orElse("");
    Role known =
        switch (role) {
          case "user", "tool", "approval" -> Role.USER;
          case "assistant" -> Role.ASSISTANT;
          case "system" -> Role.INSTRUCTIONS;
          default ->
              throw ChatUnit.malformed(
                  place + "/role",
                  role.isEmpty() ? "none" : role,
                  "user, assistant, tool, approval or system");
        };
    if (known == Role.INSTRUCTIONS) {
      return; // a rendering of the instructions, which the agent has, and of the blocks
    }
    String model = known == Role.ASSISTANT ? ChatUnit.text(message, "model") : null;
    draft.begin(known, place, ChatUnit.time(message, "created_at"), model);
    if (role.equals("tool")) {
      results(message, place);
      return;
    }
    content(message.find("content").orElse(JsonNull.NULL), known, place + "/content");
    for (JsonObject call : ChatUnit.objects(message, "tool_calls", place)) {
      JsonObject function = call.object("function").orElse(JsonObject.EMPTY);
      draft.call(
          call.string("id").orElse(null),
          function.string("name").orElse(""),
          function.string("arguments").orElse("{}"));
    }
  }

  private void results(JsonObject message, String place) {
    List<JsonObject> returns = ChatUnit.objects(message, "tool_returns", place);
    String one = ChatUnit.text(message, "tool_call_id");
    if (one != null || returns.isEmpty()) {
      boolean failed =
          !returns.isEmpty() && returns.getFirst().string("status").orElse("").equals("error");
      JsonValue content = message.find("content").orElse(JsonNull.NULL);
      draft.result(one, ChatUnit.text(message, "name"), failed, ContentParts.given(content, place));
      return;
    }
    for (JsonObject each : returns) {
      JsonValue content =
          each.find("func_response").or(() -> each.find("tool_return")).orElse(JsonNull.NULL);
      draft.result(
          ChatUnit.text(each, "tool_call_id"),
          null,
          each.string("status").orElse("").equals("error"),
          ContentParts.given(content, place));
    }
  }

  private void content(JsonValue content, Role role, String place) {
    List<JsonValue> parts = content instanceof JsonArray array ? array.items() : List.of(content);
    for (JsonValue part : parts) {
      String type = part instanceof JsonObject object ? object.string("type").orElse("") : "";
      if (THOUGHTS.contains(type)) {
        draft.opaque(type, part);
      } else if (role == Role.USER) {
        draft.text(said(text(part)));
      } else if (text(part) != null) {
        draft.text(text(part));
      } else {
        draft.add(ContentParts.of(new JsonArray(List.of(part)), draft.next(), place));
      }
    }
  }

  private static @Nullable String text(JsonValue part) {
    return switch (part) {
      case JsonString text -> text.value();
      case JsonObject object -> object.string("text").orElse(null);
      default -> null;
    };
  }

  /** What the user said, without the envelope that the program puts around it. */
  private static @Nullable String said(@Nullable String text) {
    if (text != null
        && JsonText.isObject(text)
        && JsonValue.parse(text) instanceof JsonObject envelope
        && envelope.string("type").orElse("").equals("user_message")) {
      return envelope.string("message").orElse(text);
    }
    return text;
  }
}
