package dev.contexture.compaction;

import dev.contexture.block.TurnId;
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

  private SummaryRow() {}

  static Summary of(
      CompactionPlan.Cut plan, SummaryDraft.Written draft, String text, String id, Instant now) {
    return new Summary(
        id,
        plan.cutSeq(),
        fromSeq(plan),
        plan.turn(),
        text,
        draft.main(),
        draft.prefix(),
        meta(plan),
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

  private static JsonObject meta(CompactionPlan.Cut plan) {
    Set<TurnId> covered = new LinkedHashSet<>();
    plan.view().window().summary().ifPresent(s -> covered.addAll(s.coveredTurns()));
    compacted(plan).map(TimelineEntry::turn).forEach(covered::add);
    List<String> ids = covered.stream().map(TurnId::value).toList();
    JsonObject.Builder meta = JsonObject.builder();
    meta.put(COVERED_TURNS, JsonArray.ofStrings(ids));
    meta.put(DIGEST, Digest.of(plan));
    plan.splitTurn().ifPresent(turn -> meta.put(SPLIT_TURN, turn.value()));
    meta.put(CARRIED, JsonObject.of("prompt", JsonValue.of(plan.carriesPrompt())));
    return meta.build();
  }

  static Stream<TimelineEntry> compacted(CompactionPlan.Cut plan) {
    return Stream.concat(plan.history().stream(), plan.prefix().stream());
  }
}
