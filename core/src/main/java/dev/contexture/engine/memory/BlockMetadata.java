package dev.contexture.engine.memory;

import dev.contexture.memory.permission.MemoryPermission;
import dev.contexture.memory.schema.BlockSchema;
import dev.contexture.memory.schema.MemoryBlockType;
import dev.contexture.store.memory.BlockRow;
import dev.contexture.store.memory.ShareRow;
import java.time.Instant;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * What is known about a memory block beside its content.
 *
 * @param id {@code mem_} and 32 hex digits
 * @param owner the agent it belongs to
 * @param user of that agent, to whom it belongs; null: it is the agent's, for all of its users
 * @param label unique among the owner's live blocks
 * @param description what it is for
 * @param type when it is part of the prompt
 * @param schema the shape of its content
 * @param charLimit the most code points of content
 * @param permission what whoever asked may do with it: its owner, or the agent it is shared with
 * @param pinned whether it is shown to that agent without being referred to
 * @param created when it was made
 * @param updated when its content or anything here last changed
 * @param version the number of its newest update; 0: none
 * @param size code points of its content, without viewport
 */
@API(status = API.Status.STABLE, since = "0.1")
public record BlockMetadata(
    String id,
    String owner,
    @Nullable String user,
    String label,
    String description,
    MemoryBlockType type,
    BlockSchema schema,
    int charLimit,
    MemoryPermission permission,
    boolean pinned,
    Instant created,
    Instant updated,
    long version,
    long size) {

  /** As its owner has it. */
  static BlockMetadata of(BlockRow row) {
    return of(row, new BlockSettingsReader(row).permission(), row.settings().pinned());
  }

  /** As the agent has it that reaches it, with level and pin of its share. */
  static BlockMetadata of(BlockAccess target) {
    ShareRow share = target.share();
    boolean pinned = share == null ? target.row().settings().pinned() : share.pinned();
    return of(target.row(), target.level(), pinned);
  }

  private static BlockMetadata of(BlockRow row, MemoryPermission level, boolean pinned) {
    BlockSettingsReader settings = new BlockSettingsReader(row);
    return new BlockMetadata(
        row.id(),
        row.owner(),
        row.user(),
        row.label(),
        row.settings().description(),
        settings.type(),
        settings.schema(),
        settings.charLimit(),
        level,
        pinned,
        row.createdAt(),
        row.updatedAt(),
        row.seq(),
        row.size());
  }
}
