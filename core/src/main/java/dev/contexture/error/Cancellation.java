package dev.contexture.error;

import java.util.Objects;
import java.util.function.Supplier;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Lets another thread end what this thread works on. Long loops ask {@link #check} now and then;
 * nothing is interrupted in the middle of a write, since an interrupted thread closes the files
 * that it works on.
 *
 * <pre>{@code
 * Cancellation cancellation = Cancellation.bind(); // then, in another thread: cancel(why)
 * try {
 *   work();
 * } finally {
 *   Cancellation.unbind();
 * }
 * }</pre>
 *
 * <p>Thread-safe; {@link #bind}, {@link #carried} and {@link #check} are about the thread that
 * calls them.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class Cancellation {
  private static final ThreadLocal<@Nullable Cancellation> CURRENT = new ThreadLocal<>();

  private volatile @Nullable ContextureException reason;

  private Cancellation() {}

  /** The same work for another thread, which is cancelled with that of this one. */
  public static <T> Supplier<T> carried(Supplier<T> work) {
    Cancellation current = CURRENT.get();
    if (current == null) {
      return work;
    }
    return () -> {
      CURRENT.set(current);
      try {
        return work.get();
      } finally {
        CURRENT.remove();
      }
    };
  }

  /** Makes what this thread does from now on cancellable. */
  public static Cancellation bind() {
    Cancellation made = new Cancellation();
    CURRENT.set(made);
    return made;
  }

  /** Ends what {@link #bind} began. */
  public static void unbind() {
    CURRENT.remove();
  }

  /**
   * Ends the work at its next check. The first reason counts.
   *
   * @param why what the work ends with
   */
  public void cancel(ContextureException why) {
    if (reason == null) {
      reason = Objects.requireNonNull(why);
    }
  }

  /** Whether the work was told to end. */
  public boolean isCancelled() {
    return reason != null;
  }

  /**
   * Goes on, unless the work of this thread was cancelled.
   *
   * @throws ContextureException the reason
   */
  public static void check() {
    Cancellation current = CURRENT.get();
    ContextureException why = current == null ? null : current.reason;
    if (why != null) {
      throw new ContextureException(
          why.code(), Objects.requireNonNullElse(why.getMessage(), ""), why.details(), null);
    }
  }
}
