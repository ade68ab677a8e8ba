package dev.contexture.engine.turn;

import dev.contexture.block.TurnId;
import dev.contexture.engine.session.Session;
import dev.contexture.event.EngineWork;
import dev.contexture.event.WorkResult;
import dev.contexture.model.ModelAnswer;
import dev.contexture.model.ModelRef;
import dev.contexture.turn.Reply;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Stores answers of models under the eyes of the engine's observer. It takes the session's lock
 * itself, so that the observer is called outside of it.
 */
@API(status = API.Status.INTERNAL, since = "0.3")
public final class WatchedAnswers {
  private final Session session;

  public WatchedAnswers(Session session) {
    this.session = session;
  }

  /**
   * Records one answer of a turn.
   *
   * @param requestId the request that it answers; null: not known
   * @param asked the model that was asked
   * @param partial whether it is what was received of a cancelled stream
   */
  public Reply record(
      TurnId turn,
      @Nullable String requestId,
      ModelRef asked,
      ModelAnswer answer,
      boolean partial) {
    return watched(
        new EngineWork.AnswerStorage(session.scope(), requestId, asked, answer),
        () -> new AnswerRecorder(session, turn).record(requestId, asked, answer, partial),
        recorded -> recorded);
  }

  /** Stores what one step of a loop brings. */
  public StepRecorder.Stored store(StepRecorder.Parts parts) {
    StepRecorder.GivenAnswer given = parts.answer();
    Supplier<StepRecorder.Stored> recorder = () -> new StepRecorder(session).store(parts);
    return given == null
        ? session.locked(recorder)
        : watched(
            new EngineWork.AnswerStorage(
                session.scope(), given.requestId(), given.asked(), given.answer()),
            recorder,
            stored -> stored.repeated() ? null : stored.step().reply().orElse(null));
  }

  private <T> T watched(
      EngineWork.AnswerStorage work, Supplier<T> recorder, Function<T, @Nullable Reply> reply) {
    AtomicLong before = new AtomicLong();
    return session
        .services()
        .observer()
        .watch(
            work,
            () ->
                session.locked(
                    () -> {
                      before.set(session.current().version());
                      return recorder.get();
                    }),
            stored -> result(reply.apply(stored), before.get()));
  }

  /** What has no higher version than there was had been stored before. */
  private static WorkResult result(@Nullable Reply reply, long before) {
    return reply == null
        ? new WorkResult.AnswerStored(true, "", 0, null)
        : new WorkResult.AnswerStored(
            reply.version() <= before, reply.stop(), reply.calls().size(), reply.tokens());
  }
}
