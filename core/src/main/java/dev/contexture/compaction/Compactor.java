package dev.contexture.compaction;

import dev.contexture.compaction.CompactionReport.Status;
import dev.contexture.timeline.Entry;
import dev.contexture.timeline.Summary;
import dev.contexture.timeline.Timeline;
import dev.contexture.token.TokenMeter;
import dev.contexture.view.Emitter;
import dev.contexture.view.Filters;
import dev.contexture.view.View;
import java.time.Instant;
import java.util.List;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Compacts timelines in three steps that can be taken apart: plan, ask the summariser, apply. The
 * first and the last are pure; the second calls nothing but the summariser and may take long, so
 * that it belongs outside of any lock.
 *
 * <p>Confined to one thread at a time, because its emitter is.
 */
@API(status = API.Status.STABLE, since = "0.1")
public final class Compactor {
  private static final long DEFAULT_WINDOW = 100_000;

  private final Emitter emitter;
  private final Filters filters;
  private final CompactionBudget budget;
  private final @Nullable String model;
  private final @Nullable String prompt;
  private final long window;

  private Compactor(
      Emitter emitter,
      Filters filters,
      CompactionBudget budget,
      @Nullable String model,
      @Nullable String prompt,
      long window) {
    this.emitter = emitter;
    this.filters = filters;
    this.budget = budget;
    this.model = model;
    this.prompt = prompt;
    this.window = window;
  }

  /**
   * A compactor for renders with this emitter and these filters.
   *
   * @param emitter what turns blocks into parts and counts them; the one of the render, so that
   *     nothing is counted twice
   */
  public static Compactor of(Emitter emitter, Filters filters, CompactionBudget budget) {
    return new Compactor(emitter, filters, budget, null, null, DEFAULT_WINDOW);
  }

  /**
   * Names the model that a summariser asks.
   *
   * @param tokens what that model can read
   */
  public Compactor withModel(@Nullable String name, long tokens) {
    return new Compactor(emitter, filters, budget, name, prompt, tokens);
  }

  /** Replaces the default instructions of a summariser that asks a model. */
  public Compactor withPrompt(@Nullable String text) {
    return new Compactor(emitter, filters, budget, model, text, window);
  }

  /**
   * Plans, asks and applies in one go, for callers that hold no lock.
   *
   * @param summaryId the id of the summary if one is made
   */
  public CompactionOutcome compact(
      Timeline timeline, Summarizer summarizer, String summaryId, Instant now) {
    CompactionPlan plan = plan(timeline, now);
    return plan instanceof CompactionPlan.Cut cut
        ? apply(cut, summarize(cut, summarizer), summaryId, now)
        : withoutCut(plan);
  }

  /** Decides what is to be done, and does nothing. */
  public CompactionPlan plan(Timeline timeline, Instant now) {
    return new CompactionPlanner(timeline, filters, emitter, budget, now).plan();
  }

  /** The outcome of a plan that cuts nowhere: its previews, and why. */
  public CompactionOutcome withoutCut(CompactionPlan plan) {
    return switch (plan) {
      case CompactionPlan.NotNeeded none ->
          unchanged(none, Status.NOT_NEEDED, none.previews().isEmpty() ? "below_limit" : "preview");
      case CompactionPlan.NoCut none -> unchanged(none, Status.NO_CUT, "no_cut");
      case CompactionPlan.Skipped skipped -> unchanged(skipped, Status.SKIPPED, skipped.reason());
      case CompactionPlan.Cut cut ->
          throw new IllegalArgumentException("a cut before seq " + cut.cutSeq() + " is planned");
    };
  }

  /** Asks the summariser for the texts of a plan. Never throws: what fails is a failed draft. */
  public SummaryDraft summarize(CompactionPlan.Cut plan, Summarizer summarizer) {
    TokenMeter meter = emitter.meter();
    SummaryRequest template =
        new SummaryRequest(
            SummaryRequest.Mode.CREATE,
            model,
            prompt,
            List.of(),
            null,
            budget.reserve(),
            window,
            meter,
            List.of());
    boolean inventory = budget.policy().inventory();
    return new SummaryWriter(plan, summarizer, template, budget.previewChars(), inventory).write();
  }

  /**
   * Makes the summary of a plan and its texts, unless nothing would be gained (T-75, T-76). Where
   * the total would stay above the limit, a quoted request is cut, then the older recoverable paths
   * are left out.
   *
   * @param id the id of the summary
   */
  public CompactionOutcome apply(
      CompactionPlan.Cut plan, SummaryDraft draft, String id, Instant now) {
    return switch (draft) {
      case SummaryDraft.Failed failed -> unchanged(plan, Status.FAILED, failed.reason());
      case SummaryDraft.Written written -> apply(plan, written, id, now);
    };
  }

  private CompactionOutcome apply(
      CompactionPlan.Cut plan, SummaryDraft.Written draft, String id, Instant now) {
    List<Entry> asked = plan.prompt();
    boolean inFull = !plan.carriesPrompt() && plan.promptCost() <= budget.promptQuota();
    String cut = SummaryText.requestCut(plan.turn(), asked);
    String request =
        plan.carriesPrompt()
            ? SummaryText.requestBelow(plan.turn(), asked)
            : inFull ? SummaryText.requestInFull(plan.turn(), asked) : cut;
    List<String> paths = RecoverablePaths.of(plan.view(), plan.history(), plan.prefix());
    Summary summary =
        SummaryRow.of(plan, draft, SummaryText.of(plan, draft, request, paths), id, now);
    long total = totalWith(plan, summary);
    if (total > budget.limit() && inFull) {
      request = cut;
      summary = SummaryRow.of(plan, draft, SummaryText.of(plan, draft, request, paths), id, now);
      total = totalWith(plan, summary);
    }
    while (total > budget.limit() && !paths.isEmpty()) {
      paths = paths.subList(0, paths.size() / 2);
      summary = SummaryRow.of(plan, draft, SummaryText.of(plan, draft, request, paths), id, now);
      total = totalWith(plan, summary);
    }
    if (total >= plan.sizes().afterPreviews()) {
      return unchanged(plan, Status.SKIPPED, "no_reduction");
    }
    return new CompactionOutcome(plan.previews(), summary, completed(plan, summary, total));
  }

  private long totalWith(CompactionPlan plan, Summary summary) {
    View after = View.of(plan.timeline().withSummary(summary), filters, emitter);
    return budget.around() + after.cost();
  }

  private static CompactionReport completed(CompactionPlan.Cut plan, Summary summary, long total) {
    CompactionPlan.Sizes sizes = plan.sizes();
    return new CompactionReport(
        Status.COMPLETED,
        sizes.reason() == null ? "" : sizes.reason(),
        sizes.before(),
        total,
        plan.compactedBlocks(),
        usable(plan.timeline().withSummary(summary)),
        summary);
  }

  private static CompactionOutcome unchanged(CompactionPlan plan, Status status, String reason) {
    CompactionPlan.Sizes sizes = plan.sizes();
    return new CompactionOutcome(
        plan.previews(),
        null,
        new CompactionReport(
            status,
            reason,
            sizes.before(),
            sizes.afterPreviews(),
            0,
            usable(plan.timeline()),
            null));
  }

  private static int usable(Timeline timeline) {
    return (int)
        timeline.summaries().stream()
            .filter(summary -> !summary.withdrawn())
            .filter(summary -> summary.coveredTurns().stream().noneMatch(timeline::isExcluded))
            .count();
  }
}
