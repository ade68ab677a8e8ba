package dev.contexture.json;

import java.util.List;
import org.apiguardian.api.API;

/** A JSON array. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record JsonArray(List<JsonValue> items) implements JsonValue {
  private static final JsonArray EMPTY = new JsonArray(List.of());

  public JsonArray {
    items = List.copyOf(items);
  }

  public static JsonArray of(JsonValue... items) {
    return items.length == 0 ? EMPTY : new JsonArray(List.of(items));
  }

  /** An array of strings. */
  public static JsonArray ofStrings(List<String> values) {
    return new JsonArray(values.stream().<JsonValue>map(JsonString::new).toList());
  }

  public int size() {
    return items.size();
  }

  public boolean isEmpty() {
    return items.isEmpty();
  }

  @Override
  public String toString() {
    return toJson();
  }
}
