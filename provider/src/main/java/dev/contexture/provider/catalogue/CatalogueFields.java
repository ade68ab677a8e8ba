package dev.contexture.provider.catalogue;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonNull;
import dev.contexture.json.JsonNumber;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonValue;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;

/**
 * The members of one object of the catalogue file, refused by name where they cannot be.
 *
 * @param json the object
 * @param path where it stands in the file, with a dot at the end unless it is the file
 */
record CatalogueFields(JsonObject json, String path) {
  void allow(Set<String> known) {
    for (String key : json.keys()) {
      if (!known.contains(key)) {
        throw ContextureException.invalid(
            ErrorCode.INVALID_CONFIG, path + key, "unknown", "one of " + sorted(known));
      }
    }
  }

  Set<String> keys() {
    return json.keys();
  }

  /** The member, or an object without members if it is absent. */
  CatalogueFields object(String key) {
    JsonValue value = value(key);
    if (value == JsonNull.NULL) {
      return new CatalogueFields(JsonObject.EMPTY, path + key + ".");
    }
    if (value instanceof JsonObject object) {
      return new CatalogueFields(object, path + key + ".");
    }
    throw invalid(key, "an object");
  }

  List<CatalogueFields> objects(String key) {
    List<CatalogueFields> objects = new ArrayList<>();
    List<JsonValue> items = array(key).items();
    for (int i = 0; i < items.size(); i++) {
      if (!(items.get(i) instanceof JsonObject object)) {
        throw invalid(key, "an array of objects");
      }
      String name = object.string("id").orElse(Integer.toString(i));
      objects.add(new CatalogueFields(object, path + key + "." + name + "."));
    }
    return objects;
  }

  List<String> strings(String key) {
    List<String> strings = new ArrayList<>();
    for (JsonValue item : array(key).items()) {
      if (!(item instanceof JsonString string) || string.value().isEmpty()) {
        throw invalid(key, "an array of strings");
      }
      strings.add(string.value());
    }
    return strings;
  }

  private JsonArray array(String key) {
    JsonValue value = value(key);
    if (value instanceof JsonArray array) {
      return array;
    }
    if (value == JsonNull.NULL) {
      return JsonArray.of();
    }
    throw invalid(key, "an array");
  }

  String requireString(String key) {
    return json.string(key)
        .filter(text -> !text.isEmpty())
        .orElseThrow(() -> invalid(key, "a string"));
  }

  /** A whole number from 0, empty if it is not known. */
  OptionalInt count(String key) {
    JsonValue value = value(key);
    if (value == JsonNull.NULL) {
      return OptionalInt.empty();
    }
    if (value instanceof JsonNumber number) {
      long count = number.asLong().orElse(-1);
      if (count >= 0 && count <= Integer.MAX_VALUE) {
        return OptionalInt.of((int) count);
      }
    }
    throw invalid(key, "a whole number from 0");
  }

  int requireCount(String key) {
    int count = count(key).orElse(0);
    if (count == 0) {
      throw invalid(key, "a whole number above 0");
    }
    return count;
  }

  BigDecimal requirePositive(String key) {
    if (value(key) instanceof JsonNumber number && number.decimal().signum() > 0) {
      return number.decimal();
    }
    throw invalid(key, "a number above 0");
  }

  JsonValue value(String key) {
    return json.find(key).orElse(JsonNull.NULL);
  }

  ContextureException invalid(String key, String allowed) {
    Object actual = json.find(key).map(JsonValue::toJson).orElse(null);
    return ContextureException.invalid(ErrorCode.INVALID_CONFIG, path + key, actual, allowed);
  }

  private static String sorted(Set<String> names) {
    return String.join(", ", names.stream().sorted().toList());
  }
}
