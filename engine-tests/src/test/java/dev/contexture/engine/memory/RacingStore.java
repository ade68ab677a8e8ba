package dev.contexture.engine.memory;

import dev.contexture.store.Commit;
import dev.contexture.store.Store;
import dev.contexture.store.WriteSet;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;

/** A store in which somebody else is quicker, some times. */
final class RacingStore {
  private RacingStore() {}

  static Store of(Store store, int times, Runnable quicker) {
    int[] left = {times};
    return (Store)
        Proxy.newProxyInstance(
            RacingStore.class.getClassLoader(),
            new Class<?>[] {Store.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("commit") && left[0] > 0) {
                left[0]--;
                quicker.run();
                Commit commit = store.commit((WriteSet) arguments[0]);
                if (!(commit instanceof Commit.Conflict)) {
                  throw new AssertionError("a stale set was applied: " + commit);
                }
                return commit;
              }
              try {
                return method.invoke(store, arguments);
              } catch (InvocationTargetException failed) {
                throw failed.getCause();
              }
            });
  }
}
