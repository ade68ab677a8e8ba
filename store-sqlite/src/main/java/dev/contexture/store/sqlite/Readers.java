package dev.contexture.store.sqlite;

import dev.contexture.error.Cancellation;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.store.jdbc.Db;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A few platform threads, each with a connection at a time, that read. A connection that failed is
 * opened again, and what it read is read once more. Thread-safe.
 */
final class Readers implements AutoCloseable {
  private static final int MAX_WAITING = 10_000;

  private static final int ATTEMPTS = 2; // the second on a connection that was opened again

  private final DatabaseFiles files;
  private final int size;
  private final Writer.Connector connector;
  private final ExecutorService threads;
  private final BlockingQueue<Slot> free;

  /** A place for a connection; without one after it broke, until the next can be opened. */
  private final class Slot {
    private @Nullable Db db;

    Db connected() throws SQLException {
      Db open = db;
      if (open == null) {
        open = connector.connect();
        db = open;
      }
      return open;
    }

    void close() throws SQLException {
      Db open = db;
      db = null;
      if (open != null) {
        open.close();
      }
    }

    void closeBroken(SQLException cause) {
      try {
        close();
      } catch (SQLException second) {
        cause.addSuppressed(second);
      }
    }
  }

  Readers(DatabaseFiles files, int size, Writer.Connector connector) throws SQLException {
    this.files = files;
    this.size = size;
    this.connector = connector;
    this.free = new ArrayBlockingQueue<>(size);
    try {
      for (int i = 0; i < size; i++) {
        Slot slot = new Slot();
        free.add(slot);
        slot.connected();
      }
    } catch (SQLException failed) {
      free.forEach(slot -> slot.closeBroken(failed));
      throw failed;
    }
    this.threads =
        new ThreadPoolExecutor(
            size,
            size,
            0,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(MAX_WAITING),
            Thread.ofPlatform().name("contexture-sqlite-reader-", 1).daemon().factory());
  }

  <T> T read(Db.Work<T> reading) {
    try {
      return CompletableFuture.supplyAsync(Cancellation.carried(() -> run(reading)), threads)
          .join();
    } catch (RejectedExecutionException full) {
      throw new ContextureException(
          ErrorCode.STORE_UNAVAILABLE,
          threads.isShutdown()
              ? "the store is closed"
              : MAX_WAITING + " reads of the store are waiting; try again later");
    } catch (CompletionException failed) {
      throw failed.getCause() instanceof ContextureException known
          ? new ContextureException(
              known.code(), String.valueOf(known.getMessage()), known.details(), known)
          : failed;
    }
  }

  private <T> T run(Db.Work<T> reading) {
    files.requireForReading();
    Slot slot = free.remove(); // as many connections as threads
    try {
      for (int attempt = 1; ; attempt++) {
        try {
          return run(slot.connected(), reading);
        } catch (SQLException failed) {
          slot.closeBroken(failed);
          if (attempt == ATTEMPTS || SqliteErrors.isBusy(failed)) {
            throw SqliteErrors.of(failed, files.database());
          }
        }
      }
    } finally {
      free.add(slot);
    }
  }

  private static <T> T run(Db db, Db.Work<T> reading) throws SQLException {
    try {
      return reading.run(db);
    } finally {
      db.rollback(); // ends the snapshot
    }
  }

  @Override
  public void close() {
    threads.shutdown();
    boolean interrupted = false;
    while (!threads.isTerminated()) {
      try {
        threads.awaitTermination(1, TimeUnit.SECONDS);
      } catch (InterruptedException later) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    List<Slot> slots = new ArrayList<>(size);
    free.drainTo(slots);
    for (Slot slot : slots) {
      try {
        slot.close();
      } catch (SQLException failed) {
        throw SqliteErrors.of(failed, files.database());
      }
    }
  }
}
