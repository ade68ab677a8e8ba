package dev.contexture.cli;

import dev.contexture.cli.support.JsonFile;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonText;
import dev.contexture.json.JsonValue;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A chat from a file.
 *
 * @param place where it was, for messages
 * @param conversation what it becomes
 * @param format {@code openai} or {@code anthropic}
 * @param messages the list, spelled as it was
 * @param system what stands beside it, spelled as it was; null: nothing
 */
record Chat(
    String place, String conversation, String format, String messages, @Nullable String system) {
  private static final String AUTO = "auto";
  private static final String OPENAI = "openai";
  private static final String ANTHROPIC = "anthropic";
  private static final String LINES = ".jsonl";
  private static final Set<String> OPENAI_ROLES = Set.of("system", "developer", "tool", "function");
  private static final Set<String> OPENAI_FIELDS = Set.of("tool_calls", "function_call");
  private static final Set<String> OPENAI_PARTS =
      Set.of("image_url", "input_text", "output_text", "input_audio", "refusal", "file");
  private static final Set<String> ANTHROPIC_PARTS =
      Set.of("tool_use", "tool_result", "thinking", "redacted_thinking", "image", "document");

  /**
   * Reads a file.
   *
   * @param wanted a format, or {@code auto}
   * @throws ContextureException {@code not_found}, {@code malformed_json}, {@code import_malformed}
   *     or {@code invalid_argument}, with the place
   */
  static List<Chat> read(Path file, String wanted) {
    if (!Set.of(AUTO, OPENAI, ANTHROPIC).contains(wanted)) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_ARGUMENT, "--format", wanted, "auto, openai or anthropic");
    }
    String name = String.valueOf(file.getFileName());
    if (!name.endsWith(LINES)) {
      String id = id(name.endsWith(".json") ? name.substring(0, name.length() - 5) : name);
      return List.of(of(file.toString(), id, JsonFile.text(file), wanted));
    }
    String base = id(name.substring(0, name.length() - LINES.length()));
    List<Chat> chats = new ArrayList<>();
    int number = 0;
    for (String line : JsonFile.lines(file)) {
      number++;
      if (!line.isBlank()) {
        chats.add(of(file + " line " + number, base + "-" + number, line, wanted));
      }
    }
    return chats;
  }

  /** A file's name as an id of a conversation. */
  private static String id(String name) {
    return name.replaceAll("[^A-Za-z0-9._-]", "-");
  }

  private static Chat of(String place, String id, String text, String wanted) {
    try {
      JsonValue value = JsonValue.parse(text);
      String messages = text.strip();
      String system = null;
      JsonValue list = value;
      if (value instanceof JsonObject body) {
        Map<String, String> members = JsonText.members(text);
        messages = members.getOrDefault("messages", "null");
        system = members.get("system");
        list = body.find("messages").orElse(body);
      }
      if (!(list instanceof JsonArray array)) {
        throw ContextureException.invalid(
            ErrorCode.IMPORT_MALFORMED,
            "messages",
            value.kind(),
            "a list of messages, or an object that holds one as \"messages\"");
      }
      String format = wanted.equals(AUTO) ? detected(array, system != null) : wanted;
      return new Chat(place, id, format, messages, system);
    } catch (ContextureException refused) {
      throw refused.within(place);
    }
  }

  /** Tells the formats apart by what only one of them has; a plain chat is equal in both. */
  private static String detected(JsonArray messages, boolean hasSystem) {
    boolean openai = false;
    boolean anthropic = hasSystem;
    for (JsonValue item : messages.items()) {
      if (!(item instanceof JsonObject message)) {
        continue;
      }
      openai |= message.string("role").filter(OPENAI_ROLES::contains).isPresent();
      openai |= message.keys().stream().anyMatch(OPENAI_FIELDS::contains);
      for (JsonObject part : Printer.objects(message, "content")) {
        String type = part.string("type").orElse("");
        openai |= OPENAI_PARTS.contains(type);
        anthropic |= ANTHROPIC_PARTS.contains(type);
      }
    }
    if (openai && anthropic) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_ARGUMENT,
          "--format",
          "auto, for a chat with signs of both formats",
          "openai or anthropic");
    }
    return anthropic ? ANTHROPIC : OPENAI;
  }

  Chat named(String id) {
    return new Chat(place, id, format, messages, system);
  }

  /** What the route for imports takes. */
  String body(@Nullable String model) {
    StringBuilder body = new StringBuilder("{\"format\":" + JsonValue.of(format).toJson());
    if (model != null) {
      body.append(",\"model\":").append(JsonValue.of(model).toJson());
    }
    if (system != null && format.equals(ANTHROPIC)) {
      body.append(",\"system\":").append(system);
    }
    return body.append(",\"messages\":").append(messages).append('}').toString();
  }
}
