package dev.contexture.compaction;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.compaction.CompactionReport.Status;
import dev.contexture.compaction.summary.SummaryRequest;
import dev.contexture.timeline.Timeline;
import dev.contexture.timeline.TimelineEntry;
import dev.contexture.token.TokenMeter;
import dev.contexture.view.ContributionFilters;
import dev.contexture.view.Dialect;
import dev.contexture.view.Emitter;
import dev.contexture.view.Reader;
import dev.contexture.view.StreamItem;
import dev.contexture.view.View;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** One row of the compaction vectors: plans and compacts its timeline. */
final class CompactionRow {
  static final Instant NOW = Instant.parse("2026-03-01T00:00:00Z");
  final List<SummaryRequest> asked = new ArrayList<>();
  private final CompactionBudget budget;
  private final Emitter emitter;
  final CompactionPlan plan;
  final CompactionOutcome outcome;
  final Timeline after;

  CompactionRow(Dialect dialect, Timeline timeline, CompactionBudget given) {
    budget = given.system(1);
    emitter = new Emitter(dialect, Reader.ANY, TokenMeter.of(new CostCounter()));
    Compactor compactor = Compactor.of(emitter, ContributionFilters.NONE, budget);
    plan = compactor.plan(timeline, NOW);
    outcome = compactor.compact(timeline, this::answer, "su_new", NOW);
    after = outcome.applyTo(timeline);
  }

  private String answer(SummaryRequest request) {
    asked.add(request);
    return request.mode() == SummaryRequest.Mode.TURN_PREFIX ? "PRE" : "SUM";
  }

  CompactionRow limit(long limit) {
    assertThat(plan.sizes().limit()).isEqualTo(limit);
    return this;
  }

  CompactionRow notNeeded(long before, long total) {
    assertThat(plan).isInstanceOf(CompactionPlan.NotNeeded.class);
    return ends(Status.NOT_NEEDED, before, total).unsummarised();
  }

  CompactionRow ends(Status status, long before, long total) {
    assertThat(outcome.report().status()).isEqualTo(status);
    assertThat(outcome.report().tokensBefore()).isEqualTo(before);
    assertThat(outcome.report().tokensAfter()).isEqualTo(total);
    assertThat(budget.around() + view().cost()).isEqualTo(total);
    return this;
  }

  CompactionRow unsummarised() {
    assertThat(asked).isEmpty();
    assertThat(outcome.summary()).isEmpty();
    return this;
  }

  CompactionRow cut(int index, String firstRetained) {
    CompactionPlan.Cut cut = (CompactionPlan.Cut) plan;
    assertThat(cut.cut()).isEqualTo(index);
    StreamItem first = plan.view().items().get(index);
    assertThat(first.turn() + " " + first.type()).isEqualTo(firstRetained);
    assertThat(first.seq()).hasValue(cut.cutSeq());
    return this;
  }

  CompactionRow estimated(long estimate) {
    assertThat(plan.sizes().estimate()).isEqualTo(estimate);
    return this;
  }

  CompactionRow keeping(long keep) {
    assertThat(plan.sizes().keep()).isEqualTo(keep);
    return this;
  }

  /** Ranges of stream indices, inclusive; an empty text means none. */
  CompactionRow summarised(String history, String prefix) {
    CompactionPlan.Cut cut = (CompactionPlan.Cut) plan;
    assertThat(range(cut.history())).isEqualTo(history);
    assertThat(range(cut.prefix())).isEqualTo(prefix);
    assertThat(outcome.report().status()).isIn(Status.COMPLETED, Status.SKIPPED);
    if (outcome.summary().isPresent()) {
      assertThat(outcome.report().compactedBlocks())
          .isEqualTo(cut.history().size() + cut.prefix().size());
    }
    return this;
  }

  private String range(List<TimelineEntry> entries) {
    if (entries.isEmpty()) {
      return "";
    }
    return index(entries.getFirst()) + "-" + index(entries.getLast());
  }

  private int index(TimelineEntry entry) {
    List<StreamItem> items = plan.view().items();
    for (int i = 0; i < items.size(); i++) {
      if (items.get(i).entry().filter(found -> found == entry).isPresent()
          && !items.get(i).carried()) {
        return i;
      }
    }
    throw new AssertionError(entry + " is not in the stream");
  }

  CompactionRow shows(String... types) {
    assertThat(view().items()).extracting(item -> item.type().name()).containsExactly(types);
    return this;
  }

  View view() {
    return View.of(after.forView(budget.viewTokens()), ContributionFilters.NONE, emitter);
  }
}
