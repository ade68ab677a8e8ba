package dev.contexture;

import dev.contexture.block.BlockPath;
import dev.contexture.block.CallId;
import dev.contexture.block.Scope;
import dev.contexture.block.TurnId;
import dev.contexture.compaction.CompactionReport;
import dev.contexture.engine.ledger.RequestLog;
import dev.contexture.engine.memory.MemoryStore;
import dev.contexture.engine.request.EpochCloser;
import dev.contexture.engine.request.RequestSource;
import dev.contexture.engine.session.ConversationEraser;
import dev.contexture.engine.session.ConversationServices;
import dev.contexture.engine.session.Session;
import dev.contexture.engine.session.WindowSize;
import dev.contexture.engine.turn.ConversationCompactor;
import dev.contexture.engine.turn.ConversationRenderer;
import dev.contexture.engine.turn.FeedbackBlocks;
import dev.contexture.engine.turn.FeedbackWriter;
import dev.contexture.engine.turn.HistoryImporter;
import dev.contexture.engine.turn.PathResolver;
import dev.contexture.engine.turn.PinEditor;
import dev.contexture.engine.turn.SettingsReader;
import dev.contexture.engine.turn.SourcesWriter;
import dev.contexture.engine.turn.StepRecorder;
import dev.contexture.engine.turn.SummaryWithdrawal;
import dev.contexture.engine.turn.TitleWriter;
import dev.contexture.engine.turn.TurnOpener;
import dev.contexture.engine.turn.VisibilityEditor;
import dev.contexture.engine.turn.WatchedAnswers;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonObject;
import dev.contexture.model.ContextLimitErrors;
import dev.contexture.prompt.ModelContextLimits;
import dev.contexture.render.RenderCall;
import dev.contexture.render.RenderOptions;
import dev.contexture.render.RenderedContext;
import dev.contexture.request.history.ImportedHistory;
import dev.contexture.store.Commit;
import dev.contexture.store.Head;
import dev.contexture.store.Store;
import dev.contexture.store.StoredBlock;
import dev.contexture.store.StoredTurn;
import dev.contexture.timeline.Artifact;
import dev.contexture.timeline.PoolSource;
import dev.contexture.timeline.Summary;
import dev.contexture.timeline.Timeline;
import dev.contexture.timeline.TimelineEntry;
import dev.contexture.timeline.TurnLimit;
import dev.contexture.timeline.Visibility;
import dev.contexture.turn.ImportResult;
import dev.contexture.turn.LoadedContext;
import dev.contexture.turn.PinnedPath;
import dev.contexture.turn.RenderResult;
import dev.contexture.turn.TurnLog;
import dev.contexture.turn.TurnSettings;
import dev.contexture.turn.TurnStart;
import dev.contexture.view.HidePlanner;
import dev.contexture.view.PruneSettings;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * One conversation: starts and finds turns, reads and changes what is beside them.
 *
 * <p>Thread-safe; any number of browsers of one conversation see the same.
 */
@API(status = API.Status.STABLE, since = "0.1")
public final class ContextBrowser {
  private final Session session;
  private final ConversationServices services;

  public ContextBrowser(Session session) {
    this.session = session;
    this.services = session.services();
  }

  public Scope.OfConversation scope() {
    return session.scope();
  }

  /** Starts a turn with a prompt. */
  public Turn startTurn(String prompt) {
    return startTurn(TurnStart.prompt(prompt));
  }

  /**
   * Starts a turn, or goes on with the open one of the same id.
   *
   * @throws ContextureException {@code turn_in_progress}, {@code turn_closed} or {@code
   *     id_conflict}
   */
  public Turn startTurn(TurnStart start) {
    return session.locked(
        () -> new Turn(session, new TurnOpener(session).open(start), start.pruning()));
  }

  /**
   * A handle on the turn that is open.
   *
   * @throws ContextureException {@code no_active_turn} if none is
   */
  public Turn openTurn() {
    return handle(session.openTurn());
  }

  /** A handle on a turn, open or not: closed ones answer repeats of what was done. */
  public Turn turn(TurnId id) {
    return session.locked(
        () -> {
          if (session.turnRow(id).isEmpty()) {
            throw notFound("turn_id", id.value(), "a turn of the conversation");
          }
          return handle(id);
        });
  }

  /**
   * The turn that a result belongs to: the open one, unless only a closed one has the call. That
   * one answers repeats.
   *
   * @throws ContextureException {@code no_active_turn} if no loaded turn has the call and none is
   *     open
   */
  public Turn turnOf(CallId call) {
    return session.locked(
        () -> {
          Timeline timeline = session.current().timeline();
          List<TurnId> having =
              timeline.entries().stream()
                  .filter(entry -> entry.block().type().isCall())
                  .filter(entry -> entry.callId().filter(call::equals).isPresent())
                  .map(TimelineEntry::turn)
                  .toList();
          boolean open = timeline.activeTurn().filter(having::contains).isPresent();
          return open || having.isEmpty() ? openTurn() : handle(having.getLast());
        });
  }

  /**
   * Does one step of a loop: stores what it brings, in one commit, and then builds the next request
   * if one is asked for.
   *
   * @throws ContextureException if anything is refused; then nothing is stored. That the request
   *     cannot be built is told in the answer, since the rest is stored then
   */
  public StepAnswer step(TurnStep step) {
    StepRecorder.Stored stored = new WatchedAnswers(session).store(step.parts());
    return step.next(stored, () -> handle(stored.step().turn()), session);
  }

  Session session() {
    return session;
  }

  private Turn handle(TurnId id) {
    session.locked(
        () -> {
          if (session.current().timeline().isActive(id)) {
            session.claim(id);
          }
          return id;
        });
    return new Turn(session, id);
  }

  /**
   * Stores a foreign message list as complete turns; turns that exist are skipped, so that doing it
   * again adds nothing.
   *
   * @param format a name of {@link dev.contexture.request.Providers#historyFormats}
   * @param json the list, or a body that holds it
   */
  public ImportResult importHistory(String format, String json, ImportedHistory.Options options) {
    return new HistoryImporter(session)
        .store(
            services.providers().importHistory(format, json, options.at(services.now())),
            options.agent());
  }

  /** Whether anything was ever written to the conversation. */
  public boolean exists() {
    return session.locked(session::exists);
  }

  /** Whether a turn of the conversation names another agent than this. */
  public boolean hasOtherAgent(String agent) {
    return session.locked(() -> session.hasOtherAgent(agent));
  }

  /** Where the conversation stands; empty if nothing was ever written to it. */
  public Optional<Head> head() {
    return services.store().head(scope());
  }

  public long version() {
    return session.locked(() -> session.current().version());
  }

  /** What the conversation takes of memory while it is loaded. */
  @API(status = API.Status.INTERNAL, since = "0.3")
  public WindowSize size() {
    return new WindowSize(session);
  }

  /** The window that the next render would show, as it is stored now. */
  public Timeline timeline() {
    return session.timeline();
  }

  /** Renders the conversation without a turn; what is compacted is kept, unless it is read-only. */
  public RenderedContext render(RenderOptions options) {
    return render(options, PruneSettings.DISABLED, TurnLimit.NONE).context();
  }

  /** Renders as {@link #render(RenderOptions)} does, and says what was done before. */
  public RenderResult render(RenderOptions options, PruneSettings pruning, TurnLimit limit) {
    TurnId open = timeline().activeTurn().orElse(null);
    Set<TurnId> omitted =
        session.locked(
            () ->
                open == null
                    ? limit.omitted(session.current().timeline(), services.now())
                    : SettingsReader.of(session).omitted(open, limit));
    return new ConversationRenderer(session, open, pruning, omitted).render(options);
  }

  /** Renders as a call from outside wants it, and as the open turn says where it says nothing. */
  public RenderResult render(RenderCall call) {
    TurnSettings settings = session.locked(() -> SettingsReader.of(session).ofOpenTurn());
    boolean limited = call.given().contains("limit") || call.given().contains("days");
    boolean prunes = call.given().contains("cache_ttl_seconds");
    return render(
        SettingsReader.over(call.options(), settings),
        prunes ? call.pruning() : settings.pruning(),
        limited ? call.turnLimit() : settings.turnLimit());
  }

  /**
   * Loads what a turn may work with: the blocks of the turns before the open one, and those of the
   * open one. What a summary stands for is behind the summary.
   */
  public LoadedContext loadContext(TurnLimit limit) {
    return session.locked(
        () -> {
          Timeline whole = session.current().timeline();
          Timeline timeline = limit.apply(whole, services.now());
          List<TimelineEntry> history = new ArrayList<>();
          List<TimelineEntry> current = new ArrayList<>();
          for (TimelineEntry entry : timeline.window().entries()) {
            (timeline.isActive(entry.turn()) ? current : history).add(entry);
          }
          return new LoadedContext(
              timeline.openingSummary().orElse(null),
              history,
              current,
              TurnLimit.omittedTurns(timeline),
              session.current().version());
        });
  }

  /**
   * Compacts without rendering, by the strategy of the options. Read-only options plan and
   * summarise, and store nothing.
   *
   * @return what came of it; {@link CompactionReport#describe} says it in words
   */
  public CompactionReport compact(RenderOptions options) {
    return new ConversationCompactor(session, options, Set.of()).compact().report();
  }

  /**
   * Renders and calls a model; if that fails because the context was too long, compacts and calls
   * once more. See {@link ContextLimitErrors#isContextLimit(Throwable)} for what counts.
   *
   * @throws E what the call throws, also the second time
   */
  public <T extends @Nullable Object, E extends Exception> T withRetry(
      RenderOptions options, ModelCall<T, E> call) throws E {
    return withRetry(options, ContextLimitErrors::isContextLimit, call);
  }

  /**
   * Does the same, and is told which failures are about the length of the context.
   *
   * @throws E what the call throws, also the second time
   */
  public <T extends @Nullable Object, E extends Exception> T withRetry(
      RenderOptions options, Predicate<? super Exception> isContextLimit, ModelCall<T, E> call)
      throws E {
    return new RetryOnce(this::render, isContextLimit).call(options, call);
  }

  /** What a context of this conversation is made from. */
  RequestSource source(MemoryStore memory) {
    ConversationRenderer renderer =
        new ConversationRenderer(session, null, PruneSettings.DISABLED, Set.of());
    return new RequestSource(memory.forUser(session.scope().user()), session, renderer, null);
  }

  /**
   * Ends what the prompts of an agent repeat: its next request shows memory as it is then.
   *
   * @param agent null: of all agents
   * @return the agents whose epochs were ended
   */
  public List<String> newEpoch(@Nullable String agent) {
    return session.locked(() -> new EpochCloser(session).end(agent));
  }

  /** What a path resolves to, also before the newest summary. */
  public Optional<Artifact> resolve(BlockPath path, boolean includeExcluded) {
    return new PathResolver(services.store(), scope(), this::timeline)
        .resolve(path, includeExcluded);
  }

  /** Stored blocks from one number to another, oldest first. */
  public List<StoredBlock> readRange(long fromSeq, long toSeq, int limit) {
    return services.store().readRange(scope(), fromSeq, toSeq, limit);
  }

  /** The log of one turn. */
  public TurnLog turnLog(TurnId id) {
    StoredTurn turn =
        services
            .store()
            .turn(scope(), id)
            .orElseThrow(() -> notFound("turn_id", id.value(), "a turn of the conversation"));
    return new TurnLog(turn, services.store().turnBlocks(scope(), id));
  }

  /** Turns in the order in which they were opened. */
  public List<StoredTurn> turns(@Nullable TurnId after, int limit) {
    return services.store().turns(scope(), after, limit);
  }

  /** What is pinned, in the order in which it stands behind a summary. */
  public List<PinnedPath> pins() {
    return session.locked(() -> new PinEditor(session).pins());
  }

  /**
   * Keeps the text of a path in context, verbatim, whatever is compacted; again is no change.
   *
   * @param maxTokens the budget of which all pins together may take a quarter
   * @throws ContextureException {@code not_found} without such a text, {@code limit_exceeded} if
   *     the pins take more
   */
  public PinnedPath pin(BlockPath path, long maxTokens) {
    return session.locked(() -> new PinEditor(session).pin(path, maxTokens));
  }

  /** The same for the budget of a request that does not set one. */
  public PinnedPath pin(BlockPath path) {
    return pin(path, ModelContextLimits.DEFAULT.maxTokens());
  }

  /** Lets a path go; whether it was pinned. */
  public boolean unpin(BlockPath path) {
    return session.locked(() -> new PinEditor(session).unpin(path));
  }

  /** The newest summaries, at most {@link Store#MAX_PAGE}. */
  public List<Summary> summaries() {
    return summaries(null, Store.MAX_PAGE);
  }

  /**
   * Summaries, also withdrawn ones, newest first.
   *
   * @param before the last one of the page before; null for the first page
   */
  public List<Summary> summaries(@Nullable String before, int limit) {
    return services.store().summaries(scope(), before, limit);
  }

  /** One summary. */
  public Optional<Summary> summary(String id) {
    return services.store().summary(scope(), id);
  }

  /**
   * Takes the newest summary back; the view before that compaction is there again. Doing it again
   * answers what the first time answered.
   */
  public long withdrawSummary(String id) {
    return session.locked(() -> new SummaryWithdrawal(session).withdraw(id));
  }

  public Optional<String> title() {
    return head().map(Head::title);
  }

  /**
   * Gives the conversation a title; the first one wins unless it is replaced.
   *
   * @return the title that it has now
   */
  public String setTitle(String title, boolean replace) {
    return session.locked(() -> new TitleWriter(session).write(title, replace));
  }

  /** Adds sources: known ones are merged, new ones get the next numbers. */
  public List<PoolSource> mergeSources(List<PoolSource> rows) {
    return new SourcesWriter(session).change(pool -> pool.merge(rows, services.limits()));
  }

  /** Replaces the visible sources; numbers stay those of their sources. */
  public List<PoolSource> setSourcesPool(List<PoolSource> rows) {
    return new SourcesWriter(session).change(pool -> pool.replace(rows, services.limits()));
  }

  public List<PoolSource> sources() {
    return timeline().sources().rows();
  }

  /** Shows something else in the place of a path. */
  public HidePlanner.Outcome hide(BlockPath path, String replacement) {
    return session.locked(
        () -> new VisibilityEditor(session).hide(path, replacement, Visibility.Reason.API));
  }

  /** Shows a path as it is again; returns how many blocks changed. */
  public int unhide(BlockPath path) {
    return session.locked(() -> new VisibilityEditor(session).unhide(path));
  }

  /**
   * Gives feedback on a turn: the user's replaces the user's earlier one, a machine's adds and is
   * ignored below a confidence of 0.70. In an open turn it is contributed as a block, too.
   *
   * @param origin {@code user} or {@code machine}
   * @param reaction {@code ok}, {@code not_ok} or {@code neutral}; null clears the user's
   */
  public long feedback(
      TurnId target, String origin, @Nullable String reaction, String text, double confidence) {
    FeedbackBlocks.check(origin, reaction);
    turnLog(target);
    return session.locked(
        () -> new FeedbackWriter(session, target).write(origin, reaction, text, confidence));
  }

  /** Removes the conversation and everything of it; returns whether there was something. */
  public boolean erase() {
    return ConversationEraser.erase(session, unused -> true);
  }

  /**
   * Removes one closed turn, with the summaries that cover it.
   *
   * @throws ContextureException {@code turn_in_progress} while it is open
   */
  public long eraseTurn(TurnId turn) {
    turnLog(turn);
    return session.locked(
        () -> {
          if (session.current().timeline().isActive(turn)) {
            throw Session.inProgress(turn);
          }
          JsonObject note =
              JsonObject.builder().put("type", "erase").put("turn_id", turn.value()).build();
          Instant now = services.now();
          session.forget(); // also if it fails: it may have landed
          return switch (services.store().eraseTurn(scope(), turn, now, note)) {
            case Commit.Committed erased -> {
              session.publish(note, erased);
              yield erased.version();
            }
            case Commit.Conflict conflict -> throw session.conflict(conflict);
          };
        });
  }

  /** The requests that were recorded. */
  public RequestLog requests() {
    return new RequestLog(session);
  }

  /** The blocks of the window, oldest first, with summaries in their places. */
  public List<TimelineEntry> visibleEntries() {
    return timeline().window().entries();
  }

  private static ContextureException notFound(String field, String actual, String allowed) {
    return ContextureException.invalid(ErrorCode.NOT_FOUND, field, actual, allowed);
  }
}
