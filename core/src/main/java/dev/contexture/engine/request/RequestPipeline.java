package dev.contexture.engine.request;

import dev.contexture.block.TurnId;
import dev.contexture.engine.session.Session;
import dev.contexture.engine.turn.RequestPreparer;
import dev.contexture.event.EngineWork;
import dev.contexture.event.WorkResult;
import dev.contexture.request.Divergence;
import dev.contexture.request.Providers;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The steps that make a request, in order:
 *
 * <ol>
 *   <li>{@link ToolsStep tools}: the definitions as they are sent, and the rules that fit them
 *   <li>{@link MemoryStep memory}: the blocks that the agent is shown, and recent activity
 *   <li>{@link EpochStep epoch}: whether memory is repeated or written again
 *   <li>{@link HistoryStep history}: the conversation, in the room that is left
 *   <li>{@link ComposeStep compose}: system parts, messages and cache points, in their places
 *   <li>{@link CountStep count}: what it holds, why, and what the provider will count
 *   <li>{@link WriteStep write}: the provider's body
 *   <li>{@link ProveStep prove}: what the provider would refuse of it
 *   <li>{@link RecordStep record}: the ledger, the epoch and the turn, in one commit
 * </ol>
 *
 * A context without a provider has the same steps without writing and proving; a dry run also
 * without recording.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class RequestPipeline {
  /** These may ask a summariser, so that no lock is held. */
  private static final List<RequestStep> CONTEXT =
      List.of(
          new ToolsStep(),
          new MemoryStep(),
          new EpochStep(),
          new HistoryStep(),
          new ComposeStep(),
          new CountStep());

  /** These run under the session's lock: nothing else is sent or written between them. */
  private static final List<RequestStep> REQUEST =
      List.of(new WriteStep(), new ProveStep(), new RecordStep());

  private static final RequestStep RECORD = REQUEST.getLast();

  private RequestPipeline() {}

  /** Makes, writes and records a request. */
  public static RequestState request(RequestOptions options, RequestSource source) {
    Session session = Objects.requireNonNull(source.session(), "a conversation");
    Providers.Target target = Objects.requireNonNull(options.target, "a model");
    return session
        .services()
        .observer()
        .watch(
            new EngineWork.RequestBuild(session.scope(), target.model(), options.agent),
            () -> run(options, source, REQUEST),
            RequestPipeline::result);
  }

  private static WorkResult result(RequestState state) {
    Divergence divergence = state.divergence();
    return new WorkResult.RequestBuilt(
        state.id(),
        state.estimate().tokens(),
        state.limits.maxTokens(),
        WriteStep.outputTokens(state, state.target()),
        state.messages().size(),
        state.metadata().tokens().summary() > 0,
        state.prefix().wireName(),
        divergence == null ? 0 : divergence.tokensLost(),
        state.repairs.size());
  }

  /** Puts together what a model is told. */
  public static RequestState context(RequestOptions options, RequestSource source) {
    return run(options, source, options.dryRun ? List.of() : List.of(RECORD));
  }

  /** Does all steps; does them again if what they read had changed when it was to be recorded. */
  private static RequestState run(
      RequestOptions options, RequestSource source, List<RequestStep> locked) {
    Session session = source.session();
    if (session == null) {
      return done(CONTEXT, new RequestState(options, source, null));
    }
    AtomicReference<@Nullable RequestState> before = new AtomicReference<>();
    return session.untilDone(
        () -> {
          RequestPreparer.Prepared prepared = prepared(options, source, session);
          RequestState earlier = before.get();
          RequestState state = new RequestState(options, source, earlier);
          state.windowWasFull = prepared.windowFull();
          state.cancelled.addAll(earlier == null ? List.of() : earlier.cancelled);
          state.cancelled.addAll(prepared.cancelled());
          state.shortened = earlier != null && earlier.shortened; // once is enough
          before.set(done(CONTEXT, state));
          session.locked(() -> done(locked, state));
          return state.overtaken ? Optional.empty() : Optional.of(state);
        });
  }

  /** What no turn sends changes nothing. */
  private static RequestPreparer.Prepared prepared(
      RequestOptions options, RequestSource source, Session session) {
    TurnId turn = source.turn();
    return turn == null
        ? new RequestPreparer.Prepared(false, List.of())
        : session.locked(() -> new RequestPreparer(session, turn).prepare(options.waiting));
  }

  private static RequestState done(List<RequestStep> steps, RequestState state) {
    steps.forEach(step -> step.run(state));
    return state;
  }
}
