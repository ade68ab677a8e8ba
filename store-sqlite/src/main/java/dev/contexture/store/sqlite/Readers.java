package dev.contexture.store.sqlite;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import java.nio.file.Path;
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

/** A few platform threads, each with a connection at a time, that read. Thread-safe. */
final class Readers implements AutoCloseable {
  private static final int MAX_WAITING = 10_000;

  private final Path file;
  private final int size;
  private final ExecutorService threads;
  private final BlockingQueue<Db> free;

  /** A reading of one state. */
  interface Reading<T> {
    T run(Db db) throws SQLException;
  }

  Readers(Path file, int size) throws SQLException {
    this.file = file;
    this.size = size;
    this.free = new ArrayBlockingQueue<>(size);
    for (int i = 0; i < size; i++) {
      free.add(Db.reader(file));
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

  <T> T read(Reading<T> reading) {
    try {
      return CompletableFuture.supplyAsync(() -> run(reading), threads).join();
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

  private <T> T run(Reading<T> reading) {
    Db db = free.remove(); // as many connections as threads
    try {
      try {
        return reading.run(db);
      } finally {
        db.rollback(); // ends the snapshot
      }
    } catch (SQLException failed) {
      throw Failures.of(failed, file);
    } finally {
      free.add(db);
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
    List<Db> connections = new ArrayList<>(size);
    free.drainTo(connections);
    for (Db db : connections) {
      try {
        db.close();
      } catch (SQLException failed) {
        throw Failures.of(failed, file);
      }
    }
  }
}
