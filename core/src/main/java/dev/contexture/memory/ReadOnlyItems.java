package dev.contexture.memory;

import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.memory.schema.BlockSchema;
import dev.contexture.memory.schema.FieldDef;
import dev.contexture.memory.schema.ListSchema;
import dev.contexture.memory.schema.MapSchema;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Read-only fields inside the items of a list: an item may come without them or with their default,
 * move, and go as a whole; a value that was not there before is a change.
 */
final class ReadOnlyItems {
  private ReadOnlyItems() {}

  /** Whether items have read-only fields at all. */
  static boolean has(ListSchema schema) {
    return switch (schema.item()) {
      case MapSchema map -> map.fields().stream().anyMatch(FieldDef::readOnly);
      case ListSchema list -> has(list);
      case null, default -> false;
    };
  }

  static String touched(ListSchema schema, JsonArray before, JsonArray after) {
    List<String> known = new ArrayList<>();
    collect(schema, before, known);
    List<String> wanted = new ArrayList<>();
    collect(schema, after, wanted);
    for (String value : wanted) {
      if (!known.remove(value)) {
        return "field " + value.substring(0, value.indexOf(' ')) + " of an item";
      }
    }
    return "";
  }

  /** Whether two versions of one item agree in their read-only fields. */
  static boolean agree(ListSchema schema, JsonValue before, JsonValue after) {
    List<String> was = new ArrayList<>();
    collect(schema, JsonArray.of(before), was);
    List<String> is = new ArrayList<>();
    collect(schema, JsonArray.of(after), is);
    return was.equals(is);
  }

  private static void collect(ListSchema schema, JsonArray items, List<String> out) {
    BlockSchema item = schema.item();
    for (JsonValue value : items.items()) {
      if (item instanceof MapSchema map && value instanceof JsonObject object) {
        collect(map, object, out);
      } else if (item instanceof ListSchema list && value instanceof JsonArray array) {
        collect(list, array, out);
      }
    }
  }

  private static void collect(MapSchema schema, JsonObject item, List<String> out) {
    for (FieldDef field : schema.fields()) {
      JsonValue value = item.find(field.name()).orElse(null);
      if (field.readOnly() && value != null && !isDefault(field, value)) {
        out.add(field.name() + " " + value.toJson());
      }
    }
  }

  private static boolean isDefault(FieldDef field, JsonValue value) {
    @Nullable JsonValue unset = field.defaultValue();
    return unset != null && unset.toJson().equals(value.toJson());
  }
}
