package dev.contexture.engine.memory;

import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** Holds what accompanies the waits of a thread. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class WaitContext {
  static final ConsentWait NONE =
      new ConsentWait() {
        @Override
        public void begin() {}

        @Override
        public @Nullable String ended() {
          return null;
        }

        @Override
        public void end() {}
      };

  public static final ThreadLocal<ConsentWait> HOLDER = ThreadLocal.withInitial(() -> NONE);

  private WaitContext() {}
}
