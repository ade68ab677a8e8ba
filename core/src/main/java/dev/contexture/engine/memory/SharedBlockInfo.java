package dev.contexture.engine.memory;

import dev.contexture.memory.permission.MemoryPermission;
import dev.contexture.memory.schema.MemoryBlockType;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A block that is shared with an agent.
 *
 * @param blockId the block
 * @param owner the agent it belongs to
 * @param ownerName that agent's name; empty: it has none
 * @param user of that agent, to whom it belongs; null: it is the agent's, for all of its users
 * @param label its label at its owner
 * @param description what it is for
 * @param type when it is part of the prompt
 * @param permission what the recipient may do with it
 * @param pinned the pin of the share
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record SharedBlockInfo(
    String blockId,
    String owner,
    String ownerName,
    @Nullable String user,
    String label,
    String description,
    MemoryBlockType type,
    MemoryPermission permission,
    boolean pinned) {}
