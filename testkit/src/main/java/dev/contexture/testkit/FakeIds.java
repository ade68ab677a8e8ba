package dev.contexture.testkit;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.apiguardian.api.API;

/** Ids that count: {@code id_1}, {@code id_2}, … Thread-safe. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class FakeIds implements Supplier<String> {
  private final String prefix;
  private final AtomicLong last = new AtomicLong();

  private FakeIds(String prefix) {
    this.prefix = prefix;
  }

  public static FakeIds withPrefix(String prefix) {
    return new FakeIds(prefix);
  }

  @Override
  public String get() {
    return prefix + last.incrementAndGet();
  }
}
