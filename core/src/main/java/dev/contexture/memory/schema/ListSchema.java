package dev.contexture.memory.schema;

import java.util.Optional;
import java.util.OptionalInt;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Items in order.
 *
 * @param item what each item is: Text, Map or List; any value if absent
 * @param max most items; the general limit if absent
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record ListSchema(@Nullable BlockSchema item, @Nullable Integer max) implements BlockSchema {
  public ListSchema {
    if (item instanceof LogSchema || item instanceof CompositeSchema) {
      throw MemoryErrors.schema("item_schema.kind", item.kind(), "text, map or list");
    }
    if (max != null) {
      SchemaJson.atLeastOne("max_items", max);
    }
  }

  /** Any values, as many as the general limit allows. */
  public static ListSchema ofAnything() {
    return new ListSchema(null, null);
  }

  public Optional<BlockSchema> itemSchema() {
    return Optional.ofNullable(item);
  }

  public OptionalInt maxItems() {
    return max == null ? OptionalInt.empty() : OptionalInt.of(max);
  }
}
