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

  /**
   * Runs a call; each wait for approval that it comes to also ends, without an answer that counts,
   * once there is a reason.
   *
   * @param ended as {@link #ended()}
   */
  static <T> T unless(Supplier<@Nullable String> ended, Supplier<T> call) {
    ConsentWait outer = WaitContext.HOLDER.get();
    return during(
        new ConsentWait() {
          @Override
          public void begin() {
            outer.begin();
          }

          @Override
          public @Nullable String ended() {
            String reason = outer.ended();
            return reason == null ? ended.get() : reason;
          }

          @Override
          public void end() {
            outer.end();
          }
        },
        call);
  }

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
