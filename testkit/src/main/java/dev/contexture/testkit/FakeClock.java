package dev.contexture.testkit;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicReference;
import org.apiguardian.api.API;

/** A clock that stands still until a test moves it. Thread-safe. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class FakeClock implements InstantSource {
  /** Where a clock starts if nothing else is said. */
  public static final Instant START = Instant.parse("2026-02-09T02:14:32Z");

  private final AtomicReference<Instant> now;

  private FakeClock(Instant start) {
    this.now = new AtomicReference<>(start);
  }

  public static FakeClock atStart() {
    return new FakeClock(START);
  }

  public static FakeClock at(Instant start) {
    return new FakeClock(start);
  }

  @Override
  public Instant instant() {
    return now.get();
  }

  /** Moves on, and says what time it is then. */
  public Instant advance(Duration duration) {
    return now.updateAndGet(time -> time.plus(duration));
  }

  public void set(Instant time) {
    now.set(time);
  }
}
