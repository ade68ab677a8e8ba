package dev.contexture.compaction;

import dev.contexture.block.TurnId;
import dev.contexture.compaction.summary.SummaryContent;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.timeline.Summary;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A report about a compaction, for callers and for people.
 *
 * @param status how it ended
 * @param reason why: {@code over_limit} or {@code forced} if it was done, else why it was not
 * @param tokensBefore the total before
 * @param tokensAfter the total afterwards
 * @param compactedBlocks stored blocks that are newly behind the summary
 * @param summaryBlockCount summaries of the timeline that can be used
 * @param made the summary, if one was made
 * @param facts what happened to whole turns, where a strategy archives them; null elsewhere
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record CompactionReport(
    Status status,
    String reason,
    long tokensBefore,
    long tokensAfter,
    int compactedBlocks,
    int summaryBlockCount,
    @Nullable Summary made,
    @Nullable Archiving facts) {

  /** A report about a cut. */
  public CompactionReport(
      Status status,
      String reason,
      long tokensBefore,
      long tokensAfter,
      int compactedBlocks,
      int summaryBlockCount,
      @Nullable Summary made) {
    this(status, reason, tokensBefore, tokensAfter, compactedBlocks, summaryBlockCount, made, null);
  }

  /**
   * The result of a strategy that works with whole turns.
   *
   * @param strategy its name; {@code none} if nothing was due
   * @param messagesBefore complete and active turns as messages, before
   * @param messagesAfter and afterwards
   * @param archived turns that were archived, oldest first
   * @param leftOut turns that are left out of this one render, but not archived
   * @param warnings {@code active_turn_over_cap}, {@code active_turn_over_budget}
   */
  public record Archiving(
      String strategy,
      int messagesBefore,
      int messagesAfter,
      List<TurnId> archived,
      List<TurnId> leftOut,
      List<String> warnings) {
    public Archiving {
      archived = List.copyOf(archived);
      leftOut = List.copyOf(leftOut);
      warnings = List.copyOf(warnings);
    }

    private JsonObject toJson() {
      return JsonObject.builder()
          .put("strategy", strategy)
          .put("messages_before", messagesBefore)
          .put("messages_after", messagesAfter)
          .put("archived_turn_ids", ids(archived))
          .put("left_out_turn_ids", ids(leftOut))
          .put("warnings", JsonArray.ofStrings(warnings))
          .build();
    }
  }

  /** The way in which a compaction ended. */
  public enum Status {
    /** Nothing was due, or previews were enough. */
    NOT_NEEDED,
    /** An attempt begins; only hooks see this. */
    STARTED,
    /** A summary stands in place of older blocks. */
    COMPLETED,
    /** Nothing would have been gained. */
    SKIPPED,
    /** No block can be cut at. */
    NO_CUT;

    public String wireName() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  public Optional<Summary> summary() {
    return Optional.ofNullable(made);
  }

  /** What happened to whole turns, where a strategy archives them. */
  public Optional<Archiving> archiving() {
    return Optional.ofNullable(facts);
  }

  /** The same attempt, given up because others changed the conversation meanwhile. */
  public CompactionReport overtaken() {
    return new CompactionReport(
        Status.SKIPPED, "conflict", tokensBefore, tokensBefore, 0, summaryBlockCount, null);
  }

  /** The turns that the summary covers, oldest first; none without one. */
  public List<TurnId> coveredTurns() {
    return made == null ? List.of() : made.coveredTurns();
  }

  /**
   * What callers should know about the summary that was made: {@code summarizer_failed} if the
   * built-in one had to write it, {@code paths_without_reader} if no tool of the request can read
   * paths, so that none are listed.
   */
  public List<String> warnings() {
    if (made == null) {
      return List.of();
    }
    JsonObject receipt = SummaryContent.receiptOf(made).orElse(JsonObject.EMPTY);
    List<String> warnings = new ArrayList<>();
    if (receipt.string("writer").filter("fallback"::equals).isPresent()) {
      warnings.add("summarizer_failed");
    }
    if (SummaryContent.isWithoutReader(made) && !made.meta().isTrue(SummaryRow.KNOWN_UNREAD)) {
      warnings.add("paths_without_reader");
    }
    return warnings;
  }

  /** What the newly compacted blocks held; empty without a summary. */
  public JsonObject digest() {
    return made == null
        ? JsonObject.EMPTY
        : made.meta().object(SummaryRow.DIGEST).orElse(JsonObject.EMPTY);
  }

  /** The report as callers get it. */
  public JsonObject toJson() {
    JsonObject.Builder json = numbers();
    if (made != null) {
      json.put("summary_id", made.id()).put("cut_seq", made.cutSeq());
      json.putIfPresent(
          SummaryRow.SPLIT_TURN, made.meta().string(SummaryRow.SPLIT_TURN).orElse(null));
    }
    json.put(SummaryRow.COVERED_TURNS, ids(coveredTurns()));
    json.put("digest", digest());
    if (made != null) {
      json.put("summary", made.text());
      made.meta().object("receipt").ifPresent(receipt -> json.put("receipt", receipt));
    }
    if (facts != null) {
      json.put("archiving", facts.toJson());
    }
    return json.build();
  }

  private static JsonArray ids(List<TurnId> turns) {
    return JsonArray.ofStrings(turns.stream().map(TurnId::value).toList());
  }

  /** The numbers as hooks get them, with their older names. */
  public JsonObject stats() {
    return numbers()
        .put("before_tokens", tokensBefore)
        .put("after_tokens", tokensAfter)
        .put("compacted_tokens", Math.max(0, tokensBefore - tokensAfter))
        .build();
  }

  private JsonObject.Builder numbers() {
    return JsonObject.builder()
        .put("status", status.wireName())
        .put("reason", reason)
        .put("tokens_before", tokensBefore)
        .put("tokens_after", tokensAfter)
        .put("compacted_blocks", compactedBlocks)
        .put("summary_block_count", summaryBlockCount);
  }

  /** What happened and why, in a few lines for people. */
  public String describe() {
    return ReportText.of(this);
  }

  /** One line for people. */
  @Override
  public String toString() {
    return status.wireName()
        + " ("
        + reason
        + "): "
        + tokensBefore
        + " -> "
        + tokensAfter
        + " tokens, "
        + compactedBlocks
        + " blocks summarised";
  }
}
