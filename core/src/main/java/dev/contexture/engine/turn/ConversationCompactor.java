package dev.contexture.engine.turn;

import dev.contexture.block.TurnId;
import dev.contexture.compaction.CompactionBudget;
import dev.contexture.compaction.CompactionOutcome;
import dev.contexture.compaction.CompactionPlan;
import dev.contexture.compaction.CompactionReport;
import dev.contexture.compaction.Compactor;
import dev.contexture.compaction.CompressionStrategy;
import dev.contexture.compaction.summary.SummaryDraft;
import dev.contexture.engine.ledger.Ledger;
import dev.contexture.engine.session.ConversationServices;
import dev.contexture.engine.session.Session;
import dev.contexture.engine.session.SessionState;
import dev.contexture.error.ContextureException;
import dev.contexture.event.EngineWork;
import dev.contexture.event.WorkResult;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.model.ModelProfile;
import dev.contexture.render.RenderOptions;
import dev.contexture.store.Commit;
import dev.contexture.store.Precondition;
import dev.contexture.store.Row;
import dev.contexture.store.WriteSet;
import dev.contexture.timeline.ArchivedRange;
import dev.contexture.timeline.Summary;
import dev.contexture.timeline.Timeline;
import dev.contexture.timeline.TimelineEntry;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Compacts a stored conversation: plans under the lock, asks the summariser outside of it, and
 * writes if nothing that was planned on has changed.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class ConversationCompactor {
  private static final int MAX_ATTEMPTS = 3;
  private static final System.Logger LOG = System.getLogger(ConversationCompactor.class.getName());

  private final Session session;
  private final ConversationServices services;
  private final RenderOptions options;
  private final Set<TurnId> omitted;

  public ConversationCompactor(Session session, RenderOptions options, Set<TurnId> omitted) {
    this.session = session;
    this.services = session.services();
    this.options = options.withDefaultPolicy(services.policy());
    this.omitted = omitted;
  }

  /** A plan with what it was made from. */
  private record Planned(
      Compactor compactor, CompactionPlan plan, long version, @Nullable String newestSummary) {}

  /**
   * Compacts if that is due. The caller holds no lock.
   *
   * @return what came of it; a read-only one is not stored
   */
  public CompactionOutcome compact() {
    CompactionOutcome settled = session.locked(this::settled);
    if (settled != null) {
      return settled;
    }
    Planned first = session.locked(this::plan);
    return first.plan.isAttempt()
        ? services
            .observer()
            .watch(
                new EngineWork.CompactionRun(session.scope()),
                () -> compact(first),
                outcome -> result(outcome.report()))
        : compact(first);
  }

  private static WorkResult result(CompactionReport report) {
    return new WorkResult.CompactionDone(
        report.status().wireName(),
        report.reason(),
        report.tokensBefore(),
        report.tokensAfter(),
        report.compactedBlocks(),
        report.warnings());
  }

  private CompactionOutcome compact(Planned first) {
    boolean told = false;
    CompactionOutcome last = null;
    for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      Planned planned = attempt == 0 ? first : session.locked(this::plan);
      if (planned.plan.isAttempt() && !told) {
        told = true;
        begins(planned.compactor.started(planned.plan));
      }
      CompactionOutcome outcome = carryOut(planned);
      if (session.locked(() -> store(outcome, planned))) {
        session.locked(() -> remember(outcome));
        return ended(outcome, told);
      }
      last = outcome;
    }
    return ended(overtaken(Objects.requireNonNull(last)), told);
  }

  /** Asks the summariser, while nobody waits for it, and makes what follows from its answer. */
  private CompactionOutcome carryOut(Planned planned) {
    SummaryDraft draft;
    try (TimedSummarizer timed =
        new TimedSummarizer(
            options.summarizer().orElse(services.summarizer()), services.summarizerTimeout())) {
      draft = planned.compactor.summarize(planned.plan, timed);
    }
    Instant now = services.now();
    String id = services.ids().of("su");
    return session.locked(() -> shown(planned.compactor.apply(planned.plan, draft, id, now)));
  }

  /** Nothing is decided for how blocks are shown that this view leaves out. */
  private CompactionOutcome shown(CompactionOutcome outcome) {
    if (omitted.isEmpty() || outcome.previews().isEmpty()) {
      return outcome;
    }
    Set<Long> leftOut = new HashSet<>();
    for (TimelineEntry entry : session.current().timeline().entries()) {
      if (omitted.contains(entry.turn())) {
        entry.seq().ifPresent(leftOut::add);
      }
    }
    return outcome.withoutPreviewsOf(leftOut);
  }

  /** Tells hooks and, if anything will be stored, those who follow the conversation. */
  private void begins(CompactionReport planned) {
    tell(options.hooks()::onBeforeCompaction, planned);
    if (!options.readOnly()) {
      session.publish(note(planned).with("type", JsonValue.of("compacting")).without("status"));
    }
  }

  private CompactionOutcome ended(CompactionOutcome outcome, boolean told) {
    if (told) {
      tell(options.hooks()::onAfterCompaction, outcome.report());
    }
    return outcome;
  }

  private void tell(Consumer<CompactionReport> hook, CompactionReport report) {
    try {
      hook.accept(report);
    } catch (RuntimeException failure) {
      LOG.log(System.Logger.Level.WARNING, "a compaction hook failed and is ignored", failure);
    }
  }

  /** What is known without planning: that nothing is due, or that trying led to nothing. */
  private @Nullable CompactionOutcome settled() {
    CompactionOutcome notDue = archives() ? null : notDue();
    return notDue != null || options.forceSanitize()
        ? notDue
        : session.current().fruitless(key(session.current().version()));
  }

  /** Whether whole turns are archived, which has limits of its own. */
  private boolean archives() {
    return !options.forceSanitize()
        && !(options.strategy() instanceof CompressionStrategy.Compaction);
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

  /** Keeps an outcome that led to nothing, so that it is not tried again in vain. */
  private boolean remember(CompactionOutcome outcome) {
    boolean refused = !options.readOnly() && !options.stores(outcome.report().tokensAfter());
    boolean nothing =
        !archives()
            && switch (outcome.report().status()) {
              case NO_CUT, SKIPPED -> true;
              case NOT_NEEDED, STARTED, COMPLETED -> refused;
            };
    SessionState state = session.current();
    state.setFruitless(nothing ? key(state.version()) : List.of(), nothing ? outcome : null);
    return nothing;
  }

  private List<Object> key(long version) {
    return List.of(
        version,
        options.policy(),
        options.maxTokens(),
        options.viewTokens(),
        options.dialect(),
        options.filters(),
        options.systemTokens(),
        options.summarizer(),
        options.includeSources(),
        options.includeAnnounce(),
        options.meter(),
        options.readOnly(),
        options.storedUpTo(),
        omitted);
  }

  /**
   * Plans in the view that is rendered, which says whether anything is due. A summary opens the
   * window of everybody, though: if one is to be made, it covers all turns before its cut, also
   * those that this view leaves out.
   */
  private Planned plan() {
    Timeline whole = session.current().timeline();
    Planned narrowed = plan(without(whole));
    return omitted.isEmpty() || !narrowed.plan.isAttempt() ? narrowed : plan(whole);
  }

  private Planned plan(Timeline whole) {
    Timeline timeline = session.renderer().shown(whole, options);
    Compactor compactor =
        session
            .renderer()
            .compactor(timeline, options)
            .withAhead(Ledger.of(session).expectedGrowth());
    if (options.strategy() instanceof CompressionStrategy.RecursiveSummarization recursive) {
      compactor = compactor.withModel(recursive.modelName(), window(recursive));
    }
    return new Planned(
        compactor,
        compactor.plan(timeline, services.now()),
        session.current().version(),
        timeline.openingSummary().map(Summary::id).orElse(null));
  }

  /** What the model of the strategy can read by the catalogue; 0 if that is not known. */
  private long window(CompressionStrategy.RecursiveSummarization strategy) {
    if (strategy.modelName() == null) {
      return 0;
    }
    try {
      ModelProfile profile = services.providers().resolve(null, strategy.modelName()).profile();
      return profile.unknownModel() ? 0 : profile.maxInput().orElse(profile.contextWindow());
    } catch (ContextureException unknown) {
      return 0; // the careful default holds
    }
  }

  private Timeline without(Timeline timeline) {
    return omitted.isEmpty() ? timeline : timeline.withOmittedTurns(omitted);
  }

  /** Writes what a compaction changes; false if it was planned on something that has changed. */
  private boolean store(CompactionOutcome outcome, Planned planned) {
    if (!outcome.changes() || !options.stores(outcome.report().tokensAfter())) {
      return true;
    }
    WriteSet.Builder set = WriteSet.of(session.scope(), services.now());
    Summary made = outcome.summary().orElse(null);
    if (made == null && outcome.archived().isEmpty()) {
      set.expect(new Precondition.VersionIs(planned.version));
    } else {
      set.expect(new Precondition.NewestSummaryIs(planned.newestSummary));
    }
    if (made != null) {
      long version = planned.version;
      set.expect(new Precondition.UnchangedSince(version, made.fromSeq(), made.cutSeq()));
      set.add(new Row.PutSummary(made));
    }
    for (ArchivedRange range : outcome.archived()) {
      long end = range.toSeq() + 1;
      set.expect(new Precondition.UnchangedSince(planned.version, range.fromSeq(), end));
      set.add(new Row.PutArchivedRange(range));
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
    note.put("reason", report.reason());
    note.put("tokens_before", report.tokensBefore()).put("tokens_after", report.tokensAfter());
    note.put("compacted_blocks", report.compactedBlocks());
    report.summary().ifPresent(s -> note.put("summary_id", s.id()).put("cut_seq", s.cutSeq()));
    CompactionReport.Archiving archiving = report.facts();
    if (archiving != null) {
      note.put("strategy", archiving.strategy());
      note.put("messages_before", archiving.messagesBefore());
      note.put("messages_after", archiving.messagesAfter());
      List<String> turns = archiving.archived().stream().map(TurnId::value).toList();
      note.put("archived_turn_ids", JsonArray.ofStrings(turns));
    }
    return note.build();
  }

  /** Given up: others changed the conversation each time. */
  private static CompactionOutcome overtaken(CompactionOutcome outcome) {
    return new CompactionOutcome(List.of(), null, outcome.report().overtaken());
  }
}
