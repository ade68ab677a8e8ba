package dev.contexture.store.postgres;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.store.Commit;
import dev.contexture.store.jdbc.Db;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Runs work in transactions, and again where that is safe. Thread-safe.
 *
 * <ol>
 *   <li>What met another transaction was undone by the database: it is done again, a little later
 *       each time.
 *   <li>A connection that is lost before the commit was sent has committed nothing: the same.
 *   <li>One that is lost after that leaves it open. The database is asked for the outcome by the
 *       number of the transaction; only if it cannot say, or a replica took over to which the
 *       number may mean another one, the caller learns of it.
 * </ol>
 */
final class Transactions {
  private static final int ATTEMPTS = 12;
  private static final int LOST_ATTEMPTS = 4;
  private static final long LONGEST_PAUSE_MILLIS = 250;
  private static final Duration OUTCOME_WITHIN = Duration.ofSeconds(10);
  private static final String OUTCOME =
      "SELECT pg_xact_status(CAST(CAST(? AS text) AS xid8)), store || '/' || base,"
          + " timeline = contexture_timeline() FROM clock";

  private static final String ANOTHER = "another database";

  private final ConnectionPool pool;
  private final String address;
  private volatile @Nullable ContextureException problem;
  private volatile String numbers = ""; // what those of transactions mean
  private volatile long committedAt = System.nanoTime();

  Transactions(ConnectionPool pool, String address) {
    this.pool = pool;
    this.address = address;
  }

  /** Why the last write failed for want of the database; empty: it did not. */
  Optional<ContextureException> problem() {
    return Optional.ofNullable(problem);
  }

  /** Notes what numbers of transactions mean now, and says whether that is new. */
  boolean numbersOf(String name) {
    String before = numbers;
    numbers = name;
    return !before.isEmpty() && !before.equals(name);
  }

  /** Whether nothing was written for so long. */
  boolean isIdle(Duration time) {
    return System.nanoTime() - committedAt >= time.toNanos();
  }

  <T> T read(String tenant, Db.Work<T> reading) {
    for (int attempt = 1; ; attempt++) {
      try {
        return readOnce(tenant, reading);
      } catch (SQLException failed) {
        boolean again =
            (PostgresErrors.isLost(failed) && !PostgresErrors.isUnreachable(failed))
                || PostgresErrors.isCollision(failed);
        if (!again || attempt == LOST_ATTEMPTS) {
          throw PostgresErrors.of(failed, address);
        }
      }
    }
  }

  private <T> T readOnce(String tenant, Db.Work<T> reading) throws SQLException {
    Db db = pool.reading(tenant);
    try {
      T result = reading.run(db);
      db.rollback(); // ends the snapshot
      return result;
    } finally {
      ConnectionPool.release(db);
    }
  }

  /** The progress of an attempt before it failed. */
  private static final class Attempt<T> {
    final String numbers;
    @Nullable String number;
    @Nullable T committing; // the result of what was sent to be committed

    Attempt(String numbers) {
      this.numbers = numbers;
    }
  }

  <T> T write(String tenant, Db.Work<T> work) {
    try {
      T result = writeAgain(tenant, work);
      problem = null;
      committedAt = System.nanoTime();
      return result;
    } catch (ContextureException failed) {
      if (failed.code().httpStatus() == ErrorCode.STORE_UNAVAILABLE.httpStatus()) {
        problem = failed;
      }
      throw failed;
    }
  }

  /**
   * The same for work that may find that it must be divided.
   *
   * @return empty: it did, or the database refuses something of it; nothing was written
   */
  <T> Optional<T> writeGroup(String tenant, Db.Work<Optional<T>> work) {
    return write(
        tenant,
        db -> {
          try {
            return work.run(db);
          } catch (SQLException failed) {
            if (mayTryAgain(failed) || PostgresErrors.isUnreachable(failed)) {
              throw failed;
            }
            return Optional.empty();
          }
        });
  }

  private <T> T writeAgain(String tenant, Db.Work<T> work) {
    for (int attempt = 1; ; attempt++) {
      Attempt<T> tried = new Attempt<>(numbers);
      try {
        return writeOnce(tenant, work, tried);
      } catch (SQLException failed) {
        T committed = tried.committing;
        if (committed != null && PostgresErrors.isLost(failed) && landed(tried, failed)) {
          return committed;
        }
        int attempts = PostgresErrors.isCollision(failed) ? ATTEMPTS : LOST_ATTEMPTS;
        if (attempt >= attempts || !mayTryAgain(failed)) {
          throw PostgresErrors.of(failed, address);
        }
      }
      pause(attempt);
    }
  }

  private static boolean mayTryAgain(SQLException failed) {
    return PostgresErrors.isCollision(failed)
        || (PostgresErrors.isLost(failed) && !PostgresErrors.isUnreachable(failed));
  }

  private <T> T writeOnce(String tenant, Db.Work<T> work, Attempt<T> tried) throws SQLException {
    Db db = pool.writing(tenant);
    try {
      T result = work.run(db);
      if (result instanceof Commit.Conflict || result.equals(Optional.empty())) {
        db.rollback();
        return result;
      }
      tried.number = db.transactionName().orElseThrow();
      tried.committing = result;
      db.commit();
      return result;
    } finally {
      ConnectionPool.release(db); // what was not committed is undone
    }
  }

  /**
   * Asks for the outcome of a transaction whose connection was lost when it was to be committed.
   */
  private boolean landed(Attempt<?> tried, SQLException failed) {
    long end = System.nanoTime() + OUTCOME_WITHIN.toNanos();
    while (System.nanoTime() < end) {
      String outcome = outcome(tried.number, tried.numbers);
      if (outcome.equals("committed") || outcome.equals("aborted")) {
        return outcome.equals("committed");
      }
      if (outcome.equals(ANOTHER)) {
        break; // the same number may mean another transaction
      }
      pause(ATTEMPTS); // its process has not noticed yet, or the database starts again
    }
    throw PostgresErrors.unknown(failed, address);
  }

  private String outcome(@Nullable String number, String meant) {
    try {
      return readOnce(
              "",
              db ->
                  db.sql(OUTCOME)
                      .with(number)
                      .one(
                          row ->
                              row.getString(2).equals(meant) && row.getBoolean(3)
                                  ? String.valueOf(row.getString(1))
                                  : ANOTHER))
          .orElse("");
    } catch (SQLException unreachable) {
      return ""; // asked again until there is no time left
    }
  }

  /** Longer each time, and not the same for all who met. */
  private static void pause(int attempt) {
    long most = Math.min(LONGEST_PAUSE_MILLIS, 2L << attempt);
    long millis = most / 2 + Math.floorMod(System.nanoTime(), most / 2 + 1);
    boolean interrupted = Thread.interrupted();
    try {
      Thread.sleep(millis);
    } catch (InterruptedException early) {
      interrupted = true;
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
