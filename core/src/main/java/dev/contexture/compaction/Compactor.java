package dev.contexture.compaction;

import dev.contexture.compaction.CompactionReport.Status;
import dev.contexture.compaction.summary.Summarizer;
import dev.contexture.compaction.summary.SummaryContent;
import dev.contexture.compaction.summary.SummaryDraft;
import dev.contexture.compaction.summary.SummaryRequest;
import dev.contexture.timeline.Summary;
import dev.contexture.timeline.Timeline;
import dev.contexture.timeline.Visibility;
import dev.contexture.view.ContributionFilters;
import dev.contexture.view.Emitter;
import dev.contexture.view.View;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Compacts timelines in three steps that can be taken apart: plan, ask the summariser, apply. The
 * first and the last are pure; the second calls nothing but the summariser and may take long, so
 * that it belongs outside of any lock.
 *
 * <p>Confined to one thread at a time, because its emitter is.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class Compactor {
  private static final long DEFAULT_WINDOW = 100_000;
  private static final long DEFAULT_WINDOW_OF_ARCHIVED = 32_000;
  private static final long UNKNOWN = 0;
  private static final long MIN_TARGET = 16;

  private final Emitter emitter;
  private final ContributionFilters filters;
  private final CompactionBudget budget;
  private final @Nullable String model;
  private final @Nullable String prompt;
  private final long window;
  private final CompressionStrategy strategy;
  private final HistoryLimits history;
  private final MessageCounter messages;
  private final boolean listsPaths;

  private Compactor(
      Emitter emitter,
      ContributionFilters filters,
      CompactionBudget budget,
      @Nullable String model,
      @Nullable String prompt,
      long window,
      CompressionStrategy strategy,
      HistoryLimits history,
      MessageCounter messages,
      boolean listsPaths) {
    this.emitter = emitter;
    this.filters = filters;
    this.budget = budget;
    this.model = model;
    this.prompt = prompt;
    this.window = window;
    this.strategy = strategy;
    this.history = history;
    this.messages = messages;
    this.listsPaths = listsPaths;
  }

  /**
   * A compactor for renders with this emitter and these filters.
   *
   * @param emitter what turns blocks into parts and counts them; the one of the render, so that
   *     nothing is counted twice
   */
  public static Compactor of(
      Emitter emitter, ContributionFilters filters, CompactionBudget budget) {
    CompressionStrategy cuts = new CompressionStrategy.Compaction(budget.policy());
    return new Compactor(
        emitter, filters, budget, null, null, UNKNOWN, cuts, HistoryLimits.NONE, List::size, true);
  }

  /**
   * Makes the conversation shorter in another way, unless it is forced: that is always a cut.
   *
   * @param limits what turns and summary may have where whole turns are archived
   * @param counter how many messages a turn becomes
   */
  public Compactor withStrategy(
      CompressionStrategy chosen, HistoryLimits limits, MessageCounter counter) {
    return new Compactor(
        emitter, filters, budget, model, prompt, window, chosen, limits, counter, listsPaths);
  }

  /**
   * Names the model that a summariser asks.
   *
   * @param tokens what that model can read; 0: not known
   */
  public Compactor withModel(@Nullable String name, long tokens) {
    return new Compactor(
        emitter, filters, budget, name, prompt, tokens, strategy, history, messages, listsPaths);
  }

  /**
   * Leaves room for the next request where a cut can.
   *
   * @param tokens what it is expected to add; 0: not known
   */
  public Compactor withAhead(long tokens) {
    return new Compactor(
        emitter,
        filters,
        budget.ahead(tokens),
        model,
        prompt,
        window,
        strategy,
        history,
        messages,
        listsPaths);
  }

  /** Says whether whoever reads the summary can read paths; else none are listed. */
  public Compactor withPaths(boolean listed) {
    return new Compactor(
        emitter, filters, budget, model, prompt, window, strategy, history, messages, listed);
  }

  /** Replaces the default instructions of a summariser that asks a model. */
  public Compactor withPrompt(@Nullable String text) {
    return new Compactor(
        emitter, filters, budget, model, text, window, strategy, history, messages, listsPaths);
  }

  /**
   * Plans, asks and applies in one go, for callers that hold no lock.
   *
   * @param summaryId the id of the summary if one is made
   */
  public CompactionOutcome compact(
      Timeline timeline, Summarizer summarizer, String summaryId, Instant now) {
    CompactionPlan plan = plan(timeline, now);
    return apply(plan, summarize(plan, summarizer), summaryId, now);
  }

  /** Decides what is to be done, and does nothing. */
  public CompactionPlan plan(Timeline timeline, Instant now) {
    boolean cuts = budget.forced() || strategy instanceof CompressionStrategy.Compaction;
    Timeline seen = timeline.forView(budget.viewTokens());
    return cuts
        ? new CompactionPlanner(seen, filters, emitter, budget, now).plan()
        : new ArchivePlanner(seen, filters, emitter, strategy, history, messages).plan();
  }

  /** What hooks are told before a plan is carried out. */
  public CompactionReport started(CompactionPlan plan) {
    CompactionPlan.Sizes sizes = plan.sizes();
    int blocks =
        switch (plan) {
          case CompactionPlan.Cut cut -> cut.compactedBlocks();
          case CompactionPlan.Archive archive -> archive.archivedBlocks();
          case CompactionPlan.NotNeeded unused -> 0;
          case CompactionPlan.NoCut unused -> 0;
          case CompactionPlan.Skipped unused -> 0;
        };
    return new CompactionReport(
        Status.STARTED,
        sizes.reason() == null ? "" : sizes.reason(),
        sizes.before(),
        blocks == 0 ? sizes.afterPreviews() : sizes.estimate(),
        blocks,
        usable(plan.timeline()),
        null,
        plan instanceof CompactionPlan.Archive archive ? archive.facts() : null);
  }

  /** The outcome of a plan that cuts nowhere: its previews, and why. */
  private static CompactionOutcome withoutCut(CompactionPlan plan) {
    return switch (plan) {
      case CompactionPlan.NotNeeded none ->
          unchanged(none, Status.NOT_NEEDED, none.previews().isEmpty() ? "below_limit" : "preview");
      case CompactionPlan.NoCut none -> unchanged(none, Status.NO_CUT, "no_cut");
      case CompactionPlan.Skipped skipped -> unchanged(skipped, Status.SKIPPED, skipped.reason());
      case CompactionPlan.Cut cut ->
          throw new IllegalArgumentException("a cut before seq " + cut.cutSeq() + " is planned");
      case CompactionPlan.Archive archive ->
          throw new IllegalArgumentException(archive.spans().size() + " ranges are planned");
    };
  }

  /**
   * Asks the summariser for the texts of a plan, where it needs any. Never throws: what fails is a
   * failed draft.
   */
  public SummaryDraft summarize(CompactionPlan plan, Summarizer summarizer) {
    return switch (plan) {
      case CompactionPlan.Cut cut ->
          new SummaryWriter(
                  cut,
                  summarizer,
                  template(model, prompt, budget.reserve(), DEFAULT_WINDOW),
                  input(cut),
                  listsPaths)
              .write();
      case CompactionPlan.Archive archive -> summarize(archive.recursion(), summarizer);
      case CompactionPlan.NotNeeded unused -> new SummaryDraft.NotAsked();
      case CompactionPlan.NoCut unused -> new SummaryDraft.NotAsked();
      case CompactionPlan.Skipped unused -> new SummaryDraft.NotAsked();
    };
  }

  private SummaryDraft summarize(
      CompactionPlan.@Nullable Recursion recursion, Summarizer summarizer) {
    if (recursion == null) {
      return new SummaryDraft.NotAsked();
    }
    String own = recursion.strategy().modelName();
    SummaryRequest template =
        template(
            own == null ? model : own,
            recursion.strategy().instructions(),
            composer(recursion.cut(), SummaryDraft.Written.BUILT_IN)
                .leftForOthers(recursion.allowance()),
            DEFAULT_WINDOW_OF_ARCHIVED);
    return new RecursiveWriter(recursion, summarizer, template, input(recursion.cut())).write();
  }

  private SummaryRequest template(
      @Nullable String name, @Nullable String instructions, long target, long unknownWindow) {
    return new SummaryRequest(
        SummaryRequest.Mode.CREATE,
        name,
        instructions,
        List.of(),
        null,
        target,
        window == UNKNOWN ? unknownWindow : window,
        emitter.meter(),
        List.of());
  }

  /**
   * Makes what a plan and its texts lead to: the summary, unless nothing would be gained, or the
   * archived ranges. Where the total would stay above the limit, the summary says less.
   *
   * @param id the id of the summary, and the stem of those of the ranges
   */
  public CompactionOutcome apply(CompactionPlan plan, SummaryDraft draft, String id, Instant now) {
    return switch (plan) {
      case CompactionPlan.Cut cut -> applyCut(cut, draft, id, now);
      case CompactionPlan.Archive archive -> applyArchive(archive, draft, id, now);
      case CompactionPlan.NotNeeded unused -> withoutCut(plan);
      case CompactionPlan.NoCut unused -> withoutCut(plan);
      case CompactionPlan.Skipped unused -> withoutCut(plan);
    };
  }

  private CompactionOutcome applyArchive(
      CompactionPlan.Archive plan, SummaryDraft draft, String id, Instant now) {
    CompactionPlan.Recursion recursion = plan.recursion();
    SummaryContent content =
        recursion != null && draft instanceof SummaryDraft.Written written
            ? composer(recursion.cut(), written)
                .compose(recursion.allowance(), recursion.allowance())
            : null;
    String asked = Objects.requireNonNullElse(asked(plan), "");
    return new ArchiveWriter(plan, id, now).apply(draft, content, filters, emitter, asked);
  }

  private SummaryComposer composer(CompactionPlan.Cut plan, SummaryDraft.Written draft) {
    return new SummaryComposer(
        SummaryMaterial.of(plan, input(plan), draft, listsPaths, emitter.meter()), emitter.meter());
  }

  private @Nullable String asked(CompactionPlan.Archive plan) {
    String own = plan.recursion() == null ? null : plan.recursion().strategy().modelName();
    return own == null ? model : own;
  }

  /** Composes the summary within its target, or within half of that until the whole fits. */
  private CompactionOutcome applyCut(
      CompactionPlan.Cut plan, SummaryDraft draft, String id, Instant now) {
    if (!(draft instanceof SummaryDraft.Written written)) {
      throw new IllegalArgumentException("a cut needs the texts of its summary");
    }
    SummaryComposer composer = composer(plan, written);
    long target = budget.reserve();
    Summary summary =
        SummaryRow.of(plan, written, composer.compose(target, budget.references()), id, now);
    long total = totalWith(plan, summary);
    while ((total > budget.limit() || total >= plan.sizes().afterPreviews())
        && target > MIN_TARGET) {
      target /= 2;
      summary =
          SummaryRow.of(plan, written, composer.compose(target, budget.references()), id, now);
      total = totalWith(plan, summary);
    }
    if (total >= plan.sizes().afterPreviews()) {
      return unchanged(plan, Status.SKIPPED, "no_reduction");
    }
    List<Visibility> previews = plan.previews().stream().map(p -> p.storedWith(id)).toList();
    Summary priced = SummaryRow.withCost(summary, budget.systemTokens(), plan.sizes(), total);
    return new CompactionOutcome(previews, priced, completed(plan, priced, total));
  }

  private SummaryInput input(CompactionPlan.Cut plan) {
    return new SummaryInput(
        plan.timeline(), plan.view().window(), emitter.meter(), budget.previewChars());
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
        plan instanceof CompactionPlan.Cut cut ? cut.previewsWithoutCut() : plan.previews(),
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

  static int usable(Timeline timeline) {
    return (int)
        timeline.summaries().stream()
            .filter(summary -> !summary.withdrawn())
            .filter(summary -> summary.coveredTurns().stream().noneMatch(timeline::isExcluded))
            .count();
  }
}
