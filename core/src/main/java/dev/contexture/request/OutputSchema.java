package dev.contexture.request;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonFields;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import java.util.Set;
import java.util.regex.Pattern;
import org.apiguardian.api.API;

/**
 * The form that an answer must have.
 *
 * @param name what it is called where a provider wants a name
 * @param schema its JSON Schema; its key order is kept
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record OutputSchema(String name, JsonObject schema) {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]{1,64}");
  private static final String DEFAULT_NAME = "answer";

  public OutputSchema {
    if (!NAME.matcher(name).matches()) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_ARGUMENT, "output_schema.name", name, "1 to 64 letters, digits, _ -");
    }
    if (schema.isEmpty()) {
      throw ContextureException.invalid(
          ErrorCode.SCHEMA_INVALID, "output_schema.schema", "{}", "a JSON Schema");
    }
  }

  /** A form without a name of its own. */
  public static OutputSchema of(JsonObject schema) {
    return new OutputSchema(DEFAULT_NAME, schema);
  }

  /** Reads a schema that is given as text. */
  public static OutputSchema of(String name, String schema) {
    if (JsonValue.parse(schema) instanceof JsonObject object) {
      return new OutputSchema(name, object);
    }
    throw ContextureException.invalid(
        ErrorCode.SCHEMA_INVALID, "output_schema.schema", schema, "a JSON object");
  }

  /** Reads {@code {"name":"answer","schema":{…}}}; the name may be absent. */
  public static OutputSchema read(JsonObject json) {
    JsonFields fields = JsonFields.of(json, Set.of("name", "schema"));
    return new OutputSchema(
        fields.string("name").orElse(DEFAULT_NAME),
        fields.object("schema").orElse(JsonObject.EMPTY));
  }

  public JsonObject toJson() {
    return JsonObject.builder().put("name", name).put("schema", schema).build();
  }
}
