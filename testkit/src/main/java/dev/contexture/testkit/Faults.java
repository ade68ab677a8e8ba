package dev.contexture.testkit;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apiguardian.api.API;

/**
 * Where a store is made to fail. A point is the name of a method of the store, with {@code memory.}
 * before it for those of the memory tables, or {@code commit.done} and {@code memory.commit.done},
 * which are reached when a commit is applied but not yet answered. Thread-safe.
 *
 * <pre>{@code
 * Faults faults = new Faults();
 * Store store = new InMemoryStore(faults);
 * faults.failAt("commit", 1);
 * }</pre>
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class Faults {
  private final Map<String, AtomicInteger> left = new ConcurrentHashMap<>();

  /** The next calls that reach the point fail with {@code store_unavailable}. */
  public void failAt(String point, int times) {
    left.put(point, new AtomicInteger(times));
  }

  /** Nothing fails any more. */
  public void clear() {
    left.clear();
  }

  void reach(String point) {
    AtomicInteger times = left.get(point);
    if (times != null && times.getAndUpdate(n -> Math.max(0, n - 1)) > 0) {
      throw new ContextureException(
          ErrorCode.STORE_UNAVAILABLE, "the store was made to fail at " + point);
    }
  }
}
