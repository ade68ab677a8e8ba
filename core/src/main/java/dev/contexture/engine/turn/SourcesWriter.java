package dev.contexture.engine.turn;

import dev.contexture.engine.session.Session;
import dev.contexture.json.JsonObject;
import dev.contexture.store.Commit;
import dev.contexture.store.Precondition;
import dev.contexture.store.Row;
import dev.contexture.store.SourceRow;
import dev.contexture.store.WriteSet;
import dev.contexture.timeline.PoolSource;
import dev.contexture.timeline.SourcesPool;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.apiguardian.api.API;

/** Changes the pool of sources of a conversation. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class SourcesWriter {
  private final Session session;

  public SourcesWriter(Session session) {
    this.session = session;
  }

  /** The visible rows after the change. */
  public List<PoolSource> change(UnaryOperator<SourcesPool> change) {
    return session.locked(() -> session.untilDone(() -> tryChange(change)));
  }

  private Optional<List<PoolSource>> tryChange(UnaryOperator<SourcesPool> change) {
    SourcesPool before = session.current().timeline().sources();
    SourcesPool after = change.apply(before);
    Commit commit = session.commit(rows(before, after), t -> t.withSources(after));
    if (Session.isOvertaken(commit)) {
      return Optional.empty();
    }
    if (commit instanceof Commit.Conflict conflict) {
      throw session.conflict(conflict);
    }
    return Optional.of(after.rows());
  }

  private WriteSet rows(SourcesPool before, SourcesPool after) {
    List<SourceRow> rows = new ArrayList<>();
    Map<Long, PoolSource> hidden = new HashMap<>();
    before.rows().forEach(row -> hidden.put(row.sid(), row));
    for (PoolSource row : after.rows()) {
      hidden.remove(row.sid());
      rows.add(new SourceRow(row.sid(), key(row), true, row.fields()));
    }
    hidden.values().forEach(r -> rows.add(new SourceRow(r.sid(), key(r), false, r.fields())));
    return WriteSet.of(session.scope(), session.services().now())
        .expect(new Precondition.VersionIs(session.current().version()))
        .add(new Row.PutSources(rows))
        .note(JsonObject.builder().put("type", "sources").put("rows", after.rows().size()).build())
        .build();
  }

  private static String key(PoolSource row) {
    return row.key().orElse("sid:" + row.sid());
  }
}
