package dev.contexture.engine.memory;

import dev.contexture.memory.permission.MemoryPermission;
import dev.contexture.memory.schema.BlockSchema;
import dev.contexture.memory.schema.MemoryBlockType;
import java.time.Instant;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The properties of a memory block beside its content.
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
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
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
    long size) {}
