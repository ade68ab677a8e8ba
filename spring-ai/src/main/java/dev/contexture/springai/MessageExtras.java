package dev.contexture.springai;

import dev.contexture.json.JavaValues;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Parts of an answer beside text and calls, as JSON: metadata of its message, such as the reasoning
 * or the signatures that a provider wants back, and its thoughts, which some clients of Spring AI
 * give as messages of their own.
 */
final class MessageExtras {
  /** Where the metadata of a message has thoughts that were messages of their own. */
  static final String THOUGHTS = "contexture.thoughts";

  private static final System.Logger LOG = System.getLogger(MessageExtras.class.getName());
  private static final String METADATA = "metadata";
  private static final String BYTES = "@bytes";

  /** What clients say about an answer and never read again; most of it is recorded anyway. */
  private static final Set<String> BOOKKEEPING =
      Set.of(
          "messageType",
          "finishReason",
          "index",
          "id",
          "role",
          "candidateIndex",
          "isThought",
          "refusal",
          "annotations");

  private MessageExtras() {}

  /**
   * The extras of an answer; empty if it has none.
   *
   * @param metadata of the message that says something
   * @param thoughts each with its text and metadata
   */
  static JsonObject of(Map<String, Object> metadata, List<Map<String, Object>> thoughts) {
    JsonObject.Builder extras = JsonObject.builder();
    JsonObject kept = json(metadata);
    if (!kept.isEmpty()) {
      extras.put(METADATA, kept);
    }
    List<JsonValue> thought = new ArrayList<>();
    thoughts.forEach(each -> thought.add(json(each)));
    if (!thought.isEmpty()) {
      extras.put(THOUGHTS, new JsonArray(thought));
    }
    return extras.build();
  }

  private static JsonObject json(Map<String, Object> values) {
    JsonObject.Builder json = JsonObject.builder();
    new TreeMap<>(values)
        .forEach(
            (key, value) -> {
              if (value != null && !BOOKKEEPING.contains(key) && !"".equals(value)) {
                JavaValues.json(value, MessageExtras::bytes)
                    .ifPresentOrElse(kept -> json.put(key, kept), () -> warn(key, value));
              }
            });
    return json.build();
  }

  private static Optional<JsonValue> bytes(Object value) {
    return value instanceof byte[] bytes
        ? Optional.of(JsonObject.of(BYTES, JsonValue.of(Base64.getEncoder().encodeToString(bytes))))
        : Optional.empty();
  }

  private static void warn(String key, Object value) {
    LOG.log(
        System.Logger.Level.WARNING,
        "the metadata ''{0}'' of an answer is not kept: {1} has no form in JSON",
        key,
        value.getClass().getName());
  }

  /** The metadata of the message that an answer becomes, with its thoughts. */
  static Map<String, Object> metadata(JsonObject extras) {
    Map<String, Object> metadata = new LinkedHashMap<>();
    metadata.putAll(values(extras.object(METADATA).orElse(JsonObject.EMPTY)));
    extras
        .array(THOUGHTS)
        .ifPresent(
            thoughts ->
                metadata.put(
                    THOUGHTS,
                    thoughts.items().stream().map(each -> values((JsonObject) each)).toList()));
    return metadata;
  }

  private static Map<String, Object> values(JsonObject json) {
    return JavaValues.map(
        json,
        object -> object.string(BYTES).map(text -> Base64.getDecoder().decode(text)).orElse(null));
  }
}
