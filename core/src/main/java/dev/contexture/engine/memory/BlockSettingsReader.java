package dev.contexture.engine.memory;

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

/** Reads what is set about a block; what cannot be read never becomes a default. */
record BlockSettingsReader(BlockRow row) {
  MemoryBlockType type() {
    return readable("type", () -> MemoryBlockType.named(row.settings().type()));
  }

  MemoryPermission permission() {
    return level(row.settings().permission());
  }

  MemoryPermission level(String stored) {
    return readable("permission", () -> MemoryPermission.named(stored));
  }

  BlockSchema schema() {
    var json = row.settings().schema();
    return json == null ? TextSchema.PLAIN : readable("schema", () -> BlockSchema.fromJson(json));
  }

  int charLimit() {
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
