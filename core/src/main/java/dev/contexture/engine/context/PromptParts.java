package dev.contexture.engine.context;

import dev.contexture.request.EpochState;
import dev.contexture.request.MemoryPrompt;
import dev.contexture.request.MemoryUpdate;
import dev.contexture.request.Omission;
import dev.contexture.request.PromptBlock;
import dev.contexture.request.SystemPart;
import dev.contexture.token.TokenMeter;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Everything of a request but the conversation, and what it costs.
 *
 * @param epoch whether memory is repeated; null: it is written anew in each request
 * @param shown memory as the system parts have it
 * @param update what changed since the epoch began
 * @param given the other sections
 * @param tokens what each section costs
 */
record PromptParts(
    @Nullable EpochChoice epoch, EpochState shown, MemoryUpdate update, Given given, Costs tokens) {

  /**
   * What is the same whatever the epoch.
   *
   * @param labels of all blocks that the agent may read, by id
   */
  record Given(
      List<String> instructions,
      String activity,
      String rules,
      List<PromptBlock> blocks,
      Map<String, String> labels,
      EpochState.Basis basis,
      long memoryTokens,
      TokenMeter meter) {
    private long cost(String text) {
      return text.isEmpty() ? 0 : meter.texts(List.of(text));
    }
  }

  /** Tokens of the sections. */
  record Costs(long instructions, long core, long working, long activity, long rules, long update) {
    /** All system parts, wherever activity stands. */
    long parts() {
      return instructions + core + working + activity + rules;
    }
  }

  static PromptParts of(@Nullable EpochChoice epoch, Given given) {
    EpochState repeated = epoch == null ? null : epoch.state();
    EpochState shown = repeated == null ? fresh(given) : repeated;
    MemoryUpdate update =
        repeated == null
            ? MemoryUpdate.NONE
            : MemoryUpdate.of(repeated, given.blocks, given.memoryTokens, given.meter);
    Costs costs =
        new Costs(
            given.instructions.stream().mapToLong(given::cost).sum(),
            given.cost(shown.core()),
            given.cost(shown.working()),
            given.cost(given.activity),
            given.cost(given.rules),
            given.cost(update.text()));
    return new PromptParts(epoch, shown, update, given, costs);
  }

  private static EpochState fresh(Given given) {
    MemoryPrompt prompt = MemoryPrompt.of(given.blocks, given.memoryTokens, given.meter);
    return EpochState.of(prompt, given.blocks, given.basis);
  }

  /** Whether the epoch could end to make the request smaller. */
  boolean continues() {
    return epoch != null && epoch.state() != null;
  }

  /** System parts in order (M-88). In an epoch, activity stands behind the conversation. */
  List<SystemPart> system() {
    List<SystemPart> parts = new ArrayList<>();
    given.instructions.forEach(text -> add(parts, text, true));
    add(parts, shown.core(), true);
    add(parts, shown.working(), true);
    boolean changes = epoch == null && !given.activity.isEmpty();
    if (changes) {
      add(parts, given.activity, false);
    }
    add(parts, given.rules, !changes);
    return parts;
  }

  private static void add(List<SystemPart> parts, String text, boolean stays) {
    if (!text.isEmpty()) {
      parts.add(new SystemPart(text, stays));
    }
  }

  /** What stands behind the conversation and is never repeated (M-130). */
  List<String> tail() {
    return epoch == null
        ? List.of()
        : Stream.of(given.activity, update.text()).filter(text -> !text.isEmpty()).toList();
  }

  /**
   * Ids of the blocks that it shows, or whose name the activity may tell. What an update names as
   * no longer shown is shown by the epoch.
   */
  Set<String> memory() {
    Set<String> memory = new HashSet<>(shown.shownIds());
    memory.addAll(update.ids());
    given.labels.forEach(
        (id, label) -> {
          if (given.activity.contains(label)) {
            memory.add(id);
          }
        });
    return memory;
  }

  List<Omission> dropped() {
    return Stream.concat(shown.dropped().stream(), update.dropped().stream()).toList();
  }

  List<Omission> truncated() {
    return Stream.concat(shown.truncated().stream(), update.truncated().stream()).toList();
  }
}
