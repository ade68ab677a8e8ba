package dev.contexture.provider.foreign;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonText;
import dev.contexture.json.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a file: one JSON value, a list of conversations, or JSON lines.
 *
 * @param units in order
 * @param lines whether each is a line of something that is only whole with the others
 */
record FileUnits(List<ChatUnit> units, Lines lines) {
  /** The members that make an object a conversation and not a message. */
  private static final Set<String> CONVERSATIONS =
      Set.of("mapping", "chat_messages", "conversations", "messages", "contents");

  /** The kind of thing that the lines of a file are. */
  enum Lines {
    /** Chats, each by itself. */
    CHATS,
    /** Of a log of a coding session. */
    LOG,
    /** Of a knowledge graph. */
    GRAPH
  }

  static FileUnits of(String text) {
    String json = text.startsWith("\uFEFF") ? text.substring(1) : text;
    if (json.isBlank()) {
      throw ChatUnit.malformed("", "empty", "a file with chats");
    }
    JsonValue whole;
    try {
      whole = JsonValue.parse(json);
    } catch (ContextureException notOne) {
      if (json.strip().lines().count() < 2 || !isLine(json.strip())) {
        throw notOne;
      }
      return lines(json);
    }
    if (whole instanceof JsonObject object && kind(object) != null) {
      return new FileUnits(List.of(new ChatUnit("/line 1", "1", json, whole)), line(object));
    }
    return new FileUnits(values(json, whole), Lines.CHATS);
  }

  /** Whether the first line is a JSON value: then the file is one of lines. */
  private static boolean isLine(String json) {
    try {
      JsonValue.parse(json.lines().findFirst().orElse(""));
      return true;
    } catch (ContextureException notALine) {
      return false;
    }
  }

  private static FileUnits lines(String json) {
    List<ChatUnit> units = new ArrayList<>();
    int number = 0;
    for (String line : (Iterable<String>) json.lines()::iterator) {
      number++;
      if (!line.isBlank()) {
        units.add(line(line, number));
      }
    }
    for (ChatUnit unit : units) {
      if (unit.value() instanceof JsonObject object && kind(object) != null) {
        return new FileUnits(units, line(object));
      }
    }
    boolean messages = units.stream().allMatch(unit -> isMessage(unit.value()));
    return new FileUnits(messages ? List.of(list(units)) : units, Lines.CHATS);
  }

  private static ChatUnit line(String line, int number) {
    try {
      String digits = Integer.toString(number);
      return new ChatUnit("/line " + digits, digits, line, JsonValue.parse(line));
    } catch (ContextureException refused) {
      throw new ContextureException(
          ErrorCode.MALFORMED_JSON,
          "line " + number + ": " + refused.getMessage(),
          java.util.Map.of("line", number),
          refused);
    }
  }

  private static Lines line(JsonObject object) {
    return kind(object) == Lines.GRAPH ? Lines.GRAPH : Lines.LOG;
  }

  /** What a line shows the file to be; null: nothing in particular. */
  private static @Nullable Lines kind(JsonObject line) {
    String type = line.string("type").orElse("");
    boolean entity = type.equals("entity") && line.has("name");
    if (entity || (type.equals("relation") && line.has("relationType"))) {
      return Lines.GRAPH;
    }
    boolean logged = line.has("sessionId") && (line.has("message") || line.has("uuid"));
    return logged || (type.equals("summary") && line.has("leafUuid")) ? Lines.LOG : null;
  }

  /** Whether a value is a message alone, so that the list of them is the chat. */
  private static boolean isMessage(JsonValue value) {
    return value instanceof JsonObject object
        && CONVERSATIONS.stream().noneMatch(object::has)
        && (object.has("role") || object.has("from") || object.has("type") || object.has("lc"));
  }

  private static ChatUnit list(List<ChatUnit> messages) {
    String raw = "[" + String.join(",", messages.stream().map(ChatUnit::raw).toList()) + "]";
    return new ChatUnit(
        "", null, raw, new JsonArray(messages.stream().map(ChatUnit::value).toList()));
  }

  /** The conversations of a value: it is a list of them, or has one, or is one. */
  private static List<ChatUnit> values(String json, JsonValue value) {
    if (value instanceof JsonArray array && isOfChats(array)) {
      return items(json.strip(), array, "");
    }
    if (value instanceof JsonObject object
        && object.array("conversations").filter(FileUnits::isOfChats).isPresent()) {
      String list = JsonText.member(json, "conversations").orElseThrow();
      return items(list, object.array("conversations").orElseThrow(), "/conversations");
    }
    if (value instanceof JsonObject state && state.object("values").isPresent()) {
      String inner = JsonText.member(json, "values").orElseThrow();
      return List.of(new ChatUnit("/values", null, inner, state.object("values").orElseThrow()));
    }
    return List.of(new ChatUnit("", null, json.strip(), value));
  }

  private static boolean isOfChats(JsonArray array) {
    return !array.isEmpty()
        && array.items().stream()
            .allMatch(
                item ->
                    item instanceof JsonArray
                        || (item instanceof JsonObject object
                            && CONVERSATIONS.stream().anyMatch(object::has)));
  }

  private static List<ChatUnit> items(String list, JsonArray values, String place) {
    List<String> raws = JsonText.items(list);
    List<ChatUnit> units = new ArrayList<>();
    for (int i = 0; i < raws.size(); i++) {
      String number = Integer.toString(i + 1);
      units.add(new ChatUnit(place + "/" + i, number, raws.get(i), values.items().get(i)));
    }
    return units;
  }
}
