package dev.contexture.json;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.json.JsonFactory;

/** Text to value. Jackson finds the tokens; nothing of it is visible outside. */
final class JsonReader {
  private static final int MAX_NUMBER_CHARS = 1_000;
  private static final Pattern SOURCE = Pattern.compile("\\[Source: [^;\\]]*; (line: [^\\]]*)\\]");
  private static final Pattern SETTING = Pattern.compile(",? (?:from|use) `[^`]*`[^)]*");

  static final JsonFactory FACTORY =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(Integer.MAX_VALUE) // counted here, so that one message serves
                  .maxStringLength(Integer.MAX_VALUE)
                  .maxNameLength(Integer.MAX_VALUE)
                  .maxNumberLength(MAX_NUMBER_CHARS)
                  .build())
          .build();

  private final JsonParser parser;
  private final JsonLimits limits;
  private final @Nullable Set<String> carried; // null: keys may repeat everywhere
  private boolean strict;
  private int values;

  private JsonReader(JsonParser parser, JsonLimits limits, @Nullable Set<String> carried) {
    this.parser = parser;
    this.limits = limits;
    this.carried = carried;
    this.strict = carried != null;
  }

  static JsonValue read(String text, JsonLimits limits) {
    return read(text, limits, null);
  }

  /**
   * @param carried members of the outermost object in which keys may repeat; null: they may
   *     everywhere, and the last one counts
   */
  static JsonValue read(String text, JsonLimits limits, @Nullable Set<String> carried) {
    if (text.length() > limits.maxChars()) {
      throw ContextureException.limit(
          ErrorCode.MALFORMED_JSON, "json", limits.maxChars(), text.length(), "characters");
    }
    try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), text)) {
      JsonToken first = parser.nextToken();
      if (first == null) {
        throw malformed("the text is empty", null);
      }
      JsonValue value = new JsonReader(parser, limits, carried).value(first, 0);
      if (parser.nextToken() != null) {
        throw malformed("more follows the value" + at(parser.currentTokenLocation()), null);
      }
      return value;
    } catch (JacksonException failure) {
      throw malformed(words(failure) + at(failure.getLocation()), failure);
    }
  }

  private JsonValue value(JsonToken token, int depth) {
    if (++values > limits.maxValues()) {
      throw ContextureException.limit(
          ErrorCode.MALFORMED_JSON, "json", limits.maxValues(), values, "values or more");
    }
    return switch (token) {
      case START_OBJECT -> object(deeper(depth));
      case START_ARRAY -> array(deeper(depth));
      case VALUE_STRING -> new JsonString(parser.getString());
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> new JsonNumber(parser.getString());
      case VALUE_TRUE -> JsonBoolean.TRUE;
      case VALUE_FALSE -> JsonBoolean.FALSE;
      case VALUE_NULL -> JsonNull.NULL;
      case END_OBJECT, END_ARRAY, PROPERTY_NAME, NOT_AVAILABLE, VALUE_EMBEDDED_OBJECT ->
          throw malformed("unexpected " + token + at(parser.currentTokenLocation()), null);
    };
  }

  private JsonObject object(int depth) {
    Map<String, JsonValue> members = new LinkedHashMap<>();
    while (next() == JsonToken.PROPERTY_NAME) {
      String key = parser.currentName();
      boolean loose = strict && depth == 1 && carried != null && carried.contains(key);
      strict = strict && !loose;
      JsonValue before = members.put(key, value(next(), depth));
      strict = strict || loose;
      if (before != null && strict) {
        throw twice(key);
      }
    }
    return JsonObject.owning(members);
  }

  private ContextureException twice(String key) {
    return new ContextureException(
        ErrorCode.MALFORMED_JSON,
        "the key \"" + key + "\" is there twice in an object" + at(parser.currentTokenLocation()),
        Map.of("field", key),
        null);
  }

  private JsonArray array(int depth) {
    List<JsonValue> items = new ArrayList<>();
    for (JsonToken token = next(); token != JsonToken.END_ARRAY; token = next()) {
      items.add(value(token, depth));
    }
    return new JsonArray(items);
  }

  private JsonToken next() {
    JsonToken token = parser.nextToken();
    if (token == null) {
      throw malformed("the text ends inside a value", null);
    }
    return token;
  }

  private int deeper(int depth) {
    if (depth >= limits.maxDepth()) {
      throw ContextureException.limit(
          ErrorCode.MALFORMED_JSON, "json", limits.maxDepth(), depth + 1L, "levels of nesting");
    }
    return depth + 1;
  }

  private static ContextureException malformed(String why, @Nullable Throwable cause) {
    return new ContextureException(
        ErrorCode.MALFORMED_JSON,
        "the text is not one JSON value: " + why,
        Map.of("field", "json"),
        cause);
  }

  /** What was wrong, without the names of the library's settings. */
  private static String words(JacksonException failure) {
    String said = String.valueOf(failure.getOriginalMessage());
    return SETTING.matcher(SOURCE.matcher(said).replaceAll("$1")).replaceAll("");
  }

  private static String at(@Nullable TokenStreamLocation place) {
    return place == null || place.getLineNr() < 1
        ? ""
        : " (line " + place.getLineNr() + ", column " + place.getColumnNr() + ")";
  }
}
