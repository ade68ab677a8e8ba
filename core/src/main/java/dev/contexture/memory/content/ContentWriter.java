package dev.contexture.memory.content;

import dev.contexture.crdt.Document;
import dev.contexture.crdt.SharedCounter;
import dev.contexture.crdt.SharedList;
import dev.contexture.crdt.SharedMap;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonValue;
import dev.contexture.memory.schema.BlockSchema;
import dev.contexture.memory.schema.CompositeSchema;
import dev.contexture.memory.schema.FieldDef;
import dev.contexture.memory.schema.ListSchema;
import dev.contexture.memory.schema.LogSchema;
import dev.contexture.memory.schema.MapSchema;
import dev.contexture.memory.schema.SectionDef;
import dev.contexture.memory.schema.TextSchema;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** Makes the content of a document what a value says, by as few edits as it can. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class ContentWriter {
  private final Document document;

  public ContentWriter(Document document) {
    this.document = document;
  }

  /** Replaces everything; the value has been checked. */
  public void write(BlockSchema schema, String prefix, JsonValue target) {
    switch (schema) {
      case TextSchema _unused ->
          document.text(prefix + ContentReader.TEXT).set(((JsonString) target).value());
      case MapSchema map -> writeFields(map, prefix, (JsonObject) target);
      case ListSchema _unused -> replaceItems(prefix + ContentReader.ITEMS, (JsonArray) target);
      case LogSchema _unused -> replaceItems(prefix + ContentReader.ENTRIES, (JsonArray) target);
      case CompositeSchema composite -> {
        JsonObject sections = (JsonObject) target;
        for (SectionDef section : composite.sections()) {
          JsonValue content = sections.find(section.name()).orElse(empty(section.schema()));
          write(section.schema(), ContentReader.prefix(section.name()), content);
        }
      }
    }
  }

  /** The value of a part without content. */
  public static JsonValue empty(BlockSchema schema) {
    return switch (schema) {
      case TextSchema _unused -> new JsonString("");
      case MapSchema _unused -> JsonObject.EMPTY;
      case ListSchema _unused -> JsonArray.of();
      case LogSchema _unused -> JsonArray.of();
      case CompositeSchema _unused -> JsonObject.EMPTY;
    };
  }

  private void writeFields(MapSchema schema, String prefix, JsonObject target) {
    if (schema.isFreeForm()) {
      writeFreeForm(document.map(prefix + ContentReader.FIELDS), target);
    }
    for (FieldDef field : schema.fields()) {
      JsonValue value = target.find(field.name()).orElse(null);
      if (value == null) {
        removeField(field, prefix);
      } else {
        setField(field, prefix, value);
      }
    }
  }

  /** Keys stay in the order of the target: where edits cannot give it, all are rewritten. */
  private static void writeFreeForm(SharedMap map, JsonObject target) {
    Map<String, String> now = map.values();
    Set<String> reached = new LinkedHashSet<>(now.keySet());
    reached.retainAll(target.keys());
    reached.addAll(target.keys());
    boolean inOrder = List.copyOf(reached).equals(List.copyOf(target.keys()));
    for (String name : now.keySet()) {
      if (!inOrder || !target.has(name)) {
        map.remove(name);
      }
    }
    target.members().forEach((name, value) -> put(map, name, value.toJson()));
  }

  private static void put(SharedMap map, String name, String text) {
    if (!map.get(name).equals(Optional.of(text))) {
      map.put(name, text);
    }
  }

  /** Sets a free-form field. */
  public void setFree(String prefix, String name, JsonValue value) {
    put(document.map(prefix + ContentReader.FIELDS), name, value.toJson());
  }

  /** Sets a declared field; a counter by the difference, a list by its changed items. */
  public void setField(FieldDef field, String prefix, JsonValue value) {
    SharedMap map = document.map(prefix + ContentReader.FIELDS);
    switch (field.type()) {
      case COUNTER -> moveCounter(field, prefix, BigInteger.valueOf(ContentReader.toLong(value)));
      case LIST -> {
        replaceItems(prefix + ContentReader.FIELD + field.name(), (JsonArray) value);
        put(map, field.name(), ContentReader.LIST_MARK);
      }
      case TEXT, NUMBER, BOOLEAN, TIMESTAMP -> put(map, field.name(), value.toJson());
    }
  }

  /** Makes a field unset; a counter goes back to its start. */
  public void removeField(@Nullable FieldDef field, String prefix, String name) {
    if (field == null) {
      document.map(prefix + ContentReader.FIELDS).remove(name);
    } else {
      removeField(field, prefix);
    }
  }

  private void removeField(FieldDef field, String prefix) {
    switch (field.type()) {
      case COUNTER -> moveCounter(field, prefix, BigInteger.valueOf(ContentReader.start(field)));
      case LIST -> {
        replaceItems(prefix + ContentReader.FIELD + field.name(), JsonArray.of());
        document.map(prefix + ContentReader.FIELDS).remove(field.name());
      }
      case TEXT, NUMBER, BOOLEAN, TIMESTAMP ->
          document.map(prefix + ContentReader.FIELDS).remove(field.name());
    }
  }

  /** Moves a counter to a value, in as many steps as 64 bits need. */
  public void moveCounter(FieldDef field, String prefix, BigInteger target) {
    SharedCounter counter = document.counter(prefix + ContentReader.FIELD + field.name());
    ContentReader.Values values = ContentReader.Values.of(document);
    BigInteger missing = target.subtract(ContentReader.exactCounter(values, field, prefix));
    while (missing.signum() != 0) {
      long step = ContentReader.clamped(missing);
      counter.add(step);
      missing = missing.subtract(BigInteger.valueOf(step));
    }
  }

  /** Makes a list these items; those in front and behind that are equal stay. */
  void replaceItems(String name, JsonArray target) {
    SharedList list = document.list(name);
    List<String> now = list.values();
    List<String> wanted = new ArrayList<>(target.size());
    target.items().forEach(item -> wanted.add(item.toJson()));
    int shorter = Math.min(now.size(), wanted.size());
    int front = 0;
    while (front < shorter && Objects.equals(now.get(front), wanted.get(front))) {
      front++;
    }
    int back = 0;
    while (back < shorter - front
        && now.get(now.size() - 1 - back).equals(wanted.get(wanted.size() - 1 - back))) {
      back++;
    }
    list.delete(front, now.size() - front - back);
    list.insertAll(front, wanted.subList(front, wanted.size() - back));
  }
}
