package dev.contexture.engine.memory;

import dev.contexture.memory.permission.MemoryPermission;
import dev.contexture.memory.schema.BlockSchema;
import dev.contexture.memory.schema.MemoryBlockType;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Changes to the settings of a memory block; null leaves a setting as it is. All changes are made,
 * or none. Immutable.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record BlockChanges(
    @Nullable String description,
    @Nullable MemoryPermission permission,
    @Nullable Integer charLimit,
    @Nullable Boolean pinned,
    @Nullable MemoryBlockType type,
    @Nullable BlockSchema schema) {
  /** Changes nothing. */
  public static final BlockChanges NONE = new BlockChanges(null, null, null, null, null, null);

  public BlockChanges description(String description) {
    return new BlockChanges(description, permission, charLimit, pinned, type, schema);
  }

  public BlockChanges permission(MemoryPermission permission) {
    return new BlockChanges(description, permission, charLimit, pinned, type, schema);
  }

  /** The most code points of content; 0: the default. */
  public BlockChanges charLimit(int charLimit) {
    return new BlockChanges(description, permission, charLimit, pinned, type, schema);
  }

  public BlockChanges pinned(boolean pinned) {
    return new BlockChanges(description, permission, charLimit, pinned, type, schema);
  }

  public BlockChanges type(MemoryBlockType type) {
    return new BlockChanges(description, permission, charLimit, pinned, type, schema);
  }

  public BlockChanges schema(BlockSchema schema) {
    return new BlockChanges(description, permission, charLimit, pinned, type, schema);
  }
}
