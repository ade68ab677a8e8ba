package dev.contexture.engine.turn;

import dev.contexture.block.TurnId;
import dev.contexture.engine.session.Session;
import dev.contexture.json.JsonObject;
import dev.contexture.render.RenderOptions;
import dev.contexture.store.StoredTurn;
import dev.contexture.store.TurnRow;
import dev.contexture.timeline.TurnLimit;
import dev.contexture.turn.TurnSettings;
import java.time.Instant;
import java.util.Set;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Finds the settings of turns, and keeps those of the last one that was asked for. Inside the
 * session's lock.
 */
@API(status = API.Status.INTERNAL, since = "0.2")
public final class SettingsReader {
  /** Where a turn keeps its settings. */
  static final String META = "settings";

  private final Session session;
  private @Nullable Kept last;

  /** The known properties of a turn; its settings do not change. */
  private record Kept(TurnId turn, TurnSettings settings, Instant startedAt) {}

  private SettingsReader(Session session) {
    this.session = session;
  }

  public static SettingsReader of(Session session) {
    return session.kept(SettingsReader.class, SettingsReader::new);
  }

  /** The settings of the open turn; none without one. */
  public TurnSettings ofOpenTurn() {
    return session.current().timeline().activeTurn().map(this::of).orElse(TurnSettings.NONE);
  }

  public TurnSettings of(TurnId turn) {
    return kept(turn).settings;
  }

  /** The turns that a limit leaves out of the view of a turn: the same as long as it is open. */
  public Set<TurnId> omitted(TurnId turn, TurnLimit limit) {
    return limit.equals(TurnLimit.NONE)
        ? Set.of()
        : limit.omitted(session.current().timeline(), kept(turn).startedAt);
  }

  private Kept kept(TurnId turn) {
    Kept known = last;
    if (known != null && known.turn.equals(turn)) {
      return known;
    }
    TurnRow stored =
        session
            .knownTurn(turn)
            .or(() -> session.services().store().turn(session.scope(), turn).map(StoredTurn::row))
            .orElse(null);
    if (stored == null) { // it is about to be stored
      return new Kept(turn, TurnSettings.NONE, session.services().now());
    }
    Kept read = read(stored);
    last = read;
    return read;
  }

  private static Kept read(TurnRow stored) {
    return new Kept(stored.turn(), settings(stored.meta()), stored.startedAt());
  }

  /** The settings that a turn was started with. */
  static TurnSettings settings(JsonObject meta) {
    return meta.object(META).map(TurnSettings::read).orElse(TurnSettings.NONE);
  }

  /** Options with the settings in the places of what they do not say. */
  public static RenderOptions over(RenderOptions options, TurnSettings settings) {
    return options.withDefaults(settings.maxTokens(), settings.points(), settings.adds());
  }
}
