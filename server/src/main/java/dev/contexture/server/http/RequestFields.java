package dev.contexture.server.http;

import dev.contexture.block.Timestamps;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonFields;
import dev.contexture.json.JsonNumber;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonText;
import dev.contexture.json.JsonValue;
import dev.contexture.json.SendableText;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The JSON object that came with a call: its fields, read strictly, and its text where the spelling
 * must survive. In fields, what no provider takes is replaced. An empty body is an empty object.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class RequestFields {
  /** Members of a body that hold what a provider said or is sent, as it is. */
  private static final Set<String> CARRIED = Set.of("response", "request", "messages");

  private final String text;
  private final JsonFields fields;

  private RequestFields(String text, JsonFields fields) {
    this.text = text;
    this.fields = fields;
  }

  public static RequestFields read(String text, Set<String> known) {
    if (text.isBlank()) {
      return new RequestFields("{}", JsonFields.of(JsonObject.EMPTY, known));
    }
    return new RequestFields(text, JsonFields.of(parse(text), "body", known));
  }

  /**
   * The JSON of a body, strictly: no character that must be escaped, and no key twice in an object,
   * since it would not be clear what is meant. What others wrote and a body only carries may have
   * keys twice.
   *
   * @throws ContextureException {@code malformed_json}
   */
  public static JsonValue parse(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < ' ' && c != '\t' && c != '\n' && c != '\r') {
        throw new ContextureException(
            ErrorCode.MALFORMED_JSON,
            "the body is not JSON: the control character U+"
                + HexFormat.of().withUpperCase().toHexDigits(c)
                + " (character "
                + (i + 1)
                + ") must be escaped",
            Map.of("field", "body"),
            null);
      }
    }
    return JsonValue.parseUnique(SendableText.ofJson(text), CARRIED);
  }

  /** Whether a field is given as null, which clears it where a route says so. */
  public boolean isNull(String name) {
    return fields.isNull(name);
  }

  public JsonFields fields() {
    return fields;
  }

  /** A field that must be given, exactly as it was spelled; it has to be an object. */
  public String exactObject(String name) {
    if (fields.object(name).isEmpty()) {
      throw required(name, "an object");
    }
    return JsonText.member(text, name).orElseThrow(() -> required(name, "an object"));
  }

  public String requiredString(String name) {
    return fields.requiredString(name);
  }

  public @Nullable String string(String name) {
    return fields.string(name).orElse(null);
  }

  public @Nullable Instant ts(String name) {
    JsonValue value = fields.value(name);
    return value == null ? null : Timestamps.read(value, name);
  }

  /** The objects of an array that must be given, each read; a refusal names its place. */
  public <T> List<T> requiredList(String name, Function<JsonObject, T> read) {
    if (fields.value(name) == null) {
      throw required(name, "an array of objects");
    }
    return list(name, read);
  }

  /** The objects of an array, each read; none if it is absent. */
  public <T> List<T> list(String name, Function<JsonObject, T> read) {
    List<T> made = new ArrayList<>();
    for (JsonObject item : fields.objects(name)) {
      try {
        made.add(read.apply(item));
      } catch (ContextureException refused) {
        throw refused.within(name + "[" + made.size() + "]");
      }
    }
    return made;
  }

  /** The whole numbers of an array; none if it is absent. */
  public List<Long> numbers(String name) {
    JsonValue value = fields.value(name);
    if (value == null) {
      return List.of();
    }
    if (!(value instanceof JsonArray array)) {
      throw wrongType(name, value, "an array of whole numbers");
    }
    List<Long> numbers = new ArrayList<>();
    for (JsonValue item : array.items()) {
      OptionalLong number =
          item instanceof JsonNumber spelled ? spelled.asLong() : OptionalLong.empty();
      if (number.isEmpty()) {
        throw wrongType(name + "[" + numbers.size() + "]", item, "a whole number");
      }
      numbers.add(number.getAsLong());
    }
    return numbers;
  }

  /** A number that may have a fraction. */
  public double decimal(String name, double absent) {
    JsonValue value = fields.value(name);
    if (value == null) {
      return absent;
    }
    return decimal(name, value);
  }

  /**
   * The value of a field as a number that may have a fraction.
   *
   * @throws ContextureException {@code field_type} if it is none, or beyond every double
   */
  public static double decimal(String name, JsonValue value) {
    OptionalDouble number =
        value instanceof JsonNumber spelled ? spelled.asDouble() : OptionalDouble.empty();
    return number.orElseThrow(() -> wrongType(name, value, "a number up to 1.7e308"));
  }

  public static ContextureException required(String name, String allowed) {
    return ContextureException.invalid(ErrorCode.FIELD_REQUIRED, name, null, allowed);
  }

  public static ContextureException wrongType(String name, JsonValue value, String allowed) {
    return ContextureException.invalid(
        ErrorCode.FIELD_TYPE, name, Objects.requireNonNull(value).toJson(), allowed);
  }
}
