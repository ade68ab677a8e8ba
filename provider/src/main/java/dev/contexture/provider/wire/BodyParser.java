package dev.contexture.provider.wire;

import dev.contexture.error.Cancellation;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonNull;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonValue;
import dev.contexture.json.SendableText;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Takes bodies apart. What stands before the messages, and messages at the beginning, are not read
 * again if the body before had them, too. Confined to one thread.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public abstract class BodyParser {
  private final WireFormat format;
  private final MessageCuts cuts;
  private final List<BodyMessage> messages = new ArrayList<>(); // pointers relative to the message
  private final List<@Nullable String> unpaired = new ArrayList<>(); // by message
  private byte[] rest = new byte[0];
  private Head head = new Head(List.of(), List.of(), JsonObject.EMPTY, null, null);

  protected BodyParser(WireFormat format) {
    this.format = format;
    this.cuts = new MessageCuts(format.messages());
  }

  /** One message; pointers are relative to it. */
  protected abstract BodyMessage entry(JsonObject message, String raw, String pointer);

  /** The definitions of tools. */
  protected abstract List<BodyPart> tools(JsonObject settings);

  /** The parts before all messages, where they are not messages themselves. */
  protected abstract List<BodyPart> system(JsonObject settings);

  /** Puts messages together where the format has them in pieces. */
  protected List<BodyMessage> joined(List<BodyMessage> entries) {
    return entries;
  }

  /**
   * Everything of a body but its messages. The same object as long as it is the same.
   *
   * @param tools their definitions
   * @param system the parts before all messages
   * @param settings all members but the messages
   * @param sole the only message, where it is a mere text
   * @param unpaired where the first half of a surrogate pair is
   */
  public record Head(
      List<BodyPart> tools,
      List<BodyPart> system,
      JsonObject settings,
      @Nullable BodyMessage sole,
      @Nullable String unpaired) {}

  /**
   * Looks at the next body, whose messages {@link #read} reads.
   *
   * @return how many messages at its beginning the body before had, too
   * @throws ContextureException {@code malformed_json} if its structure cannot be followed
   */
  public final int next(List<byte[]> body) {
    return Math.min(cuts.next(body), messages.size());
  }

  /**
   * Reads the body that was looked at.
   *
   * @param kept what {@link #next} returned
   * @throws ContextureException {@code malformed_json} or {@code invalid_argument} if it is no body
   *     of the format
   */
  public final Head read(int kept) {
    messages.subList(kept, messages.size()).clear();
    unpaired.subList(kept, unpaired.size()).clear();
    Head now = readHead();
    for (int i = kept; i < cuts.size(); i++) {
      Cancellation.check();
      String raw = cuts.text(i);
      String pointer = pointer(i);
      String readable = SendableText.paired(raw);
      messages.add(entry(object(JsonValue.parse(readable), pointer), raw, pointer));
      unpaired.add(TextRules.unpaired(raw, readable));
    }
    return now;
  }

  /** The messages of the body, each for itself; pointers are relative to the message. */
  public final List<BodyMessage> messages() {
    return messages;
  }

  /** Judges the texts of the messages from one on. */
  public final void texts(int from, Findings findings) {
    for (int i = from; i < unpaired.size(); i++) {
      TextRules.judge(unpaired.get(i), pointer(i), findings);
    }
  }

  /** The messages from one on, put together. */
  public final List<BodyMessage> entries(int from) {
    BodyMessage sole = head.sole();
    if (sole != null) {
      return List.of(sole);
    }
    List<BodyMessage> entries = new ArrayList<>(messages.size() - from);
    for (int i = from; i < messages.size(); i++) {
      entries.add(messages.get(i).at(pointer(i)));
    }
    return joined(entries);
  }

  private Head readHead() {
    byte[] now = cuts.rest();
    if (!Arrays.equals(now, rest)) {
      head = readHead(new String(now, StandardCharsets.UTF_8));
      rest = now;
    }
    return head;
  }

  /** Everything but the messages. */
  public final Head head() {
    return head;
  }

  private Head readHead(String text) {
    String readable = SendableText.paired(text);
    JsonObject members = object(JsonValue.parse(readable), "");
    JsonObject settings = members.without(format.messages());
    BodyMessage sole =
        members
            .string(format.messages())
            .map(said -> text("text", "", said))
            .map(
                said ->
                    new BodyMessage(
                        BodyMessage.Role.USER, "/" + format.messages(), List.of(said), false))
            .orElse(null);
    return new Head(
        tools(settings), system(settings), settings, sole, TextRules.unpaired(text, readable));
  }

  private String pointer(int message) {
    return "/" + format.messages() + "/" + message;
  }

  protected static JsonObject object(JsonValue value, String pointer) {
    if (value instanceof JsonObject object) {
      return object;
    }
    throw malformed(pointer, value.kind(), "an object");
  }

  protected static ContextureException malformed(String pointer, String found, String expected) {
    return ContextureException.invalid(
        ErrorCode.INVALID_ARGUMENT, "request" + pointer, found, expected);
  }

  protected static BodyMessage.Role role(JsonObject message, String pointer) {
    String role = message.string("role").orElse("");
    return switch (role) {
      case "user" -> BodyMessage.Role.USER;
      case "assistant", "model" -> BodyMessage.Role.ASSISTANT;
      case "system", "developer" -> BodyMessage.Role.SYSTEM;
      case "tool" -> BodyMessage.Role.TOOL;
      default -> throw malformed(pointer + "/role", role, "a role of the format");
    };
  }

  protected static BodyPart text(String type, String pointer, String text) {
    return BodyPart.of(BodyPart.Kind.TEXT, type, pointer).blank(text.isBlank());
  }

  /** The items of a member; a string in its place is one text. */
  protected static List<JsonValue> content(JsonObject parent, String key) {
    JsonValue content = parent.find(key).orElse(JsonNull.NULL);
    if (content instanceof JsonArray array) {
      return array.items();
    }
    if (content instanceof JsonString text) {
      return List.of(JsonObject.builder().put("type", "text").put("text", text.value()).build());
    }
    return List.of();
  }

  protected static boolean isBlank(List<BodyPart> content) {
    return content.stream().allMatch(item -> item.is(BodyPart.Kind.TEXT) && item.blank());
  }

  /**
   * The definition of a function.
   *
   * @param schema the schema of its arguments; null: it has none, and needs none
   */
  protected static BodyPart function(String name, String pointer, @Nullable JsonObject schema) {
    boolean described =
        schema == null || schema.string("type").filter("object"::equalsIgnoreCase).isPresent();
    return BodyPart.of(BodyPart.Kind.OTHER, "tool", pointer).name(name).blank(!described);
  }

  /** The definition of a tool of the provider itself. */
  protected static BodyPart nativeTool(String name, String pointer) {
    return BodyPart.of(BodyPart.Kind.OTHER, BodyPart.NATIVE_TOOL, pointer).name(name);
  }

  /** The definition of a tool that only another provider knows. */
  protected static BodyPart foreignTool(JsonObject tool, String pointer) {
    String name =
        tool.string("type")
            .or(() -> tool.string("name"))
            .or(() -> tool.keys().stream().findFirst())
            .orElse("{}");
    return BodyPart.of(BodyPart.Kind.OTHER, BodyPart.FOREIGN_TOOL, pointer).name(name);
  }

  /** The life that a mark of this name asks for; null without a mark. */
  protected static @Nullable String mark(JsonObject part, String member) {
    Optional<JsonObject> mark = part.object(member);
    return mark.map(found -> found.string("ttl").orElse("5m")).orElse(null);
  }

  /** The media type of a data URL; empty for other addresses. */
  protected static String dataType(String url) {
    int end = url.indexOf(';');
    return url.startsWith("data:") && end > 0 ? url.substring("data:".length(), end) : "";
  }
}
