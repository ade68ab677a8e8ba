package dev.contexture.engine.memory;

import dev.contexture.memory.permission.MemoryPermission;
import dev.contexture.memory.schema.MemoryBlockType;
import dev.contexture.store.memory.SharedBlock;
import java.util.Objects;
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
@API(status = API.Status.STABLE, since = "0.1")
public record SharedBlockInfo(
    String blockId,
    String owner,
    String ownerName,
    @Nullable String user,
    String label,
    String description,
    MemoryBlockType type,
    MemoryPermission permission,
    boolean pinned) {

  static SharedBlockInfo of(SharedBlock shared) {
    BlockSettingsReader settings = new BlockSettingsReader(shared.block());
    return new SharedBlockInfo(
        shared.block().id(),
        shared.block().owner(),
        shared.ownerName(),
        shared.block().user(),
        shared.block().label(),
        shared.block().settings().description(),
        settings.type(),
        settings.level(Objects.requireNonNull(shared.share().level(), "a live share has a level")),
        shared.share().pinned());
  }
}
