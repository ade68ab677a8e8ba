package dev.contexture.engine.turn;

import dev.contexture.block.TurnId;
import dev.contexture.engine.session.Session;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.store.Commit;
import dev.contexture.store.Outcome;
import dev.contexture.store.Precondition;
import dev.contexture.store.Row;
import dev.contexture.store.WriteSet;
import dev.contexture.timeline.Timeline;
import java.util.Optional;
import org.apiguardian.api.API;

/** Takes the newest summary of a conversation back. Inside the session's lock. */
@API(status = API.Status.INTERNAL, since = "0.2")
public final class SummaryWithdrawal {
  private final Session session;

  public SummaryWithdrawal(Session session) {
    this.session = session;
  }

  /** The version behind the withdrawal; doing it again answers what the first time answered. */
  public long withdraw(String id) {
    String key = "withdraw:" + id;
    Optional<Outcome> first = session.services().store().outcome(session.scope(), key);
    if (first.isPresent()) {
      return Long.parseLong(first.get().value().string("version").orElse("0"));
    }
    long version = session.current().version();
    Timeline timeline = session.current().timeline();
    timeline.withdrawSummary(id);
    TurnId cut = timeline.openingSummary().orElseThrow().turn();
    JsonObject answer = JsonObject.of("version", JsonValue.of(Long.toString(version + 1)));
    WriteSet set =
        WriteSet.of(session.scope(), session.services().now())
            .expect(new Precondition.NewestSummaryIs(id))
            .expect(new Precondition.VersionIs(version))
            .add(new Row.WithdrawSummary(id))
            .add(new Row.PutOutcome(new Outcome(key, cut, answer)))
            .note(
                JsonObject.builder()
                    .put("type", "compaction")
                    .put("operation", "withdraw")
                    .put("summary_id", id)
                    .build())
            .build();
    Commit commit = session.commit(set, before -> before);
    session.forget();
    return switch (commit) {
      case Commit.Committed committed -> committed.version();
      case Commit.Conflict conflict -> throw session.conflict(conflict);
    };
  }
}
