package dev.contexture.engine.turn;

import dev.contexture.block.Block;
import dev.contexture.block.TurnId;
import dev.contexture.engine.session.Session;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.store.Commit;
import dev.contexture.store.Feedback;
import dev.contexture.store.Precondition;
import dev.contexture.store.Row;
import dev.contexture.store.TurnRow;
import dev.contexture.store.WriteSet;
import dev.contexture.timeline.TimelineEntry;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** Writes feedback on a turn. Inside the session's lock. */
@API(status = API.Status.INTERNAL, since = "0.2")
public final class FeedbackWriter {
  private static final double MIN_CONFIDENCE = 0.70;
  private static final int MAX_UNTOLD = 20;

  /** Where the newest turn notes what the next one tells. */
  private static final String UNTOLD = "untold_feedback";

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
    if (open.isEmpty()) {
      untold(row).ifPresent(set::add);
    }
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

  /** Notes with the newest turn that the next one is to tell of it; that turn is read then. */
  private Optional<Row> untold(Row row) {
    if (!(row instanceof Row.PutFeedback put)) {
      return Optional.empty(); // it was taken back
    }
    return newest(session)
        .map(
            last -> {
              JsonObject told =
                  JsonObject.builder()
                      .put("turn", put.turn().value())
                      .put("key", put.feedback().key())
                      .build();
              List<JsonValue> all = new ArrayList<>(untold(last));
              all.remove(told);
              all.add(told);
              int from = Math.max(0, all.size() - MAX_UNTOLD);
              JsonArray newest = new JsonArray(all.subList(from, all.size()));
              return new Row.PutTurn(last.withMeta(last.meta().with(UNTOLD, newest)));
            });
  }

  private static List<JsonValue> untold(TurnRow turn) {
    return turn.meta().array(UNTOLD).map(JsonArray::items).orElse(List.of());
  }

  private static Optional<TurnRow> newest(Session session) {
    List<TimelineEntry> entries = session.current().timeline().entries();
    return entries.isEmpty() ? Optional.empty() : session.turnRow(entries.getLast().turn());
  }

  /** Feedback that was given while no turn was open, as the turn that is being opened tells it. */
  static List<Block> untold(Session session, TurnId opened, Instant now) {
    List<Block> blocks = new ArrayList<>();
    for (JsonValue value : newest(session).map(FeedbackWriter::untold).orElse(List.of())) {
      JsonObject told = (JsonObject) value;
      TurnId about = TurnId.of(told.string("turn").orElseThrow());
      String key = told.string("key").orElseThrow();
      session
          .services()
          .store()
          .turn(session.scope(), about)
          .flatMap(turn -> turn.feedback().stream().filter(f -> f.key().equals(key)).findFirst())
          .ifPresent(
              feedback -> blocks.add(FeedbackBlocks.shown(opened, about, feedback.value(), now)));
    }
    return blocks;
  }
}
