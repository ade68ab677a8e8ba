package dev.contexture.server;

import org.apiguardian.api.API;

/**
 * Ends the process when its memory is gone: threads that died of it may have left anything half
 * done, and a process that is started again is sound, since whatever was acknowledged is on disk.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class OutOfMemoryExit {
  /** What the process ends with; the same as {@code -XX:+ExitOnOutOfMemoryError} has. */
  static final int EXIT_CODE = 3;

  private static final int MAX_CAUSES = 16;

  private OutOfMemoryExit() {}

  /** Ends the process also for threads that nobody else looks after. */
  public static void install() {
    install(OutOfMemoryExit::halt);
  }

  static void install(Runnable end) {
    Thread.setDefaultUncaughtExceptionHandler(
        (thread, thrown) -> {
          if (isOutOfMemory(thrown)) {
            end.run();
            return;
          }
          System.getLogger(OutOfMemoryExit.class.getName())
              .log(System.Logger.Level.ERROR, "thread " + thread.getName() + " died", thrown);
        });
  }

  /** Whether memory was gone, or led to this. */
  static boolean isOutOfMemory(Throwable thrown) {
    Throwable cause = thrown;
    for (int depth = 0; cause != null && depth < MAX_CAUSES; depth++) {
      if (cause instanceof OutOfMemoryError) {
        return true;
      }
      cause = cause.getCause();
    }
    return false;
  }

  static void halt() {
    Runtime.getRuntime().halt(EXIT_CODE);
  }
}
