package dev.contexture.store.jdbc;

import java.util.concurrent.locks.ReentrantLock;
import org.apiguardian.api.API;

/**
 * The numbers of outbox rows that were given to somebody, so that the one who writes need not renew
 * a row that nobody has seen: whoever reads it later reads what it is about later still. For a
 * database that one process owns and one thread writes to. Thread-safe.
 *
 * <p>A row is only passed over while nobody can read the outbox, from the moment in which that is
 * decided to the end of the transaction. Else a reader could take the row and read what it is about
 * before that is committed, and the change would never be seen.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class OutboxReads {
  private final ReentrantLock outbox = new ReentrantLock(true); // else the writer takes it again
  private long highest; // guarded by outbox

  /** Something that reads rows and says which was the last. */
  interface Reading<T, E extends Exception> {
    T run() throws E;
  }

  /** Reads rows while nobody passes over one. */
  <T, E extends Exception> T during(Reading<T, E> reading) throws E {
    outbox.lock();
    try {
      return reading.run();
    } finally {
      outbox.unlock();
    }
  }

  /** Notes that a row was given to somebody, within {@link #during}. */
  void given(long number) {
    highest = Math.max(highest, number);
  }

  /**
   * Whether nobody was given a row that this process wrote. If so, nobody reads the outbox until
   * {@link #ended}.
   */
  boolean isUnread(long number) {
    if (!outbox.isHeldByCurrentThread()) {
      outbox.lock();
    }
    return number > highest;
  }

  /** The transaction of this thread has ended, in whatever way. */
  void ended() {
    if (outbox.isHeldByCurrentThread()) {
      outbox.unlock();
    }
  }
}
