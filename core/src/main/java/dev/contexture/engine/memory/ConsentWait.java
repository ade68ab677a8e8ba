package dev.contexture.engine.memory;

import java.util.function.Supplier;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Accompanies a thread that waits for approval, so that its caller can lend out meanwhile what it
 * holds, and can end the wait. Called by that thread only.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.2")
public interface ConsentWait {
  /** Begins a wait; what it throws refuses the write. */
  void begin();

  /** Why the wait is to end without an answer; null: it goes on. Asked several times a second. */
  @Nullable String ended();

  /** Ends a wait that began, before the write goes on or is refused. */
  void end();

  /** Runs a call; each wait for approval that it comes to is accompanied. */
  static <T> T during(ConsentWait wait, Supplier<T> call) {
    ConsentWait before = WaitContext.HOLDER.get();
    WaitContext.HOLDER.set(wait);
    try {
      return call.get();
    } finally {
      WaitContext.HOLDER.set(before);
    }
  }
}
