package dev.contexture.error;

import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Tells whoever started work how much it reads, piece by piece, so that they can set memory aside
 * for it or refuse more of it. Work that nobody meters reads on.
 *
 * <pre>{@code
 * SearchResults found = ReadMeter.during(bytes -> hold(bytes), () -> search.search(…));
 * }</pre>
 *
 * <p>Thread-safe; both methods are about the thread that calls them.
 */
@API(status = API.Status.INTERNAL, since = "0.3")
public final class ReadMeter {
  private static final ThreadLocal<@Nullable LongConsumer> CURRENT = new ThreadLocal<>();

  private ReadMeter() {}

  /**
   * Does work that is metered.
   *
   * @param each gets the bytes of each piece; what it throws ends the work
   */
  public static <T> T during(LongConsumer each, Supplier<T> work) {
    CURRENT.set(each);
    try {
      return work.get();
    } finally {
      CURRENT.remove();
    }
  }

  /** About so many bytes more were read, and are kept until the work ends. */
  public static void read(long bytes) {
    LongConsumer current = CURRENT.get();
    if (current != null) {
      current.accept(bytes);
    }
  }
}
