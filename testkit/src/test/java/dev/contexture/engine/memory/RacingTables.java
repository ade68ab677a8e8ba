package dev.contexture.engine.memory;

import dev.contexture.store.memory.MemoryCommit;
import dev.contexture.store.memory.MemoryTables;
import dev.contexture.store.memory.MemoryWriteSet;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;

/** Tables on which somebody else is quicker, some times. */
final class RacingTables {
  private RacingTables() {}

  static MemoryTables of(MemoryTables tables, int times, Runnable quicker) {
    int[] left = {times};
    return (MemoryTables)
        Proxy.newProxyInstance(
            RacingTables.class.getClassLoader(),
            new Class<?>[] {MemoryTables.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("commit") && left[0] > 0) {
                left[0]--;
                quicker.run();
                MemoryCommit commit = tables.commit((MemoryWriteSet) arguments[0]);
                if (!(commit instanceof MemoryCommit.Conflict)) {
                  throw new AssertionError("a stale set was applied: " + commit);
                }
                return commit;
              }
              try {
                return method.invoke(tables, arguments);
              } catch (InvocationTargetException failed) {
                throw failed.getCause();
              }
            });
  }
}
