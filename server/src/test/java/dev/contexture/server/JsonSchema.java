package dev.contexture.server;

import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonBoolean;
import dev.contexture.json.JsonNull;
import dev.contexture.json.JsonNumber;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonValue;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Judges values by the part of JSON Schema that the document of the API uses; a keyword that it
 * does not know is a failure. It is stricter than the document in one way: an object has no members
 * that its schema does not list, unless that says otherwise.
 */
public final class JsonSchema {
  private static final String REFERENCE = "#/components/schemas/";
  private final JsonObject named;

  public JsonSchema(JsonObject document) {
    this.named = document.object("components").flatMap(all -> all.object("schemas")).orElseThrow();
  }

  /** What is wrong with a value; nothing if it fits. */
  public List<String> problems(JsonValue value, JsonObject schema) {
    List<String> found = new ArrayList<>();
    check("", value, schema, found);
    return found;
  }

  private void check(String at, JsonValue value, JsonObject schema, List<String> found) {
    schema.members().forEach((keyword, rule) -> apply(at, value, schema, keyword, rule, found));
  }

  private void apply(
      String at,
      JsonValue value,
      JsonObject schema,
      String keyword,
      JsonValue rule,
      List<String> found) {
    switch (keyword) {
      case "$ref" -> check(at, value, target(((JsonString) rule).value()), found);
      case "type" -> type(at, value, rule, found);
      case "enum" -> {
        if (!((JsonArray) rule).items().contains(value)) {
          found.add(at + " is " + value.toJson() + ", none of " + rule.toJson());
        }
      }
      case "anyOf" -> anyOf(at, value, (JsonArray) rule, found);
      case "format" -> time(at, value, ((JsonString) rule).value(), found);
      case "items" -> {
        if (value instanceof JsonArray array) {
          int i = 0;
          for (JsonValue item : array.items()) {
            check(at + "/" + i++, item, (JsonObject) rule, found);
          }
        }
      }
      case "required" -> {
        if (value instanceof JsonObject object) {
          ((JsonArray) rule)
              .items().stream()
                  .map(name -> ((JsonString) name).value())
                  .filter(name -> !object.has(name))
                  .forEach(name -> found.add(at + " has no " + name));
        }
      }
      case "properties" -> properties(at, value, schema, (JsonObject) rule, found);
      case "additionalProperties" -> {
        if (value instanceof JsonObject object && rule instanceof JsonObject of) {
          object.members().forEach((name, member) -> check(at + "/" + name, member, of, found));
        }
      }
      case "description" -> {}
      default -> throw new AssertionError("unknown keyword " + keyword + " at " + at);
    }
  }

  private JsonObject target(String reference) {
    return named.object(reference.substring(REFERENCE.length())).orElseThrow();
  }

  private static void type(String at, JsonValue value, JsonValue rule, List<String> found) {
    List<JsonValue> types = rule instanceof JsonArray several ? several.items() : List.of(rule);
    if (types.stream().noneMatch(type -> is(value, ((JsonString) type).value()))) {
      found.add(at + " is " + value.toJson() + ", not " + rule.toJson());
    }
  }

  private static boolean is(JsonValue value, String type) {
    return switch (type) {
      case "object" -> value instanceof JsonObject;
      case "array" -> value instanceof JsonArray;
      case "string" -> value instanceof JsonString;
      case "boolean" -> value instanceof JsonBoolean;
      case "null" -> value instanceof JsonNull;
      case "number" -> value instanceof JsonNumber;
      case "integer" -> value instanceof JsonNumber number && number.asLong().isPresent();
      default -> throw new AssertionError("unknown type " + type);
    };
  }

  private void anyOf(String at, JsonValue value, JsonArray rules, List<String> found) {
    List<String> tried = new ArrayList<>();
    for (JsonValue rule : rules.items()) {
      List<String> problems = new ArrayList<>();
      check(at, value, (JsonObject) rule, problems);
      if (problems.isEmpty()) {
        return;
      }
      tried.addAll(problems);
    }
    found.addAll(tried);
  }

  private static void time(String at, JsonValue value, String format, List<String> found) {
    if (!format.equals("date-time")) {
      throw new AssertionError("unknown format " + format);
    }
    if (value instanceof JsonString text) {
      try {
        Instant.parse(text.value());
      } catch (DateTimeException wrong) {
        found.add(at + " is " + text.value() + ", no time");
      }
    }
  }

  private void properties(
      String at, JsonValue value, JsonObject schema, JsonObject known, List<String> found) {
    if (!(value instanceof JsonObject object)) {
      return;
    }
    boolean open = schema.isTrue("additionalProperties");
    object
        .members()
        .forEach(
            (name, member) -> {
              JsonObject rule = known.object(name).orElse(null);
              if (rule != null) {
                check(at + "/" + name, member, rule, found);
              } else if (!open) {
                found.add(at + " has an undeclared " + name);
              }
            });
  }
}
