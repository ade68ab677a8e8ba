package dev.contexture.provider.foreign;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonNull;
import dev.contexture.json.JsonNumber;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonValue;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A part of a file that is one chat, or what a program keeps as one.
 *
 * @param place where it is in the file, a JSON pointer; empty: all of it
 * @param suffix what tells it apart from the others of the file; null: there are no others
 * @param raw as it is spelled
 * @param value what it says
 */
record ChatUnit(String place, @Nullable String suffix, String raw, JsonValue value) {
  private static final BigDecimal MILLIS_FROM = new BigDecimal("100000000000"); // the year 5138

  /** The unit, which must be an object. */
  JsonObject object() {
    if (value instanceof JsonObject object) {
      return object;
    }
    throw malformed(place, value.kind(), "an object");
  }

  static ContextureException malformed(String place, String found, String expected) {
    return ContextureException.invalid(
        ErrorCode.IMPORT_MALFORMED, place.isEmpty() ? "/" : place, found, expected);
  }

  /** The objects of a list in an object; none if it has no such list. */
  static List<JsonObject> objects(JsonObject of, String name, String place) {
    JsonValue list = of.find(name).orElse(JsonNull.NULL);
    return list == JsonNull.NULL ? List.of() : objects(list, place + "/" + name);
  }

  /** The objects of a list. */
  static List<JsonObject> objects(JsonValue list, String place) {
    if (!(list instanceof JsonArray array)) {
      throw malformed(place, list.kind(), "a list");
    }
    List<JsonObject> objects = new ArrayList<>();
    for (JsonValue item : array.items()) {
      if (!(item instanceof JsonObject object)) {
        throw malformed(place + "/" + objects.size(), item.kind(), "an object");
      }
      objects.add(object);
    }
    return objects;
  }

  /** The first of some members that is a text and not empty. */
  static @Nullable String text(JsonObject of, String... names) {
    for (String name : names) {
      Optional<String> found = of.string(name).filter(text -> !text.isBlank());
      if (found.isPresent()) {
        return found.get();
      }
    }
    return null;
  }

  /** The first of some members that is a time: in words, or in seconds or milliseconds. */
  static @Nullable Instant time(JsonObject of, String... names) {
    for (String name : names) {
      Instant found = time(of.find(name).orElse(JsonNull.NULL));
      if (found != null) {
        return found;
      }
    }
    return null;
  }

  private static @Nullable Instant time(JsonValue value) {
    try {
      return switch (value) {
        case JsonNumber number -> seconds(new BigDecimal(number.toJson()));
        case JsonString text when !text.value().isBlank() -> written(text.value().strip());
        default -> null;
      };
    } catch (DateTimeException | ArithmeticException noTime) {
      return null;
    }
  }

  private static Instant seconds(BigDecimal number) {
    BigDecimal micros = number.movePointRight(number.compareTo(MILLIS_FROM) < 0 ? 6 : 3);
    long whole = micros.setScale(0, java.math.RoundingMode.DOWN).longValueExact();
    return Instant.ofEpochSecond(
        Math.floorDiv(whole, 1_000_000L), Math.floorMod(whole, 1_000_000L) * 1_000);
  }

  /** A time without offset is one in UTC. */
  private static Instant written(String text) {
    String iso = text.replaceFirst("^(\\d{4}-\\d{2}-\\d{2}) (\\d{2}:)", "$1T$2");
    return iso.matches(".*(Z|[+-]\\d{2}:?\\d{2})$")
        ? OffsetDateTime.parse(iso.replaceFirst("([+-]\\d{2})(\\d{2})$", "$1:$2")).toInstant()
        : LocalDateTime.parse(iso).toInstant(ZoneOffset.UTC);
  }
}
