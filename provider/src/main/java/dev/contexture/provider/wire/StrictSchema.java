package dev.contexture.provider.wire;

import dev.contexture.error.Choices;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonBoolean;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apiguardian.api.API;

/**
 * The JSON Schema of an answer as providers take it that enforce one. What is added makes it
 * narrower, never another: an answer that fits it fits the given schema, too.
 *
 * @param schema the given one with what it lacked
 * @param gaps what it lacked, or what cannot be
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record StrictSchema(JsonObject schema, List<Gap> gaps) {
  private static final String CLOSED = "additionalProperties";
  private static final String REQUIRED = "required";
  private static final String PROPERTIES = "properties";
  private static final Set<String> MAPS = Set.of(PROPERTIES, "$defs", "definitions");
  private static final Set<String> LISTS = Set.of("anyOf", "oneOf", "allOf", "prefixItems");

  public StrictSchema {
    gaps = List.copyOf(gaps);
  }

  /** The demand of a provider on each object in a schema. */
  public enum Demand {
    /** Nothing. */
    NONE,
    /** It says that it has no other properties. */
    CLOSED,
    /** It is closed, all its properties are required, and the answer is one. */
    COMPLETE
  }

  /**
   * A place that does not meet the demand.
   *
   * @param pointer where, in the schema
   * @param message what is wrong
   * @param repair what was done; empty: nothing could be
   */
  public record Gap(String pointer, String message, String repair) {}

  /** Reads a schema. */
  public static StrictSchema of(JsonObject given, Demand demand) {
    List<Gap> gaps = new ArrayList<>();
    if (demand == Demand.NONE) {
      return new StrictSchema(given, gaps);
    }
    if (demand == Demand.COMPLETE && !given.string("type").orElse("").equals("object")) {
      String type = given.find("type").map(JsonValue::toJson).orElse("missing");
      gaps.add(new Gap("", "the type of the answer is " + type + ", allowed is \"object\"", ""));
    }
    return new StrictSchema(new Walk(demand, gaps).node(given, ""), gaps);
  }

  /** Goes through a schema. Confined to one thread. */
  private record Walk(Demand demand, List<Gap> gaps) {
    JsonObject node(JsonObject given, String at) {
      JsonObject.Builder node = given.toBuilder();
      given
          .members()
          .forEach(
              (key, value) -> {
                String inner = at + "/" + escaped(key);
                if (value instanceof JsonObject map && MAPS.contains(key)) {
                  node.put(key, each(map, inner));
                } else if (value instanceof JsonArray list && LISTS.contains(key)) {
                  node.put(key, each(list, inner));
                } else if (key.equals("items")) {
                  node.put(key, inside(value, inner));
                }
              });
      JsonObject walked = node.build();
      return isObject(given) ? complete(closed(walked, at), at) : walked;
    }

    private JsonValue inside(JsonValue value, String at) {
      return value instanceof JsonObject object ? node(object, at) : value;
    }

    private JsonObject each(JsonObject map, String at) {
      JsonObject.Builder each = JsonObject.builder();
      map.members().forEach((key, v) -> each.put(key, inside(v, at + "/" + escaped(key))));
      return each.build();
    }

    private JsonArray each(JsonArray list, String at) {
      List<JsonValue> each = new ArrayList<>();
      list.items().forEach(value -> each.add(inside(value, at + "/" + each.size())));
      return new JsonArray(each);
    }

    private JsonObject closed(JsonObject node, String at) {
      JsonValue other = node.find(CLOSED).orElse(null);
      if (other == null) {
        gaps.add(
            new Gap(
                at,
                "an object lacks \"additionalProperties\":false",
                "\"additionalProperties\":false was added: the provider takes closed objects"));
        return node.with(CLOSED, JsonBoolean.FALSE);
      }
      if (!other.equals(JsonBoolean.FALSE)) {
        gaps.add(new Gap(at, "additionalProperties is not false, allowed is false", ""));
      }
      return node;
    }

    private JsonObject complete(JsonObject node, String at) {
      List<JsonValue> required =
          new ArrayList<>(node.array(REQUIRED).orElse(JsonArray.of()).items());
      List<String> missing = new ArrayList<>();
      for (String name : node.object(PROPERTIES).orElse(JsonObject.EMPTY).keys()) {
        if (!required.contains(new JsonString(name))) {
          missing.add(name);
          required.add(new JsonString(name));
        }
      }
      if (demand != Demand.COMPLETE || missing.isEmpty()) {
        return node;
      }
      String names = Choices.few(missing);
      gaps.add(
          new Gap(
              at,
              "required lacks " + names + ", allowed is with all properties",
              "required now has " + names + ": the provider wants all properties there"));
      return node.with(REQUIRED, new JsonArray(required));
    }

    private static boolean isObject(JsonObject node) {
      JsonString object = new JsonString("object");
      return node.find("type")
          .map(
              type ->
                  type.equals(object)
                      || (type instanceof JsonArray any && any.items().contains(object)))
          .orElse(node.has(PROPERTIES));
    }

    private static String escaped(String key) {
      return key.replace("~", "~0").replace("/", "~1");
    }
  }
}
