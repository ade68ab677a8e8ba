package dev.contexture.engine.request;

import dev.contexture.engine.memory.BlockMetadata;
import dev.contexture.engine.memory.MemoryStore;
import dev.contexture.engine.memory.ReachedBlock;
import dev.contexture.engine.memory.SharedBlockInfo;
import dev.contexture.error.ContextureException;
import dev.contexture.memory.BlockMarkup;
import dev.contexture.memory.schema.MemoryBlockType;
import dev.contexture.prompt.ContextConfig;
import dev.contexture.prompt.Omission;
import dev.contexture.prompt.Omission.Reason;
import dev.contexture.prompt.PromptBlock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads the memory blocks that an agent's prompt is to show: core always, working if pinned or
 * referred to, the others if referred to. Used once, by one thread.
 */
final class PromptMemoryReader {
  private static final System.Logger LOG = System.getLogger(PromptMemoryReader.class.getName());

  private final RequestState state;
  private final MemoryStore memory;
  private final String agent;
  private final ContextConfig config;
  private final Map<String, ReachedBlock> reached = new LinkedHashMap<>(); // by id
  private final Map<String, Integer> references = new LinkedHashMap<>(); // ids, as referred to
  private final List<PromptBlock> blocks = new ArrayList<>();

  PromptMemoryReader(RequestState state, String agent) {
    this.state = state;
    this.memory = state.memory;
    this.agent = agent;
    this.config = state.options.config;
  }

  /** Reads what the turn refers to and what is always shown. */
  void read() {
    StepFailures.step("memory", this::reach);
    state.references.forEach(this::refer);
    for (ReachedBlock block : reached.values()) {
      show(block);
    }
    Map<String, String> labels = new LinkedHashMap<>();
    reached.forEach((id, block) -> labels.put(id, block.label()));
    state.reach = labels;
    state.blocks = blocks;
  }

  private void reach() {
    ReachedBlock.all(memory, agent).forEach(block -> reached.put(block.id(), block));
  }

  private void refer(String ref) {
    List<ReachedBlock> found = found(ref);
    if (found.size() == 1) {
      references.putIfAbsent(found.getFirst().id(), references.size());
      return;
    }
    boolean foreign = found.isEmpty() && memory.describeBlock(ref).isPresent();
    state.dropped.add(
        Omission.block(
            ref,
            foreign ? Reason.NO_ACCESS : Reason.UNKNOWN_BLOCK,
            foreign
                ? "agent " + agent + " may not read it"
                : found.isEmpty()
                    ? "no block of agent " + agent + " has this id or label"
                    : found.size() + " shared blocks have this label; say owner/label"));
  }

  /** By id, else the agent's own label, else shared ones of that label or address. */
  private List<ReachedBlock> found(String ref) {
    ReachedBlock byId = reached.get(ref);
    if (byId != null) {
      return List.of(byId);
    }
    List<ReachedBlock> shared = new ArrayList<>();
    for (ReachedBlock block : reached.values()) {
      if (block.address().equals(ref)) {
        return List.of(block);
      }
      if (block.share() != null && block.label().equals(ref)) {
        shared.add(block);
      }
    }
    return shared;
  }

  private void show(ReachedBlock block) {
    boolean core = block.type() == MemoryBlockType.CORE;
    boolean referred = references.containsKey(block.id());
    boolean pinned = block.type() == MemoryBlockType.WORKING && block.pinned();
    if (!core && !referred && !pinned) {
      if (block.pinned()) {
        state.dropped.add(
            Omission.block(
                block.address(),
                Reason.TYPE_NOT_IN_CONTEXT,
                "a pin does not show a block of type " + block.type().wireName()));
      }
      return;
    }
    try {
      read(block).ifPresent(blocks::add);
    } catch (RuntimeException failed) {
      if (core) {
        throw StepFailures.failed("core block " + block.address(), failed);
      }
      LOG.log(System.Logger.Level.WARNING, "a memory block was left out", failed);
      state.dropped.add(
          Omission.block(block.address(), Reason.READ_FAILED, StepFailures.words(failed)));
    }
  }

  /** The block as the prompt has it; empty if it was deleted or unshared meanwhile. */
  private Optional<PromptBlock> read(ReachedBlock block) throws ContextureException {
    MemoryStore.Shown shown = memory.showBlock(agent, block.id()).orElse(null);
    if (shown == null) {
      return Optional.empty();
    }
    BlockMetadata meta = shown.block();
    SharedBlockInfo share = block.share();
    BlockMarkup markup =
        BlockMarkup.of(block.label(), block.level(), shown.content()).user(block.user());
    if (config.includeDescriptions()) {
      markup = markup.description(meta.description());
    }
    if (config.includeSchemas()) {
      markup = markup.schema(meta.schema());
    }
    if (share != null) {
      markup = markup.sharedFrom(share.ownerName(), share.owner());
    }
    return Optional.of(
        new PromptBlock(
            block.id(),
            block.owner(),
            share != null,
            block.type() == MemoryBlockType.CORE,
            references.getOrDefault(block.id(), PromptBlock.NOT_REFERENCED),
            meta.updated(),
            markup));
  }
}
