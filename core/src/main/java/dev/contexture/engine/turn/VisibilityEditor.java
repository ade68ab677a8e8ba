package dev.contexture.engine.turn;

import dev.contexture.block.BlockPath;
import dev.contexture.engine.session.Session;
import dev.contexture.render.RenderOptions;
import dev.contexture.store.Commit;
import dev.contexture.store.Row;
import dev.contexture.store.WriteSet;
import dev.contexture.timeline.Pins;
import dev.contexture.timeline.Visibility;
import dev.contexture.turn.TurnSettings;
import dev.contexture.view.HidePlanner;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;

/** Hides and shows paths of a stored conversation. Inside the session's lock. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class VisibilityEditor {
  private final Session session;

  public VisibilityEditor(Session session) {
    this.session = session;
  }

  public HidePlanner.Outcome hide(BlockPath path, String replacement, Visibility.Reason reason) {
    Instant now = session.services().now();
    session.services().limits().checkReplacement(replacement);
    return session.untilDone(
        () -> {
          HidePlanner.Outcome outcome = plan().hide(path, replacement, reason, now);
          if (outcome.records().isEmpty()) {
            return Optional.of(outcome);
          }
          WriteSet.Builder set =
              PathCommits.start(session, now, path, "hide")
                  .add(new Row.PutVisibility(outcome.records()));
          Pins pins = session.current().timeline().pins();
          if (pins.all().stream().anyMatch(pin -> pin.path().equals(path))) {
            set.add(new Row.DropPin(path)); // what was said last holds
          }
          Commit commit =
              session.commit(
                  set.build(),
                  before ->
                      before
                          .withVisibility(outcome.records())
                          .withPins(before.pins().without(path)));
          return PathCommits.unlessOvertaken(session, commit, outcome);
        });
  }

  /** With the cache points and the budget of the turn. */
  private HidePlanner plan() {
    TurnSettings settings = SettingsReader.of(session).ofOpenTurn();
    RenderOptions options =
        RenderOptions.defaults().withDefaults(null, settings.points(), settings.adds());
    Long budget = settings.maxTokens();
    return new HidePlanner(
        session.seenView(options),
        session.renderer().emitter(options),
        options.cachePoints(),
        HidePlanner.editableTail(budget == null ? seenBudget() : budget));
  }

  private long seenBudget() {
    return session.current().seen().budget(session.current().timeline());
  }

  public int unhide(BlockPath path) {
    Instant now = session.services().now();
    return session.untilDone(
        () -> {
          List<Long> seqs = HidePlanner.unhide(session.current().timeline(), path);
          if (seqs.isEmpty()) {
            return Optional.of(0);
          }
          WriteSet set =
              PathCommits.start(session, now, path, "unhide")
                  .add(new Row.DropVisibility(new HashSet<>(seqs)))
                  .build();
          Commit commit = session.commit(set, before -> before.withoutVisibility(seqs));
          return PathCommits.unlessOvertaken(session, commit, seqs.size());
        });
  }
}
