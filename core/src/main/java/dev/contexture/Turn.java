package dev.contexture;

import dev.contexture.block.Author;
import dev.contexture.block.Block;
import dev.contexture.block.BlockPath;
import dev.contexture.block.BlockType;
import dev.contexture.block.CallId;
import dev.contexture.block.Scope;
import dev.contexture.block.TurnId;
import dev.contexture.engine.memory.MemoryStore;
import dev.contexture.engine.request.RequestSource;
import dev.contexture.engine.session.Session;
import dev.contexture.engine.turn.AnswerRecorder;
import dev.contexture.engine.turn.BlockAppender;
import dev.contexture.engine.turn.ConversationRenderer;
import dev.contexture.engine.turn.PathReader;
import dev.contexture.engine.turn.PinEditor;
import dev.contexture.engine.turn.SettingsReader;
import dev.contexture.engine.turn.TurnCloser;
import dev.contexture.engine.turn.TurnOpener;
import dev.contexture.engine.turn.VisibilityEditor;
import dev.contexture.engine.turn.WatchedAnswers;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonValue;
import dev.contexture.model.ContextLimitErrors;
import dev.contexture.model.ModelRef;
import dev.contexture.prompt.ModelContextLimits;
import dev.contexture.render.RenderOptions;
import dev.contexture.render.RenderedContext;
import dev.contexture.request.Providers;
import dev.contexture.store.Row;
import dev.contexture.store.StoredBlock;
import dev.contexture.store.WriteSet;
import dev.contexture.timeline.Timeline;
import dev.contexture.timeline.TurnLimit;
import dev.contexture.timeline.TurnStatus;
import dev.contexture.timeline.Visibility;
import dev.contexture.turn.AppendResult;
import dev.contexture.turn.Finish;
import dev.contexture.turn.PathRead;
import dev.contexture.turn.PinnedPath;
import dev.contexture.turn.RenderResult;
import dev.contexture.turn.Reply;
import dev.contexture.turn.ResultPart;
import dev.contexture.turn.ToolAnswer;
import dev.contexture.turn.ToolCall;
import dev.contexture.turn.TurnClosure;
import dev.contexture.turn.TurnSettings;
import dev.contexture.view.HidePlanner;
import dev.contexture.view.PruneSettings;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A handle on an open turn. Closing it without finishing interrupts the turn, so that what was done
 * stays in context.
 *
 * <p>Thread-safe. Calls block until what they did is durable, and are made for virtual threads.
 * Operations on a closed turn fail with {@code turn_closed}, except repeats of what was done.
 */
@API(status = API.Status.STABLE, since = "0.1")
public final class Turn implements AutoCloseable {
  private final Session session;
  private final TurnId id;
  private final boolean newConversation;
  private final boolean resumed;
  private final @Nullable Set<TurnId> omitted; // null: as its settings say
  private final @Nullable PruneSettings pruning; // null: as its settings say
  private final List<StoredBlock> input;

  Turn(Session session, TurnOpener.Opened opened, PruneSettings pruning) {
    this.session = session;
    this.id = opened.turn();
    this.newConversation = opened.newConversation();
    this.resumed = opened.resumed();
    this.omitted = opened.omitted();
    this.pruning = pruning;
    this.input = opened.input();
  }

  /** A handle on a turn that was opened before. */
  Turn(Session session, TurnId id) {
    this.session = session;
    this.id = id;
    this.newConversation = false;
    this.resumed = true;
    this.omitted = null;
    this.pruning = null;
    this.input = List.of();
  }

  public TurnId id() {
    return id;
  }

  /** Whether no kept turn was before it. */
  public boolean newConversation() {
    return newConversation;
  }

  /** The blocks that it was opened with; none if it was open already. */
  public List<StoredBlock> input() {
    return input;
  }

  /** Whether it was open already when this handle was made. */
  public boolean resumed() {
    return resumed;
  }

  /** Turns that the limit of the load leaves out; they stay readable. */
  public int omittedTurns() {
    return omitted(null).size();
  }

  /** What holds for all that is done in the turn, unless a call says otherwise. */
  public TurnSettings settings() {
    return session.locked(() -> SettingsReader.of(session).of(id));
  }

  /** Turns that are left out: by a limit, or without one as the turn was started. */
  private Set<TurnId> omitted(@Nullable TurnLimit limit) {
    Set<TurnId> known = omitted;
    return limit == null && known != null
        ? known
        : session.locked(
            () -> {
              SettingsReader settings = SettingsReader.of(session);
              return settings.omitted(id, limit == null ? settings.of(id).turnLimit() : limit);
            });
  }

  private PruneSettings pruning() {
    PruneSettings given = pruning;
    return given == null ? settings().pruning() : given;
  }

  Session session() {
    return session;
  }

  /** Adds blocks to the turn, all or none, in order and adjacent. */
  public AppendResult contribute(Block.Builder... blocks) {
    return contribute(Arrays.asList(blocks), true, OptionalLong.empty());
  }

  /**
   * Adds blocks to the turn.
   *
   * @param persist false: they are shown while the turn is open and gone when it closes
   * @param expectedVersion fails with {@code version_conflict} if the conversation has another one
   */
  public AppendResult contribute(
      List<Block.Builder> blocks, boolean persist, OptionalLong expectedVersion) {
    return session.locked(
        () -> new BlockAppender(session, id).contribute(blocks, persist, expectedVersion));
  }

  /** Replaces what stands at the very end of renders; none clears it. */
  public long announce(List<Block.Builder> drafts) {
    return session.locked(
        () -> {
          BlockAppender contributing = new BlockAppender(session, id);
          Instant now = session.services().now();
          List<Block> blocks = new ArrayList<>();
          drafts.forEach(draft -> blocks.add(draft.build(id, now)));
          session.services().limits().checkAnnounce(blocks);
          WriteSet set =
              contributing
                  .start(OptionalLong.empty(), now)
                  .add(new Row.SetAnnounce(id, blocks))
                  .note(contributing.note("announce"))
                  .build();
          return contributing
              .done(session.commit(set, before -> before.withAnnounce(blocks)))
              .version();
        });
  }

  /**
   * Renders the context of this turn: prunes what the provider's cache has let go, compacts if the
   * budget demands it, then shows the window with cache points and tail.
   */
  public RenderedContext timeline(RenderOptions options) {
    return render(options, pruning()).context();
  }

  /** Renders as {@link #timeline} does, and says what was done before. */
  public RenderResult render(RenderOptions options, PruneSettings pruning) {
    return renderer(pruning, null).render(SettingsReader.over(options, settings()));
  }

  /**
   * Renders this turn and calls a model; if that fails because the context was too long, compacts
   * and calls once more.
   *
   * @throws E what the call throws, also the second time
   */
  public <T extends @Nullable Object, E extends Exception> T withRetry(
      RenderOptions options, ModelCall<T, E> call) throws E {
    return new RetryOnce(this::timeline, ContextLimitErrors::isContextLimit).call(options, call);
  }

  /** Starts a request for a model that the catalogue knows. */
  public RequestBuilder request(String model) {
    return request(null, model);
  }

  /** Starts a request for a model of a provider. */
  public RequestBuilder request(@Nullable String provider, String model) {
    return new RequestBuilder(this, session.services().providers().resolve(provider, model));
  }

  /**
   * Starts a run of the turn with a model that the catalogue knows: it asks, records and runs tools
   * until the model is done.
   */
  public TurnRun run(String model) {
    return run(null, model);
  }

  /** Starts a run of the turn with a model of a provider. */
  public TurnRun run(@Nullable String provider, String model) {
    session.services().providers().resolve(provider, model); // refuses what is not known
    return new TurnRun(this, provider, model);
  }

  /**
   * What a request of this turn is made from.
   *
   * @param limit how many turns it shows; null: as the turn says
   */
  RequestSource source(@Nullable TurnLimit limit) {
    Scope.OfUser user = session.scope().owner();
    MemoryStore memory = session.services().memories().apply(user.scope()).forUser(user.user());
    return new RequestSource(memory, session, renderer(pruning(), limit), id);
  }

  private ConversationRenderer renderer(PruneSettings settings, @Nullable TurnLimit limit) {
    session.locked(
        () -> {
          checkOpen();
          return id;
        });
    return new ConversationRenderer(session, id, settings, omitted(limit));
  }

  /**
   * Notes that the answer to a request has begun to arrive: from its first event on others can read
   * what it wrote into the provider's cache. The first time counts; an unknown request is passed
   * over.
   */
  public void answering(String requestId) {
    session.locked(() -> new AnswerRecorder(session, id).answering(requestId));
  }

  /** Records the provider's answer to a request: its body as it came. */
  public Reply record(ContextRequest request, String answer) {
    Providers.Target target = request.target();
    return record(request, target.format().readAnswer(answer, target.model()), false);
  }

  /**
   * Records an answer that was read from a stream.
   *
   * @param partial whether the stream was cancelled: what had not ended is dropped
   */
  public Reply record(
      ContextRequest request, dev.contexture.model.ModelAnswer answer, boolean partial) {
    return record(request.id(), request.target().model(), answer, partial);
  }

  /**
   * Records an answer.
   *
   * @param requestId the request that it answers; null: not known
   */
  public Reply record(
      @Nullable String requestId,
      ModelRef asked,
      dev.contexture.model.ModelAnswer answer,
      boolean partial) {
    boolean cut = partial || answer.cut().isPresent();
    return new WatchedAnswers(session).record(id, requestId, asked, answer, cut);
  }

  /**
   * The calls of the turn that have no result, in call order. Who goes on with a turn that another
   * process left open answers them first.
   */
  public List<ToolCall> waitingCalls() {
    return session.locked(() -> new AnswerRecorder(session, id).waitingCalls());
  }

  /** Stores the result of a call: text. */
  public AppendResult answer(ToolCall call, String content) {
    return answer(call.id(), List.of(new ResultPart.Text(content)), false);
  }

  /** Stores the result of a call: JSON. */
  public AppendResult answer(ToolCall call, JsonValue content) {
    return answer(call.id(), List.of(new ResultPart.Json(content)), false);
  }

  /** Stores what a built-in tool gave: all of it, in one round. */
  public AppendResult answer(ToolCall call, ToolAnswer answer) {
    return answer(call.id(), answer.parts(), answer.error());
  }

  /** Says that a call failed. */
  public AppendResult fail(ToolCall call, String message) {
    return answer(call.id(), List.of(new ResultPart.Text(message)), true);
  }

  /**
   * Stores the result of a call.
   *
   * @throws ContextureException {@code unknown_call}, or {@code already_answered} if it has a
   *     result with other content
   */
  public AppendResult answer(CallId call, List<ResultPart> content, boolean error) {
    return session.locked(() -> new AnswerRecorder(session, id).answer(call, content, error));
  }

  /** Shows something else in the place of a path. */
  public HidePlanner.Outcome hide(BlockPath path, String replacement) {
    return hide(path, replacement, Visibility.Reason.API);
  }

  /** As {@link #hide(BlockPath, String)}, with who wants it. */
  public HidePlanner.Outcome hide(BlockPath path, String replacement, Visibility.Reason reason) {
    return session.locked(() -> new VisibilityEditor(session).hide(path, replacement, reason));
  }

  /**
   * Reads paths for the agent: each as far as it may see at once, and none that it sees already.
   * Stores nothing.
   *
   * @param maxTokens the budget of the context, of which a read gets a share
   */
  public List<PathRead> read(List<PathRead.Wish> wishes, long maxTokens) {
    return new PathReader(session, maxTokens).read(wishes);
  }

  /** Shows a path as it is again; returns how many blocks changed. */
  public int unhide(BlockPath path) {
    return session.locked(() -> new VisibilityEditor(session).unhide(path));
  }

  /**
   * Keeps the text of a path in context, verbatim, whatever is compacted; again is no change. All
   * pins together may take a quarter of the budget of a request that does not set one.
   *
   * @throws ContextureException {@code not_found} without such a text, {@code limit_exceeded} if
   *     the pins take more
   */
  public PinnedPath pin(BlockPath path) {
    return pin(path, ModelContextLimits.DEFAULT.maxTokens());
  }

  /** The same, for a quarter of another budget. */
  public PinnedPath pin(BlockPath path, long maxTokens) {
    return session.locked(() -> new PinEditor(session).pin(path, maxTokens));
  }

  /** Asks the user something. */
  public AppendResult clarification(List<String> questions, @Nullable String ticketTitle) {
    return clarification(questions, ticketTitle, "open");
  }

  /** Asks the user something, under a ticket that has this status. */
  public AppendResult clarification(
      List<String> questions, @Nullable String ticketTitle, String ticketStatus) {
    StringBuilder text = new StringBuilder("questions: " + String.join(" | ", questions));
    text.append("\nticket_status: ").append(ticketStatus);
    if (ticketTitle != null) {
      text.append("\nticket_title: ").append(ticketTitle);
    }
    return contribute(
        Block.builder(BlockType.STAGE_CLARIFICATION)
            .author(Author.SYSTEM)
            .path(BlockPath.artifact(id, BlockType.STAGE_CLARIFICATION.name()))
            .meta("questions", JsonArray.ofStrings(questions))
            .text(text.toString()));
  }

  /** Says that a question was settled. */
  public AppendResult clarificationResolved(
      String ticketId, String title, String status, String answer) {
    String text =
        "ticket_id: "
            + ticketId
            + "\ntitle: "
            + title
            + "\nstatus: "
            + status
            + "\nresolved_with_answer: "
            + answer;
    return contribute(
        Block.builder(BlockType.STAGE_CLARIFICATION_RESOLVED)
            .author(Author.SYSTEM)
            .path(BlockPath.artifact(id, BlockType.STAGE_CLARIFICATION_RESOLVED.name()))
            .text(text));
  }

  /** Closes the turn with the answer that was recorded last. */
  public TurnClosure finish(Reply reply) {
    if (!reply.calls().isEmpty()) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_ARGUMENT,
          "reply",
          reply.calls().size() + " calls",
          "a reply without calls");
    }
    return finish(Finish.recorded());
  }

  /** Closes the turn with an answer. */
  public TurnClosure finish(String answer) {
    return finish(Finish.with(answer));
  }

  /** Closes the turn. */
  public TurnClosure finish(Finish finish) {
    return session.locked(() -> new TurnCloser(session, id).finish(finish));
  }

  /** Closes the turn before it is done; it stays in context. */
  public TurnClosure interrupt(String reason) {
    return session.locked(() -> new TurnCloser(session, id).interrupt(reason));
  }

  /** Closes the turn and takes it out of context. */
  public TurnClosure abort(String reason) {
    return session.locked(() -> new TurnCloser(session, id).abort(reason));
  }

  /** The conversation as it is now. */
  public Timeline snapshot() {
    return session.timeline();
  }

  /** Interrupts the turn if it is still open. */
  @Override
  public void close() {
    session.locked(
        () -> {
          if (session.current().timeline().isActive(id)) {
            new TurnCloser(session, id).interrupt("closed");
          }
          return id;
        });
  }

  private void checkOpen() {
    if (!session.current().timeline().isActive(id)) {
      String status =
          session
              .services()
              .store()
              .turn(session.scope(), id)
              .map(turn -> turn.status().wireName())
              .orElse(TurnStatus.INCOMPLETE.wireName());
      throw Session.turnClosed(id, status);
    }
  }
}
