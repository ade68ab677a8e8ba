package dev.contexture.engine.search;

import dev.contexture.block.Scope;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.search.DamagedIndexException;
import dev.contexture.search.IndexChange;
import dev.contexture.search.IndexDocument;
import dev.contexture.search.IndexPosition;
import dev.contexture.search.ParkedEntries;
import dev.contexture.search.SearchIndex;
import dev.contexture.store.OutboxRow;
import dev.contexture.store.Store;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Brings the index of one scope up to date with the outbox. One thread at a time works on it; any
 * number may wait for it. Thread-safe.
 */
final class ScopeIndexer {
  private static final System.Logger LOG = System.getLogger(ScopeIndexer.class.getName());
  private static final int BATCH = 256;
  private static final int COMMIT_AFTER_ROWS = 20_000;
  private static final long COMMIT_AFTER_NANOS = Duration.ofSeconds(15).toNanos();
  private static final long COMMIT_EVERY_NANOS = Duration.ofSeconds(10).toNanos();
  private static final long PROGRESS_NANOS = Duration.ofSeconds(5).toNanos();
  private static final long FOLLOW_NANOS = Duration.ofSeconds(2).toNanos();
  private static final long LOOK_NANOS = Duration.ofMillis(50).toNanos();
  private static final int TELL_ROWS = 2_000;
  private static final int MAX_PARKED = 100;

  private final Scope scope;
  private final Store store;
  private final SearchIndex.Provider indexes;
  private final BooleanSupplier stopped;
  private final MessageChanges messages;
  private final MemoryEntries memories;
  private final ReentrantLock working = new ReentrantLock();
  private final ReentrantLock waiting = new ReentrantLock();
  private final Condition advanced = waiting.newCondition();
  private long written = -1; // up to where this process wrote last; confined to the one that works
  private volatile long position = -1;
  private volatile long embedded = -1; // the last change with vectors
  private volatile boolean uncommitted;
  private volatile long committedAt = System.nanoTime() - COMMIT_EVERY_NANOS;
  private volatile boolean failing;
  private int parkedNow; // confined to the thread that works
  private volatile @Nullable ParkedEntries parked;

  /**
   * @param stopped whether nothing more is to be begun: the outbox keeps the rest for the next
   *     start
   */
  ScopeIndexer(Scope scope, Store store, SearchIndex.Provider indexes, BooleanSupplier stopped) {
    this.stopped = stopped;
    this.scope = scope;
    this.store = store;
    this.indexes = indexes;
    this.messages = new MessageChanges(store);
    this.memories = new MemoryEntries(store, scope);
  }

  Scope scope() {
    return scope;
  }

  /** Whether the outbox holds nothing that is not indexed; false while nobody looked. */
  boolean isCurrent() {
    return position >= 0 && !uncommitted && store.outbox(scope, position, 1).isEmpty();
  }

  /** Indexes until the outbox holds nothing more, and commits what that led to. */
  void drain(LongConsumer progress) {
    run(progress, false);
  }

  /** Starts from nothing and indexes everything again. */
  void rebuild(LongConsumer progress) {
    run(progress, true);
  }

  private void run(LongConsumer progress, boolean fromNothing) {
    boolean done = false;
    working.lock();
    try {
      SearchIndex used = indexes.open(scope);
      try (used) {
        workOrFollow(used, progress, fromNothing);
      } catch (DamagedIndexException damaged) {
        replace(used, damaged);
        try (SearchIndex index = indexes.open(scope)) {
          workOrFollow(index, progress, false);
        }
      }
      done = true;
    } finally {
      failing = !done;
      working.unlock();
    }
  }

  /** Drops an index that cannot be used, unless somebody has done so; the next drain fills it. */
  void replace(SearchIndex damaged, DamagedIndexException why) {
    working.lock();
    try (SearchIndex now = indexes.open(scope)) {
      if (now == damaged) {
        LOG.log(
            System.Logger.Level.WARNING,
            "the search index of " + name() + " is damaged and is built anew",
            why);
        messages.forget();
        indexes.drop(scope);
        reached(0);
      }
    } finally {
      working.unlock();
    }
  }

  /** Works if no other process does; else waits a little for what that one does. */
  private void workOrFollow(SearchIndex index, LongConsumer progress, boolean fromNothing) {
    if (!fromNothing && parked != null && isUpToDate(index)) {
      return; // without taking a duty, which others would see
    }
    boolean ours = index.take(SearchIndex.Duty.WORDS);
    long end = System.nanoTime() + FOLLOW_NANOS;
    while (!ours && System.nanoTime() < end && !stopped.getAsBoolean()) {
      if (isUpToDate(index) && !fromNothing) {
        return;
      }
      LockSupport.parkNanos(LOOK_NANOS);
      ours = index.take(SearchIndex.Duty.WORDS);
    }
    if (ours) {
      try {
        work(index, progress, fromNothing);
      } finally {
        index.release(SearchIndex.Duty.WORDS);
      }
    } else if (fromNothing) {
      throw new ContextureException(
          ErrorCode.SEARCH_UNAVAILABLE,
          "another process works on the search index of " + name() + "; try again");
    }
  }

  private boolean isUpToDate(SearchIndex index) {
    reached(index.position().text());
    return store.outbox(scope, position, 1).isEmpty();
  }

  private void work(SearchIndex index, LongConsumer progress, boolean fromNothing) {
    if (fromNothing || index.position().text() != written) { // another one than we left
      messages.forget();
    }
    if (fromNothing) {
      index.write(List.of(new IndexChange.RemoveAll()), IndexPosition.START);
    }
    boolean fresh = index.position().text() == 0;
    if (parked == null && !fresh) { // the first work of this process, before vectors are made
      uncommitted |= retryParked(index);
    }
    if (position < 0 || fromNothing || index.position().text() < position) {
      reached(index.position().text());
    }
    long rows = 0;
    long uncommittedRows = 0;
    long told = System.nanoTime();
    long committed = told;
    boolean erased = false;
    if (parked == null || fromNothing) {
      countParked(index);
    }
    while (!stopped.getAsBoolean()) {
      List<OutboxRow> page = store.outbox(scope, index.position().text(), BATCH);
      if (page.isEmpty()) {
        break;
      }
      parkedNow = 0;
      erased |= write(index, page);
      if (parkedNow > 0) {
        countParked(index); // before a search that waits goes on
      }
      rows += page.size();
      uncommittedRows += page.size();
      uncommitted = true;
      written = index.position().text();
      reached(written);
      progress.accept(rows);
      long now = System.nanoTime();
      if (now - told > PROGRESS_NANOS) {
        tell(fresh, rows, " so far");
        told = now;
      }
      if (uncommittedRows >= COMMIT_AFTER_ROWS || now - committed > COMMIT_AFTER_NANOS) {
        index.commit();
        uncommittedRows = 0;
        committed = System.nanoTime();
      }
    }
    if (rows >= TELL_ROWS) {
      tell(fresh, rows, ", done");
    }
    if (rows > 0 && parked().count() > 0) {
      countParked(index);
    }
    if (erased || rows >= TELL_ROWS) {
      commit(index);
    }
    if (erased && !store.isShared()) { // else others, and who is down now, need the names
      store.forgetErased(scope, index.position().text());
    }
  }

  private boolean retryParked(SearchIndex index) {
    messages.begin();
    return new ParkedRetry(
            index,
            after -> store.outbox(scope, after, BATCH),
            row -> changesOrParked(index, row, Set.of()))
        .run();
  }

  private void tell(boolean fresh, long rows, String how) {
    LOG.log(
        System.Logger.Level.INFO,
        (fresh ? "building the search index of " : "updating the search index of ")
            + name()
            + ": "
            + rows
            + " changes indexed"
            + how);
  }

  String name() {
    return scope.tenant() + "/" + scope.project();
  }

  private void commit(SearchIndex index) {
    index.commit();
    uncommitted = false;
    committedAt = System.nanoTime();
  }

  /**
   * Makes durable what was indexed, unless that happened just now: a commit writes files and waits
   * for the disk, and what a crash takes back is indexed again from the outbox.
   */
  void commitIfDue() {
    if (System.nanoTime() - committedAt >= COMMIT_EVERY_NANOS) {
      commitIfNeeded();
    }
  }

  /** Makes durable what was indexed, if that has not happened yet. */
  void commitIfNeeded() {
    if (uncommitted && working.tryLock()) {
      try (SearchIndex index = indexes.open(scope)) {
        commit(index);
      } catch (DamagedIndexException damaged) {
        position = -1; // the next drain finds out and builds it again
        LOG.log(System.Logger.Level.WARNING, "the search index of " + name(), damaged);
      } finally {
        working.unlock();
      }
    }
  }

  /** Writes what a page of the outbox leads to, and says whether something was erased. */
  private boolean write(SearchIndex index, List<OutboxRow> page) {
    Set<String> batch = new HashSet<>();
    for (OutboxRow row : page) {
      if (row.entry() instanceof OutboxRow.TurnChanged changed) {
        batch.add(MessageEntries.group(changed.conversation(), changed.turn().value()));
      }
    }
    List<IndexChange> changes = new ArrayList<>();
    boolean erased = false;
    IndexPosition before = index.position();
    messages.begin();
    for (OutboxRow row : page) {
      List<IndexChange> found = changesOrParked(index, row, batch);
      changes.addAll(found);
      erased |= found.stream().anyMatch(ScopeIndexer::erases);
    }
    try {
      parkedNow = index.write(changes, before.withText(page.getLast().number()));
    } catch (RuntimeException failed) {
      messages.forget();
      throw failed;
    }
    return erased;
  }

  /** What a row leads to; what the store cannot read any more is parked. */
  private List<IndexChange> changesOrParked(SearchIndex index, OutboxRow row, Set<String> batch) {
    try {
      return changes(index, row, batch);
    } catch (ContextureException | NoSuchElementException unreadable) {
      if (!isUnreadable(unreadable)) {
        throw unreadable;
      }
      messages.forget();
      LOG.log(
          System.Logger.Level.WARNING,
          "a change of " + name() + " cannot be read and is parked",
          unreadable);
      return List.of(new IndexChange.ParkText(RowEntry.of(row), "the store cannot read it"));
    }
  }

  /** Whether trying again cannot help, unlike with a store that is full or closed. */
  static boolean isUnreadable(RuntimeException failed) {
    return failed instanceof NoSuchElementException
        || (failed instanceof ContextureException refused
            && refused.code() == ErrorCode.STORE_DAMAGED);
  }

  private List<IndexChange> changes(SearchIndex index, OutboxRow row, Set<String> batch) {
    return switch (row.entry()) {
      case OutboxRow.TurnChanged changed ->
          messages.changed(index, changed.conversation(), changed.turn(), batch);
      case OutboxRow.TurnErased erased ->
          messages.removed(index, erased.conversation(), erased.turn(), batch, true);
      case OutboxRow.ConversationErased erased ->
          messages.conversationErased(erased.conversation());
      case OutboxRow.MemoryBlockChanged changed -> memories.blockChanged(changed.block());
      case OutboxRow.MemoryBlockErased erased -> memories.erased(erased.block());
      case OutboxRow.ArchivalAdded added -> memories.archivalAdded(added.id());
      case OutboxRow.ArchivalErased erased -> memories.erased(erased.id());
      case OutboxRow.ScopeErased unused -> {
        messages.forget();
        yield List.of(new IndexChange.RemoveAll());
      }
    };
  }

  private static boolean erases(IndexChange change) {
    return switch (change) {
      case IndexChange.RemoveGroup remove -> remove.erase();
      case IndexChange.RemoveConversation unused -> true;
      case IndexChange.RemoveAll unused -> true;
      default -> false;
    };
  }

  /** Does something with the index while nobody else writes to it. */
  <T> T writing(Function<SearchIndex, T> work) {
    working.lock();
    try (SearchIndex index = indexes.open(scope)) {
      T done = work.apply(index);
      uncommitted = true;
      return done;
    } finally {
      working.unlock();
    }
  }

  <T> T reading(Function<SearchIndex, T> work) {
    try (SearchIndex index = indexes.open(scope)) {
      return work.apply(index);
    }
  }

  /** Rows of the outbox behind one number, up to another. */
  List<OutboxRow> rows(long after, long upTo, int limit) {
    return store.outbox(scope, after, limit).stream()
        .takeWhile(row -> row.number() <= upTo)
        .toList();
  }

  /** The entries that a row is about, as the store holds them now. */
  List<IndexDocument> documents(OutboxRow row) {
    return switch (row.entry()) {
      case OutboxRow.TurnChanged changed ->
          new MessageChanges(store)
              .documents(changed.conversation(), changed.turn()).stream()
                  .map(IndexChange.Put::document)
                  .toList();
      case OutboxRow.MemoryBlockChanged changed ->
          memories.block(changed.block()).map(List::of).orElse(List.of());
      case OutboxRow.ArchivalAdded added ->
          memories.archival(added.id()).map(List::of).orElse(List.of());
      case OutboxRow.TurnErased unused -> List.of();
      case OutboxRow.ConversationErased unused -> List.of();
      case OutboxRow.MemoryBlockErased unused -> List.of();
      case OutboxRow.ArchivalErased unused -> List.of();
      case OutboxRow.ScopeErased unused -> List.of();
    };
  }

  private void reached(long number) {
    waiting.lock();
    try {
      position = number;
      advanced.signalAll();
    } finally {
      waiting.unlock();
    }
  }

  /** Takes over where the index stands, if nobody has looked yet. */
  private void reachedAtLeast(long number) {
    waiting.lock();
    try {
      position = Math.max(position, number);
    } finally {
      waiting.unlock();
    }
  }

  /** How far the index has come, as far as this process knows; -1: nobody looked. */
  long position() {
    return position;
  }

  /** Waits until the index has come to a number; false: not in time. */
  boolean await(long number, long deadlineNanos) throws InterruptedException {
    waiting.lockInterruptibly();
    try {
      while (position < number) {
        long left = deadlineNanos - System.nanoTime();
        if (left <= 0) {
          return false;
        }
        long unused = advanced.awaitNanos(Math.min(left, TimeUnit.SECONDS.toNanos(1)));
      }
      return true;
    } finally {
      waiting.unlock();
    }
  }

  /** Reads again which entries are parked. */
  void countParked(SearchIndex index) {
    List<ParkedEntries.Entry> first =
        index.parked(MAX_PARKED).stream()
            .map(entry -> new ParkedEntries.Entry(scope, entry.id(), entry.error()))
            .toList();
    long count = first.size() < MAX_PARKED ? first.size() : index.counts().parked();
    parked = new ParkedEntries(count, first);
  }

  /** Entries that were left out, as far as this process looked. */
  ParkedEntries parked() {
    ParkedEntries known = parked;
    return known == null ? ParkedEntries.NONE : known;
  }

  /** How many changes are not indexed, without opening the index; 0 while nobody looked. */
  long knownLag() {
    return position < 0 && !failing ? 0 : lag(Math.max(0, position));
  }

  /** Notes up to which change vectors are made. */
  void embeddedUpTo(long number) {
    embedded = number;
  }

  /** How many changes have no vectors, if that was looked at; else 0. */
  long knownVectorLag() {
    return embedded < 0 ? 0 : lag(embedded);
  }

  /** How many changes lie behind a number. */
  long lag(long from) {
    return store.outboxTail(scope, from).rows();
  }

  /** How many changes are not indexed. */
  long lag() {
    if (position < 0) {
      reading(
          index -> {
            reachedAtLeast(index.position().text());
            return true;
          });
    }
    return lag(position);
  }
}
