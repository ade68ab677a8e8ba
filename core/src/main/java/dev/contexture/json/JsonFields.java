package dev.contexture.json;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Reads the fields of an envelope strictly: a field of another type and a field that is not known
 * are refused, so that a typing error is not silently ignored. Null counts as absent.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class JsonFields {
  private final JsonObject object;

  private JsonFields(JsonObject object) {
    this.object = object;
  }

  /**
   * Starts reading an object that may have these fields only.
   *
   * @throws ContextureException {@code unknown_field} if it has another one
   */
  public static JsonFields of(JsonObject object, Set<String> known) {
    for (String name : object.keys()) {
      if (!known.contains(name)) {
        throw ContextureException.unknown(
            ErrorCode.UNKNOWN_FIELD, name, String.join(", ", new TreeSet<>(known)));
      }
    }
    return new JsonFields(object);
  }

  /** Starts reading a value that must be such an object. */
  public static JsonFields of(JsonValue value, String field, Set<String> known) {
    if (value instanceof JsonObject object) {
      return of(object, known);
    }
    throw wrongType(field, value, "an object");
  }

  public Optional<String> string(String name) {
    JsonValue value = value(name);
    if (value == null) {
      return Optional.empty();
    }
    if (value instanceof JsonString text) {
      return Optional.of(text.value());
    }
    throw wrongType(name, value, "a string");
  }

  public String requiredString(String name) {
    return string(name)
        .orElseThrow(
            () -> ContextureException.invalid(ErrorCode.FIELD_REQUIRED, name, null, "a string"));
  }

  public OptionalLong number(String name) {
    JsonValue value = value(name);
    if (value == null) {
      return OptionalLong.empty();
    }
    OptionalLong number =
        value instanceof JsonNumber spelled ? spelled.asLong() : OptionalLong.empty();
    if (number.isEmpty()) {
      throw wrongType(name, value, "a whole number");
    }
    return number;
  }

  /** A number that may have a fraction. */
  public OptionalDouble decimal(String name) {
    JsonValue value = value(name);
    if (value == null) {
      return OptionalDouble.empty();
    }
    OptionalDouble number =
        value instanceof JsonNumber spelled ? spelled.asDouble() : OptionalDouble.empty();
    if (number.isEmpty()) {
      throw wrongType(name, value, "a number up to 1.7e308");
    }
    return number;
  }

  public boolean flag(String name, boolean absent) {
    JsonValue value = value(name);
    if (value == null) {
      return absent;
    }
    if (value instanceof JsonBoolean flag) {
      return flag.value();
    }
    throw wrongType(name, value, "true or false");
  }

  public Optional<JsonObject> object(String name) {
    JsonValue value = value(name);
    if (value == null) {
      return Optional.empty();
    }
    if (value instanceof JsonObject inner) {
      return Optional.of(inner);
    }
    throw wrongType(name, value, "an object");
  }

  /** The items of an array of objects; none if it is absent. */
  public List<JsonObject> objects(String name) {
    List<JsonObject> objects = new ArrayList<>();
    for (JsonValue item : items(name)) {
      if (!(item instanceof JsonObject inner)) {
        throw wrongType(name + "[" + objects.size() + "]", item, "an object");
      }
      objects.add(inner);
    }
    return objects;
  }

  /** The items of an array of strings; none if it is absent. */
  public List<String> strings(String name) {
    List<String> strings = new ArrayList<>();
    for (JsonValue item : items(name)) {
      if (!(item instanceof JsonString text)) {
        throw wrongType(name + "[" + strings.size() + "]", item, "a string");
      }
      strings.add(text.value());
    }
    return strings;
  }

  /** Whether a field is there and null. */
  public boolean isNull(String name) {
    return object.members().get(name) == JsonNull.NULL;
  }

  /** Any value but null. */
  public @Nullable JsonValue value(String name) {
    JsonValue value = object.members().get(name);
    return value == JsonNull.NULL ? null : value;
  }

  private List<JsonValue> items(String name) {
    JsonValue value = value(name);
    if (value == null) {
      return List.of();
    }
    if (value instanceof JsonArray array) {
      return array.items();
    }
    throw wrongType(name, value, "an array");
  }

  private static ContextureException wrongType(String name, JsonValue value, String allowed) {
    return ContextureException.invalid(ErrorCode.FIELD_TYPE, name, value.toJson(), allowed);
  }
}
