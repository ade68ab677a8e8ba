package dev.contexture.engine.turn;

import dev.contexture.compaction.summary.Summarizer;
import dev.contexture.compaction.summary.SummaryRequest;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Lets a summariser take only so long, for all calls of one compaction together. Each call runs on
 * a thread of its own that holds nothing but the request: one that hangs is interrupted and left
 * alone, and whatever it answers later goes nowhere.
 *
 * <p>Confined to one thread. Closing it interrupts a call that still runs.
 */
final class TimedSummarizer implements Summarizer, AutoCloseable {
  private static final System.Logger LOG = System.getLogger(TimedSummarizer.class.getName());

  private final Summarizer summarizer;
  private final Duration timeout;
  private long deadline;
  private boolean started;
  private @Nullable FutureTask<String> running;

  TimedSummarizer(Summarizer summarizer, Duration timeout) {
    this.summarizer = summarizer;
    this.timeout = timeout;
  }

  @Override
  public boolean isExtractive() {
    return summarizer.isExtractive();
  }

  @Override
  public String summarize(SummaryRequest request) {
    if (!started) {
      started = true;
      deadline = System.nanoTime() + timeout.toNanos();
    }
    FutureTask<String> task = new FutureTask<>(() -> summarizer.summarize(request));
    running = task;
    Thread.ofVirtual().name("summarizer").start(task);
    try {
      return task.get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException late) {
      throw failed("it did not answer within " + timeout.toMillis() + " ms", late);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw failed("the caller was interrupted", stopped);
    } catch (ExecutionException thrown) {
      Throwable cause = thrown.getCause() == null ? thrown : thrown.getCause();
      throw cause instanceof ContextureException known ? known : unforeseen(cause);
    } finally {
      task.cancel(true);
      running = null;
    }
  }

  private static ContextureException unforeseen(Throwable cause) {
    LOG.log(System.Logger.Level.WARNING, "the summariser failed", cause);
    return failed("nobody foresaw it; the log has more", cause);
  }

  private static ContextureException failed(String why, Throwable cause) {
    return new ContextureException(
        ErrorCode.SUMMARIZER_FAILED, "the summariser failed: " + why, Map.of(), cause);
  }

  @Override
  public void close() {
    if (running != null) {
      running.cancel(true);
    }
  }
}
