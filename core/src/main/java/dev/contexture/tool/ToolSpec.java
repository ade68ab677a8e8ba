package dev.contexture.tool;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonValue;
import dev.contexture.json.SendableText;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * A tool of a registry.
 *
 * @param name as rules name it
 * @param description what a model is told about it
 * @param parameters the JSON Schema of its arguments, without references: each is replaced by what
 *     it refers to
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record ToolSpec(String name, String description, JsonObject parameters) {
  /** The schema of a tool that takes nothing, or of which nobody knows what it takes. */
  public static final JsonObject NO_ARGUMENTS =
      JsonObject.builder().put("type", "object").put("properties", JsonObject.EMPTY).build();

  private static final String OPERATION = "op";

  /**
   * Checks the schema and replaces its references.
   *
   * @throws ContextureException {@code tool_schema_invalid} if it is no schema of an object, or a
   *     reference is recursive or leads nowhere
   */
  public ToolSpec {
    name = SendableText.of(name);
    description = SendableText.of(description);
    parameters = SendableText.of(parameters);
    if (name.isBlank()) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_ARGUMENT, "tool.name", name, "a name that is not blank");
    }
    Optional<JsonValue> type = parameters.find("type");
    if (type.isPresent() && !type.get().equals(JsonValue.of("object"))) {
      throw ContextureException.invalid(
          ErrorCode.TOOL_SCHEMA_INVALID,
          "type in the schema of " + name,
          type.get().toJson(),
          "\"object\": arguments are an object");
    }
    parameters = new SchemaInliner(name, parameters).inlined();
  }

  /** Reads a schema that is given as text. */
  public static ToolSpec of(String name, String description, String schema) {
    if (JsonValue.parse(schema) instanceof JsonObject object) {
      return new ToolSpec(name, description, object);
    }
    throw ContextureException.invalid(
        ErrorCode.TOOL_SCHEMA_INVALID, "schema of " + name, schema, "a JSON object");
  }

  /** The values that its argument {@code op} can have; none if it has no such enumeration. */
  public List<String> operations() {
    return operation()
        .flatMap(op -> op.array("enum"))
        .map(JsonArray::items)
        .orElse(List.of())
        .stream()
        .filter(JsonString.class::isInstance)
        .map(value -> ((JsonString) value).value())
        .toList();
  }

  /** The same tool with fewer operations, in the order of its schema. */
  public ToolSpec narrowedTo(List<String> allowed) {
    JsonObject properties = parameters.object("properties").orElse(JsonObject.EMPTY);
    JsonObject op = operation().orElse(JsonObject.EMPTY);
    List<String> left = operations().stream().filter(allowed::contains).toList();
    return new ToolSpec(
        name,
        description,
        parameters.with(
            "properties", properties.with(OPERATION, op.with("enum", JsonArray.ofStrings(left)))));
  }

  private Optional<JsonObject> operation() {
    return parameters.object("properties").flatMap(properties -> properties.object(OPERATION));
  }
}
