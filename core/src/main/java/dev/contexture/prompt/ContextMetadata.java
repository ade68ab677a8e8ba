package dev.contexture.prompt;

import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonNull;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.model.WireFinding;
import java.util.ArrayList;
import java.util.List;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A description of what is in a request and why. Immutable.
 *
 * @param tokens by section
 * @param limits what they were compared with
 * @param counts of messages, turns and tools
 * @param compression what was done to the conversation
 * @param epoch what is repeated; null: nothing is
 * @param blockLabels the memory blocks that are shown, in order, shared ones as {@code owner/label}
 * @param warnings what the caller may want to know
 * @param dropped what is not shown, and why
 * @param truncated what is not shown whole
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record ContextMetadata(
    Tokens tokens,
    Limits limits,
    Counts counts,
    Compression compression,
    @Nullable Epoch epoch,
    List<String> blockLabels,
    List<WireFinding> warnings,
    List<Omission> dropped,
    List<Omission> truncated) {
  public ContextMetadata {
    blockLabels = List.copyOf(blockLabels);
    warnings = List.copyOf(warnings);
    dropped = List.copyOf(dropped);
    truncated = List.copyOf(truncated);
  }

  /**
   * Tokens by section.
   *
   * @param tail sources and what is announced
   */
  public record Tokens(
      long instructions,
      long core,
      long working,
      long activity,
      long rules,
      long tools,
      long summary,
      long history,
      long memoryUpdate,
      long tail) {
    /** All of it: what was compared with the limits. */
    public long total() {
      return instructions
          + core
          + working
          + activity
          + rules
          + tools
          + summary
          + history
          + memoryUpdate
          + tail;
    }

    /** The same with another count of the conversation. */
    public Tokens withHistory(long tokens) {
      return new Tokens(
          instructions, core, working, activity, rules, tools, summary, tokens, memoryUpdate, tail);
    }

    private JsonObject toJson() {
      return JsonObject.builder()
          .put("instructions", instructions)
          .put("core", core)
          .put("working", working)
          .put("activity", activity)
          .put("rules", rules)
          .put("tools", tools)
          .put("summary", summary)
          .put("history", history)
          .put("memory_update", memoryUpdate)
          .put("tail", tail)
          .put("total", total())
          .build();
    }
  }

  /**
   * The limits that hold.
   *
   * @param limits of the model
   * @param overrideKey the key of the override that they come from; null: the default ones
   * @param history what summary and turns may have here
   */
  public record Limits(ModelContextLimits limits, @Nullable String overrideKey, long history) {
    private JsonObject toJson() {
      return JsonObject.builder()
          .put("max_tokens", limits.maxTokens())
          .put("memory_tokens", limits.memoryTokens())
          .put("history_tokens", limits.historyTokens())
          .put("reserved_response_tokens", limits.reservedResponseTokens())
          .put("history_budget", history)
          .putIfPresent("override_key", overrideKey)
          .build();
    }
  }

  /**
   * The numbers of things in a request.
   *
   * @param messages of the conversation, its summary not counted
   * @param omittedTurns turns behind the summary that the view leaves out
   */
  public record Counts(int messages, int turns, int tools, int omittedTurns) {
    private JsonObject toJson() {
      return JsonObject.builder()
          .put("messages", messages)
          .put("turns", turns)
          .put("tools", tools)
          .put("omitted_turns", omittedTurns)
          .build();
    }
  }

  /**
   * The changes that compression made to the conversation.
   *
   * @param strategy {@code none} if nothing was due
   * @param applied whether something was summarised or archived
   * @param archivedTurns by id
   * @param summaryId of the summary that is sent; null: there is none
   * @param report the timeline's own, under compaction
   */
  public record Compression(
      String strategy,
      boolean applied,
      int messagesBefore,
      int messagesAfter,
      long tokensBefore,
      long tokensAfter,
      List<String> archivedTurns,
      @Nullable String summaryId,
      @Nullable JsonObject report) {
    /** There is no conversation. */
    public static final Compression NONE =
        new Compression("none", false, 0, 0, 0, 0, List.of(), null, null);

    public Compression {
      archivedTurns = List.copyOf(archivedTurns);
    }

    private JsonObject toJson() {
      return JsonObject.builder()
          .put("strategy", strategy)
          .put("applied", applied)
          .put("messages_before", messagesBefore)
          .put("messages_after", messagesAfter)
          .put("tokens_before", tokensBefore)
          .put("tokens_after", tokensAfter)
          .put("archived_turn_ids", JsonArray.ofStrings(archivedTurns))
          .put("summary_id", summaryId == null ? JsonNull.NULL : JsonValue.of(summaryId))
          .put("report", report == null ? JsonNull.NULL : report)
          .build();
    }
  }

  /**
   * The epoch of a request, whose memory part is repeated.
   *
   * @param number how many epochs there were with this one
   * @param cause why it begins with this request; null: it goes on
   * @param updated blocks that the memory update shows
   * @param gone blocks that it says are no longer shown
   */
  public record Epoch(
      long number, @Nullable String cause, List<String> updated, List<String> gone) {
    public Epoch {
      updated = List.copyOf(updated);
      gone = List.copyOf(gone);
    }

    private JsonObject toJson() {
      return JsonObject.builder()
          .put("number", number)
          .put("cause", cause == null ? JsonNull.NULL : JsonValue.of(cause))
          .put("updated", JsonArray.ofStrings(updated))
          .put("no_longer_shown", JsonArray.ofStrings(gone))
          .build();
    }
  }

  /** The same with other counts. */
  public ContextMetadata withTokens(Tokens counted) {
    return new ContextMetadata(
        counted, limits, counts, compression, epoch, blockLabels, warnings, dropped, truncated);
  }

  /** The same with more that is not shown. */
  public ContextMetadata withDropped(List<Omission> more) {
    if (more.isEmpty()) {
      return this;
    }
    List<Omission> all = new ArrayList<>(dropped);
    all.addAll(more);
    return new ContextMetadata(
        tokens, limits, counts, compression, epoch, blockLabels, warnings, all, truncated);
  }

  /** The same with more warnings. */
  public ContextMetadata withWarnings(List<WireFinding> more) {
    if (more.isEmpty()) {
      return this;
    }
    List<WireFinding> all = new ArrayList<>(warnings);
    all.addAll(more);
    return new ContextMetadata(
        tokens, limits, counts, compression, epoch, blockLabels, all, dropped, truncated);
  }

  /** As callers get it. */
  public JsonObject toJson() {
    return JsonObject.builder()
        .put("tokens", tokens.toJson())
        .put("limits", limits.toJson())
        .put("counts", counts.toJson())
        .put("compression", compression.toJson())
        .put("epoch", epoch == null ? JsonNull.NULL : epoch.toJson())
        .put("block_labels", JsonArray.ofStrings(blockLabels))
        .put("warnings", json(warnings))
        .put("dropped", EpochState.json(dropped))
        .put("truncated", EpochState.json(truncated))
        .build();
  }

  private static JsonArray json(List<WireFinding> findings) {
    List<JsonValue> all = new ArrayList<>();
    for (WireFinding finding : findings) {
      all.add(
          JsonObject.builder()
              .put("code", finding.code())
              .put("where", finding.pointer())
              .put("message", finding.message())
              .build());
    }
    return new JsonArray(all);
  }
}
