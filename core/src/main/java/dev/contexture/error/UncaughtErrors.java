package dev.contexture.error;

import org.apiguardian.api.API;

/**
 * Hands errors of work in the background to whoever looks after dying threads: a pool of threads
 * would keep them to itself, and nobody would learn that the memory is gone. Thread-safe.
 */
@API(status = API.Status.INTERNAL, since = "0.3")
public final class UncaughtErrors {
  private UncaughtErrors() {}

  /** Does what this thread would do if it died of the error; the thread goes on. */
  public static void tell(Error broken) {
    Thread thread = Thread.currentThread();
    thread.getUncaughtExceptionHandler().uncaughtException(thread, broken);
  }
}
