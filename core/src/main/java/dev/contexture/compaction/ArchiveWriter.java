package dev.contexture.compaction;

import dev.contexture.compaction.CompactionReport.Status;
import dev.contexture.compaction.summary.SummaryContent;
import dev.contexture.compaction.summary.SummaryDraft;
import dev.contexture.json.JsonObject;
import dev.contexture.timeline.ArchivedRange;
import dev.contexture.timeline.Summary;
import dev.contexture.timeline.Timeline;
import dev.contexture.view.ContributionFilters;
import dev.contexture.view.Emitter;
import dev.contexture.view.View;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Makes the outcome of a plan that archives turns. */
final class ArchiveWriter {
  private final CompactionPlan.Archive plan;
  private final String id;
  private final Instant now;

  ArchiveWriter(CompactionPlan.Archive plan, String id, Instant now) {
    this.plan = plan;
    this.id = id;
    this.now = now;
  }

  CompactionOutcome apply(
      SummaryDraft draft,
      @Nullable SummaryContent content,
      ContributionFilters filters,
      Emitter emitter,
      String model) {
    if (plan.spans().isEmpty()) {
      return nothingArchived();
    }
    return draft instanceof SummaryDraft.Written written && content != null
        ? archived(summary(written, content, model), filters, emitter)
        : archived(null, filters, emitter);
  }

  private CompactionOutcome nothingArchived() {
    CompactionReport.Archiving facts = plan.facts();
    boolean leftOut = !facts.leftOut().isEmpty();
    Status status =
        plan.sizes().reason() == null
            ? Status.NOT_NEEDED
            : leftOut ? Status.SKIPPED : Status.NO_CUT;
    String reason =
        switch (status) {
          case NOT_NEEDED -> "below_limit";
          case SKIPPED -> "active_turn_over_budget";
          default -> "no_cut";
        };
    return unchanged(status, reason, facts);
  }

  private CompactionOutcome unchanged(
      Status status, String reason, CompactionReport.Archiving facts) {
    long before = plan.sizes().before();
    long after = facts.leftOut().isEmpty() ? before : plan.sizes().estimate();
    CompactionReport report =
        new CompactionReport(
            status, reason, before, after, 0, Compactor.usable(plan.timeline()), null, facts);
    return new CompactionOutcome(List.of(), null, report, List.of(), Set.copyOf(facts.leftOut()));
  }

  private CompactionOutcome archived(
      @Nullable Summary made, ContributionFilters filters, Emitter emitter) {
    List<ArchivedRange> ranges = new ArrayList<>();
    for (CompactionPlan.Span span : plan.spans()) {
      ranges.add(
          new ArchivedRange(
              id + "_r" + (ranges.size() + 1),
              span.fromSeq(),
              span.toSeq(),
              span.turns(),
              plan.facts().strategy(),
              made == null ? null : made.id(),
              now));
    }
    Timeline after = plan.timeline();
    for (ArchivedRange range : ranges) {
      after = after.withArchived(range);
    }
    after = made == null ? after : after.withSummary(made);
    String reason = plan.sizes().reason();
    CompactionReport report =
        new CompactionReport(
            Status.COMPLETED,
            reason == null ? "" : reason,
            plan.sizes().before(),
            View.of(after, filters, emitter).cost(),
            plan.archivedBlocks(),
            Compactor.usable(after),
            made,
            plan.facts());
    return new CompactionOutcome(List.of(), made, report, ranges, Set.of());
  }

  private Summary summary(SummaryDraft.Written draft, SummaryContent content, String model) {
    CompactionPlan.Recursion recursion = plan.recursion();
    if (recursion == null) {
      throw new IllegalStateException("no summary was planned");
    }
    Summary row = SummaryRow.of(recursion.cut(), draft, content, id, now);
    JsonObject.Builder meta =
        JsonObject.builder()
            .putAll(row.meta())
            .put("strategy", plan.facts().strategy())
            .put("messages_before", plan.facts().messagesBefore())
            .put("messages_after", plan.facts().messagesAfter())
            .put("prompt_sha256", sha256(recursion.strategy().instructions()));
    if (!model.isEmpty()) {
      meta.put("model", model);
    }
    plan.view().window().summary().ifPresent(s -> meta.put("previous_summary_id", s.id()));
    return new Summary(
        row.id(),
        row.cutSeq(),
        row.fromSeq(),
        row.turn(),
        row.text(),
        row.mainText(),
        row.splitText(),
        meta.build(),
        row.createdAt(),
        false);
  }

  private static String sha256(String text) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(hash);
    } catch (NoSuchAlgorithmException missing) {
      throw new IllegalStateException("every JDK has SHA-256", missing);
    }
  }
}
