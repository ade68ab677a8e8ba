package dev.contexture.testkit;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.store.MemoryReader;
import dev.contexture.store.Store;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apiguardian.api.API;

/**
 * Where a store is made to fail. A point is the name of a method of the store, with {@code memory.}
 * before it for those that read memory; or that name with {@code .done} behind it, which is reached
 * when the work is done but not yet answered. Thread-safe.
 *
 * <pre>{@code
 * Faults faults = new Faults();
 * Store store = faults.around(new InMemoryStore());
 * faults.failAt("commit", 1);
 * }</pre>
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class Faults {
  private final Map<String, AtomicInteger> left = new ConcurrentHashMap<>();
  private final Map<String, AtomicInteger> passes = new ConcurrentHashMap<>();
  private volatile boolean ended;

  /** The next calls that reach the point fail with {@code store_unavailable}. */
  public void failAt(String point, int times) {
    left.put(point, new AtomicInteger(times));
  }

  /**
   * The first calls pass that reach the point; from the one behind them on every call fails,
   * whatever it calls, as if the process were killed there.
   */
  public void endAfter(String point, int calls) {
    passes.put(point, new AtomicInteger(calls));
  }

  /** Nothing fails any more. */
  public void clear() {
    left.clear();
    passes.clear();
    ended = false;
  }

  /** The same store, which fails where it is made to. */
  public Store around(Store store) {
    return around(Store.class, store, "");
  }

  private <T> T around(Class<T> type, T inner, String prefix) {
    InvocationHandler handler =
        (proxy, method, arguments) -> {
          String point = prefix + method.getName();
          reach(point);
          Object result;
          try {
            result = method.invoke(inner, arguments);
          } catch (InvocationTargetException failed) {
            throw failed.getCause();
          }
          reach(point + ".done");
          return result instanceof MemoryReader memory
              ? around(MemoryReader.class, memory, "memory.")
              : result;
        };
    return type.cast(
        Proxy.newProxyInstance(Faults.class.getClassLoader(), new Class<?>[] {type}, handler));
  }

  private void reach(String point) {
    AtomicInteger passing = passes.get(point);
    if (passing != null && passing.decrementAndGet() < 0) {
      ended = true;
    }
    if (ended) {
      throw new ContextureException(
          ErrorCode.STORE_UNAVAILABLE, "the store was made to end, here at " + point);
    }
    AtomicInteger times = left.get(point);
    if (times != null && times.getAndUpdate(n -> Math.max(0, n - 1)) > 0) {
      throw new ContextureException(
          ErrorCode.STORE_UNAVAILABLE, "the store was made to fail at " + point);
    }
  }
}
