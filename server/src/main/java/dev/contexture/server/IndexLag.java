package dev.contexture.server;

import java.time.Duration;
import java.util.function.LongSupplier;

/** How far indexes lag, looked at once in a while however often it is asked. Thread-safe. */
final class IndexLag implements LongSupplier {
  private final LongSupplier source;
  private final long keptNanos;
  private long lookedAtNanos;
  private long value = -1;

  IndexLag(LongSupplier source, Duration kept) {
    this.source = source;
    this.keptNanos = kept.toNanos();
  }

  @Override
  public synchronized long getAsLong() {
    long now = System.nanoTime();
    if (value < 0 || now - lookedAtNanos >= keptNanos) {
      value = source.getAsLong();
      lookedAtNanos = now;
    }
    return value;
  }
}
