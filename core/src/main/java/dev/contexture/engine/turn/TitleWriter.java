package dev.contexture.engine.turn;

import dev.contexture.engine.session.Session;
import dev.contexture.json.JsonObject;
import dev.contexture.json.SendableText;
import dev.contexture.store.Commit;
import dev.contexture.store.Precondition;
import dev.contexture.store.Reason;
import dev.contexture.store.Row;
import dev.contexture.store.WriteSet;
import org.apiguardian.api.API;

/** Writes the title of a conversation. Inside the session's lock. */
@API(status = API.Status.INTERNAL, since = "0.3")
public final class TitleWriter {
  private final Session session;

  public TitleWriter(Session session) {
    this.session = session;
  }

  /** The title that it has now: the first one stays unless it is replaced. */
  public String write(String title, boolean replace) {
    String clean = SendableText.of(title);
    session.services().limits().checkTitle(clean);
    WriteSet.Builder set =
        WriteSet.of(session.scope(), session.services().now()).add(new Row.SetTitle(clean));
    if (!replace) {
      set.expect(new Precondition.NoTitle());
    }
    set.note(JsonObject.builder().put("type", "title").build());
    return switch (session.commit(set.build(), before -> before)) {
      case Commit.Committed _unused -> clean;
      case Commit.Conflict conflict when conflict.reason() instanceof Reason.Titled titled ->
          titled.title();
      case Commit.Conflict conflict -> throw session.conflict(conflict);
    };
  }
}
