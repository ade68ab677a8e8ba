package dev.contexture.engine.agent;

import dev.contexture.block.Scope;
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
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The blocks that one agent can reach, as that agent, for the user it works for. Thread-safe. */
final class MemoryBlocks {
  private static final String USER = "user";
  private static final String AGENT = "agent";

  private final MemoryStore memory;
  private final String agent;
  private final @Nullable String user;
  private final boolean agentWide;

  /**
   * @param agentWide whether something may be made for all users, although the agent works for one
   */
  MemoryBlocks(MemoryStore memory, Scope.OfAgent agent, boolean agentWide) {
    this.memory = memory.actingAs(Actor.agent(agent.agent())).forUser(agent.user());
    this.agent = agent.agent();
    this.user = agent.user();
    this.agentWide = agentWide;
  }

  /**
   * The memory in which something new is made: the user's, unless the call asks for the agent's and
   * may.
   */
  MemoryStore forNew(ToolParams params) {
    String scope = params.choice("scope").orElse(USER);
    if (!scope.equals(USER) && !scope.equals(AGENT)) {
      throw ToolParams.invalid("scope", scope, USER + " or " + AGENT);
    }
    if (user == null && params.choice("scope").filter(USER::equals).isPresent()) {
      throw ToolParams.invalid("scope", scope, AGENT + ", or none: this call works for no user");
    }
    if (scope.equals(USER) || user == null) {
      return memory;
    }
    if (!agentWide) {
      throw new ContextureException(
          ErrorCode.PERMISSION_DENIED,
          "scope agent is not allowed here: what is kept in a conversation belongs to its user;"
              + " leave scope out",
          Map.of("field", "scope", "actual", scope),
          null);
    }
    return memory.forUser(null);
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
          .putIfPresent("user", block.user())
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

  /** Own blocks by label, those of the user, then those that are shared. */
  List<Reached> all() {
    List<Reached> all = new ArrayList<>();
    for (ReachedBlock reach : ReachedBlock.all(memory, agent)) {
      reach.metadata(memory, agent).ifPresent(block -> all.add(new Reached(reach, block)));
    }
    return all;
  }
}
