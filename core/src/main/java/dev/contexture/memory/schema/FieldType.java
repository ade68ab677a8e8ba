package dev.contexture.memory.schema;

import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonBoolean;
import dev.contexture.json.JsonNumber;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonValue;
import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import org.apiguardian.api.API;

/** The type of a field's value. */
@API(status = API.Status.STABLE, since = "0.1")
public enum FieldType {
  TEXT("Text", "a string"),
  NUMBER("Number", "a number"),
  BOOLEAN("Boolean", "true or false"),
  LIST("List", "an array"),
  /** Kept as written. */
  TIMESTAMP("Timestamp", "ISO-8601 with offset such as 2026-02-09T02:14:32Z"),
  /** A number whose concurrent increments add up. */
  COUNTER("Counter", "a whole number of 64 bits");

  private final String identifier;
  private final String allowed;

  FieldType(String identifier, String allowed) {
    this.identifier = identifier;
    this.allowed = allowed;
  }

  /** The type as the schema line shows it. */
  public String identifier() {
    return identifier;
  }

  /** The type as JSON has it. */
  public String wireName() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The type of this wire name. */
  public static Optional<FieldType> named(String name) {
    return Arrays.stream(values()).filter(type -> type.wireName().equals(name)).findFirst();
  }

  /** Whether a field of this type can hold the value. */
  public boolean accepts(JsonValue value) {
    return switch (this) {
      case TEXT -> value instanceof JsonString;
      case NUMBER -> value instanceof JsonNumber;
      case BOOLEAN -> value instanceof JsonBoolean;
      case LIST -> value instanceof JsonArray;
      case TIMESTAMP -> value instanceof JsonString text && isTimestamp(text.value());
      case COUNTER -> value instanceof JsonNumber number && number.asLong().isPresent();
    };
  }

  /** What a message says is allowed. */
  public String allowed() {
    return allowed;
  }

  private static boolean isTimestamp(String text) {
    try {
      DateTimeFormatter.ISO_OFFSET_DATE_TIME.parse(text, OffsetDateTime::from);
      return true;
    } catch (DateTimeException unreadable) {
      return false;
    }
  }
}
