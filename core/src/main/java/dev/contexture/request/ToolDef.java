package dev.contexture.request;

import dev.contexture.compaction.summary.ToolKind;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonText;
import dev.contexture.json.SendableText;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A tool as the model is told about it.
 *
 * @param name any name; a format that does not allow it sends an alias
 * @param description what it does; a blank one is not sent
 * @param schema the JSON Schema of its arguments, as text; its key order is kept
 * @param kind what it does, for the digest of a compaction; null: told by its name. It is not sent
 */
@API(status = API.Status.STABLE, since = "0.1")
public record ToolDef(String name, String description, String schema, @Nullable ToolKind kind) {
  public ToolDef {
    name = SendableText.of(name);
    description = SendableText.of(description);
    schema = SendableText.ofJson(schema);
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
    this(name, description, schema, null);
  }

  /** The same tool with a declared kind. */
  public ToolDef withKind(ToolKind declared) {
    return new ToolDef(name, description, schema, declared);
  }
}
