package dev.contexture.mcp;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonBoolean;
import dev.contexture.json.JsonNull;
import dev.contexture.json.JsonNumber;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The arguments of a call, which are as the schema of the tool says. */
final class ToolInput {
  private final JsonObject arguments;

  private ToolInput(JsonObject arguments) {
    this.arguments = arguments;
  }

  /**
   * Checks arguments.
   *
   * @throws ContextureException {@code invalid_argument} that names what is wrong
   */
  static ToolInput of(JsonObject schema, JsonObject arguments) {
    JsonObject given = arguments;
    for (String name : arguments.keys()) {
      if (arguments.find(name).orElseThrow() == JsonNull.NULL) {
        given = given.without(name); // some models write what they leave out
      }
    }
    check("", schema, given);
    return new ToolInput(given);
  }

  private static void check(String at, JsonObject schema, JsonValue value) {
    String type = schema.string("type").orElse("");
    if (!type.isEmpty() && !isOf(type, value)) {
      throw wrong(at, value, "of type " + type);
    }
    schema
        .array("enum")
        .filter(allowed -> !allowed.items().contains(value))
        .ifPresent(
            allowed -> {
              throw wrong(at, value, "one of " + allowed.toJson());
            });
    if (value instanceof JsonNumber number) {
      checkRange(at, schema, number);
    } else if (value instanceof JsonArray array) {
      JsonObject items = schema.object("items").orElse(JsonObject.EMPTY);
      for (int i = 0; i < array.size(); i++) {
        check(at + "[" + i + "]", items, array.items().get(i));
      }
    } else if (value instanceof JsonObject object && schema.has("properties")) {
      checkMembers(at, schema, object);
    }
  }

  private static void checkRange(String at, JsonObject schema, JsonNumber number) {
    double given = number.asDouble().orElse(Double.NaN);
    Optional<JsonNumber> least = bound(schema, "minimum");
    Optional<JsonNumber> most = bound(schema, "maximum");
    boolean below = least.isPresent() && !(given >= least.get().asDouble().orElse(0));
    boolean above = most.isPresent() && !(given <= most.get().asDouble().orElse(0));
    if (below || above) {
      String from = least.map(bound -> "from " + bound.toJson()).orElse("");
      String to = most.map(bound -> " to " + bound.toJson()).orElse("");
      throw wrong(at, number, (from + to).strip());
    }
  }

  private static Optional<JsonNumber> bound(JsonObject schema, String name) {
    return schema
        .find(name)
        .flatMap(value -> value instanceof JsonNumber n ? Optional.of(n) : Optional.empty());
  }

  private static void checkMembers(String at, JsonObject schema, JsonObject object) {
    JsonObject known = schema.object("properties").orElse(JsonObject.EMPTY);
    String prefix = at.isEmpty() ? "" : at + ".";
    for (Map.Entry<String, JsonValue> member : object.members().entrySet()) {
      JsonObject inner = known.object(member.getKey()).orElse(null);
      if (inner == null) {
        throw ContextureException.unknown(
            ErrorCode.INVALID_ARGUMENT,
            prefix + member.getKey(),
            known.isEmpty() ? "no arguments" : String.join(", ", known.keys()));
      }
      check(prefix + member.getKey(), inner, member.getValue());
    }
    schema
        .array("required")
        .ifPresent(
            names ->
                names.items().stream()
                    .map(name -> ((JsonString) name).value())
                    .filter(name -> !object.has(name))
                    .forEach(
                        name -> {
                          throw ContextureException.invalid(
                              ErrorCode.INVALID_ARGUMENT, prefix + name, "nothing", "a value");
                        }));
  }

  private static boolean isOf(String type, JsonValue value) {
    return switch (type) {
      case "integer" -> value instanceof JsonNumber number && number.asLong().isPresent();
      case "number" -> value instanceof JsonNumber;
      case "string" -> value instanceof JsonString;
      case "boolean" -> value instanceof JsonBoolean;
      case "array" -> value instanceof JsonArray;
      case "object" -> value instanceof JsonObject;
      default -> throw new IllegalStateException("no such type: " + type);
    };
  }

  private static ContextureException wrong(String at, JsonValue value, String allowed) {
    String shown = value instanceof JsonString text ? text.value() : value.toJson();
    return ContextureException.invalid(
        ErrorCode.INVALID_ARGUMENT, at.isEmpty() ? "arguments" : at, shown, allowed);
  }

  JsonObject all() {
    return arguments;
  }

  Optional<String> find(String name) {
    return arguments.string(name);
  }

  String text(String name) {
    return find(name).orElseThrow(() -> missing(name));
  }

  private static ContextureException missing(String name) {
    return ContextureException.invalid(
        ErrorCode.INVALID_ARGUMENT, name, "nothing", "a value; this needs it");
  }

  long number(String name, long absent) {
    return arguments
        .find(name)
        .flatMap(value -> ((JsonNumber) value).asLong().stream().boxed().findFirst())
        .orElse(absent);
  }

  List<JsonObject> objects(String name) {
    List<JsonObject> objects = new ArrayList<>();
    arguments
        .array(name)
        .ifPresent(array -> array.items().forEach(item -> objects.add((JsonObject) item)));
    return objects;
  }

  List<String> texts(String name) {
    return texts(arguments, name);
  }

  static List<String> texts(JsonObject object, String name) {
    List<String> texts = new ArrayList<>();
    object
        .array(name)
        .ifPresent(
            array ->
                array
                    .items()
                    .forEach(item -> texts.add(item instanceof JsonString t ? t.value() : "")));
    return texts;
  }
}
