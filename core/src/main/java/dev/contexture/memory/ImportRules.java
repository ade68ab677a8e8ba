package dev.contexture.memory;

import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonValue;
import dev.contexture.json.SendableText;
import dev.contexture.memory.content.ContentWriter;
import dev.contexture.memory.permission.Actor;
import dev.contexture.memory.schema.BlockSchema;
import dev.contexture.memory.schema.CompositeSchema;
import dev.contexture.memory.schema.DocumentSettings;
import dev.contexture.memory.schema.FieldDef;
import dev.contexture.memory.schema.JsonInput;
import dev.contexture.memory.schema.ListSchema;
import dev.contexture.memory.schema.LogSchema;
import dev.contexture.memory.schema.MapSchema;
import dev.contexture.memory.schema.SectionDef;
import dev.contexture.memory.schema.TextSchema;
import dev.contexture.memory.schema.ValueRules;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Converts a value that replaces everything into the form in which it is stored (M-33 importJson).
 */
final class ImportRules {
  private final DocumentSettings settings;
  private final Actor actor;
  private final Instant now;
  private final ValueRules rules;

  ImportRules(DocumentSettings settings, Actor actor, Instant now) {
    this.settings = settings;
    this.actor = actor;
    this.now = now;
    this.rules = new ValueRules(settings.limits());
  }

  /**
   * Checks the value of a part.
   *
   * @param before what the part holds now: log entries that stay are not touched
   */
  JsonValue part(BlockSchema schema, JsonValue before, JsonValue given) {
    return switch (schema) {
      case TextSchema _unused -> {
        if (!(given instanceof JsonString text)) {
          throw ValueRules.type("value", given, "a string");
        }
        yield new JsonString(SendableText.of(text.value()));
      }
      case MapSchema map -> map(map, object(given));
      case ListSchema list -> {
        List<JsonValue> items = new ArrayList<>();
        for (JsonValue item : array(given)) {
          items.add(rules.item(list.item(), item, "items[" + items.size() + "]"));
        }
        yield new JsonArray(items);
      }
      case LogSchema log -> log(log, ((JsonArray) before).items(), array(given));
      case CompositeSchema composite -> composite(composite, (JsonObject) before, object(given));
    };
  }

  private JsonObject map(MapSchema schema, JsonObject given) {
    JsonObject.Builder out = JsonObject.builder();
    for (var member : given.members().entrySet()) {
      String name = member.getKey();
      FieldDef field = ValueRules.field(schema, name);
      JsonValue value = member.getValue();
      out.put(
          name,
          field == null
              ? JsonInput.accept(name, value, settings.limits())
              : rules.ofField(field, value));
    }
    for (FieldDef field : schema.fields()) {
      if (field.required() && field.defaultValue() == null && !given.has(field.name())) {
        throw ValueRules.missing(field);
      }
    }
    return out.build();
  }

  private JsonArray log(LogSchema schema, List<JsonValue> before, List<JsonValue> given) {
    List<JsonValue> entries = new ArrayList<>();
    for (JsonValue entry : given) {
      int at = entries.size();
      boolean stays = at < before.size() && before.get(at).toJson().equals(entry.toJson());
      entries.add(
          stays
              ? before.get(at)
              : ValueRules.stamped(schema, rules.logEntry(schema, entry), actor, now));
    }
    return new JsonArray(entries);
  }

  private JsonObject composite(CompositeSchema schema, JsonObject before, JsonObject given) {
    for (String name : given.keys()) {
      if (schema.section(name).isEmpty()) {
        throw ValueRules.notFound(name, DocumentRules.sectionNames(schema));
      }
    }
    JsonObject.Builder out = JsonObject.builder();
    for (SectionDef section : schema.sections()) {
      JsonValue empty = ContentWriter.empty(section.schema());
      JsonValue content = given.find(section.name()).orElse(empty);
      JsonValue old = before.find(section.name()).orElse(empty);
      out.put(section.name(), part(section.schema(), old, content));
    }
    return out.build();
  }

  private static JsonObject object(JsonValue given) {
    if (given instanceof JsonObject object) {
      return object;
    }
    throw ValueRules.type("value", given, "an object");
  }

  private static List<JsonValue> array(JsonValue given) {
    if (given instanceof JsonArray array) {
      return array.items();
    }
    throw ValueRules.type("value", given, "an array");
  }
}
