package dev.contexture.provider.wire.answer;

import dev.contexture.error.ContextureException;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonLimits;
import dev.contexture.json.JsonNull;
import dev.contexture.json.JsonNumber;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonValue;
import dev.contexture.json.SendableText;
import dev.contexture.model.AnswerException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** The JSON of one provider's answers, refused in the form of {@link AnswerException}. */
@API(status = API.Status.INTERNAL, since = "0.1")
public record AnswerJson(String provider) {
  private static final JsonLimits LIMITS =
      new JsonLimits(AnswerReader.MAX_ANSWER_BYTES, AnswerReader.MAX_DEPTH);

  /** Text from bytes that must be UTF-8. */
  public String decode(byte[] bytes) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException notUtf8) {
      throw AnswerException.malformed(provider, "", "text in UTF-8", "other bytes");
    }
  }

  /** A whole answer; the deltas of a stream may divide a pair of surrogates. */
  public String whole(byte[] answer) {
    return SendableText.paired(decode(answer));
  }

  public JsonObject object(String text) {
    JsonValue value;
    try {
      value = JsonValue.parse(text, LIMITS);
    } catch (ContextureException refused) {
      throw refused.details().containsKey("limit")
          ? AnswerException.tooLarge(
              provider, "the nesting of an answer", AnswerReader.MAX_DEPTH, "levels")
          : AnswerException.malformed(provider, "", "a JSON object", shown(refused));
    }
    if (value instanceof JsonObject object) {
      return object;
    }
    throw wrongType("", "a JSON object", value);
  }

  /** A member that must be an object. */
  public JsonObject object(JsonObject parent, String key, String pointer) {
    if (parent.members().get(key) instanceof JsonObject object) {
      return object;
    }
    throw wrongType(pointer, "an object", parent.members().get(key));
  }

  /** A member that must be an array. */
  public JsonArray array(JsonObject parent, String key, String pointer) {
    if (parent.members().get(key) instanceof JsonArray array) {
      return array;
    }
    throw wrongType(pointer, "an array", parent.members().get(key));
  }

  /** A member that must be a string. */
  public String string(JsonObject parent, String key, String pointer) {
    if (parent.members().get(key) instanceof JsonString string) {
      return string.value();
    }
    throw wrongType(pointer, "a string", parent.members().get(key));
  }

  /** A member that must be a string with at least one character. */
  public String name(JsonObject parent, String key, String pointer) {
    String name = string(parent, key, pointer);
    if (name.isEmpty()) {
      throw AnswerException.malformed(provider, pointer, "a name", "an empty string");
    }
    return name;
  }

  /** A value that must be an object. */
  public JsonObject asObject(JsonValue value, String pointer) {
    if (value instanceof JsonObject object) {
      return object;
    }
    throw wrongType(pointer, "an object", value);
  }

  public AnswerException wrongType(String pointer, String expected, @Nullable JsonValue found) {
    return AnswerException.malformed(
        provider, pointer, expected, found == null ? "nothing" : found.kind());
  }

  /** Whether the object says more than the members named. */
  public static boolean hasMore(JsonObject object, Set<String> known) {
    return object.members().entrySet().stream()
        .anyMatch(member -> !known.contains(member.getKey()) && !isNothing(member.getValue()));
  }

  /** Null or an array without items. */
  private static boolean isNothing(JsonValue value) {
    return value == JsonNull.NULL || (value instanceof JsonArray array && array.isEmpty());
  }

  /** Null, or a string, an array or an object without content. */
  public static boolean isEmpty(@Nullable JsonValue value) {
    return value == null
        || isNothing(value)
        || (value instanceof JsonString string && string.value().isEmpty())
        || (value instanceof JsonObject object && object.isEmpty());
  }

  /** Text that the neutral form, which drops line breaks at the end, would not carry. */
  public static boolean endsInLineBreak(String text) {
    return text.endsWith("\n") || text.endsWith("\r");
  }

  /** A number of tokens; 0 if it is missing or negative. */
  public static long count(JsonObject object, String key) {
    return object.members().get(key) instanceof JsonNumber number
        ? Math.max(0, number.asLong().orElse(0))
        : 0;
  }

  private static String shown(ContextureException refused) {
    return refused.getMessage() == null ? "other text" : refused.getMessage();
  }
}
