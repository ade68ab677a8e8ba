package dev.contexture.memory.schema;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonNull;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonValue;
import dev.contexture.memory.permission.Actor;
import dev.contexture.memory.permission.MemoryNames;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Checks whether values fit a schema, and converts them into the form in which they are stored. */
public final class ValueRules {
  private final MemoryLimits limits;

  public ValueRules(MemoryLimits limits) {
    this.limits = limits;
  }

  /**
   * Finds a declared field.
   *
   * @return null for a free-form field
   */
  static @Nullable public FieldDef field(MapSchema schema, String name) {
    if (schema.isFreeForm()) {
      MemoryNames.check("field", name);
      return null;
    }
    return schema.field(name).orElseThrow(() -> notFound(name, names(schema.fields(), Set.of())));
  }

  public static ContextureException notFound(String name, String declared) {
    return ContextureException.invalid(ErrorCode.FIELD_NOT_FOUND, name, name, declared);
  }

  private static String names(List<FieldDef> fields, Set<String> others) {
    List<String> names = new ArrayList<>(others.stream().sorted().toList());
    fields.forEach(field -> names.add(field.name()));
    return String.join(", ", names);
  }

  /** A value that a declared field is to hold. */
  public JsonValue ofField(FieldDef field, JsonValue given) {
    if (given instanceof JsonNull && field.required()) {
      throw ContextureException.invalid(
          ErrorCode.FIELD_REQUIRED, field.name(), "null", field.type().allowed());
    }
    if (!field.type().accepts(given)) {
      throw ContextureException.invalid(
          ErrorCode.FIELD_TYPE, field.name(), given.toJson(), field.type().allowed());
    }
    return JsonInput.accept(field.name(), given, limits);
  }

  /** An item of a list; absent fields get their defaults. */
  public JsonValue item(@Nullable BlockSchema schema, JsonValue given, String what) {
    if (schema == null) {
      return JsonInput.accept(what, given, limits);
    }
    return switch (schema) {
      case TextSchema _unused -> {
        if (!(given instanceof JsonString)) {
          throw type(what, given, "a string");
        }
        yield JsonInput.accept(what, given, limits);
      }
      case MapSchema map -> {
        if (!(JsonInput.accept(what, given, limits) instanceof JsonObject object)) {
          throw type(what, given, "an object");
        }
        yield mapItem(map, object, what);
      }
      case ListSchema list -> {
        if (!(JsonInput.accept(what, given, limits) instanceof JsonArray array)) {
          throw type(what, given, "an array");
        }
        MemoryErrors.atMost(what, maxItems(list), array.size(), "items");
        List<JsonValue> items = new ArrayList<>();
        for (JsonValue inner : array.items()) {
          items.add(item(list.item(), inner, what + "[" + items.size() + "]"));
        }
        yield new JsonArray(items);
      }
      case LogSchema _unused -> throw type(what, given, "no log");
      case CompositeSchema _unused -> throw type(what, given, "no composite");
    };
  }

  private JsonObject mapItem(MapSchema schema, JsonObject object, String what) {
    if (schema.isFreeForm()) {
      object.keys().forEach(name -> MemoryNames.check(what, name));
      return object;
    }
    return complete(schema.fields(), Set.of(), object, what);
  }

  int maxItems(ListSchema schema) {
    return schema.maxItems().orElse(limits.items());
  }

  /** Checks declared members, adds defaults, refuses the lack of required ones. */
  private JsonObject complete(
      List<FieldDef> fields, Set<String> others, JsonObject object, String what) {
    Set<String> known = fields.stream().map(FieldDef::name).collect(Collectors.toSet());
    for (String name : object.keys()) {
      if (!known.contains(name) && !others.contains(name)) {
        throw notFound(name, names(fields, others)).within(what);
      }
    }
    JsonObject.Builder out = object.toBuilder();
    for (FieldDef field : fields) {
      JsonValue given = object.find(field.name()).orElse(null);
      if (given != null) {
        out.put(field.name(), located(what, () -> ofField(field, given)));
      } else if (field.defaultValue() != null) {
        out.put(field.name(), Objects.requireNonNull(field.defaultValue()));
      } else if (field.required()) {
        throw missing(field).within(what);
      }
    }
    return out.build();
  }

  private static JsonValue located(String what, Supplier<JsonValue> check) {
    try {
      return check.get();
    } catch (ContextureException refused) {
      throw refused.within(what);
    }
  }

  public static ContextureException missing(FieldDef field) {
    return ContextureException.invalid(
        ErrorCode.FIELD_REQUIRED, field.name(), null, field.type().allowed());
  }

  /** An entry of a log without time and author; they are checked where given. */
  public JsonObject logEntry(LogSchema schema, JsonValue given) {
    if (!(JsonInput.accept("entry", given, limits) instanceof JsonObject object)) {
      throw type("entry", given, "an object");
    }
    Set<String> others = new HashSet<>();
    if (schema.entry().timestamp()) {
      others.add(LogSchema.TIMESTAMP);
      check(object, LogSchema.TIMESTAMP, FieldType.TIMESTAMP);
    }
    if (schema.entry().agentId()) {
      others.add(LogSchema.AGENT_ID);
      check(object, LogSchema.AGENT_ID, FieldType.TEXT);
    }
    List<FieldDef> fields = schema.entry().fields();
    return fields.isEmpty() ? object : complete(fields, others, object, "entry");
  }

  private static void check(JsonObject entry, String name, FieldType type) {
    JsonValue given = entry.find(name).orElse(null);
    if (given != null && !type.accepts(given)) {
      throw ContextureException.invalid(
          ErrorCode.FIELD_TYPE, "entry." + name, given.toJson(), type.allowed());
    }
  }

  /** The entry with time and author where the schema has them and the entry does not. */
  public static JsonObject stamped(LogSchema schema, JsonObject entry, Actor actor, Instant now) {
    JsonObject.Builder out = JsonObject.builder();
    if (schema.entry().timestamp() && !entry.has(LogSchema.TIMESTAMP)) {
      out.put(LogSchema.TIMESTAMP, now.truncatedTo(ChronoUnit.SECONDS).toString());
    }
    if (schema.entry().agentId()) {
      checkName(entry, actor);
      if (!entry.has(LogSchema.AGENT_ID)) {
        out.put(LogSchema.AGENT_ID, actor.id());
      }
    }
    return out.putAll(entry).build();
  }

  /** An agent writes in no other name than its own. */
  private static void checkName(JsonObject entry, Actor actor) {
    String name = entry.string(LogSchema.AGENT_ID).orElse(actor.id());
    if (actor instanceof Actor.Agent && !name.equals(actor.id())) {
      throw new ContextureException(
          ErrorCode.ACCESS_DENIED,
          actor
              + " may not write a log entry in the name of \""
              + name
              + "\"; leave agent_id out, or give \""
              + actor.id()
              + "\"",
          Map.of("field", "entry." + LogSchema.AGENT_ID, "actual", name, "allowed", actor.id()),
          null);
    }
  }

  public static ContextureException type(String what, JsonValue given, String allowed) {
    return ContextureException.invalid(ErrorCode.FIELD_TYPE, what, given.toJson(), allowed);
  }
}
