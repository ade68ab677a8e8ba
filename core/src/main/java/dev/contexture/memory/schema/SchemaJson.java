package dev.contexture.memory.schema;

import dev.contexture.error.Choices;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonFields;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.memory.permission.MemoryNames;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Schemas to and from JSON, and the checks that they share. */
final class SchemaJson {
  private static final int MAX_DEPTH = 16;

  private SchemaJson() {}

  static void checkName(String what, String name) {
    if (!MemoryNames.isName(name)) {
      throw MemoryErrors.schema(what + ".name", name, MemoryNames.ALLOWED);
    }
  }

  static void atLeastOne(String what, int value) {
    if (value < 1) {
      throw MemoryErrors.schema(what, Integer.toString(value), "at least 1");
    }
  }

  static void checkFields(List<FieldDef> fields) {
    checkUnique("fields", fields, FieldDef::name);
  }

  static void checkSections(List<SectionDef> sections) {
    checkUnique("sections", sections, SectionDef::name);
  }

  private static <T> void checkUnique(String what, List<T> parts, Function<T, String> name) {
    Set<String> seen = new HashSet<>();
    for (T part : parts) {
      if (!seen.add(name.apply(part))) {
        throw MemoryErrors.schema(what, name.apply(part), "each name once");
      }
    }
  }

  static JsonObject write(BlockSchema schema) {
    JsonObject.Builder out = JsonObject.builder().put("kind", schema.kind());
    switch (schema) {
      case TextSchema text -> {
        TextSchema.Viewport window = text.window();
        if (window != null) {
          out.put(
              "viewport",
              JsonObject.builder()
                  .put("start_line", window.startLine())
                  .put("display_lines", window.displayLines())
                  .build());
        }
      }
      case MapSchema map -> out.put("fields", fields(map.fields()));
      case ListSchema list -> {
        if (list.item() != null) {
          out.put("item_schema", write(list.item()));
        }
        if (list.max() != null) {
          out.put("max_items", list.max());
        }
      }
      case LogSchema log ->
          out.put("display_limit", log.displayLimit())
              .put(
                  "entry_schema",
                  JsonObject.builder()
                      .put("timestamp", log.entry().timestamp())
                      .put("agent_id", log.entry().agentId())
                      .put("fields", fields(log.entry().fields()))
                      .build());
      case CompositeSchema composite ->
          out.put(
              "sections",
              new JsonArray(
                  composite.sections().stream().<JsonValue>map(SchemaJson::section).toList()));
    }
    return out.build();
  }

  private static JsonArray fields(List<FieldDef> fields) {
    return new JsonArray(fields.stream().<JsonValue>map(SchemaJson::field).toList());
  }

  private static JsonObject field(FieldDef field) {
    JsonObject.Builder out =
        JsonObject.builder().put("name", field.name()).put("type", field.type().wireName());
    if (!field.description().isEmpty()) {
      out.put("description", field.description());
    }
    if (field.required()) {
      out.put("required", true);
    }
    field.whenUnset().ifPresent(value -> out.put("default", value));
    if (field.readOnly()) {
      out.put("read_only", true);
    }
    return out.build();
  }

  private static JsonObject section(SectionDef section) {
    JsonObject.Builder out =
        JsonObject.builder().put("name", section.name()).put("schema", write(section.schema()));
    if (!section.description().isEmpty()) {
      out.put("description", section.description());
    }
    if (section.readOnly()) {
      out.put("read_only", true);
    }
    return out.build();
  }

  static BlockSchema read(JsonValue json) {
    try {
      return read(json, 0);
    } catch (ContextureException refused) {
      if (refused.code() == ErrorCode.SCHEMA_INVALID
          || refused.code() == ErrorCode.LIMIT_EXCEEDED) {
        throw refused;
      }
      throw new ContextureException(
          ErrorCode.SCHEMA_INVALID,
          "the schema cannot be read: " + Objects.requireNonNullElse(refused.getMessage(), ""),
          refused.details(),
          refused);
    }
  }

  private static BlockSchema read(JsonValue json, int depth) {
    MemoryErrors.atMost("schema", MAX_DEPTH, depth, "levels of nesting");
    if (!(json instanceof JsonObject object)) {
      throw MemoryErrors.schema("schema", json.toJson(), "an object with kind");
    }
    String kind = object.string("kind").orElse("");
    return switch (kind) {
      case "text" -> new TextSchema(viewport(JsonFields.of(object, Set.of("kind", "viewport"))));
      case "map" -> new MapSchema(fields(JsonFields.of(object, Set.of("kind", "fields"))));
      case "list" -> list(JsonFields.of(object, Set.of("kind", "item_schema", "max_items")), depth);
      case "log" -> log(JsonFields.of(object, Set.of("kind", "display_limit", "entry_schema")));
      case "composite" ->
          new CompositeSchema(
              JsonFields.of(object, Set.of("kind", "sections")).objects("sections").stream()
                  .map(section -> section(section, depth))
                  .toList());
      default ->
          throw MemoryErrors.schema(
              "kind",
              object.find("kind").map(JsonValue::toJson).orElse("absent"),
              "text, map, list, log, composite");
    };
  }

  private static TextSchema.@Nullable Viewport viewport(JsonFields fields) {
    return fields
        .object("viewport")
        .map(
            given -> {
              JsonFields viewport = JsonFields.of(given, Set.of("start_line", "display_lines"));
              return new TextSchema.Viewport(
                  number(viewport, "start_line"), number(viewport, "display_lines"));
            })
        .orElse(null);
  }

  private static ListSchema list(JsonFields fields, int depth) {
    JsonValue item = fields.value("item_schema");
    return new ListSchema(
        item == null ? null : read(item, depth + 1),
        fields.value("max_items") == null ? null : number(fields, "max_items"));
  }

  private static LogSchema log(JsonFields fields) {
    JsonFields entry =
        JsonFields.of(
            fields.object("entry_schema").orElse(JsonObject.EMPTY),
            Set.of("timestamp", "agent_id", "fields"));
    return new LogSchema(
        number(fields, "display_limit"),
        new LogSchema.EntrySchema(
            entry.flag("timestamp", false), entry.flag("agent_id", false), fields(entry)));
  }

  private static SectionDef section(JsonObject json, int depth) {
    JsonFields fields = JsonFields.of(json, Set.of("name", "schema", "description", "read_only"));
    JsonValue schema = fields.value("schema");
    if (schema == null) {
      throw MemoryErrors.schema("section.schema", "absent", "a schema");
    }
    return new SectionDef(
        fields.requiredString("name"),
        read(schema, depth + 1),
        fields.string("description").orElse(""),
        fields.flag("read_only", false));
  }

  private static List<FieldDef> fields(JsonFields fields) {
    return fields.objects("fields").stream().map(SchemaJson::field).toList();
  }

  private static FieldDef field(JsonObject json) {
    JsonFields fields =
        JsonFields.of(
            json, Set.of("name", "type", "description", "required", "default", "read_only"));
    String type = fields.requiredString("type");
    return new FieldDef(
        fields.requiredString("name"),
        FieldType.named(type)
            .orElseThrow(
                () -> MemoryErrors.schema("field.type", type, Choices.inWords(FieldType.values()))),
        fields.string("description").orElse(""),
        fields.flag("required", false),
        fields.value("default"),
        fields.flag("read_only", false));
  }

  private static int number(JsonFields fields, String name) {
    OptionalLong number = fields.number(name);
    if (number.isEmpty() || number.getAsLong() < 1 || number.getAsLong() > Integer.MAX_VALUE) {
      String actual = number.isEmpty() ? "absent" : Long.toString(number.getAsLong());
      throw MemoryErrors.schema(name, actual, "1 to " + Integer.MAX_VALUE);
    }
    return (int) number.getAsLong();
  }
}
