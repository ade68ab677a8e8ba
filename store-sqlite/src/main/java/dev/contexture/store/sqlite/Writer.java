package dev.contexture.store.sqlite;

import dev.contexture.block.Scope;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.store.Commit;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The one thread that writes. Thread-safe towards callers; everything below {@link #run} is
 * confined to that thread.
 *
 * <p>How it groups:
 *
 * <ol>
 *   <li>It takes the first task that waits, then all others, up to {@link #MAX_GROUP}. If the group
 *       before was larger, its callers are about to come back with their next task: it waits for as
 *       many, at most a quarter of the time that the last commit took.
 *   <li>Each task runs under a savepoint. One that conflicts or fails is undone alone.
 *   <li>One commit, one sync; then all callers are answered.
 *   <li>If the commit fails, or SQLite gave up the transaction, a new connection shows whether it
 *       was committed all the same (a checkpoint after it may have failed). If not, each task runs
 *       in a transaction of its own: it stands or falls alone.
 * </ol>
 */
final class Writer implements AutoCloseable {
  private static final int MAX_GROUP = 256;
  private static final int MAX_WAITING = 4_096; // beyond it callers wait to enqueue
  private static final int MAX_HEADS = 4_096;

  private final Connector connector;
  private final Path file;
  private final BlockingQueue<Task<?>> queue = new LinkedBlockingQueue<>(MAX_WAITING);
  private final Thread thread;
  private final Map<Scope.OfConversation, ConversationState> heads = new LinkedHashMap<>();
  private volatile boolean closing;
  private Db db;
  private int lastGroup = 1;
  private long lastCommitNanos;

  /** Opens the connection that writes. */
  interface Connector {
    Db connect() throws SQLException;
  }

  /** What is written as a whole. */
  interface Work<T> {
    T run(Db db) throws SQLException;
  }

  /** A piece of work and who waits for it. */
  private static final class Task<T> {
    final Work<T> work;
    final boolean alone; // in a transaction of its own, with an empty log afterwards
    final CompletableFuture<T> answer = new CompletableFuture<>();
    private @Nullable T result;
    private @Nullable Throwable failure;

    final Scope.@Nullable OfConversation raises; // whose version it raises

    Task(Work<T> work, boolean alone, Scope.@Nullable OfConversation raises) {
      this.work = work;
      this.alone = alone;
      this.raises = raises;
    }

    void run(Db db) throws SQLException {
      failure = null;
      result = work.run(db);
    }

    /** Whether what it wrote is there, although its commit was reported to have failed. */
    boolean landed(Db db) throws SQLException {
      if (failure != null || raises == null || !(result instanceof Commit.Committed committed)) {
        return false;
      }
      return ConversationState.find(db, raises)
          .map(state -> state.version >= committed.version())
          .orElse(false);
    }

    boolean conflicts() {
      return result instanceof Commit.Conflict;
    }

    void fail(Throwable cause) {
      failure = cause;
    }

    @SuppressWarnings("NullAway") // a result may be absent if T is Void
    void finish() {
      if (failure == null) {
        answer.complete(result);
      } else {
        answer.completeExceptionally(failure);
      }
    }
  }

  Writer(Path file, Connector connector) throws SQLException {
    this.file = file;
    this.connector = connector;
    this.db = connector.connect();
    this.thread =
        Thread.ofPlatform().name("contexture-sqlite-writer").daemon().unstarted(this::run);
  }

  void start() {
    thread.start();
  }

  Commit commit(EncodedSet set) {
    Scope.OfConversation raises = set.set().raisesVersion() ? set.set().conversation() : null;
    return submit(new Task<>(db -> apply(db, set), false, raises));
  }

  <T> T write(Work<T> work) {
    return submit(new Task<>(work, false, null));
  }

  <T> T erase(Work<T> work) {
    return submit(new Task<>(work, true, null));
  }

  private <T> T submit(Task<T> task) {
    boolean interrupted = false;
    while (true) {
      if (closing) {
        throw closed();
      }
      try {
        queue.put(task);
        break;
      } catch (InterruptedException later) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    if (closing && queue.remove(task)) {
      throw closed();
    }
    try {
      return task.answer.join();
    } catch (CompletionException failed) {
      throw failed.getCause() instanceof ContextureException known
          ? new ContextureException(
              known.code(), String.valueOf(known.getMessage()), known.details(), known)
          : failed;
    }
  }

  private static ContextureException closed() {
    return new ContextureException(ErrorCode.STORE_UNAVAILABLE, "the store is closed");
  }

  private void run() {
    List<Task<?>> group = new ArrayList<>();
    while (!closing || !queue.isEmpty()) {
      try {
        group.add(queue.take());
      } catch (InterruptedException woken) {
        continue; // the store is being closed: the condition decides
      }
      gather(group);
      try {
        write(group);
      } catch (Error broken) { // whoever waits must learn of it, and others must be served
        group.forEach(task -> task.fail(broken));
        reconnect();
      }
      group.forEach(Task::finish);
      group.clear();
    }
  }

  private void gather(List<Task<?>> group) {
    queue.drainTo(group, MAX_GROUP - group.size());
    long deadline = System.nanoTime() + lastCommitNanos / 4;
    try {
      while (group.size() < lastGroup) {
        Task<?> next = queue.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
        if (next == null) {
          break;
        }
        group.add(next);
        queue.drainTo(group, MAX_GROUP - group.size());
      }
    } catch (InterruptedException woken) {
      Thread.currentThread().interrupt(); // the store is being closed: this group comes first
    }
    lastGroup = group.size();
  }

  private void write(List<Task<?>> group) {
    List<Task<?>> together = new ArrayList<>();
    for (Task<?> task : group) {
      if (task.alone) {
        together(together);
        together.clear();
        alone(task);
      } else {
        together.add(task);
      }
    }
    together(together);
  }

  private void together(List<Task<?>> group) {
    if (group.isEmpty()) {
      return;
    }
    try {
      for (Task<?> task : group) {
        underSavepoint(task);
      }
      commit();
    } catch (SQLException | RuntimeException lost) {
      reconnect();
      if (!landed(group)) {
        group.forEach(this::alone);
      }
    }
  }

  /** A group lands as a whole, so that one of its tasks tells. */
  private boolean landed(List<Task<?>> group) {
    try {
      boolean landed = false;
      for (Task<?> task : group) {
        landed = landed || task.landed(db);
      }
      db.rollback();
      return landed;
    } catch (SQLException unusable) {
      return false; // each task will find that out for itself
    }
  }

  /** A failure of the task stays with it; one of the savepoint loses the transaction. */
  private void underSavepoint(Task<?> task) throws SQLException {
    db.update("SAVEPOINT task");
    try {
      task.run(db);
      if (!task.conflicts()) {
        db.update("RELEASE task");
        return;
      }
    } catch (SQLException failed) {
      task.fail(Failures.of(failed, file));
    } catch (RuntimeException failed) {
      task.fail(failed);
    }
    heads.clear();
    db.update("ROLLBACK TO task");
    db.update("RELEASE task");
  }

  private void alone(Task<?> task) {
    try {
      task.run(db);
      if (task.conflicts()) {
        heads.clear();
        db.rollback();
        return;
      }
      commit();
      if (task.alone) {
        heads.clear();
        emptyLog();
      }
    } catch (SQLException failed) {
      reconnect();
      if (!landed(List.of(task))) {
        task.fail(Failures.of(failed, file));
      }
    } catch (RuntimeException failed) {
      reconnect();
      task.fail(failed);
    }
  }

  private void commit() throws SQLException {
    long start = System.nanoTime();
    db.commit();
    lastCommitNanos = System.nanoTime() - start;
  }

  /** Readers that are under way may keep the log from being emptied; they end soon. */
  private void emptyLog() throws SQLException {
    for (int attempt = 0; !db.truncateLog(); attempt++) {
      if (attempt == 100) {
        throw new ContextureException(
            ErrorCode.STORE_UNAVAILABLE,
            "erased, but reads kept the log of " + file + " in use; it is emptied when it closes");
      }
    }
  }

  private void reconnect() {
    heads.clear();
    try {
      db.close();
    } catch (SQLException broken) {
      // what it had not committed is undone by SQLite itself
    }
    try {
      db = connector.connect();
    } catch (SQLException unusable) {
      // the next statement on the closed connection fails and says so
    }
  }

  private Commit apply(Db db, EncodedSet set) throws SQLException {
    Scope.OfConversation scope = set.set().conversation();
    ConversationState state = heads.get(scope);
    if (state == null) {
      state = ConversationState.find(db, scope).orElseGet(ConversationState::new);
      if (heads.size() >= MAX_HEADS) {
        heads.clear();
      }
      heads.put(scope, state);
    }
    return new Applier(db, set, state).apply();
  }

  @Override
  public void close() {
    closing = true;
    thread.interrupt();
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException later) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    try {
      db.close();
    } catch (SQLException failed) {
      throw Failures.of(failed, file);
    }
  }
}
