package dev.contexture.engine.agent;

import dev.contexture.engine.memory.BlockAddress;
import dev.contexture.engine.memory.BlockMetadata;
import dev.contexture.engine.memory.MemoryStore;
import dev.contexture.engine.memory.SharedBlockInfo;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonObject;
import dev.contexture.memory.Actor;
import dev.contexture.memory.MemoryPermission;
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

  /**
   * A block as the agent has it.
   *
   * @param address what the store is asked for
   * @param level what the agent may do with it
   * @param pinned its pin, or that of the share
   */
  record Reached(String address, BlockMetadata block, MemoryPermission level, boolean pinned) {
    /** How answers begin that are about it. */
    JsonObject.Builder json() {
      return JsonObject.builder()
          .put("label", block.label())
          .put("owner", block.owner())
          .put("type", block.type().identifier())
          .put("pinned", pinned)
          .put("permission", level.identifier())
          .put("size", block.size());
    }
  }

  /** The address of the block that a name means (M-72). */
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
        .flatMap(block -> shared(address, block))
        .orElseThrow(
            () ->
                new ContextureException(
                    ErrorCode.BLOCK_NOT_FOUND, "you have no block \"" + name + "\""));
  }

  private Optional<Reached> shared(String address, BlockMetadata block) {
    if (block.owner().equals(agent)) {
      return Optional.of(new Reached(address, block, block.permission(), block.pinned()));
    }
    return memory.listSharedBlocks(agent).stream()
        .filter(shared -> shared.blockId().equals(block.id()))
        .findFirst()
        .map(shared -> new Reached(address, block, shared.permission(), shared.pinned()));
  }

  /** Own blocks by label, then those that are shared. */
  List<Reached> all() {
    List<Reached> all = new ArrayList<>();
    for (BlockMetadata block : memory.listBlocks(agent)) {
      all.add(new Reached(block.label(), block, block.permission(), block.pinned()));
    }
    for (SharedBlockInfo shared : memory.listSharedBlocks(agent)) {
      String address = shared.owner() + "/" + shared.label();
      memory
          .getBlockMetadata(agent, address)
          .ifPresent(
              block -> all.add(new Reached(address, block, shared.permission(), shared.pinned())));
    }
    return all;
  }
}
