package dev.contexture.store.sqlite;

import dev.contexture.block.Scope;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.store.Commit;
import dev.contexture.store.EraseReport;
import dev.contexture.store.jdbc.Db;
import dev.contexture.store.jdbc.EraseJob;
import dev.contexture.store.jdbc.JdbcStore;
import java.sql.SQLException;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import org.apiguardian.api.API;

/**
 * A store in memory, for tests and trials: it does everything that {@link SqliteStore} does with
 * the same statements, and is gone when it is closed. Thread-safe: one connection, one lock.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class InMemoryStore extends JdbcStore {
  private final ReentrantLock lock = new ReentrantLock();
  private final Db db;
  private boolean closed;

  /** Opens an empty store. */
  public InMemoryStore() {
    try {
      db = SqliteDb.inMemory();
    } catch (SQLException failed) {
      throw failure(failed);
    }
  }

  @Override
  protected <T> T read(String tenant, Db.Work<T> reading) {
    return run(reading, false);
  }

  @Override
  protected <T> T write(String tenant, Db.Work<T> work, Db.Landed<T> landed) {
    return run(work, true);
  }

  @Override
  protected <T> T erase(String tenant, Db.Work<T> work, Db.Landed<T> landed) {
    return run(
        db -> {
          db.forget();
          return work.run(db);
        },
        true);
  }

  @Override
  protected EraseReport erase(EraseJob.Kind kind, Scope scope, String subject) {
    return run(
        db -> {
          db.forget();
          Map<String, Long> counts = new TreeMap<>();
          EraseJob job = EraseJob.begin(db, kind, scope, subject);
          EraseJob.Step step;
          do {
            step = job.step(db);
            step.counts().forEach((name, count) -> counts.merge(name, count, Long::sum));
          } while (!step.last());
          return new EraseReport(counts, false);
        },
        true);
  }

  private <T> T run(Db.Work<T> work, boolean writes) {
    lock.lock();
    try {
      if (closed) {
        throw Writer.closed();
      }
      boolean done = false;
      try {
        T result = work.run(db);
        done = !(result instanceof Commit.Conflict);
        return result;
      } finally {
        if (writes && done) {
          db.commit();
        } else if (writes) {
          db.rollback();
        }
      }
    } catch (SQLException failed) {
      throw failure(failed);
    } finally {
      lock.unlock();
    }
  }

  private static ContextureException failure(SQLException failed) {
    return new ContextureException(
        ErrorCode.STORE_UNAVAILABLE,
        "the store in memory cannot be used: " + failed.getMessage(),
        Map.of(),
        failed);
  }

  @Override
  public void close() {
    lock.lock();
    try {
      if (!closed) {
        closed = true;
        db.close();
      }
    } catch (SQLException failed) {
      throw failure(failed);
    } finally {
      lock.unlock();
    }
  }
}
