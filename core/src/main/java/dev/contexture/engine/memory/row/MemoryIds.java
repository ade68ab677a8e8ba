package dev.contexture.engine.memory.row;

import java.time.InstantSource;
import java.util.HexFormat;
import java.util.random.RandomGenerator;
import org.apiguardian.api.API;

/**
 * Makes ids that grow with the time at which they are made: 12 hex digits of milliseconds, then 20
 * of randomness, which within a millisecond only count up. Thread-safe.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class MemoryIds {
  private static final int RANDOM_BYTES = 8;
  private static final int MAX_STEP =
      1 << 16; // leaves no id of a process easy to guess from another

  private final InstantSource clock;
  private final RandomGenerator random;
  private long lastMillis;
  private int high; // 16 bits
  private long low;

  public MemoryIds(InstantSource clock, RandomGenerator random) {
    this.clock = clock;
    this.random = random;
  }

  /** An id of 32 digits behind a prefix such as {@code mem_}. */
  public String next(String prefix) {
    HexFormat hex = HexFormat.of();
    synchronized (this) {
      long now = clock.millis();
      if (now > lastMillis) {
        lastMillis = now;
        high = random.nextInt(1 << 15); // room to count up
        low = random.nextLong();
      } else {
        long before = low;
        low += 1 + random.nextInt(MAX_STEP);
        if (Long.compareUnsigned(low, before) < 0) {
          high++;
        }
      }
      return prefix
          + hex.toHexDigits(lastMillis, 12)
          + hex.toHexDigits(high, 4)
          + hex.toHexDigits(low, RANDOM_BYTES * 2);
    }
  }

  /** A number for a new replica of a document. */
  public synchronized long replica() {
    return random.nextLong();
  }
}
