package dev.contexture.engine.turn;

import dev.contexture.block.Block;
import dev.contexture.block.TurnId;
import dev.contexture.engine.session.Session;
import dev.contexture.json.JsonObject;
import dev.contexture.store.Commit;
import dev.contexture.store.Feedback;
import dev.contexture.store.Precondition;
import dev.contexture.store.Row;
import dev.contexture.store.WriteSet;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** Writes feedback on a turn. Inside the session's lock. */
@API(status = API.Status.INTERNAL, since = "0.2")
public final class FeedbackWriter {
  private static final double MIN_CONFIDENCE = 0.70;

  private final Session session;
  private final TurnId target;

  public FeedbackWriter(Session session, TurnId target) {
    this.session = session;
    this.target = target;
  }

  /** The version behind it; that of before if a machine is not sure enough. */
  public long write(String origin, @Nullable String reaction, String text, double confidence) {
    boolean machine = origin.equals("machine");
    if (machine && confidence < MIN_CONFIDENCE) {
      return session.current().version();
    }
    JsonObject value = FeedbackBlocks.value(origin, reaction, text, confidence);
    String key = machine ? "machine:" + session.services().ids().of("fb") : "user";
    Row row =
        reaction == null && !machine
            ? new Row.DropFeedback(target, key)
            : new Row.PutFeedback(target, new Feedback(key, value));
    return session.untilDone(() -> tryWrite(row, value));
  }

  private Optional<Long> tryWrite(Row row, JsonObject value) {
    Instant now = session.services().now();
    Optional<TurnId> open = session.current().timeline().activeTurn();
    List<Block> shown =
        open.map(turn -> List.of(FeedbackBlocks.shown(turn, target, value, now))).orElse(List.of());
    WriteSet.Builder set =
        WriteSet.of(session.scope(), now)
            .expect(new Precondition.VersionIs(session.current().version()))
            .add(row)
            .note(
                JsonObject.builder()
                    .put("type", "feedback")
                    .put("turn_id", target.value())
                    .build());
    if (!shown.isEmpty()) {
      shown.forEach(session.services().limits()::check);
      set.append(BlockAppender.rows(shown));
    }
    Commit commit = session.commit(set.build(), before -> before.append(shown));
    if (Session.isOvertaken(commit)) {
      return Optional.empty();
    }
    return switch (commit) {
      case Commit.Committed committed -> Optional.of(committed.version());
      case Commit.Conflict conflict -> throw session.conflict(conflict);
    };
  }
}
