package dev.contexture.langchain4j;

import dev.contexture.json.JavaValues;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.langchain4j.data.image.Image;
import dev.langchain4j.data.message.AiMessage;
import java.net.URI;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Parts of an answer beside text and calls, as JSON: its thinking, and attributes such as a
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
    return JavaValues.map(
        extras.object(ATTRIBUTES).orElse(JsonObject.EMPTY),
        json -> json.object(IMAGE).map(AnswerExtras::image).orElse(null));
  }

  private static Optional<JsonValue> json(@Nullable Object value) {
    return JavaValues.json(
        value,
        other ->
            other instanceof Image image
                ? Optional.of(JsonObject.of(IMAGE, image(image)))
                : Optional.empty());
  }

  private static JsonObject image(Image image) {
    return JsonObject.builder()
        .putIfPresent("url", image.url() == null ? null : image.url().toString())
        .putIfPresent("data", image.base64Data())
        .putIfPresent("mime", image.mimeType())
        .putIfPresent("revised_prompt", image.revisedPrompt())
        .build();
  }

  private static Image image(JsonObject json) {
    Image.Builder image = Image.builder();
    json.string("url").map(URI::create).ifPresent(image::url);
    json.string("data").ifPresent(image::base64Data);
    json.string("mime").ifPresent(image::mimeType);
    json.string("revised_prompt").ifPresent(image::revisedPrompt);
    return image.build();
  }
}
