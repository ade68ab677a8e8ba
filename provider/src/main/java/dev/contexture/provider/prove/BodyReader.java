package dev.contexture.provider.prove;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonNull;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonText;
import dev.contexture.json.JsonValue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Takes bodies apart. Messages that it saw in the body before are not read again: bodies of one
 * conversation share most of them. Confined to one thread.
 */
abstract class BodyReader {
  private final Format format;
  private Map<String, Entry> before = Map.of(); // by the text of a message, pointers relative
  private Map<String, Entry> seen = new HashMap<>();

  BodyReader(Format format) {
    this.format = format;
  }

  static BodyReader of(Format format) {
    return switch (format) {
      case ANTHROPIC -> new AnthropicBodies();
      case CHAT -> new ChatBodies();
      case RESPONSES -> new ResponsesBodies();
      case GEMINI -> new GeminiBodies();
    };
  }

  /** One message; pointers are relative to it. */
  abstract Entry entry(JsonObject message, String raw, String pointer);

  /** The definitions of tools. */
  abstract List<Item> tools(JsonObject settings);

  /** The parts before all messages, where they are not messages themselves. */
  abstract List<Item> system(JsonObject settings);

  /** Puts messages together where the format has them in pieces. */
  List<Entry> joined(List<Entry> entries) {
    return entries;
  }

  /**
   * @throws ContextureException {@code invalid_params} if it is no body of the format
   */
  final View read(String body) {
    Map<String, String> members = new LinkedHashMap<>(JsonText.members(body));
    String messages = members.remove(format.messages());
    JsonObject.Builder settings = JsonObject.builder();
    members.forEach((key, value) -> settings.put(key, JsonValue.parse(value)));
    seen = new HashMap<>();
    List<Entry> entries = new ArrayList<>();
    if (messages != null && messages.startsWith("[")) {
      for (String raw : JsonText.items(messages)) {
        entries.add(known(raw, "/" + format.messages() + "/" + entries.size()));
      }
    } else if (messages != null && JsonValue.parse(messages) instanceof JsonString text) {
      Item said = text("text", "", text.value());
      entries.add(new Entry(Entry.Role.USER, "/" + format.messages(), List.of(said), false));
    }
    before = seen;
    JsonObject rest = settings.build();
    return new View(format, tools(rest), system(rest), joined(entries), rest);
  }

  private Entry known(String raw, String pointer) {
    Entry entry = before.get(raw);
    if (entry == null) {
      JsonValue value = JsonValue.parse(raw);
      entry = entry(object(value, pointer), raw, pointer);
    }
    seen.put(raw, entry);
    return entry.at(pointer);
  }

  static JsonObject object(JsonValue value, String pointer) {
    if (value instanceof JsonObject object) {
      return object;
    }
    throw malformed(pointer, value.kind(), "an object");
  }

  static ContextureException malformed(String pointer, String found, String expected) {
    return ContextureException.invalid(
        ErrorCode.INVALID_PARAMS, "request" + pointer, found, expected);
  }

  static Entry.Role role(JsonObject message, String pointer) {
    String role = message.string("role").orElse("");
    return switch (role) {
      case "user" -> Entry.Role.USER;
      case "assistant", "model" -> Entry.Role.ASSISTANT;
      case "system", "developer" -> Entry.Role.SYSTEM;
      case "tool" -> Entry.Role.TOOL;
      default -> throw malformed(pointer + "/role", role, "a role of the format");
    };
  }

  static Item text(String type, String pointer, String text) {
    return Item.of(Item.Kind.TEXT, type, pointer).blank(text.isBlank());
  }

  /** The items of a member; a string in its place is one text. */
  static List<JsonValue> content(JsonObject parent, String key) {
    JsonValue content = parent.find(key).orElse(JsonNull.NULL);
    if (content instanceof JsonArray array) {
      return array.items();
    }
    if (content instanceof JsonString text) {
      return List.of(JsonObject.builder().put("type", "text").put("text", text.value()).build());
    }
    return List.of();
  }

  static boolean isBlank(List<Item> content) {
    return content.stream().allMatch(item -> item.is(Item.Kind.TEXT) && item.blank());
  }

  /** The life that a mark of this name asks for; null without a mark. */
  static @Nullable String mark(JsonObject part, String member) {
    Optional<JsonObject> mark = part.object(member);
    return mark.map(found -> found.string("ttl").orElse("5m")).orElse(null);
  }

  /** The media type of a data URL; empty for other addresses. */
  static String dataType(String url) {
    int end = url.indexOf(';');
    return url.startsWith("data:") && end > 0 ? url.substring("data:".length(), end) : "";
  }
}
