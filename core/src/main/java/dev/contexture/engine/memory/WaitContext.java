package dev.contexture.engine.memory;

import org.jspecify.annotations.Nullable;

/** Holds what accompanies the waits of a thread. */
final class WaitContext {
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

  static final ThreadLocal<ConsentWait> HOLDER = ThreadLocal.withInitial(() -> NONE);

  private WaitContext() {}
}
