package dev.contexture.engine.turn;

import dev.contexture.block.Block;
import dev.contexture.block.CallId;
import dev.contexture.block.TurnId;
import dev.contexture.engine.session.Session;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.store.Commit;
import dev.contexture.store.Row;
import dev.contexture.store.WriteSet;
import dev.contexture.timeline.Contribution;
import dev.contexture.timeline.Round;
import dev.contexture.turn.WaitingPolicy;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apiguardian.api.API;

/**
 * Brings an open turn into the state that its next request is built from: no call waits, and the
 * last answer is one that a request has shown. Inside the session's lock.
 */
@API(status = API.Status.INTERNAL, since = "0.3")
public final class RequestPreparer {
  static final String CANCELLED = "no result came before the next request";

  private final Session session;
  private final TurnId turn;
  private final BlockAppender contributing;

  public RequestPreparer(Session session, TurnId turn) {
    this.session = session;
    this.turn = turn;
    this.contributing = new BlockAppender(session, turn);
  }

  /**
   * The findings and effects of the preparation.
   *
   * @param windowFull whether the answer before filled the window, so that the request is to be
   *     shorter
   * @param cancelled calls that waited and were answered as cancelled
   */
  public record Prepared(boolean windowFull, List<CallId> cancelled) {}

  /**
   * Does it, in one commit; none if there is nothing to do.
   *
   * @throws ContextureException {@code calls_waiting} if calls wait and the policy refuses that
   */
  public Prepared prepare(WaitingPolicy policy) {
    return session.untilDone(() -> tryPrepare(policy));
  }

  private Optional<Prepared> tryPrepare(WaitingPolicy policy) {
    List<Round> waiting = TurnCloser.unanswered(session.current().timeline(), turn);
    if (policy == WaitingPolicy.REFUSE) {
      checkNoneWait(waiting.stream().map(Round::id).toList());
    }
    PendingAnswer last = session.current().pendingAnswer().map(PendingAnswer::read).orElse(null);
    Instant now = session.services().now();
    List<Block> blocks = new ArrayList<>();
    List<Round> ended = policy == WaitingPolicy.CANCEL ? waiting : List.of();
    blocks.addAll(TurnCloser.cancelled(ended, turn, CANCELLED, now));
    List<Block.Builder> said = last == null ? List.of() : AnswerBlocks.spoken(last, turn);
    if (!said.isEmpty()) {
      blocks.addAll(Contribution.of(said, turn, now, session.services().limits()));
    }
    boolean full = last != null && last.windowFull();
    Prepared prepared = new Prepared(full, ended.stream().map(Round::id).toList());
    if (blocks.isEmpty() && (last == null || !last.replaceable())) {
      return Optional.of(prepared);
    }
    WriteSet.Builder set = contributing.startNow(now).note(contributing.note("block"));
    if (!blocks.isEmpty()) {
      set.append(BlockAppender.rows(blocks));
    }
    if (last != null) {
      set.add(new Row.SetPendingAnswer(turn, full ? last.shown().write() : null));
    }
    Commit commit = session.commit(set.build(), before -> before.append(blocks));
    if (Session.isOvertaken(commit)) {
      return Optional.empty();
    }
    contributing.done(commit);
    return Optional.of(prepared);
  }

  /**
   * Refuses calls that wait.
   *
   * @throws ContextureException {@code calls_waiting}
   */
  void checkNoneWait(List<CallId> waiting) {
    if (!waiting.isEmpty()) {
      List<String> ids = waiting.stream().map(CallId::value).toList();
      throw new ContextureException(
          ErrorCode.CALLS_WAITING,
          "calls of turn "
              + turn
              + " without a result: "
              + ids.stream().limit(8).collect(Collectors.joining(", "))
              + (ids.size() > 8 ? ", …" : "")
              + "; give their results, or ask with waiting cancel or omit",
          Map.of("field", "waiting", "waiting", ids),
          null);
    }
  }
}
