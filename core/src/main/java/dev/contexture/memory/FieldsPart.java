package dev.contexture.memory;

import dev.contexture.crdt.Document;
import dev.contexture.crdt.SharedList;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonValue;
import dev.contexture.memory.content.ContentReader;
import dev.contexture.memory.content.ContentWriter;
import dev.contexture.memory.schema.FieldDef;
import dev.contexture.memory.schema.FieldType;
import dev.contexture.memory.schema.JsonInput;
import dev.contexture.memory.schema.MapSchema;
import dev.contexture.memory.schema.MemoryErrors;
import dev.contexture.memory.schema.ValueRules;
import dev.contexture.memory.textedit.BaseEdit;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The operations of a Map. */
final class FieldsPart {
  private final DocumentPart part;
  private final MapSchema schema;

  FieldsPart(DocumentPart part, MapSchema schema) {
    this.part = part;
    this.schema = schema;
  }

  Optional<JsonValue> get(String name) {
    FieldDef field = ValueRules.field(schema, name);
    Optional<JsonValue> value = now().find(name);
    return value.isPresent() || field == null ? value : field.whenUnset();
  }

  List<JsonValue> list(String name) {
    requireType(ValueRules.field(schema, name), name, FieldType.LIST);
    return items(name).items();
  }

  void set(String name, JsonValue given) {
    FieldDef field = writable(name);
    if (field == null) {
      JsonValue value = JsonInput.accept(name, given, part.settings().limits());
      change(name, value, document -> writer(document).setFree(part.prefix(), name, value));
      return;
    }
    JsonValue value = part.rules().ofField(field, given);
    change(name, value, document -> writer(document).setField(field, part.prefix(), value));
  }

  void setText(String name, String text) {
    FieldDef field = writable(name);
    if (field != null) {
      requireType(field, name, FieldType.TEXT);
    }
    set(name, new JsonString(text));
  }

  void remove(String name) {
    FieldDef field = writable(name);
    if (field != null && field.required()) {
      throw ContextureException.invalid(
          ErrorCode.FIELD_REQUIRED, name, "removed", "a value: the field is required");
    }
    JsonValue left =
        field != null && field.type() == FieldType.COUNTER
            ? JsonValue.of(ContentReader.start(field))
            : null;
    change(name, left, document -> writer(document).removeField(field, part.prefix(), name));
  }

  /** A list that is unset starts as its default. */
  void appendToList(String name, JsonValue given) {
    FieldDef field = requireType(writable(name), name, FieldType.LIST);
    JsonValue item = JsonInput.accept(name, given, part.settings().limits());
    List<JsonValue> items = new ArrayList<>(items(name).items());
    items.add(item);
    JsonArray after = new JsonArray(items);
    change(name, after, document -> writer(document).setField(field, part.prefix(), after));
  }

  BaseEdit removeFromList(String name, int index, @Nullable Long base) {
    FieldDef field = requireType(writable(name), name, FieldType.LIST);
    String container = part.prefix() + ContentReader.FIELD + name;
    if (base != null) {
      return part.changeAt(base, fork -> ListPart.deleteSeen(fork.list(container), index));
    }
    List<JsonValue> items = new ArrayList<>(items(name).items());
    if (index < 0 || index >= items.size()) {
      throw MemoryErrors.index(name, index, items.size(), false);
    }
    items.remove(index);
    JsonArray after = new JsonArray(items);
    SharedList list = part.document().list(container);
    boolean stored = list.size() == items.size() + 1;
    change(
        name,
        after,
        document -> {
          if (stored) {
            list.delete(index, 1);
          }
          writer(document).setField(field, part.prefix(), after);
        });
    return BaseEdit.APPLIED;
  }

  long increment(String name, long delta) {
    FieldDef field = requireType(writable(name), name, FieldType.COUNTER);
    ContentReader.Values values = ContentReader.Values.of(part.document());
    BigInteger target =
        ContentReader.exactCounter(values, field, part.prefix()).add(BigInteger.valueOf(delta));
    if (!ContentReader.fitsLong(target)) {
      throw tooLarge(name, target);
    }
    long value = target.longValue();
    change(
        name,
        JsonValue.of(value),
        document -> writer(document).moveCounter(field, part.prefix(), target));
    return value;
  }

  private static ContextureException tooLarge(String name, BigInteger target) {
    Map<String, Object> details = new LinkedHashMap<>();
    details.put("field", name);
    details.put("actual", target.toString());
    details.put("allowed", "64 bits");
    return new ContextureException(
        ErrorCode.LIMIT_EXCEEDED,
        name + " would be " + target + "; allowed: whole numbers of 64 bits",
        details,
        null);
  }

  /** The declared field, if it exists and the actor may write it; null for a free-form one. */
  private @Nullable FieldDef writable(String name) {
    FieldDef field = ValueRules.field(schema, name);
    Protection.check(part.settings(), part.edit());
    return field;
  }

  private static FieldDef requireType(@Nullable FieldDef field, String name, FieldType type) {
    if (field != null && field.type() == type) {
      return field;
    }
    String actual = field == null ? "undeclared" : field.type().identifier();
    throw ContextureException.invalid(
        ErrorCode.FIELD_TYPE, name, actual, "a field that is declared as " + type.identifier());
  }

  private JsonArray items(String name) {
    return get(name).orElse(JsonArray.of()) instanceof JsonArray items ? items : JsonArray.of();
  }

  private JsonObject now() {
    return (JsonObject) part.value();
  }

  private void change(String name, @Nullable JsonValue value, Consumer<Document> change) {
    JsonObject before = now();
    JsonObject after = value == null ? before.without(name) : before.with(name, value);
    part.change(before, after, change);
  }

  private static ContentWriter writer(Document document) {
    return new ContentWriter(document);
  }
}
