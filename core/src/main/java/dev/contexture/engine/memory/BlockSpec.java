package dev.contexture.engine.memory;

import dev.contexture.json.JsonString;
import dev.contexture.json.JsonValue;
import dev.contexture.memory.permission.MemoryPermission;
import dev.contexture.memory.schema.BlockSchema;
import dev.contexture.memory.schema.MemoryBlockType;
import dev.contexture.memory.schema.TextSchema;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A memory block to be made. Immutable.
 *
 * @param label unique among the owner's live blocks
 * @param description what it is for
 * @param type when it is part of the prompt
 * @param schema the shape of its content
 * @param charLimit the most code points of content; 0: the default
 * @param permission what its owner may do with it
 * @param pinned whether it is shown without being referred to
 * @param content the first content: a text as append, anything else as importJson; null: none
 */
@API(status = API.Status.STABLE, since = "0.1")
public record BlockSpec(
    String label,
    String description,
    MemoryBlockType type,
    BlockSchema schema,
    int charLimit,
    MemoryPermission permission,
    boolean pinned,
    @Nullable JsonValue content) {

  /** An empty block of text: ReadWrite, unpinned, without description, with the default limit. */
  public static BlockSpec of(String label, MemoryBlockType type) {
    return new BlockSpec(
        label, "", type, TextSchema.PLAIN, 0, MemoryPermission.READ_WRITE, false, null);
  }

  public BlockSpec description(String description) {
    return new BlockSpec(label, description, type, schema, charLimit, permission, pinned, content);
  }

  public BlockSpec schema(BlockSchema schema) {
    return new BlockSpec(label, description, type, schema, charLimit, permission, pinned, content);
  }

  public BlockSpec charLimit(int charLimit) {
    return new BlockSpec(label, description, type, schema, charLimit, permission, pinned, content);
  }

  public BlockSpec permission(MemoryPermission permission) {
    return new BlockSpec(label, description, type, schema, charLimit, permission, pinned, content);
  }

  public BlockSpec pinned(boolean pinned) {
    return new BlockSpec(label, description, type, schema, charLimit, permission, pinned, content);
  }

  public BlockSpec content(JsonValue content) {
    return new BlockSpec(label, description, type, schema, charLimit, permission, pinned, content);
  }

  public BlockSpec content(String text) {
    return content(new JsonString(text));
  }
}
