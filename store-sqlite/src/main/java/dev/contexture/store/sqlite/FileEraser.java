package dev.contexture.store.sqlite;

import dev.contexture.block.Scope;
import dev.contexture.store.Commit;
import dev.contexture.store.EraseReport;
import dev.contexture.store.jdbc.Db;
import dev.contexture.store.jdbc.EraseJob;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Erases beyond recovery, and finishes in the background what others hold up. Thread-safe.
 *
 * <ol>
 *   <li>What one transaction can remove goes in one. A user, an agent or a project goes in steps,
 *       between which others write; a row of {@code erasures} names it until the last step, so that
 *       a process that dies in between goes on when the store is opened again.
 *   <li>The same transaction notes that the log has to be emptied: copies of the pages that were
 *       overwritten are in it, and in the database file until the log was moved there. That cannot
 *       be done while somebody reads an older state of the file, such as a backup.
 *   <li>A thread of its own tries to empty the log, in attempts so short that no writer notices
 *       them, until it succeeds. Then the note goes.
 * </ol>
 */
final class FileEraser implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(FileEraser.class.getName());
  private static final int ATTEMPT_MILLIS = 20; // what an attempt may hold up other writers
  private static final long FIRST_PAUSE_NANOS = Duration.ofMillis(10).toNanos();
  private static final long LONGEST_PAUSE_NANOS = Duration.ofSeconds(1).toNanos();
  private static final Duration ANSWER_WITHIN = Duration.ofMillis(500);

  private final Writer writer;
  private final Thread thread;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Set<Long> running = new HashSet<>(); // jobs in the threads of their callers
  private long asked; // how often something was erased
  private long finished; // up to which of those nothing is left in the files
  private boolean closed;

  FileEraser(Writer writer) {
    this.writer = writer;
    this.thread =
        Thread.ofPlatform().name("contexture-sqlite-eraser").daemon().unstarted(this::run);
  }

  /** Whether something was still being erased when the store was closed last. */
  static boolean isDue(Db db) throws SQLException {
    return db.sql("SELECT 1 FROM erasures LIMIT 1").exists();
  }

  /**
   * @param due whether there is something to finish
   */
  void start(boolean due) {
    asked = due ? 1 : 0;
    thread.start();
  }

  /** Erases in one transaction; if its result is false or a conflict, there was nothing. */
  <T> T erase(Db.Work<T> work, Db.Landed<T> landed) {
    T result =
        writer.erase(
            db -> {
              T done = work.run(db);
              if (removes(done)) {
                noteLog(db);
              }
              return done;
            },
            landed);
    if (removes(result)) {
      finishSoon();
    }
    return result;
  }

  private static boolean removes(Object result) {
    return !result.equals(false) && !(result instanceof Commit.Conflict);
  }

  private static void noteLog(Db db) throws SQLException {
    db.sql(
            "INSERT INTO erasures (kind, tenant, project, subject) SELECT 'LOG', '', '', ''"
                + " WHERE NOT EXISTS (SELECT 1 FROM erasures WHERE kind = 'LOG')")
        .update();
  }

  EraseReport inSteps(EraseJob.Kind kind, Scope scope, String subject) {
    Map<String, Long> counts = new TreeMap<>();
    EraseJob job =
        writer.write(db -> EraseJob.begin(db, kind, scope, subject), (db, begun) -> false);
    locked(
        () -> running.add(job.id())); // should the other thread be faster, it counts what it does
    try {
      finish(job, counts);
    } finally {
      locked(() -> running.remove(job.id()));
      finishSoon(); // also what failed here
    }
    return new EraseReport(counts, isErasing());
  }

  private void finish(EraseJob job, Map<String, Long> counts) {
    EraseJob.Step step;
    do {
      step = writer.erase(db -> step(db, job), (db, done) -> false);
      step.counts().forEach((kind, count) -> counts.merge(kind, count, Long::sum));
    } while (!step.last());
  }

  private static EraseJob.Step step(Db db, EraseJob job) throws SQLException {
    EraseJob.Step step = job.step(db);
    if (step.last()) {
      noteLog(db);
    }
    return step;
  }

  /** Whether copies of something that was erased may still be in the files. */
  boolean isErasing() {
    lock.lock();
    try {
      return finished < asked || !running.isEmpty();
    } finally {
      lock.unlock();
    }
  }

  /** Has the log emptied, and waits for it as long as a caller may wait. */
  private void finishSoon() {
    lock.lock();
    try {
      long mine = ++asked;
      changed.signalAll();
      long left = ANSWER_WITHIN.toNanos();
      while (finished < mine && left > 0 && !closed) {
        left = changed.awaitNanos(left);
      }
    } catch (InterruptedException early) {
      Thread.currentThread().interrupt(); // it goes on in the background
    } finally {
      lock.unlock();
    }
  }

  private void run() {
    long pause = FIRST_PAUSE_NANOS;
    long wanted = nextWanted();
    while (wanted > 0) {
      boolean done = tryToFinish();
      pause = done ? FIRST_PAUSE_NANOS : Math.min(2 * pause, LONGEST_PAUSE_NANOS);
      settle(done ? wanted : 0, done ? 0 : pause);
      wanted = nextWanted();
    }
  }

  /** Waits for something to finish; 0: the store is being closed. */
  private long nextWanted() {
    lock.lock();
    try {
      while (!closed && finished >= asked) {
        changed.awaitUninterruptibly();
      }
      return closed ? 0 : asked;
    } finally {
      lock.unlock();
    }
  }

  private void settle(long reached, long pauseNanos) {
    lock.lock();
    try {
      finished = Math.max(finished, reached);
      changed.signalAll();
      long left = pauseNanos;
      while (left > 0 && !closed) {
        left = changed.awaitNanos(left);
      }
    } catch (InterruptedException woken) {
      // nobody interrupts this thread; the next attempt comes early
    } finally {
      lock.unlock();
    }
  }

  private boolean tryToFinish() {
    try {
      for (EraseJob job : leftOver()) {
        finish(job, new TreeMap<>());
      }
      return emptyLog();
    } catch (RuntimeException failed) {
      if (!isClosed()) {
        LOG.log(System.Logger.Level.WARNING, "erasing is not finished, it is tried again", failed);
      }
      return false;
    }
  }

  private List<EraseJob> leftOver() {
    List<EraseJob> jobs = writer.write(EraseJob::leftOver, (db, found) -> false);
    lock.lock();
    try {
      return jobs.stream().filter(job -> !running.contains(job.id())).toList();
    } finally {
      lock.unlock();
    }
  }

  /** Nobody erases meanwhile: this runs in the thread that writes. */
  private boolean emptyLog() {
    return writer.erase(
        db -> {
          db.rollback();
          boolean empty = SqliteDb.truncateLog(db, ATTEMPT_MILLIS);
          if (empty) {
            db.sql("DELETE FROM erasures WHERE kind = 'LOG'").update();
          }
          return empty;
        },
        (db, empty) -> false);
  }

  private void locked(Runnable change) {
    lock.lock();
    try {
      change.run();
    } finally {
      lock.unlock();
    }
  }

  private boolean isClosed() {
    lock.lock();
    try {
      return closed;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    locked(
        () -> {
          closed = true;
          changed.signalAll();
        });
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
  }
}
