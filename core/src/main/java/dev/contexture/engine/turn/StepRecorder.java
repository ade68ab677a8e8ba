package dev.contexture.engine.turn;

import dev.contexture.block.Block;
import dev.contexture.block.CallId;
import dev.contexture.block.TurnId;
import dev.contexture.engine.session.Session;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonObject;
import dev.contexture.model.AnswerOutcome;
import dev.contexture.model.ModelAnswer;
import dev.contexture.model.ModelRef;
import dev.contexture.store.Outcome;
import dev.contexture.store.Precondition;
import dev.contexture.store.RequestRow;
import dev.contexture.store.Row;
import dev.contexture.store.WriteSet;
import dev.contexture.timeline.Round;
import dev.contexture.timeline.TimelineEntry;
import dev.contexture.turn.AppendResult;
import dev.contexture.turn.CallName;
import dev.contexture.turn.CallResult;
import dev.contexture.turn.Finish;
import dev.contexture.turn.Reply;
import dev.contexture.turn.StepRecord;
import dev.contexture.turn.ToolCall;
import dev.contexture.turn.TurnClosure;
import dev.contexture.turn.TurnStart;
import dev.contexture.turn.WaitingPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Stores what one step of a loop brings, in one commit: a turn that begins, an answer, results, the
 * end of the turn. Inside the session's lock.
 */
@API(status = API.Status.INTERNAL, since = "0.3")
public final class StepRecorder {
  private final Session session;

  public StepRecorder(Session session) {
    this.session = session;
  }

  /**
   * An answer of a model.
   *
   * @param requestId the request that it answers; null: not known
   * @param asked the model that was asked
   * @param partial whether it is what was received of a cancelled stream
   */
  public record GivenAnswer(
      @Nullable String requestId, ModelRef asked, ModelAnswer answer, boolean partial) {}

  /**
   * The parts that a step brings, processed in this order. With a request to follow, the turn is
   * finished only if the answer is done, unless the window was full; else the request is built.
   *
   * @param id by which it can be sent again; null: by none
   * @param fingerprint what tells it from another step of the same id
   * @param blocks what is added to the turn behind its answer and results, before its end
   * @param waiting what the request that follows does about calls that wait; null: none follows
   */
  public record Parts(
      @Nullable String id,
      String fingerprint,
      @Nullable TurnStart start,
      @Nullable GivenAnswer answer,
      List<CallResult> results,
      List<Block.Builder> blocks,
      @Nullable Finish finish,
      @Nullable WaitingPolicy waiting) {
    public Parts {
      results = List.copyOf(results);
      blocks = List.copyOf(blocks);
    }
  }

  /**
   * The result of storing a step.
   *
   * @param opened the turn that it began or found; null: it named none
   * @param repeated whether it had been stored before
   */
  public record Stored(StepRecord step, TurnOpener.@Nullable Opened opened, boolean repeated) {}

  /** Stores all parts, or none. */
  public Stored store(Parts parts) {
    Optional<StepRecord> before = repeated(parts);
    return before.isPresent()
        ? new Stored(before.get(), null, true)
        : session.inOneCommit(() -> collect(parts));
  }

  private static String key(String id) {
    return "step:" + id;
  }

  private Optional<StepRecord> repeated(Parts parts) {
    String id = parts.id;
    if (id == null) {
      return Optional.empty();
    }
    Optional<JsonObject> known =
        session.services().store().outcome(session.scope(), key(id)).map(Outcome::value);
    if (known.isPresent()
        && !known.get().string("fingerprint").orElse("").equals(parts.fingerprint)) {
      throw ContextureException.invalid(
          ErrorCode.ID_CONFLICT, "step_id", id, "the same step again, or an id that was not used");
    }
    return known.flatMap(value -> value.object("step")).map(StepCodec::read);
  }

  private Stored collect(Parts parts) {
    TurnStart start = parts.start;
    TurnOpener.Opened opened = start == null ? null : new TurnOpener(session).open(start);
    TurnId turn = opened == null ? turn(parts) : opened.turn();
    long version = session.current().version();
    GivenAnswer given = parts.answer;
    Reply reply = null;
    if (given != null) {
      AnswerRecorder recorder = new AnswerRecorder(session, turn);
      reply = recorder.record(given.requestId, given.asked, given.answer, given.partial);
      version = Math.max(version, reply.version());
    }
    List<AppendResult> results = new ArrayList<>();
    for (int i = 0; i < parts.results.size(); i++) {
      AppendResult result = answer(parts.results, i, turn, reply);
      results.add(result);
      version = Math.max(version, result.version());
    }
    if (!parts.blocks.isEmpty()) {
      BlockAppender appender = new BlockAppender(session, turn);
      AppendResult added = appender.contribute(parts.blocks, true, OptionalLong.empty());
      version = Math.max(version, added.version());
    }
    TurnClosure closed = null;
    Finish finish = parts.finish;
    if (finish != null && ends(parts, reply)) {
      closed = new TurnCloser(session, turn).finish(finish);
      version = Math.max(version, closed.version());
    }
    if (opened != null && !opened.resumed()) {
      version = session.current().version() + 1;
    }
    if (closed == null && parts.waiting == WaitingPolicy.REFUSE) {
      List<Round> waiting = TurnCloser.unanswered(session.current().timeline(), turn);
      new RequestPreparer(session, turn).checkNoneWait(waiting.stream().map(Round::id).toList());
    }
    StepRecord step = new StepRecord(turn, version, begun(opened), reply, results, closed);
    keep(parts, step);
    return new Stored(step, opened, false);
  }

  /** Whether the turn is finished: where a request may follow, only if the model is done. */
  private static boolean ends(Parts parts, @Nullable Reply reply) {
    return parts.waiting == null
        || (reply != null && reply.done() && reply.outcome() != AnswerOutcome.CONTEXT_LIMIT);
  }

  private static StepRecord.@Nullable Begun begun(TurnOpener.@Nullable Opened opened) {
    return opened == null
        ? null
        : new StepRecord.Begun(opened.resumed(), opened.newConversation(), opened.omitted().size());
  }

  /** The turn of the request that is answered, so that repeats find it; else the open one. */
  private TurnId turn(Parts parts) {
    GivenAnswer given = parts.answer;
    String requestId = given == null ? null : given.requestId;
    TurnId asked =
        requestId == null
            ? null
            : session
                .services()
                .store()
                .request(session.scope(), requestId)
                .map(RequestRow::turn)
                .orElse(null);
    if (asked != null) {
      return asked;
    }
    boolean resultsOnly = given == null && parts.finish == null && parts.waiting == null;
    return resultsOnly && !parts.results.isEmpty()
        ? session
            .current()
            .timeline()
            .activeTurn()
            .orElseGet(() -> turnOf(parts.results.getFirst()))
        : session.openTurn();
  }

  private TurnId turnOf(CallResult result) {
    TurnId named = result.turn();
    return named == null && result.call() instanceof CallName.Id id
        ? newestWith(id.id()).orElseGet(session::openTurn)
        : Optional.ofNullable(named).orElseGet(session::openTurn);
  }

  /** The newest loaded turn that has the call. */
  private Optional<TurnId> newestWith(CallId call) {
    return session.current().timeline().entries().stream()
        .filter(entry -> entry.block().type().isCall())
        .filter(entry -> entry.callId().filter(call::equals).isPresent())
        .map(TimelineEntry::turn)
        .reduce((first, last) -> last);
  }

  private AppendResult answer(List<CallResult> all, int index, TurnId turn, @Nullable Reply reply) {
    try {
      CallResult result = all.get(index);
      CallName name = result.call();
      int nth = (int) all.subList(0, index).stream().filter(r -> r.call().equals(name)).count();
      CallId call = callOf(name, nth, reply);
      TurnId of = result.turn();
      if (of == null) {
        boolean mine =
            session.current().timeline().entries().stream()
                .anyMatch(
                    entry ->
                        entry.turn().equals(turn)
                            && entry.block().type().isCall()
                            && entry.callId().filter(call::equals).isPresent());
        of = mine ? turn : newestWith(call).orElse(turn);
      } else if (session.turnRow(of).isEmpty()) {
        throw ContextureException.invalid(
            ErrorCode.NOT_FOUND, "turn_id", of, "a turn of the conversation");
      }
      return new AnswerRecorder(session, of)
          .answer(call, result.answer().parts(), result.answer().error());
    } catch (ContextureException refused) {
      throw refused.within("results[" + index + "]");
    }
  }

  /**
   * The call that a result names.
   *
   * @param nth how many results before it have the same name: a provider may give an id twice
   */
  private static CallId callOf(CallName name, int nth, @Nullable Reply reply) {
    List<ToolCall> calls = reply == null ? List.of() : reply.calls();
    return switch (name) {
      case CallName.Id id -> id.id();
      case CallName.ProviderId provider -> {
        List<ToolCall> same =
            calls.stream()
                .filter(call -> provider.id().equals(call.providerCallId()))
                .limit(nth + 1L)
                .toList();
        if (same.isEmpty()) {
          throw unknown("provider_call_id", provider.id());
        }
        yield same.getLast().id();
      }
      case CallName.Index index -> {
        if (index.index() < 0 || index.index() >= calls.size()) {
          throw unknown("index", String.valueOf(index.index()));
        }
        yield calls.get(index.index()).id();
      }
    };
  }

  private static ContextureException unknown(String field, String value) {
    return ContextureException.invalid(
        ErrorCode.UNKNOWN_CALL, field, value, "a call of the response that the same step brings");
  }

  private void keep(Parts parts, StepRecord step) {
    String id = parts.id;
    if (id != null) {
      JsonObject value =
          JsonObject.builder()
              .put("fingerprint", parts.fingerprint)
              .put("step", StepCodec.write(step))
              .build();
      WriteSet set =
          WriteSet.of(session.scope(), session.services().now())
              .expect(new Precondition.VersionIs(session.current().version()))
              .add(new Row.PutOutcome(new Outcome(key(id), step.turn(), value)))
              .note(new BlockAppender(session, step.turn()).note("block"))
              .build();
      new BlockAppender(session, step.turn()).done(session.commit(set, before -> before));
    }
  }
}
