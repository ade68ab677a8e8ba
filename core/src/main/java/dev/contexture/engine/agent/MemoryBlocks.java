package dev.contexture.engine.agent;

import dev.contexture.engine.memory.BlockAddress;
import dev.contexture.engine.memory.BlockMetadata;
import dev.contexture.engine.memory.MemoryStore;
import dev.contexture.engine.memory.ReachedBlock;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonObject;
import dev.contexture.memory.permission.Actor;
import dev.contexture.memory.permission.MemoryPermission;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The blocks that one agent can reach, as that agent. Thread-safe. */
final class MemoryBlocks {
  private final MemoryStore memory;
  private final String agent;

  MemoryBlocks(MemoryStore memory, String agent) {
    this.memory = memory.actingAs(Actor.agent(agent));
    this.agent = agent;
  }

  MemoryStore memory() {
    return memory;
  }

  String agent() {
    return agent;
  }

  /** A block as the agent has it, and what is known about it. */
  record Reached(ReachedBlock reach, BlockMetadata block) {
    /** What the store is asked for. */
    String address() {
      return reach.address();
    }

    /** What the agent may do with it. */
    MemoryPermission level() {
      return reach.level();
    }

    /** How answers begin that are about it. */
    JsonObject.Builder json() {
      return JsonObject.builder()
          .put("label", block.label())
          .put("owner", block.owner())
          .put("type", block.type().identifier())
          .put("pinned", reach.pinned())
          .put("permission", level().identifier())
          .put("size", block.size());
    }
  }

  /** The address of the block that a name means. */
  String address(String name) {
    return BlockAddress.of(memory, agent, name);
  }

  /**
   * The block that a name means.
   *
   * @throws ContextureException {@code block_not_found} or {@code ambiguous_label}
   */
  Reached find(String name) {
    String address = address(name);
    return memory
        .getBlockMetadata(agent, address)
        .flatMap(this::reached)
        .orElseThrow(
            () ->
                new ContextureException(
                    ErrorCode.BLOCK_NOT_FOUND, "you have no block \"" + name + "\""));
  }

  private Optional<Reached> reached(BlockMetadata block) {
    if (block.owner().equals(agent)) {
      return Optional.of(new Reached(ReachedBlock.of(block), block));
    }
    return memory.listSharedBlocks(agent).stream()
        .filter(shared -> shared.blockId().equals(block.id()))
        .findFirst()
        .map(shared -> new Reached(ReachedBlock.of(shared), block));
  }

  /** Own blocks by label, then those that are shared. */
  List<Reached> all() {
    List<Reached> all = new ArrayList<>();
    for (ReachedBlock reach : ReachedBlock.all(memory, agent)) {
      reach.metadata(memory, agent).ifPresent(block -> all.add(new Reached(reach, block)));
    }
    return all;
  }
}
