package dev.contexture.engine.memory;

import dev.contexture.memory.permission.MemoryPermission;
import dev.contexture.memory.schema.MemoryBlockType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A block that an agent may read: its own, or one that is shared with it.
 *
 * @param user of the owner, to whom it belongs; null: to the owner itself
 * @param level what the agent may do with it
 * @param pinned its pin, or that of the share
 * @param own what is known about it; null: it is shared
 * @param share how it is shared; null: it is the agent's own
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record ReachedBlock(
    String id,
    String owner,
    @Nullable String user,
    String label,
    MemoryBlockType type,
    MemoryPermission level,
    boolean pinned,
    @Nullable BlockMetadata own,
    @Nullable SharedBlockInfo share) {

  public static ReachedBlock of(BlockMetadata own) {
    return new ReachedBlock(
        own.id(),
        own.owner(),
        own.user(),
        own.label(),
        own.type(),
        own.permission(),
        own.pinned(),
        own,
        null);
  }

  public static ReachedBlock of(SharedBlockInfo share) {
    return new ReachedBlock(
        share.blockId(),
        share.owner(),
        share.user(),
        share.label(),
        share.type(),
        share.permission(),
        share.pinned(),
        null,
        share);
  }

  /** All blocks of an agent's reach: its own by label, those of the user, those that are shared. */
  public static List<ReachedBlock> all(MemoryStore memory, String agent) {
    List<ReachedBlock> all = new ArrayList<>();
    memory.listBlocks(agent).forEach(own -> all.add(of(own)));
    memory.listSharedBlocks(agent).forEach(share -> all.add(of(share)));
    return all;
  }

  /** What the store is asked for. */
  public String address() {
    return share == null ? label : owner + "/" + label;
  }

  /** What is known about it; empty if it was deleted or unshared meanwhile. */
  public Optional<BlockMetadata> metadata(MemoryStore memory, String agent) {
    return own == null
        ? memory.getBlockMetadata(agent, address()).filter(found -> found.id().equals(id))
        : Optional.of(own);
  }
}
