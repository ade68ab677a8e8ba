package dev.contexture.memory.schema;

import org.apiguardian.api.API;

/**
 * A section of a Composite. Immutable and valid.
 *
 * @param schema its own shape; not Composite
 * @param description what the section is for; may be empty
 * @param readOnly whether only the system writes it
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record SectionDef(String name, BlockSchema schema, String description, boolean readOnly) {
  public SectionDef {
    SchemaJson.checkName("section", name);
    if (schema instanceof CompositeSchema) {
      throw MemoryErrors.schema(name + ".schema", "composite", "text, map, list or log");
    }
  }

  public static SectionDef of(String name, BlockSchema schema) {
    return new SectionDef(name, schema, "", false);
  }

  public SectionDef asReadOnly() {
    return new SectionDef(name, schema, description, true);
  }
}
