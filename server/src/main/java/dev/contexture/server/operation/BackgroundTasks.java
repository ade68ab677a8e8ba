package dev.contexture.server.operation;

import dev.contexture.error.Cancellation;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.error.UncaughtErrors;
import dev.contexture.json.JsonObject;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.apiguardian.api.API;

/**
 * Tasks that a server runs by itself, from time to time. One task never runs twice at once; one
 * that fails is logged and tried again the next time. Closing it stops what runs at its next check.
 * Thread-safe.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class BackgroundTasks implements AutoCloseable {
  private static final int THREADS = 2; // so that a long task does not hold up the short ones

  private final LogLines log;
  private final Set<Cancellation> running = ConcurrentHashMap.newKeySet();
  private final ScheduledExecutorService threads =
      Executors.newScheduledThreadPool(
          THREADS, Thread.ofPlatform().name("contexture-background-", 0).daemon().factory());

  public BackgroundTasks(LogLines log) {
    this.log = log;
  }

  /** Something that a server does by itself. */
  @FunctionalInterface
  public interface Task {
    void run() throws Exception;
  }

  /**
   * Does something again and again.
   *
   * @param name for the log
   */
  public void every(Duration first, Duration pause, String name, Task task) {
    ScheduledFuture<?> unused = // ends with the threads
        threads.scheduleWithFixedDelay(
            () -> tried(name, task), first.toMillis(), pause.toMillis(), TimeUnit.MILLISECONDS);
  }

  private void tried(String name, Task task) {
    Cancellation work = Cancellation.bind();
    running.add(work);
    try {
      task.run();
    } catch (Exception failed) {
      if (!work.isCancelled()) {
        log.event(
            "task_failed",
            JsonObject.builder().put("task", name).put("trace", LogLines.trace(failed)).build());
      }
    } catch (Error broken) {
      UncaughtErrors.tell(broken);
    } finally {
      running.remove(work);
      Cancellation.unbind();
    }
  }

  /** Waits for what runs, which ends soon. */
  public void close(Duration most) {
    threads.shutdown();
    ContextureException why =
        new ContextureException(ErrorCode.TIMED_OUT, "the server ends; it goes on when it is back");
    running.forEach(work -> work.cancel(why));
    try {
      if (!threads.awaitTermination(most.toMillis(), TimeUnit.MILLISECONDS)) {
        threads.shutdownNow();
      }
    } catch (InterruptedException early) {
      threads.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    close(Duration.ZERO);
  }
}
