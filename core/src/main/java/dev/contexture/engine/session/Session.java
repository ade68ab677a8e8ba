package dev.contexture.engine.session;

import dev.contexture.block.Binary;
import dev.contexture.block.Scope;
import dev.contexture.block.TurnId;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.event.Change;
import dev.contexture.json.JsonObject;
import dev.contexture.render.RenderOptions;
import dev.contexture.render.Renderer;
import dev.contexture.request.ProviderFormat;
import dev.contexture.request.RequestWriter;
import dev.contexture.store.Commit;
import dev.contexture.store.Precondition;
import dev.contexture.store.Reason;
import dev.contexture.store.StoredTurn;
import dev.contexture.store.StoredWindow;
import dev.contexture.store.TurnRow;
import dev.contexture.store.WriteSet;
import dev.contexture.timeline.Pins;
import dev.contexture.timeline.Timeline;
import dev.contexture.timeline.TimelineEntry;
import dev.contexture.timeline.TurnStatus;
import dev.contexture.view.View;
import java.time.Instant;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * One conversation as this process sees it: its loaded window and what was computed for it. Shared
 * by all handles of the conversation.
 *
 * <p>Thread-safe: every operation runs inside {@link #locked}. Writes are made there, so that what
 * is loaded follows the store commit by commit; nothing that calls a model is.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class Session {
  private static final int MAX_ATTEMPTS = 3;
  private static final int MAX_OVERTAKEN = 64;
  private static final long MAX_UNWEIGHED_BYTES = 64 << 10;

  private final ConversationServices services;
  private final Scope.OfConversation scope;
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<String, RequestWriter> writers = new HashMap<>();
  private final Map<Class<?>, Object> kept = new HashMap<>();
  private Renderer renderer = new Renderer();
  private @Nullable SessionState state;
  private @Nullable CommitBatch batch; // collects commits while it is there
  private @Nullable TurnId claimed;
  private @Nullable Instant claimedAt;
  private volatile long loadedBytes; // written under the lock
  private volatile long weighedBytes; // when it was weighed last

  Session(ConversationServices services, Scope.OfConversation scope) {
    this.services = services;
    this.scope = scope;
  }

  public ConversationServices services() {
    return services;
  }

  public Scope.OfConversation scope() {
    return scope;
  }

  /** Runs an operation while no other one of this conversation runs in this process. */
  public <T extends @Nullable Object> T locked(Supplier<T> operation) {
    lock.lock();
    try {
      return operation.get();
    } finally {
      lock.unlock();
    }
  }

  /** The conversation as it is now. */
  public Timeline timeline() {
    return locked(() -> current().timeline());
  }

  /**
   * The turn that is open; this process works on it from now on.
   *
   * @throws ContextureException {@code no_active_turn} if none is
   */
  public TurnId openTurn() {
    return locked(
        () -> {
          TurnId open =
              current()
                  .timeline()
                  .activeTurn()
                  .orElseThrow(
                      () ->
                          new ContextureException(
                              ErrorCode.NO_ACTIVE_TURN,
                              "conversation "
                                  + scope.conversation()
                                  + " has no open turn; start one"));
          claim(open);
          return open;
        });
  }

  /** What is loaded, brought up to date with the store. Only inside {@link #locked}. */
  public SessionState current() {
    SessionState known = state;
    if (known != null && (batch != null || isCurrent(known))) {
      return known;
    }
    SessionState loaded =
        services.store().load(scope).map(this::state).orElseGet(SessionState::empty);
    state = loaded;
    long bytes = 0;
    for (TimelineEntry entry : loaded.timeline.entries()) {
      bytes += SetContent.bytes(entry.block());
    }
    loadedBytes = bytes;
    return loaded;
  }

  private SessionState state(StoredWindow window) {
    SessionState loaded = SessionState.of(window);
    if (!window.pins().isEmpty()) {
      Pins pins = new PinLoader(services.store(), scope).load(window.pins());
      loaded.timeline = loaded.timeline.withPins(pins);
    }
    return loaded;
  }

  private boolean isCurrent(SessionState known) {
    return services.exclusive() || storedVersion() == known.version;
  }

  /** About what is to be loaded before anything can be done. Only inside {@link #locked}. */
  public long bytesToLoad() {
    return state == null ? services.store().windowBytes(scope) : 0;
  }

  /** About what the blocks hold, or would if they were loaded. Only inside {@link #locked}. */
  public long expectedBytes() {
    SessionState known = state;
    return known != null && isCurrent(known) ? loadedBytes : services.store().windowBytes(scope);
  }

  /** Whether it is much larger or smaller than when it was weighed last, which it is now again. */
  boolean outgrew() {
    long now = loadedBytes;
    long change = Math.abs(now - weighedBytes);
    boolean outgrew = change > MAX_UNWEIGHED_BYTES || change > now / 8;
    weighedBytes = outgrew ? now : weighedBytes;
    return outgrew;
  }

  /** About what the blocks hold, which are loaded if need be. Only inside {@link #locked}. */
  public long currentBytes() {
    current();
    return loadedBytes;
  }

  /** About what the loaded blocks hold; any thread may ask. */
  public long loadedBytes() {
    return loadedBytes;
  }

  private long storedVersion() {
    return services.store().version(scope);
  }

  /** Forgets what is loaded. */
  public void forget() {
    state = null;
    loadedBytes = 0;
    renderer = new Renderer();
    writers.clear();
    kept.clear();
  }

  /** What writes requests in a format and keeps what it wrote: the next one repeats most of it. */
  public RequestWriter writer(ProviderFormat format) {
    return writers.computeIfAbsent(format.name(), unused -> format.writer());
  }

  /**
   * What others keep with the conversation while it is loaded. Only inside {@link #locked}.
   *
   * @param make makes it when it is asked for the first time
   */
  public <T> T kept(Class<T> type, Function<Session, T> make) {
    return type.cast(kept.computeIfAbsent(type, unused -> make.apply(this)));
  }

  public Renderer renderer() {
    return renderer;
  }

  /** The stable stream as the renders of the open turn showed it, with what came since. */
  public View seenView(RenderOptions options) {
    Timeline seen = current().seen().of(current().timeline());
    return renderer.view(seen, options.withViewTokens(seen.viewTokens()));
  }

  /**
   * Writes, and takes the change over into what is loaded.
   *
   * @param set what to write
   * @param apply the same change to the timeline, made once it is durable
   * @return what was committed, or why not
   */
  public Commit commit(WriteSet set, UnaryOperator<Timeline> apply) {
    SessionState before = current();
    CommitBatch collecting = batch;
    if (collecting != null) {
      return collect(collecting, before, set, apply);
    }
    state = null; // until it is known what was written: a commit that failed may have landed
    Commit commit = commitWithBinaries(SetContent.indexed(set));
    if (commit instanceof Commit.Committed done) {
      if (done.version() == before.version + (set.raisesVersion() ? 1 : 0)) {
        before.version = done.version();
        before.timeline = apply.apply(before.timeline);
        before.takeOver(set);
        state = before;
        long known = loadedBytes;
        loadedBytes = known + SetContent.bytes(set);
      }
      if (set.raisesVersion()) {
        publish(set.note() == null ? JsonObject.EMPTY : set.note(), done);
      }
    } else if (services.exclusive()
        && commit instanceof Commit.Conflict conflict
        && conflict.version() == before.version) {
      state = before; // nobody else wrote: what was refused changed nothing
    }
    return commit;
  }

  /** Adds a set to the batch, as if it were committed: the version is that of the batch. */
  private Commit collect(
      CommitBatch collecting, SessionState before, WriteSet set, UnaryOperator<Timeline> apply) {
    for (Precondition condition : set.preconditions()) {
      if (condition instanceof Precondition.TurnIs is && !before.timeline.isActive(is.turn())) {
        TurnStatus actual = turnRow(is.turn()).map(TurnRow::status).orElse(null);
        Reason reason = new Reason.TurnDiffers(is.turn(), is.status(), actual);
        return new Commit.Conflict(before.version, reason);
      }
    }
    long first = before.timeline.nextSeq();
    before.timeline = apply.apply(before.timeline);
    before.takeOver(set);
    collecting.add(set);
    int blocks = (int) (before.timeline.nextSeq() - first);
    return new Commit.Committed(before.version + 1, blocks == 0 ? 0 : first, blocks);
  }

  /**
   * Does several operations as one commit: all or none. What they commit is collected; each sees
   * what those before it did. Only inside {@link #locked}.
   */
  public <T> T inOneCommit(Supplier<T> operations) {
    return untilDone(() -> tryInOneCommit(operations));
  }

  private <T> Optional<T> tryInOneCommit(Supplier<T> operations) {
    SessionState before = current();
    SessionState.Facts facts = before.facts();
    CommitBatch collecting = new CommitBatch();
    batch = collecting;
    T result;
    Timeline after;
    try {
      result = operations.get();
      after = before.timeline;
    } finally {
      batch = null;
      before.restore(facts);
    }
    if (collecting.isEmpty()) {
      return Optional.of(result);
    }
    Commit commit = commit(collecting.merged(facts.version()), unused -> after);
    if (isOvertaken(commit)) {
      return Optional.empty();
    }
    if (commit instanceof Commit.Conflict conflict) {
      throw conflict(conflict);
    }
    collecting.done();
    return Optional.of(result);
  }

  /** Runs something when what is being written is durable: at once, unless it is collected. */
  public void afterCommit(Runnable action) {
    CommitBatch collecting = batch;
    if (collecting == null) {
      action.run();
    } else {
      collecting.after(action);
    }
  }

  /** A turn as it is stored, or as it will be with what is being collected. */
  public Optional<TurnRow> turnRow(TurnId turn) {
    CommitBatch collecting = batch;
    return (collecting == null ? knownTurn(turn) : collecting.turn(turn))
        .or(() -> services.store().turn(scope, turn).map(StoredTurn::row));
  }

  /**
   * A turn as it is stored, if that is known without reading: where nobody else writes, that of the
   * turn which was put last. Empty while commits are collected.
   */
  public Optional<TurnRow> knownTurn(TurnId turn) {
    SessionState known = state;
    return known == null || batch != null || !services.exclusive()
        ? Optional.empty()
        : known.newestTurn(turn);
  }

  /** Whether anything was ever written to the conversation. Only inside {@link #locked}. */
  public boolean exists() {
    SessionState known = state;
    boolean written = known != null && services.exclusive() && known.version > 0;
    return written || services.store().head(scope).isPresent();
  }

  /**
   * Whether a turn names another agent than this. Only inside {@link #locked}.
   *
   * <p>Where nobody else writes, the store is asked once while the conversation is loaded.
   */
  public boolean hasOtherAgent(String agent) {
    SessionState known = services.exclusive() ? state : null;
    if (known != null && known.isOnlyOf(agent)) {
      return false;
    }
    boolean other = services.store().otherAgent(scope, agent).isPresent();
    if (known != null && known.version > 0 && !other && batch == null) {
      known.setOnlyAgent(agent);
    }
    return other;
  }

  /** Whether what is committed now is collected, so that nothing is refused before the end. */
  public boolean collects() {
    return batch != null;
  }

  /**
   * Does something that reads the current state and writes what follows from it; does it again if
   * another process wrote in between.
   *
   * @param attempt empty: it was overtaken
   */
  public <T> T untilDone(Supplier<Optional<T>> attempt) {
    for (int i = 0; i < MAX_OVERTAKEN; i++) {
      Optional<T> done = attempt.get();
      if (done.isPresent()) {
        return done.get();
      }
    }
    throw new ContextureException(
        ErrorCode.VERSION_CONFLICT,
        "the conversation changed " + MAX_OVERTAKEN + " times while it was written; try again",
        Map.of("actual_version", current().version),
        null);
  }

  /** Whether a write came too late for what it was made from, and can be made again. */
  public static boolean isOvertaken(Commit commit) {
    return commit instanceof Commit.Conflict conflict
        && switch (conflict.reason()) {
          case Reason.VersionDiffers unused -> true;
          case Reason.BlockIdsUsed unused -> true;
          case Reason.AlreadyDone unused -> true;
          case Reason.NextSidDiffers unused -> true;
          case Reason.MemoryErased unused -> true;
          case Reason.BinariesMissing unused -> true;
          default -> false;
        };
  }

  /** Notes that this process works on a turn. */
  public void claim(TurnId turn) {
    claimed = turn;
    claimedAt = services.now();
  }

  /** When this process took a turn over, if it did. */
  public Optional<Instant> claimedAt(TurnId turn) {
    return turn.equals(claimed) ? Optional.ofNullable(claimedAt) : Optional.empty();
  }

  private Commit commitWithBinaries(WriteSet set) {
    Map<String, Binary> binaries = SetContent.binaries(set);
    binaries.values().forEach(binary -> services.store().putBinary(scope.owner().scope(), binary));
    Commit commit = services.store().commit(set);
    for (int attempt = 1; attempt < MAX_ATTEMPTS; attempt++) {
      if (!(commit instanceof Commit.Conflict conflict
          && conflict.reason() instanceof Reason.BinariesMissing missing)) {
        return commit;
      }
      for (String sha256 : missing.sha256()) {
        Binary binary = binaries.get(sha256);
        if (binary != null) {
          services.store().putBinary(scope.owner().scope(), binary);
        }
      }
      commit = services.store().commit(set);
    }
    return commit;
  }

  /** Tells those who listen. */
  public void publish(JsonObject note, Commit.Committed done) {
    long last = done.blocks() == 0 ? 0 : done.firstSeq() + done.blocks() - 1;
    services.changes().publish(new Change(scope, done.version(), done.firstSeq(), last, note));
  }

  /** Tells those who listen about something that no version stands for. */
  public void publish(String type) {
    publish(JsonObject.builder().put("type", type).build());
  }

  /** Tells those who listen about something that no version stands for. */
  public void publish(JsonObject note) {
    services.changes().publish(new Change(scope, 0, 0, 0, note));
  }

  /** The error of a conflict that the caller cannot resolve by trying again. */
  public ContextureException conflict(Commit.Conflict conflict) {
    return switch (conflict.reason()) {
      case Reason.VersionDiffers differs -> versionConflict(differs.expected(), differs.actual());
      case Reason.TurnDiffers differs ->
          turnClosed(differs.turn(), String.valueOf(differs.actual()));
      case Reason.TurnOpen open -> inProgress(open.turn());
      case Reason.TurnUsed used -> turnClosed(used.turn(), "known");
      default ->
          new ContextureException(
              ErrorCode.VERSION_CONFLICT,
              "the conversation changed while it was written: " + conflict.reason(),
              Map.of("actual_version", conflict.version()),
              null);
    };
  }

  static ContextureException versionConflict(long expected, long actual) {
    return new ContextureException(
        ErrorCode.VERSION_CONFLICT,
        "the conversation has version " + actual + ", expected was " + expected + "; read it again",
        Map.of("expected_version", expected, "actual_version", actual),
        null);
  }

  public static ContextureException turnClosed(TurnId turn, String status) {
    return new ContextureException(
        ErrorCode.TURN_CLOSED,
        "turn "
            + turn
            + " is not open ("
            + status.toLowerCase(Locale.ROOT)
            + "); start another one",
        Map.of("field", "turn_id", "actual", turn.value()),
        null);
  }

  public static ContextureException inProgress(TurnId turn) {
    return new ContextureException(
        ErrorCode.TURN_IN_PROGRESS,
        "turn " + turn + " is being worked on; finish it, or start with supersede",
        Map.of("field", "turn_id", "actual", turn.value()),
        null);
  }
}
