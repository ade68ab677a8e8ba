package dev.contexture.provider;

import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonValue;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/** The golden files of the provider specification (P-12, P-84). */
public final class Golden {
  private Golden() {}

  public static String text(String name) {
    try (InputStream in = Golden.class.getResourceAsStream("golden/" + name)) {
      return new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8)
          .strip();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /** The values of a golden stream, one per event. */
  public static List<JsonValue> events(String name) {
    List<JsonValue> events = ((JsonArray) JsonValue.parse(text(name))).items();
    JsonObject first = (JsonObject) events.get(0);
    return events.stream().map(event -> completed(event, first)).toList();
  }

  /** Every chunk of a chat stream also has the id, object, time and model of the first. */
  private static JsonValue completed(JsonValue event, JsonObject first) {
    if (!(event instanceof JsonObject object) || object.has("type")) {
      return event;
    }
    JsonObject.Builder chunk = JsonObject.builder();
    for (String key : List.of("id", "object", "created", "model")) {
      first.find(key).ifPresent(value -> chunk.put(key, value));
    }
    return chunk.putAll(object).build();
  }

  /** Events as the wire carries them. */
  public static String wire(List<JsonValue> events, String lineEnd) {
    return events.stream().map(event -> wireEvent(event, lineEnd)).collect(Collectors.joining());
  }

  private static String wireEvent(JsonValue event, String lineEnd) {
    String data = event instanceof JsonString word ? word.value() : event.toJson();
    String name =
        event instanceof JsonObject object && object.has("type")
            ? "event: " + object.string("type").orElseThrow() + lineEnd
            : "";
    return name + "data: " + data + lineEnd + lineEnd;
  }
}
