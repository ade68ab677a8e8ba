package dev.contexture.store.sqlite;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.store.Commit;
import dev.contexture.store.jdbc.Db;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
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
 *       many, at most a quarter of the time that the last commit took. A task runs when it comes,
 *       while other callers prepare theirs.
 *   <li>If a task has to be undone, all of the group are, and run again each under a savepoint: one
 *       that conflicts or fails is then undone alone.
 *   <li>One commit, one sync; then all callers are answered.
 *   <li>If the commit fails, or SQLite gave up the transaction, a new connection shows whether it
 *       was committed all the same (a checkpoint after it may have failed). If not, each task runs
 *       in a transaction of its own: it stands or falls alone.
 * </ol>
 */
final class Writer implements AutoCloseable {
  private static final int MAX_GROUP = 256;
  private static final int MAX_HOPED = 8; // so many at a time are taken from callers that come back
  private static final long GRACE_NANOS = 1_000_000; // for one caller to wake the others
  private static final int MAX_WAITING = 4_096; // beyond it callers wait to enqueue

  private final Connector connector;
  private final Path file;
  private final DatabaseFiles files;
  private final WriteQueue<Task<?>> inbox = new WriteQueue<>(MAX_WAITING);
  private List<Task<?>> answering = List.of(); // of the last group; its first caller wakes them
  private final Queue<Task<?>> taken = new ArrayDeque<>(); // from the inbox, not in a group yet
  private final Thread thread;
  private volatile boolean closing;
  private volatile boolean failing; // since the last commit that worked
  private volatile long committedAt = System.nanoTime();
  private Db db;
  private int lastGroup = 1;
  private long lastCommitNanos;
  private long patience; // nanoseconds that this group may still wait for more tasks

  /** Opens the connection that writes. */
  interface Connector {
    Db connect() throws SQLException;
  }

  /** A piece of work and who waits for it. */
  private static final class Task<T> {
    final Db.Work<T> work;
    final Db.Landed<T> landed;
    final boolean erases; // in a transaction of its own
    final CompletableFuture<T> answer = new CompletableFuture<>();
    private List<Task<?>> others = List.of(); // of its group: its caller wakes theirs
    private @Nullable T result;
    private @Nullable Throwable failure;

    Task(Db.Work<T> work, Db.Landed<T> landed, boolean erases) {
      this.work = work;
      this.landed = landed;
      this.erases = erases;
    }

    void run(Db db) throws SQLException {
      failure = null;
      result = null; // what an undone run led to must not be taken for this one's
      result = work.run(db);
    }

    /** Whether what it wrote is there, although its commit was reported to have failed. */
    boolean landed(Db db) throws SQLException {
      T written = result;
      return failure == null && written != null && landed.test(db, written);
    }

    boolean conflicts() {
      return result instanceof Commit.Conflict;
    }

    void fail(Throwable cause) {
      failure = cause;
    }

    /** Waits for the answer and, if it is the first of its group, wakes the others. */
    T await() {
      try {
        return answer.join();
      } finally {
        wake(others);
      }
    }

    /**
     * Answers the caller. To wake many threads takes longer than to write for them, so that the
     * writer wakes one of a group, and that one the rest.
     */
    void finish(List<Task<?>> others) {
      this.others = others;
      finish();
    }

    static void wake(List<Task<?>> tasks) {
      tasks.forEach(Task::finish);
    }

    @SuppressWarnings("NullAway") // a result may be absent if T is Void
    private void finish() {
      if (failure == null) {
        answer.complete(result);
      } else {
        answer.completeExceptionally(failure);
      }
    }
  }

  Writer(Path file, DatabaseFiles files, Connector connector) throws SQLException {
    this.file = file;
    this.files = files;
    this.connector = connector;
    this.db = connector.connect();
    this.thread =
        Thread.ofPlatform().name("contexture-sqlite-writer").daemon().unstarted(this::run);
  }

  void start() {
    thread.start();
  }

  <T> T write(Db.Work<T> work, Db.Landed<T> landed) {
    return submit(new Task<>(work, landed, false));
  }

  /** Work in a transaction of its own, which may remove what other work counts on. */
  <T> T erase(Db.Work<T> work, Db.Landed<T> landed) {
    return submit(new Task<>(work, landed, true));
  }

  /** How many tasks wait to be taken. */
  int waiting() {
    return inbox.size();
  }

  private <T> T submit(Task<T> task) {
    boolean interrupted = false;
    while (true) {
      if (closing) {
        throw closed();
      }
      try {
        inbox.put(task);
        break;
      } catch (InterruptedException later) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    if (closing && inbox.remove(task)) {
      throw closed();
    }
    try {
      return task.await();
    } catch (CompletionException failed) {
      throw failed.getCause() instanceof ContextureException known
          ? new ContextureException(
              known.code(), String.valueOf(known.getMessage()), known.details(), known)
          : failed;
    }
  }

  /** Whether no commit has worked since one failed. */
  boolean isFailing() {
    return failing;
  }

  /** Whether nothing was committed for so long. */
  boolean isIdle(Duration time) {
    return System.nanoTime() - committedAt >= time.toNanos();
  }

  static ContextureException closed() {
    return new ContextureException(ErrorCode.STORE_UNAVAILABLE, "the store is closed");
  }

  private void run() {
    while (!closing || !taken.isEmpty() || !inbox.isEmpty()) {
      if (taken.isEmpty() && !take()) {
        continue; // the store is being closed: the condition decides
      }
      List<Task<?>> group = new ArrayList<>();
      try {
        write(group);
      } catch (RuntimeException | Error broken) { // whoever waits must learn of it
        group.forEach(task -> task.fail(broken));
        reconnect();
      } finally {
        Task.wake(answering);
        answering = group.subList(1, group.size());
        group.getFirst().finish(answering);
      }
    }
    Task.wake(answering);
  }

  private boolean take() {
    try {
      List<Task<?>> soon = inbox.poll(1, GRACE_NANOS, MAX_GROUP);
      if (soon.isEmpty()) { // if the first caller is held up, the others are not
        Task.wake(answering);
        answering = List.of();
        soon = inbox.take(MAX_GROUP);
      }
      taken.addAll(soon);
      return true;
    } catch (InterruptedException woken) {
      return false;
    }
  }

  /** Writes the next group, of which there is at least one task, and notes whom it served. */
  private void write(List<Task<?>> group) {
    Task<?> first = taken.remove();
    group.add(first);
    if (first.erases) {
      alone(first);
    } else {
      together(group);
    }
  }

  /** The task that joins the group, if one comes while it is worth waiting for. */
  private @Nullable Task<?> next(int size) {
    if (taken.isEmpty() && size < lastGroup) {
      int hoped = Math.min(MAX_HOPED, lastGroup - size);
      long start = System.nanoTime();
      try {
        taken.addAll(inbox.poll(hoped, patience, MAX_GROUP - size));
        patience -= System.nanoTime() - start;
      } catch (InterruptedException woken) {
        Thread.currentThread().interrupt(); // the store is being closed: this group comes first
      }
    }
    Task<?> next = taken.peek();
    return next == null || next.erases ? null : taken.remove();
  }

  private void together(List<Task<?>> group) {
    patience = lastCommitNanos / 4;
    try {
      boolean guarded = false;
      Task<?> task = group.getFirst();
      while (task != null) {
        if (guarded) {
          underSavepoint(task);
        } else if (!unguarded(task)) {
          guarded = true;
          db.rollback();
          for (Task<?> again : group) {
            underSavepoint(again);
          }
        }
        task = next(group.size());
        if (task != null) {
          group.add(task);
        }
      }
      lastGroup = group.size();
      commit();
    } catch (SQLException | RuntimeException lost) {
      reconnect();
      if (!landed(group)) {
        group.forEach(this::alone);
      }
    }
  }

  /**
   * Runs a task without a savepoint, which most do not need.
   *
   * @return false if it has to be undone, for which the whole group must be
   */
  private boolean unguarded(Task<?> task) {
    long before = db.writes();
    try {
      task.run(db);
      return !task.conflicts() || db.writes() == before;
    } catch (SQLException | RuntimeException failed) {
      return false; // it runs again under a savepoint, where it may fail alone
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
    } catch (SQLException | RuntimeException unusable) { // also of a row that cannot be read
      return false; // each task will find that out for itself
    }
  }

  /** A failure of the task stays with it; one of the savepoint loses the transaction. */
  private void underSavepoint(Task<?> task) throws SQLException {
    db.sql("SAVEPOINT task").update();
    try {
      task.run(db);
      if (!task.conflicts()) {
        db.sql("RELEASE task").update();
        return;
      }
    } catch (SQLException failed) {
      task.fail(SqliteErrors.of(failed, file));
      db.forget(); // it may know what is undone
    } catch (RuntimeException failed) {
      task.fail(failed);
      db.forget();
    }
    db.sql("ROLLBACK TO task").update();
    db.sql("RELEASE task").update();
  }

  private void alone(Task<?> task) {
    try {
      task.run(db);
      if (task.conflicts()) {
        db.rollback();
        return;
      }
      commit();
    } catch (SQLException failed) {
      failing = true;
      reconnect();
      if (!landed(List.of(task))) {
        task.fail(files.problem().orElseGet(() -> SqliteErrors.of(failed, file)));
      }
    } catch (RuntimeException failed) {
      reconnect();
      task.fail(failed);
    }
    if (task.erases) {
      db.forget();
    }
  }

  /** What is committed into files that are gone is lost, and is not acknowledged. */
  private void commit() throws SQLException {
    files.require();
    long start = System.nanoTime();
    db.commit();
    lastCommitNanos = System.nanoTime() - start;
    files.require();
    failing = false;
    committedAt = System.nanoTime();
  }

  private void reconnect() {
    try {
      db.close();
    } catch (SQLException broken) {
      // what it had not committed is undone by SQLite itself
    }
    try {
      db = connector.connect();
    } catch (SQLException | ContextureException unusable) {
      // the next statement on the closed connection fails and says so
    }
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
      throw SqliteErrors.of(failed, file);
    }
  }
}
