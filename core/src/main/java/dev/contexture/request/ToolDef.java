package dev.contexture.request;

import dev.contexture.compaction.summary.ToolKind;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonFields;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonText;
import dev.contexture.json.JsonValue;
import dev.contexture.json.SendableText;
import dev.contexture.tool.ToolSpec;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A tool as the model is told about it.
 *
 * @param name any name; a format that does not allow it sends an alias
 * @param description what it does; a blank one is not sent
 * @param schema the JSON Schema of its arguments, as text; its key order is kept
 * @param kind what it does, for the digest of a compaction; null: told by its name. It is not sent
 * @param raw the definition of a tool of the provider itself, which is sent as it is; null: it is a
 *     function, described by the others
 */
@API(status = API.Status.STABLE, since = "0.1")
public record ToolDef(
    String name, String description, String schema, @Nullable ToolKind kind, @Nullable String raw) {
  private static final String TYPE = "type";
  private static final String FUNCTION = "function";
  private static final String PARAMETERS = "parameters";
  private static final String INPUT_SCHEMA = "input_schema";
  private static final String KIND = "kind";

  public ToolDef {
    name = SendableText.of(name);
    description = SendableText.of(description);
    schema = SendableText.ofJson(schema);
    raw = raw == null ? null : JsonText.minify(SendableText.ofJson(raw));
    if (name.isBlank()) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_ARGUMENT, "tool.name", name, "a name that is not blank");
    }
    if (!JsonText.isObject(schema)) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_ARGUMENT, "tool.schema of " + name, schema, "a JSON object");
    }
  }

  public ToolDef(String name, String description, String schema) {
    this(name, description, schema, null, null);
  }

  /**
   * A tool of the provider itself, such as {@code {"type":"web_search_20250305",…}}.
   *
   * @param definition its JSON object; it goes out as it is
   */
  public static ToolDef ofProvider(String definition) {
    if (!(JsonValue.parse(definition) instanceof JsonObject json) || json.isEmpty()) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_ARGUMENT, "tool", definition, "a JSON object with members");
    }
    String name =
        json.string("name")
            .or(() -> json.string("type"))
            .orElseGet(() -> json.keys().iterator().next());
    return new ToolDef(name, "", "{}", null, definition);
  }

  /**
   * Reads a definition in one of the forms that are in use ({@code name} with {@code input_schema};
   * {@code function} with {@code parameters}, or the same flat), or one of a provider's own, which
   * is kept as it is: it has a {@code type} of its own, or one member, which is named as the tool.
   *
   * @throws ContextureException {@code unknown_field}, {@code field_required} or {@code
   *     invalid_argument}
   */
  public static ToolDef read(JsonObject given) {
    JsonObject json = given.without(KIND);
    String type = json.string(TYPE).orElse("");
    ToolDef tool;
    if (json.object(FUNCTION).isPresent()) {
      JsonObject function =
          JsonFields.of(json, Set.of(TYPE, FUNCTION)).object(FUNCTION).orElseThrow();
      tool = described(function, PARAMETERS);
    } else if (type.equals(FUNCTION)) {
      tool = described(json.without(TYPE), PARAMETERS);
    } else if (type.isEmpty() ? !isNamedByItsMember(json) : json.has(INPUT_SCHEMA)) {
      tool = described(json.without(TYPE), INPUT_SCHEMA);
    } else {
      tool = ofProvider(json.toJson());
    }
    return given.find(KIND).map(kind -> tool.withKind(kind(kind))).orElse(tool);
  }

  private static boolean isNamedByItsMember(JsonObject json) {
    return json.size() == 1
        && json.members().values().iterator().next() instanceof JsonObject
        && !json.has(INPUT_SCHEMA)
        && !json.has(PARAMETERS);
  }

  private static ToolDef described(JsonObject json, String schema) {
    JsonFields fields = JsonFields.of(json, Set.of("name", "description", "strict", schema));
    if (fields.flag("strict", false)) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_ARGUMENT, "strict", true, "false: schemas are sent as they are");
    }
    Optional<JsonObject> found = fields.object(schema);
    if (found.isEmpty() && schema.equals(INPUT_SCHEMA)) {
      throw ContextureException.invalid(ErrorCode.FIELD_REQUIRED, schema, null, "an object");
    }
    return new ToolDef(
        fields.requiredString("name"),
        fields.string("description").orElse(""),
        found.orElse(ToolSpec.NO_ARGUMENTS).toJson());
  }

  private static ToolKind kind(JsonValue kind) {
    return Optional.of(kind)
        .filter(JsonString.class::isInstance)
        .flatMap(word -> ToolKind.named(((JsonString) word).value()))
        .orElseThrow(
            () ->
                ContextureException.invalid(
                    ErrorCode.INVALID_ARGUMENT,
                    KIND,
                    kind.toJson(),
                    Arrays.stream(ToolKind.values())
                        .map(ToolKind::wireName)
                        .collect(Collectors.joining(", "))));
  }

  /** Whether it is one of the provider itself. */
  public boolean isNative() {
    return raw != null;
  }

  /** The same tool with a declared kind. */
  public ToolDef withKind(ToolKind declared) {
    return new ToolDef(name, description, schema, declared, raw);
  }
}
