package dev.contexture.memory.schema;

import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * Named fields. Without declared fields it is free-form: any valid name, any value.
 *
 * @param fields in the order of rendering
 */
@API(status = API.Status.STABLE, since = "0.1")
public record MapSchema(List<FieldDef> fields) implements BlockSchema {
  public MapSchema {
    fields = List.copyOf(fields);
    SchemaJson.checkFields(fields);
  }

  public static MapSchema of(FieldDef... fields) {
    return new MapSchema(List.of(fields));
  }

  public boolean isFreeForm() {
    return fields.isEmpty();
  }

  /** The declared field of this name. */
  public Optional<FieldDef> field(String name) {
    return fields.stream().filter(field -> field.name().equals(name)).findFirst();
  }
}
