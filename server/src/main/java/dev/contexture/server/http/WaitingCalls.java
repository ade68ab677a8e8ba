package dev.contexture.server.http;

import dev.contexture.engine.memory.ConsentWait;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.server.load.LoadLimiter;
import dev.contexture.server.load.RunningRequest;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Calls that wait for the approval of a human. While they wait they hold no admission, so that they
 * keep nobody else out; their number has a bound of its own. Thread-safe.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class WaitingCalls implements AutoCloseable {
  private final int most;
  private final AtomicInteger waiting = new AtomicInteger();
  private volatile boolean stopped;

  public WaitingCalls(int most) {
    this.most = most;
  }

  int waiting() {
    return waiting.get();
  }

  /** Accompanies the waits of one call. */
  public ConsentWait of(RequestTrace exchange) {
    return new ConsentWait() {
      @Override
      public void begin() {
        if (waiting.incrementAndGet() > most) {
          waiting.decrementAndGet();
          throw new ContextureException(
              ErrorCode.STORE_UNAVAILABLE,
              "the server is busy: at most "
                  + most
                  + " calls wait for approval at the same time; try again later",
              Map.of("field", "waiting", "limit", most),
              null);
        }
        LoadLimiter.Admission admission = exchange.admission();
        if (admission != null) {
          admission.lend();
        }
        exchange.work().ifPresent(RunningRequest::waits);
      }

      @Override
      public @Nullable String ended() {
        boolean left = exchange.work().filter(RunningRequest::isCancelled).isPresent();
        return stopped ? "the server stops" : left ? "the caller left" : null;
      }

      @Override
      public void end() {
        waiting.decrementAndGet();
        LoadLimiter.Admission admission = exchange.admission();
        if (admission != null) {
          admission.takeBack();
        }
        exchange.work().ifPresent(RunningRequest::goesOn);
      }
    };
  }

  /** Ends all waits. */
  @Override
  public void close() {
    stopped = true;
  }
}
