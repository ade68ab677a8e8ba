package dev.contexture.engine.conversation;

import dev.contexture.block.TurnId;
import dev.contexture.compaction.CompactionBudget;
import dev.contexture.compaction.CompactionOutcome;
import dev.contexture.compaction.CompactionPlan;
import dev.contexture.compaction.CompactionReport;
import dev.contexture.compaction.Compactor;
import dev.contexture.compaction.SummaryDraft;
import dev.contexture.engine.conversation.Session.State;
import dev.contexture.json.JsonObject;
import dev.contexture.render.RenderOptions;
import dev.contexture.store.Commit;
import dev.contexture.store.Precondition;
import dev.contexture.store.Row;
import dev.contexture.store.WriteSet;
import dev.contexture.timeline.Summary;
import dev.contexture.timeline.Timeline;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Compacts a stored conversation: plans under the lock, asks the summariser outside of it, and
 * writes if nothing that was planned on has changed (T-97).
 */
final class Compacting {
  private static final int MAX_ATTEMPTS = 3;

  private final Session session;
  private final Services services;
  private final RenderOptions options;
  private final Set<TurnId> omitted;

  Compacting(Session session, RenderOptions options, Set<TurnId> omitted) {
    this.session = session;
    this.services = session.services();
    this.options = options;
    this.omitted = omitted;
  }

  /** What was decided, and the version it was decided on. */
  private record Planned(Compactor compactor, CompactionPlan plan, long version) {}

  /**
   * Compacts if that is due. The caller holds no lock.
   *
   * @return what came of it; a read-only one is not stored
   */
  CompactionOutcome compact() {
    CompactionOutcome notDue = session.locked(this::notDue);
    if (notDue != null) {
      return notDue;
    }
    CompactionOutcome last = null;
    for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      Planned planned = session.locked(this::plan);
      if (!(planned.plan instanceof CompactionPlan.Cut cut)) {
        CompactionOutcome outcome = planned.compactor.withoutCut(planned.plan);
        if (session.locked(() -> store(outcome, planned.version))) {
          return outcome;
        }
        last = outcome;
        continue;
      }
      CompactionOutcome before = session.locked(() -> fruitless(planned.version));
      if (before != null) {
        return before;
      }
      SummaryDraft draft = planned.compactor.summarize(cut, services.summarizer());
      Instant now = services.now();
      String id = services.ids().of("su");
      CompactionOutcome outcome =
          session.locked(() -> planned.compactor.apply(cut, draft, id, now));
      if (session.locked(() -> store(outcome, planned.version))) {
        session.locked(() -> remember(outcome));
        return outcome;
      }
      last = outcome;
    }
    return overtaken(Objects.requireNonNull(last));
  }

  /** That nothing is due, if so: known from the stream that is rendered anyway. */
  private @Nullable CompactionOutcome notDue() {
    Timeline timeline = without(session.current().timeline());
    CompactionBudget budget = session.renderer().budget(timeline, options);
    long total = session.renderer().view(timeline, options).cost() + budget.around();
    if (budget.isDue(total)) {
      return null;
    }
    int summaries = timeline.openingSummary().isPresent() ? 1 : 0;
    return new CompactionOutcome(
        List.of(),
        null,
        new CompactionReport(
            CompactionReport.Status.NOT_NEEDED, "below_limit", total, total, 0, summaries, null));
  }

  /** What came of the last attempt, if it led to nothing and nothing has changed since (T-78). */
  private @Nullable CompactionOutcome fruitless(long version) {
    return options.forceSanitize() ? null : session.current().fruitless(key(version));
  }

  private boolean remember(CompactionOutcome outcome) {
    boolean nothing = outcome.summary().isEmpty();
    State state = session.current();
    state.setFruitless(nothing ? key(state.version()) : List.of(), nothing ? outcome : null);
    return nothing;
  }

  private List<Object> key(long version) {
    return List.of(
        version,
        options.policy(),
        options.maxTokens(),
        options.dialect(),
        options.filters(),
        options.systemText(),
        options.includeSources(),
        options.includeAnnounce());
  }

  private Planned plan() {
    Timeline timeline = without(session.current().timeline());
    Compactor compactor = session.renderer().compactor(timeline, options);
    return new Planned(
        compactor, compactor.plan(timeline, services.now()), session.current().version());
  }

  private Timeline without(Timeline timeline) {
    return omitted.isEmpty() ? timeline : timeline.withOmittedTurns(omitted);
  }

  /** Writes what a compaction changes; false if it was planned on something that has changed. */
  private boolean store(CompactionOutcome outcome, long version) {
    if (!outcome.changes() || options.readOnly()) {
      return true;
    }
    Instant now = services.now();
    WriteSet.Builder set = WriteSet.of(session.scope(), now);
    Summary made = outcome.summary().orElse(null);
    if (made == null) {
      set.expect(new Precondition.VersionIs(version));
    } else {
      String newest = session.current().timeline().openingSummary().map(Summary::id).orElse(null);
      set.expect(new Precondition.NewestSummaryIs(newest));
      set.expect(new Precondition.UnchangedSince(version, made.fromSeq(), made.cutSeq()));
      set.add(new Row.PutSummary(made));
    }
    if (!outcome.previews().isEmpty()) {
      set.add(new Row.PutVisibility(outcome.previews()));
    }
    set.note(note(outcome.report()));
    return session.commit(set.build(), outcome::applyTo) instanceof Commit.Committed;
  }

  private static JsonObject note(CompactionReport report) {
    JsonObject.Builder note = JsonObject.builder();
    note.put("type", "compaction").put("status", report.status().wireName());
    note.put("tokens_before", report.tokensBefore()).put("tokens_after", report.tokensAfter());
    report.summary().ifPresent(summary -> note.put("summary_id", summary.id()));
    return note.build();
  }

  /** Given up: others changed the conversation each time (T-97). */
  private static CompactionOutcome overtaken(CompactionOutcome outcome) {
    return new CompactionOutcome(List.of(), null, outcome.report().overtaken());
  }
}
