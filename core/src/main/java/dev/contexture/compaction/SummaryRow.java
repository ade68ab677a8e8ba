package dev.contexture.compaction;

import dev.contexture.block.TurnId;
import dev.contexture.compaction.summary.SummaryContent;
import dev.contexture.compaction.summary.SummaryDraft;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.timeline.Summary;
import dev.contexture.timeline.TimelineEntry;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Makes the summary that is stored, from a plan and its texts. */
final class SummaryRow {
  static final String DIGEST = "compaction_digest";
  static final String COVERED_TURNS = "covered_turn_ids";
  static final String SPLIT_TURN = "split_turn_id";
  static final String CARRIED = "carried";
  static final String FAILURE = "summarizer_failure";
  static final String KNOWN_UNREAD = "paths_without_reader_before";

  private SummaryRow() {}

  static Summary of(
      CompactionPlan.Cut plan,
      SummaryDraft.Written draft,
      SummaryContent content,
      String id,
      Instant now) {
    return new Summary(
        id,
        plan.cutSeq(),
        fromSeq(plan),
        plan.turn(),
        SummaryText.of(content, plan.carriesPrompt()),
        draft.main(),
        draft.prefix(),
        meta(plan, draft, content),
        now,
        false);
  }

  private static long fromSeq(CompactionPlan.Cut plan) {
    return plan.view()
        .window()
        .summary()
        .map(Summary::fromSeq)
        .orElseGet(
            () ->
                compacted(plan)
                    .flatMapToLong(entry -> entry.seq().stream())
                    .findFirst()
                    .orElse(plan.cutSeq()));
  }

  private static JsonObject meta(
      CompactionPlan.Cut plan, SummaryDraft.Written draft, SummaryContent content) {
    Set<TurnId> covered = new LinkedHashSet<>();
    plan.view().window().summary().ifPresent(s -> covered.addAll(s.coveredTurns()));
    compacted(plan).map(TimelineEntry::turn).forEach(covered::add);
    List<String> ids = covered.stream().map(TurnId::value).toList();
    JsonObject.Builder meta = JsonObject.builder();
    meta.put(COVERED_TURNS, JsonArray.ofStrings(ids));
    meta.put(DIGEST, Digest.of(plan));
    plan.splitTurn().ifPresent(turn -> meta.put(SPLIT_TURN, turn.value()));
    meta.put(CARRIED, JsonObject.of("prompt", JsonValue.of(plan.carriesPrompt())));
    if (plan.view().window().summary().filter(SummaryContent::isWithoutReader).isPresent()) {
      meta.put(KNOWN_UNREAD, true);
    }
    if (!draft.failure().isEmpty()) {
      meta.put(FAILURE, draft.failure());
    }
    return meta.putAll(content.toJson()).build();
  }

  /**
   * The summary with what it costs in the provider's cache: what was cached behind the system text
   * is rewritten, and each later request reads less. In plain input tokens, with the prices of most
   * caches: a write 1.25, a read 0.1.
   */
  static Summary withCost(
      Summary summary, long system, CompactionPlan.Sizes sizes, long totalAfter) {
    long rewritten = Math.max(0, totalAfter - system);
    long saved = Math.max(0, sizes.before() - totalAfter);
    long price = Math.max(0, 125 * rewritten - 10 * Math.max(0, sizes.before() - system)) / 100;
    JsonObject.Builder cost = JsonObject.builder();
    cost.put("rewritten_tokens", rewritten).put("input_tokens", price);
    cost.put("saved_tokens_per_request", saved);
    if (saved > 0) {
      cost.put("pays_after_requests", (10 * price + saved - 1) / saved);
    }
    JsonObject receipt = SummaryContent.receiptOf(summary).orElse(JsonObject.EMPTY);
    JsonObject.Builder meta = JsonObject.builder().putAll(summary.meta());
    meta.put(
        SummaryContent.RECEIPT,
        JsonObject.builder().putAll(receipt).put("cost", cost.build()).build());
    return new Summary(
        summary.id(),
        summary.cutSeq(),
        summary.fromSeq(),
        summary.turn(),
        summary.text(),
        summary.mainText(),
        summary.splitText(),
        meta.build(),
        summary.createdAt(),
        summary.withdrawn());
  }

  static Stream<TimelineEntry> compacted(CompactionPlan.Cut plan) {
    return Stream.concat(plan.history().stream(), plan.prefix().stream());
  }
}
