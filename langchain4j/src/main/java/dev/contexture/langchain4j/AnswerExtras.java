package dev.contexture.langchain4j;

import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonBoolean;
import dev.contexture.json.JsonNull;
import dev.contexture.json.JsonNumber;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonValue;
import dev.langchain4j.data.image.Image;
import dev.langchain4j.data.message.AiMessage;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What an answer has beside text and calls, as JSON: its thinking, and attributes such as a
 * signature of the thinking, without which a provider refuses it.
 */
final class AnswerExtras {
  static final String THINKING = "thinking";

  private static final System.Logger LOG = System.getLogger(AnswerExtras.class.getName());
  private static final String ATTRIBUTES = "attributes";
  private static final String IMAGE = "@image";

  private AnswerExtras() {}

  /** Empty if it has nothing of that. */
  static JsonObject of(AiMessage message) {
    JsonObject.Builder extras = JsonObject.builder();
    extras.putIfPresent(THINKING, message.thinking());
    JsonObject.Builder attributes = JsonObject.builder();
    message
        .attributes()
        .forEach(
            (key, value) ->
                json(value)
                    .ifPresentOrElse(json -> attributes.put(key, json), () -> warn(key, value)));
    JsonObject kept = attributes.build();
    return (kept.isEmpty() ? extras : extras.put(ATTRIBUTES, kept)).build();
  }

  private static void warn(String key, @Nullable Object value) {
    LOG.log(
        System.Logger.Level.WARNING,
        "the attribute ''{0}'' of an answer is not kept: {1} has no form in JSON",
        key,
        value == null ? "null" : value.getClass().getName());
  }

  /** The attributes that were kept. */
  static Map<String, Object> attributes(JsonObject extras) {
    Map<String, Object> attributes = new LinkedHashMap<>();
    extras
        .object(ATTRIBUTES)
        .orElse(JsonObject.EMPTY)
        .members()
        .forEach((key, value) -> attributes.put(key, object(value)));
    return attributes;
  }

  /** The JSON of a value; empty if it has none. */
  static Optional<JsonValue> json(@Nullable Object value) {
    return switch (value) {
      case null -> Optional.empty();
      case String text -> Optional.of(JsonValue.of(text));
      case Boolean flag -> Optional.of(JsonValue.of(flag));
      case Double number when !Double.isFinite(number) -> Optional.empty();
      case Float number when !Float.isFinite(number) -> Optional.empty();
      case Number number -> Optional.of(new JsonNumber(number.toString()));
      case Image image -> Optional.of(JsonObject.of(IMAGE, image(image)));
      case List<?> list -> array(list);
      case Map<?, ?> map -> members(map);
      default -> Optional.empty();
    };
  }

  private static Optional<JsonValue> array(List<?> list) {
    List<JsonValue> items = new ArrayList<>();
    list.forEach(item -> json(item).ifPresent(items::add));
    return items.size() == list.size() ? Optional.of(new JsonArray(items)) : Optional.empty();
  }

  private static Optional<JsonValue> members(Map<?, ?> map) {
    JsonObject.Builder members = JsonObject.builder();
    map.forEach((key, item) -> json(item).ifPresent(json -> members.put(key.toString(), json)));
    JsonObject all = members.build();
    return all.size() == map.size() ? Optional.of(all) : Optional.empty();
  }

  private static JsonObject image(Image image) {
    return JsonObject.builder()
        .putIfPresent("url", image.url() == null ? null : image.url().toString())
        .putIfPresent("data", image.base64Data())
        .putIfPresent("mime", image.mimeType())
        .putIfPresent("revised_prompt", image.revisedPrompt())
        .build();
  }

  private static Object object(JsonValue value) {
    return switch (value) {
      case JsonString text -> text.value();
      case JsonBoolean flag -> flag.equals(JsonBoolean.TRUE);
      case JsonNumber number -> number(number);
      case JsonNull _unused -> "";
      case JsonArray list -> list.items().stream().map(AnswerExtras::object).toList();
      case JsonObject map -> map.object(IMAGE).map(AnswerExtras::image).orElseGet(() -> map(map));
    };
  }

  private static Object map(JsonObject json) {
    Map<String, Object> map = new LinkedHashMap<>();
    json.members().forEach((key, value) -> map.put(key, object(value)));
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

  private static Object image(JsonObject json) {
    Image.Builder image = Image.builder();
    json.string("url").map(URI::create).ifPresent(image::url);
    json.string("data").ifPresent(image::base64Data);
    json.string("mime").ifPresent(image::mimeType);
    json.string("revised_prompt").ifPresent(image::revisedPrompt);
    return image.build();
  }
}
