package dev.contexture.mcp;

import dev.contexture.Contexture;
import dev.contexture.block.Scope;
import dev.contexture.engine.agent.AgentTools;
import dev.contexture.engine.memory.BlockMetadata;
import dev.contexture.engine.memory.MemoryStore;
import dev.contexture.engine.memory.SharedBlockInfo;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.memory.permission.Actor;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The data that a session reaches: an agent's memory for its user, and that user's conversations.
 * Everything is done as the agent, so that every write passes the gate.
 *
 * @param engine where it is
 * @param scope the project
 * @param settings who asks
 */
record AgentMemory(Contexture engine, Scope scope, McpSettings settings) {
  String agent() {
    return settings.agent();
  }

  MemoryStore store() {
    return engine.memory(scope).actingAs(Actor.agent(agent())).forUser(settings.user());
  }

  AgentTools tools() {
    AgentTools all = engine.agentTools(scope.agent(agent()));
    String user = settings.user();
    AgentTools own = user == null ? all.withoutMessages() : all.withUser(user);
    return settings.byRank() ? own.withScoresByRank() : own;
  }

  /** Its own blocks by label; of two with a label the one that the label means. */
  List<BlockMetadata> own() {
    Map<String, BlockMetadata> byLabel = new LinkedHashMap<>();
    for (BlockMetadata block : store().listBlocks(agent())) {
      byLabel.merge(block.label(), block, (one, other) -> other.user() == null ? one : other);
    }
    return new ArrayList<>(byLabel.values());
  }

  /**
   * The address of a block: a label of one's own, or of the only shared block that has it.
   *
   * @throws ContextureException {@code block_not_found} or {@code ambiguous_label}
   */
  String address(String label) {
    if (store().getBlockMetadata(agent(), label).isPresent()) {
      return label;
    }
    List<String> owners =
        store().listSharedBlocks(agent()).stream()
            .filter(shared -> shared.label().equals(label))
            .map(SharedBlockInfo::owner)
            .distinct()
            .toList();
    if (owners.size() > 1) {
      throw new ContextureException(
          ErrorCode.AMBIGUOUS_LABEL,
          "several agents share a block '" + label + "': give it as owner/" + label,
          Map.of("label", label),
          null);
    }
    if (owners.isEmpty()) {
      throw noBlock(label);
    }
    return owners.getFirst() + "/" + label;
  }

  /** Deletes a block, as {@link #checkDeletable} allows. */
  void delete(String address) {
    checkDeletable(address);
    store().deleteBlock(agent(), address);
  }

  /**
   * Refuses to delete what is for all users where the caller is bound to one.
   *
   * @throws ContextureException {@code forbidden}
   */
  void checkDeletable(String address) {
    boolean forAll =
        store().getBlockMetadata(agent(), address).map(block -> block.user() == null).orElse(false);
    if (forAll && settings.keepsForAll()) {
      throw new ContextureException(
          ErrorCode.FORBIDDEN,
          "the key is bound to a user; block '" + address + "' is for all users, and stays",
          Map.of("label", address),
          null);
    }
  }

  static ContextureException noBlock(String label) {
    return new ContextureException(
        ErrorCode.BLOCK_NOT_FOUND,
        "there is no block '" + label + "' that this agent reaches",
        Map.of("label", label),
        null);
  }

  /**
   * The user whose conversations there are.
   *
   * @throws ContextureException {@code invalid_argument} if the session is for nobody
   */
  Scope.OfUser user() {
    String user = settings.user();
    if (user == null) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_ARGUMENT,
          "user",
          "nobody",
          "a user: connect with --user, or with ?user= in the address");
    }
    return scope.user(user);
  }

  /** Whether a conversation may be shown. */
  boolean shows(Scope.OfConversation one) {
    return !settings.ownConversations() || engine.store().otherAgent(one, agent()).isEmpty();
  }
}
