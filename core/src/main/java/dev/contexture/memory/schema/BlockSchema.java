package dev.contexture.memory.schema;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import java.util.Map;
import java.util.Objects;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** The shape of a memory block. Closed: every switch over it is complete. Immutable. */
@API(status = API.Status.STABLE, since = "0.1")
public sealed interface BlockSchema
    permits TextSchema, MapSchema, ListSchema, LogSchema, CompositeSchema {
  /** The member {@code kind} of its JSON: text, map, list, log or composite. */
  default String kind() {
    return switch (this) {
      case TextSchema _unused -> "text";
      case MapSchema _unused -> "map";
      case ListSchema _unused -> "list";
      case LogSchema _unused -> "log";
      case CompositeSchema _unused -> "composite";
    };
  }

  /** The schema as JSON, without loss. */
  default JsonObject toJson() {
    return SchemaJson.write(this);
  }

  /** One line for prompts, for example {@code Map(name: Text required)}. */
  default String line() {
    return SchemaLine.of(this);
  }

  /**
   * Reads what a caller gives.
   *
   * @throws ContextureException {@code schema_invalid} if it is no schema
   */
  static BlockSchema fromJson(JsonValue json) {
    return SchemaJson.read(json);
  }

  /**
   * Reads what is stored; absent means {@link TextSchema#PLAIN}.
   *
   * @throws ContextureException {@code store_damaged} if it is there and no schema
   */
  static BlockSchema stored(@Nullable String json) {
    if (json == null) {
      return TextSchema.PLAIN;
    }
    try {
      return fromJson(JsonValue.parse(json));
    } catch (ContextureException unreadable) {
      throw new ContextureException(
          ErrorCode.STORE_DAMAGED,
          "a stored schema cannot be read: "
              + Objects.requireNonNullElse(unreadable.getMessage(), "unknown reason")
              + "; restore it from a backup",
          Map.of("id", "schema"),
          unreadable);
    }
  }
}
