package dev.contexture.memory.schema;

import dev.contexture.json.JsonValue;
import dev.contexture.json.SendableText;
import java.util.Optional;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A field of a Map or of log entries. Immutable and valid.
 *
 * @param description what the field is for; may be empty
 * @param required whether it cannot be removed or left out
 * @param defaultValue what it reads as while it is unset
 * @param readOnly whether only the system writes it
 */
@API(status = API.Status.STABLE, since = "0.1")
public record FieldDef(
    String name,
    FieldType type,
    String description,
    boolean required,
    @Nullable JsonValue defaultValue,
    boolean readOnly) {
  public FieldDef {
    SchemaJson.checkName("field", name);
    if (defaultValue != null) {
      defaultValue = SendableText.of(defaultValue);
      if (!type.accepts(defaultValue)) {
        throw MemoryErrors.schema(name + ".default", defaultValue.toJson(), type.allowed());
      }
    }
  }

  /** An optional field without default. */
  public static FieldDef of(String name, FieldType type) {
    return new FieldDef(name, type, "", false, null, false);
  }

  public FieldDef asRequired() {
    return new FieldDef(name, type, description, true, defaultValue, readOnly);
  }

  public FieldDef asReadOnly() {
    return new FieldDef(name, type, description, required, defaultValue, true);
  }

  public FieldDef withDefault(JsonValue value) {
    return new FieldDef(name, type, description, required, value, readOnly);
  }

  public FieldDef describedAs(String text) {
    return new FieldDef(name, type, text, required, defaultValue, readOnly);
  }

  /** What the field reads as while it is unset. */
  public Optional<JsonValue> whenUnset() {
    return Optional.ofNullable(defaultValue);
  }
}
