package dev.contexture.engine.request;

import dev.contexture.engine.session.Session;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.store.Commit;
import dev.contexture.store.EpochRow;
import dev.contexture.store.Precondition;
import dev.contexture.store.Row;
import dev.contexture.store.WriteSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** Ends epochs, so that the next request of each agent begins one. Inside the session's lock. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class EpochCloser {
  private static final String REQUESTED = "requested";

  private final Session session;

  public EpochCloser(Session session) {
    this.session = session;
  }

  /**
   * Ends the epoch of an agent.
   *
   * @param agent null: the epochs of all agents
   * @return whose epochs were ended
   */
  public List<String> end(@Nullable String agent) {
    return session.untilDone(() -> tryToEnd(agent));
  }

  private Optional<List<String>> tryToEnd(@Nullable String agent) {
    long version = session.current().version(); // before epochs are read
    List<String> agents = new ArrayList<>();
    WriteSet.Builder set =
        WriteSet.of(session.scope(), session.services().now())
            .expect(new Precondition.VersionIs(version));
    for (EpochRow epoch : session.services().store().epochs(session.scope())) {
      if (agent == null || agent.equals(epoch.agent())) {
        agents.add(epoch.agent());
        set.add(new Row.PutEpoch(ended(epoch)));
      }
    }
    if (agents.isEmpty()) {
      return Optional.of(agents);
    }
    set.note(
        JsonObject.builder()
            .put("type", "epoch")
            .put("operation", "end")
            .put("agents", JsonArray.ofStrings(agents))
            .build());
    Commit commit = session.commit(set.build(), before -> before);
    if (Session.isOvertaken(commit)) {
      return Optional.empty();
    }
    if (commit instanceof Commit.Conflict conflict) {
      throw session.conflict(conflict);
    }
    return Optional.of(agents);
  }

  private static EpochRow ended(EpochRow epoch) {
    return new EpochRow(
        epoch.agent(),
        epoch.number(),
        epoch.startedAt(),
        epoch.builtAt(),
        JsonObject.builder().put(EpochChoice.ENDED, REQUESTED).build(),
        Set.of());
  }
}
