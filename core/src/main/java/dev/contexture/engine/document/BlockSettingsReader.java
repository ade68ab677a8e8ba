package dev.contexture.engine.document;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.memory.permission.MemoryPermission;
import dev.contexture.memory.schema.BlockSchema;
import dev.contexture.memory.schema.MemoryBlockType;
import dev.contexture.memory.schema.TextSchema;
import dev.contexture.store.memory.BlockRow;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.apiguardian.api.API;

/** Reads what is set about a block; what cannot be read never becomes a default. */
@API(status = API.Status.INTERNAL, since = "0.1")
public record BlockSettingsReader(BlockRow row) {
  public MemoryBlockType type() {
    return readable("type", () -> MemoryBlockType.named(row.settings().type()));
  }

  public MemoryPermission permission() {
    return level(row.settings().permission());
  }

  public MemoryPermission level(String stored) {
    return readable("permission", () -> MemoryPermission.named(stored));
  }

  public BlockSchema schema() {
    var json = row.settings().schema();
    return json == null ? TextSchema.PLAIN : readable("schema", () -> BlockSchema.fromJson(json));
  }

  public int charLimit() {
    return Math.toIntExact(row.settings().charLimit());
  }

  private <T> T readable(String what, Supplier<T> reading) {
    try {
      return reading.get();
    } catch (ContextureException unreadable) {
      throw new ContextureException(
          ErrorCode.STORE_DAMAGED,
          "the "
              + what
              + " of memory block "
              + row.id()
              + " cannot be read: "
              + Objects.requireNonNullElse(unreadable.getMessage(), "unknown reason")
              + "; restore it from a backup",
          Map.of("id", row.id(), "found", what),
          unreadable);
    }
  }
}
