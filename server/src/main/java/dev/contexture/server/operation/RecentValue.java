package dev.contexture.server.operation;

import java.time.Duration;
import java.util.function.Supplier;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** A value that is looked at once in a while, however often it is asked for. Thread-safe. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class RecentValue<T> implements Supplier<T> {
  private final Supplier<T> source;
  private final long keptNanos;
  private long lookedAtNanos;
  private @Nullable T value;

  public RecentValue(Supplier<T> source, Duration kept) {
    this.source = source;
    this.keptNanos = kept.toNanos();
  }

  @Override
  public synchronized T get() {
    long now = System.nanoTime();
    T known = value;
    if (known == null || now - lookedAtNanos >= keptNanos) {
      known = source.get();
      value = known;
      lookedAtNanos = now;
    }
    return known;
  }
}
