package dev.contexture;

import dev.contexture.block.Scope;
import dev.contexture.event.Change;
import dev.contexture.event.Changes;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.store.ChangeRecord;
import dev.contexture.store.OutboxRow;
import dev.contexture.store.Store;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The changes of one project in a shared store, and who listens to them.
 *
 * <p>How it works: what this process does is told at once. The outbox names, behind a number, the
 * conversations whose turns changed, whoever did it; of each the commits behind the last one that
 * was told are read, and told unless they were. Of a conversation that was not met yet, those that
 * were made since this began are told, and its newest one. {@link #look} is confined to one thread;
 * the rest is thread-safe.
 */
final class FollowedProject implements AutoCloseable {
  private static final int PAGE = 500;
  private static final int FIRST_SIGHT = 50; // commits that are looked at
  private static final int MAX_KNOWN = 4_096;

  private final Scope scope;
  private final Store store;
  private final Instant since;
  private final List<Consumer<Change>> listeners = new CopyOnWriteArrayList<>();
  private final List<Changes.Subscription> sources;
  private final Map<Scope.OfConversation, Told> told = // guarded by itself; the eldest goes
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Scope.OfConversation, Told> eldest) {
          return size() > MAX_KNOWN;
        }
      };
  private long position; // confined to the thread that looks

  /** What was told of a conversation. Guarded by the map. */
  private static final class Told {
    long upTo = -1; // the last one that was read; -1: none was
    final Set<Long> own = new LinkedHashSet<>(); // told by this process, behind that
    boolean erased;
  }

  /**
   * @param since what was committed earlier is not told
   * @param hint that the store hears of others, which is closed with this
   */
  FollowedProject(
      Scope scope, Store store, Instant since, Changes changes, Changes.Subscription hint) {
    this.scope = scope;
    this.store = store;
    this.since = since;
    this.position = store.outboxEnd();
    this.sources = List.of(hint, changes.subscribe(this::own));
  }

  Scope scope() {
    return scope;
  }

  void add(Consumer<Change> listener) {
    listeners.add(listener);
  }

  /** Removes a listener, and says whether there are others. */
  boolean remove(Consumer<Change> listener) {
    listeners.remove(listener);
    return !listeners.isEmpty();
  }

  private void own(Change change) {
    if (change.conversation().owner().scope().equals(scope) && isFresh(change)) {
      tell(change);
    }
  }

  private boolean isFresh(Change change) {
    boolean begins = change.note().string("type").filter("compacting"::equals).isPresent();
    synchronized (told) {
      if (change.version() == 0) {
        return forget(change.conversation());
      }
      Told known = told.computeIfAbsent(change.conversation(), first -> new Told());
      known.erased = false;
      return begins || (change.version() > known.upTo && known.own.add(change.version()));
    }
  }

  /** Notes that a conversation is gone; false: that was told. */
  private boolean forget(Scope.OfConversation conversation) {
    Told known = told.remove(conversation);
    Told gone = new Told();
    gone.erased = true;
    told.put(conversation, gone);
    return known == null || !known.erased;
  }

  /** Tells of a conversation that some process erased. */
  void erased(Scope.OfConversation conversation) {
    boolean fresh;
    synchronized (told) {
      fresh = forget(conversation);
    }
    if (fresh) {
      JsonObject note = JsonObject.builder().put("type", JsonValue.of("erase")).build();
      tell(new Change(conversation, 0, 0, 0, note));
    }
  }

  /** Reads what others did since the last time. */
  void look() {
    List<OutboxRow> page;
    do {
      page = store.outbox(scope, position, PAGE);
      Set<Scope.OfConversation> changed = new LinkedHashSet<>();
      for (OutboxRow row : page) {
        switch (row.entry()) {
          case OutboxRow.TurnChanged turn -> changed.add(turn.conversation());
          case OutboxRow.TurnErased turn -> changed.add(turn.conversation());
          default -> {} // not of a conversation that is there
        }
      }
      changed.forEach(this::catchUp);
      position = page.isEmpty() ? position : page.getLast().number();
    } while (page.size() == PAGE);
  }

  private void catchUp(Scope.OfConversation conversation) {
    long known;
    synchronized (told) {
      known = told.computeIfAbsent(conversation, first -> new Told()).upTo;
    }
    long version = store.version(conversation);
    long after = known >= 0 ? known : Math.max(0, version - FIRST_SIGHT);
    boolean recent = known >= 0;
    List<ChangeRecord> page;
    do {
      page = store.changes(conversation, after, PAGE);
      for (ChangeRecord change : page) {
        Instant at = change.at();
        recent |= at != null && !at.isBefore(since);
        after = change.version();
        if (isUntold(conversation, after) && (recent || after == version)) {
          tell(change(conversation, change));
        }
      }
    } while (page.size() == PAGE);
  }

  private boolean isUntold(Scope.OfConversation conversation, long version) {
    synchronized (told) {
      Told known = told.computeIfAbsent(conversation, first -> new Told());
      known.upTo = Math.max(known.upTo, version);
      known.erased = false;
      return !known.own.remove(version);
    }
  }

  private static Change change(Scope.OfConversation conversation, ChangeRecord record) {
    @Nullable JsonObject note = record.note();
    return new Change(
        conversation,
        record.version(),
        record.firstSeq(),
        record.lastSeq(),
        note == null ? JsonObject.EMPTY : note);
  }

  private void tell(Change change) {
    for (Consumer<Change> listener : listeners) {
      try {
        listener.accept(change);
      } catch (RuntimeException failed) {
        System.getLogger(FollowedProject.class.getName())
            .log(System.Logger.Level.WARNING, "a listener failed", failed);
      }
    }
  }

  @Override
  public void close() {
    sources.forEach(Changes.Subscription::close);
  }
}
