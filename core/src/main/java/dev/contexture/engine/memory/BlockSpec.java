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
 * @param user of the agent, to whom it belongs; null: as the view says that it is made in, which is
 *     the agent itself unless the view is for a user
 * @param label unique among the live blocks of agent and user
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
    @Nullable String user,
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
        null, label, "", type, TextSchema.PLAIN, 0, MemoryPermission.READ_WRITE, false, null);
  }

  /** For one user of the agent: only in conversations of that user it is seen. */
  public BlockSpec user(String user) {
    return new BlockSpec(
        user, label, description, type, schema, charLimit, permission, pinned, content);
  }

  public BlockSpec description(String description) {
    return new BlockSpec(
        user, label, description, type, schema, charLimit, permission, pinned, content);
  }

  public BlockSpec schema(BlockSchema schema) {
    return new BlockSpec(
        user, label, description, type, schema, charLimit, permission, pinned, content);
  }

  public BlockSpec charLimit(int charLimit) {
    return new BlockSpec(
        user, label, description, type, schema, charLimit, permission, pinned, content);
  }

  public BlockSpec permission(MemoryPermission permission) {
    return new BlockSpec(
        user, label, description, type, schema, charLimit, permission, pinned, content);
  }

  public BlockSpec pinned(boolean pinned) {
    return new BlockSpec(
        user, label, description, type, schema, charLimit, permission, pinned, content);
  }

  public BlockSpec content(JsonValue content) {
    return new BlockSpec(
        user, label, description, type, schema, charLimit, permission, pinned, content);
  }

  public BlockSpec content(String text) {
    return content(new JsonString(text));
  }
}
