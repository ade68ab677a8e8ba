package dev.contexture.event;

import java.util.function.Function;
import java.util.function.Supplier;
import org.apiguardian.api.API;

/**
 * Watches what an engine does while it does it: telemetry begins a span where work begins and ends
 * it where that ends.
 *
 * <p>Called on the thread that does the work, without locks of a conversation. Works nest: a
 * compaction begins and ends inside the request that needs it. What is thrown is logged and
 * ignored. Thread-safe.
 */
@FunctionalInterface
@API(status = API.Status.EXPERIMENTAL, since = "0.3")
public interface EngineObserver {
  /** Watches nothing. */
  EngineObserver NONE = work -> Watch.NONE;

  /** Hears that work begins; what is returned hears how it ends, on the same thread. */
  Watch begin(EngineWork work);

  /** Hears how work ends: one of both, once. */
  interface Watch {
    /** Hears nothing. */
    Watch NONE =
        new Watch() {
          @Override
          public void end(WorkResult result) {}

          @Override
          public void fail(Throwable failure) {}
        };

    /** The work is done. */
    void end(WorkResult result);

    /** It was refused or failed; who asked for it gets the same. */
    void fail(Throwable failure);
  }

  /** Does work under the eyes of this observer. */
  default <T> T watch(EngineWork work, Supplier<T> action, Function<T, WorkResult> result) {
    if (this == NONE) {
      return action.get();
    }
    Watch[] watch = {Watch.NONE};
    safely(() -> watch[0] = begin(work));
    T done;
    try {
      done = action.get();
    } catch (RuntimeException | Error failure) {
      safely(() -> watch[0].fail(failure));
      throw failure;
    }
    safely(() -> watch[0].end(result.apply(done)));
    return done;
  }

  private static void safely(Runnable told) {
    try {
      told.run();
    } catch (RuntimeException failure) {
      System.getLogger(EngineObserver.class.getName())
          .log(System.Logger.Level.WARNING, "an observer failed and is ignored", failure);
    }
  }
}
