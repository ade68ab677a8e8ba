package dev.contexture.json;

import java.util.Set;
import org.apiguardian.api.API;

/**
 * A JSON value. Immutable. Objects keep the order of their keys and numbers keep their spelling, so
 * that what was parsed prints back with the same meaning, byte for byte but for white space and
 * escapes.
 */
@API(status = API.Status.STABLE, since = "0.1")
public sealed interface JsonValue
    permits JsonObject, JsonArray, JsonString, JsonNumber, JsonBoolean, JsonNull {

  /**
   * Reads one JSON value within {@link JsonLimits#DEFAULT}.
   *
   * @throws dev.contexture.error.ContextureException {@code malformed_json} if the text is not
   *     exactly one JSON value within the limits
   */
  static JsonValue parse(String text) {
    return JsonReader.read(text, JsonLimits.DEFAULT);
  }

  /** Reads one JSON value within the given limits. */
  static JsonValue parse(String text, JsonLimits limits) {
    return JsonReader.read(text, limits);
  }

  /**
   * Reads one JSON value in which no object has a key twice, but inside these members of the
   * outermost one.
   */
  static JsonValue parseUnique(String text, Set<String> carried) {
    return JsonReader.read(text, JsonLimits.DEFAULT, carried);
  }

  /** A string value. */
  static JsonString of(String value) {
    return new JsonString(value);
  }

  /** A number value. */
  static JsonNumber of(long value) {
    return new JsonNumber(Long.toString(value));
  }

  /** A boolean value. */
  static JsonBoolean of(boolean value) {
    return value ? JsonBoolean.TRUE : JsonBoolean.FALSE;
  }

  /** Prints without any white space between tokens. */
  default String toJson() {
    return JsonWriter.compact(this);
  }

  /** Prints with an indent of two spaces, one member or item per line. */
  default String toPrettyJson() {
    return JsonWriter.pretty(this);
  }

  /** What kind of value this is, as messages name it: object, array, string, … */
  default String kind() {
    return switch (this) {
      case JsonObject _unused -> "object";
      case JsonArray _unused -> "array";
      case JsonString _unused -> "string";
      case JsonNumber _unused -> "number";
      case JsonBoolean _unused -> "boolean";
      case JsonNull _unused -> "null";
    };
  }
}
