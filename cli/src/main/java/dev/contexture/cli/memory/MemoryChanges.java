package dev.contexture.cli.memory;

import dev.contexture.cli.output.Printer;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonNumber;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonValue;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Computes the operations that turn one value of a memory block into another, for the version that
 * had the first. They touch nothing that is equal in both, so that they merge with what others
 * wrote.
 *
 * <p>Positions in a list are those of the first value, whatever came before: the items between what
 * both lists begin and end with are set, superfluous ones deleted. New ones are inserted if it is
 * one; several at the same place would have no order among themselves, so then the rest of the list
 * is set and the last ones are pushed.
 */
final class MemoryChanges {
  private final List<JsonObject> ops = new ArrayList<>();

  private MemoryChanges() {}

  /**
   * Compares.
   *
   * @throws ContextureException {@code field_type} if the second has another form than the schema,
   *     {@code invalid_argument} if entries of a log were changed
   */
  static List<JsonObject> between(JsonObject schema, JsonValue before, JsonValue after) {
    MemoryChanges changes = new MemoryChanges();
    changes.compare(schema, before, after, "");
    return List.copyOf(changes.ops);
  }

  private void compare(JsonObject schema, JsonValue before, JsonValue after, String section) {
    if (before.equals(after)) {
      return;
    }
    String kind = schema.string("kind").orElse("text");
    switch (kind) {
      case "map" -> map(schema, object(before), object(after), section);
      case "list" -> list(items(before), items(after), section);
      case "log" -> log(items(before), items(after), section);
      case "composite" -> composite(schema, object(before), object(after));
      default -> op(section, "set_text", Map.of("text", JsonValue.of(string(after))));
    }
  }

  private void map(JsonObject schema, JsonObject before, JsonObject after, String section) {
    for (Map.Entry<String, JsonValue> field : after.members().entrySet()) {
      JsonValue old = before.find(field.getKey()).orElse(null);
      if (!field.getValue().equals(old)) {
        field(type(schema, field.getKey()), field.getKey(), old, field.getValue(), section);
      }
    }
    for (String name : before.keys()) {
      if (!after.has(name)) {
        op(section, "remove_field", Map.of("field", JsonValue.of(name)));
      }
    }
  }

  private void field(
      String type, String name, @Nullable JsonValue old, JsonValue value, String section) {
    JsonValue field = JsonValue.of(name);
    if (type.equals("counter")
        && value instanceof JsonNumber now
        && old instanceof JsonNumber then) {
      BigDecimal by = now.decimal().subtract(then.decimal());
      op(section, "increment_counter", Map.of("field", field, "by", number(by)));
    } else if (type.equals("list")
        && old instanceof JsonArray then
        && value instanceof JsonArray now
        && isLonger(then.items(), now.items())) {
      for (JsonValue item : now.items().subList(then.items().size(), now.items().size())) {
        op(section, "append_to_list_field", Map.of("field", field, "value", item));
      }
    } else {
      op(section, "set_field", Map.of("field", field, "value", value));
    }
  }

  private static JsonNumber number(BigDecimal value) {
    return new JsonNumber(value.toPlainString());
  }

  private static boolean isLonger(List<JsonValue> before, List<JsonValue> after) {
    return after.size() > before.size() && after.subList(0, before.size()).equals(before);
  }

  private static String type(JsonObject schema, String field) {
    return Printer.objects(schema, "fields").stream()
        .filter(each -> each.string("name").filter(field::equals).isPresent())
        .map(each -> each.string("type").orElse(""))
        .findFirst()
        .orElse("");
  }

  private void list(List<JsonValue> before, List<JsonValue> after, String section) {
    int start = 0;
    int shorter = Math.min(before.size(), after.size());
    while (start < shorter && before.get(start).equals(after.get(start))) {
      start++;
    }
    int end = 0;
    while (end < shorter - start
        && before.get(before.size() - 1 - end).equals(after.get(after.size() - 1 - end))) {
      end++;
    }
    int gained = after.size() - before.size();
    if (gained > 1 && end > 0) {
      end = 0;
    }
    int both = shorter - start - end;
    for (int i = start; i < start + both; i++) {
      if (!before.get(i).equals(after.get(i))) {
        op(section, "set_item", Map.of("index", JsonValue.of(i), "value", after.get(i)));
      }
    }
    for (int i = before.size() - end - 1; i >= start + both; i--) {
      op(section, "delete_item", Map.of("index", JsonValue.of(i)));
    }
    for (int i = start + both; i < after.size() - end; i++) {
      if (end == 0) {
        op(section, "push_item", Map.of("value", after.get(i)));
      } else {
        op(section, "insert_item", Map.of("index", JsonValue.of(i), "value", after.get(i)));
      }
    }
  }

  private void log(List<JsonValue> before, List<JsonValue> after, String section) {
    if (!isLonger(before, after)) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_ARGUMENT,
          "the new value",
          "a log with other entries",
          "the same entries and new ones behind them: what was logged stays");
    }
    for (JsonValue entry : after.subList(before.size(), after.size())) {
      op(section, "append_log_entry", Map.of("entry", entry));
    }
  }

  private void composite(JsonObject schema, JsonObject before, JsonObject after) {
    for (String name : before.keys()) {
      if (!after.has(name)) {
        throw ContextureException.invalid(
            ErrorCode.FIELD_REQUIRED, name, null, "the section; empty it instead");
      }
    }
    for (Map.Entry<String, JsonValue> each : after.members().entrySet()) {
      JsonObject section =
          Printer.objects(schema, "sections").stream()
              .filter(known -> known.string("name").filter(each.getKey()::equals).isPresent())
              .findFirst()
              .orElseThrow(
                  () ->
                      ContextureException.invalid(
                          ErrorCode.UNKNOWN_FIELD,
                          each.getKey(),
                          each.getKey(),
                          "the sections " + String.join(", ", before.keys())));
      compare(
          section.object("schema").orElse(JsonObject.EMPTY),
          before.find(each.getKey()).orElse(each.getValue()),
          each.getValue(),
          each.getKey());
    }
  }

  private void op(String section, String name, Map<String, JsonValue> members) {
    JsonObject.Builder json = JsonObject.builder().put("op", name);
    members.forEach(json::put);
    if (!section.isEmpty()) {
      json.put("section", section);
    }
    ops.add(json.build());
  }

  private static String string(JsonValue value) {
    if (value instanceof JsonString text) {
      return text.value();
    }
    throw wrong(value, "a string");
  }

  private static JsonObject object(JsonValue value) {
    if (value instanceof JsonObject object) {
      return object;
    }
    throw wrong(value, "an object");
  }

  private static List<JsonValue> items(JsonValue value) {
    if (value instanceof JsonArray array) {
      return array.items();
    }
    throw wrong(value, "an array");
  }

  private static ContextureException wrong(JsonValue value, String allowed) {
    return ContextureException.invalid(
        ErrorCode.FIELD_TYPE, "the new value", value.kind(), allowed);
  }
}
