package dev.contexture.provider.wire;

import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonBoolean;
import dev.contexture.json.JsonNull;
import dev.contexture.json.JsonNumber;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.apiguardian.api.API;

/** The JSON type of a parameter. Null is always taken: it says nothing. */
@API(status = API.Status.INTERNAL, since = "0.1")
public enum ParamType {
  NUMBER("a number"),
  INTEGER("a whole number"),
  /** A number, or a string that spells one: protocol buffers take both. */
  SPELT_NUMBER("a number"),
  TEXT("a string"),
  FLAG("true or false"),
  OBJECT("an object"),
  LIST("a list"),
  TEXTS("a list of strings"),
  TEXT_OR_TEXTS("a string or a list of strings"),
  TEXT_OR_OBJECT("a string or an object");

  private static final int MOST_SHOWN = 60;
  private static final Pattern SPELT =
      Pattern.compile("-?\\d{1,20}(\\.\\d{1,20})?([eE][+-]?\\d{1,3})?");

  private final String words;

  ParamType(String words) {
    this.words = words;
  }

  /**
   * A parameter of another type.
   *
   * @param path its name; dots lead inside
   * @param actual what it is, as JSON, at most its beginning
   * @param allowed what it may be
   */
  public record Mismatch(String path, String actual, String allowed) {}

  /** The parameters that are of another type, by name. */
  public static List<Mismatch> mismatches(Map<String, ParamType> types, JsonObject params) {
    List<Mismatch> wrong = new ArrayList<>();
    new TreeMap<>(types)
        .forEach(
            (path, type) ->
                AskedMembers.at(params, path)
                    .filter(value -> !type.takes(value))
                    .ifPresent(v -> wrong.add(new Mismatch(path, shown(v), type.words))));
    return wrong;
  }

  private static String shown(JsonValue value) {
    String json = value.toJson();
    return json.length() > MOST_SHOWN ? json.substring(0, MOST_SHOWN) + "…" : json;
  }

  private boolean takes(JsonValue value) {
    return value instanceof JsonNull
        || switch (this) {
          case NUMBER -> value instanceof JsonNumber;
          case INTEGER -> value instanceof JsonNumber number && number.asLong().isPresent();
          case SPELT_NUMBER ->
              value instanceof JsonNumber
                  || (value instanceof JsonString text && SPELT.matcher(text.value()).matches());
          case TEXT -> value instanceof JsonString;
          case FLAG -> value instanceof JsonBoolean;
          case OBJECT -> value instanceof JsonObject;
          case LIST -> value instanceof JsonArray;
          case TEXTS -> isTexts(value);
          case TEXT_OR_TEXTS -> value instanceof JsonString || isTexts(value);
          case TEXT_OR_OBJECT -> value instanceof JsonString || value instanceof JsonObject;
        };
  }

  private static boolean isTexts(JsonValue value) {
    return value instanceof JsonArray list
        && list.items().stream().allMatch(JsonString.class::isInstance);
  }
}
