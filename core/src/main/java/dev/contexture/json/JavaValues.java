package dev.contexture.json;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Writes values of Java as JSON and reads them back: texts, flags, numbers, lists and maps with
 * texts as keys. Frameworks keep in such values what providers gave them.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class JavaValues {
  private JavaValues() {}

  /** The JSON of a value; empty if it has none, or if a part of it has none. */
  public static Optional<JsonValue> json(@Nullable Object value) {
    return json(value, unused -> Optional.empty());
  }

  /**
   * The JSON of a value.
   *
   * @param other writes what has no JSON of its own
   */
  public static Optional<JsonValue> json(
      @Nullable Object value, Function<Object, Optional<JsonValue>> other) {
    return switch (value) {
      case null -> Optional.empty();
      case JsonValue json -> Optional.of(json);
      case String text -> Optional.of(JsonValue.of(text));
      case Boolean flag -> Optional.of(JsonValue.of(flag));
      case Double number when !Double.isFinite(number) -> Optional.empty();
      case Float number when !Float.isFinite(number) -> Optional.empty();
      case Number number -> Optional.of(new JsonNumber(number.toString()));
      case List<?> list -> array(list, other);
      case Map<?, ?> map -> members(map, other);
      default -> other.apply(value);
    };
  }

  private static Optional<JsonValue> array(
      List<?> list, Function<Object, Optional<JsonValue>> other) {
    List<JsonValue> items = new ArrayList<>();
    list.forEach(item -> json(item, other).ifPresent(items::add));
    return items.size() == list.size() ? Optional.of(new JsonArray(items)) : Optional.empty();
  }

  private static Optional<JsonValue> members(
      Map<?, ?> map, Function<Object, Optional<JsonValue>> other) {
    JsonObject.Builder members = JsonObject.builder();
    map.forEach(
        (key, item) -> json(item, other).ifPresent(json -> members.put(key.toString(), json)));
    JsonObject all = members.build();
    return all.size() == map.size() ? Optional.of(all) : Optional.empty();
  }

  /**
   * The value of a JSON: whole numbers as {@code Integer} or {@code Long}, others as {@code
   * Double}, null as an empty text.
   *
   * @param other reads objects that {@code other} wrote; null: it is not one of them
   */
  public static Object object(JsonValue value, Function<JsonObject, @Nullable Object> other) {
    return switch (value) {
      case JsonString text -> text.value();
      case JsonBoolean flag -> flag.equals(JsonBoolean.TRUE);
      case JsonNumber number -> number(number);
      case JsonNull _unused -> "";
      case JsonArray list -> list.items().stream().map(item -> object(item, other)).toList();
      case JsonObject map -> {
        Object made = other.apply(map);
        yield made == null ? map(map, other) : made;
      }
    };
  }

  /** The values of the members of an object, in their order. */
  public static Map<String, Object> map(
      JsonObject json, Function<JsonObject, @Nullable Object> other) {
    Map<String, Object> map = new LinkedHashMap<>();
    json.members().forEach((key, value) -> map.put(key, object(value, other)));
    return map;
  }

  private static Object number(JsonNumber number) {
    if (number.asLong().isEmpty()) {
      return number.decimal().doubleValue();
    }
    long whole = number.asLong().getAsLong();
    if (whole == (int) whole) {
      return (int) whole;
    }
    return whole;
  }
}
