package dev.contexture.engine.session;

import dev.contexture.block.TurnId;
import dev.contexture.compaction.CompactionOutcome;
import dev.contexture.json.JsonObject;
import dev.contexture.store.Row;
import dev.contexture.store.StoredWindow;
import dev.contexture.store.TurnRow;
import dev.contexture.store.WriteSet;
import dev.contexture.timeline.Timeline;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** The loaded state of a conversation. Changed only under the session's lock. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class SessionState {
  Timeline timeline;
  long version;
  private @Nullable JsonObject pendingAnswer;
  private @Nullable TurnRow newestTurn; // as it was loaded or put last
  private @Nullable String onlyAgent; // no turn names another; null: not known
  private boolean rendered;
  private List<Object> fruitlessKey = List.of();
  private @Nullable CompactionOutcome fruitless;
  private final SeenContext seen = new SeenContext();

  private SessionState(Timeline timeline, long version) {
    this.timeline = timeline;
    this.version = version;
  }

  static SessionState empty() {
    return new SessionState(Timeline.empty(), 0);
  }

  static SessionState of(StoredWindow window) {
    SessionState state = new SessionState(TimelineLoader.timeline(window), window.head().version());
    for (StoredWindow.TurnScoped scoped : window.turnScoped()) {
      state.pendingAnswer = scoped.pendingAnswer();
    }
    state.newestTurn = window.turns().isEmpty() ? null : window.turns().getLast().row();
    return state;
  }

  public Timeline timeline() {
    return timeline;
  }

  public long version() {
    return version;
  }

  /** The last answer of the open turn, if it has no calls. */
  public Optional<JsonObject> pendingAnswer() {
    return Optional.ofNullable(pendingAnswer);
  }

  Facts facts() {
    return new Facts(timeline, version, pendingAnswer, newestTurn);
  }

  void restore(Facts facts) {
    timeline = facts.timeline;
    pendingAnswer = facts.pendingAnswer;
    newestTurn = facts.newestTurn;
  }

  /** The part of the state that a write changes. */
  record Facts(
      Timeline timeline,
      long version,
      @Nullable JsonObject pendingAnswer,
      @Nullable TurnRow newestTurn) {}

  /** Whether it is known that no turn names another agent. */
  boolean isOnlyOf(String agent) {
    return agent.equals(onlyAgent);
  }

  void setOnlyAgent(String agent) {
    onlyAgent = agent;
  }

  /** A turn, if it is the one that was loaded or put last. */
  Optional<TurnRow> newestTurn(TurnId turn) {
    TurnRow known = newestTurn;
    return known != null && known.turn().equals(turn) ? Optional.of(known) : Optional.empty();
  }

  /** Takes over what a set changed beside the timeline. */
  void takeOver(WriteSet set) {
    for (Row row : set.rows()) {
      if (row instanceof Row.SetPendingAnswer pending) {
        pendingAnswer = pending.answer();
      } else if (row instanceof Row.ClearTurnScoped) {
        pendingAnswer = null;
      } else if (row instanceof Row.PutTurn put) {
        newestTurn = put.turn();
        String agent = put.turn().agent();
        onlyAgent = agent == null || agent.equals(onlyAgent) ? onlyAgent : null;
      }
    }
  }

  /** The outcome of a compaction that led to nothing, if it was for this key. */
  @Nullable
  public CompactionOutcome fruitless(List<Object> key) {
    return fruitlessKey.equals(key) ? fruitless : null;
  }

  public void setFruitless(List<Object> key, @Nullable CompactionOutcome outcome) {
    this.fruitlessKey = key;
    this.fruitless = outcome;
  }

  /** What the renders of the open turn showed. */
  public SeenContext seen() {
    return seen;
  }

  /** Whether this is the first render since the conversation was loaded; true once. */
  public boolean firstRender() {
    boolean first = !rendered;
    rendered = true;
    return first;
  }
}
