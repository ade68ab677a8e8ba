package dev.contexture.engine.memory;

import dev.contexture.memory.BlockSchema;
import dev.contexture.memory.MemoryBlockType;
import dev.contexture.memory.MemoryPermission;
import dev.contexture.store.memory.BlockRow;
import java.time.Instant;
import org.apiguardian.api.API;

/**
 * What is known about a memory block beside its content (M-19).
 *
 * @param id {@code mem_} and 32 hex digits
 * @param owner the agent it belongs to
 * @param label unique among the owner's live blocks
 * @param description what it is for
 * @param type when it is part of the prompt
 * @param schema the shape of its content
 * @param charLimit the most code points of content
 * @param permission what its owner may do with it
 * @param pinned whether it is shown without being referred to
 * @param created when it was made
 * @param updated when its content or anything here last changed
 * @param version the number of its newest update; 0: none
 * @param size code points of its content, without viewport
 */
@API(status = API.Status.STABLE, since = "0.1")
public record BlockMetadata(
    String id,
    String owner,
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

  static BlockMetadata of(BlockRow row) {
    BlockSettingsReader settings = new BlockSettingsReader(row);
    return new BlockMetadata(
        row.id(),
        row.owner(),
        row.label(),
        row.settings().description(),
        settings.type(),
        settings.schema(),
        settings.charLimit(),
        settings.permission(),
        row.settings().pinned(),
        row.createdAt(),
        row.updatedAt(),
        row.seq(),
        row.size());
  }
}
