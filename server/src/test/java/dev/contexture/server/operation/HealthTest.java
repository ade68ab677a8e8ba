package dev.contexture.server.operation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.server.operation.Health.Reason;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** What a server says about itself, by what it sees. */
class HealthTest {
  private final AtomicLong now = new AtomicLong();
  private final AtomicLong lag = new AtomicLong();
  private final AtomicLong position = new AtomicLong(7);
  private final AtomicLong parked = new AtomicLong();
  private boolean full;
  private boolean damaged;
  private boolean keysRefused;

  private Health health(Supplier<Optional<ContextureException>> store, Duration patience) {
    Health.Signs signs =
        new Health.Signs(
            store,
            lag::get,
            position::get,
            parked::get,
            () -> full,
            () -> damaged,
            () -> keysRefused);
    return new Health(signs, now::get, patience);
  }

  private Health health() {
    return health(Optional::empty, Duration.ofMinutes(1));
  }

  private List<String> codes(Health health) {
    pass(Duration.ofSeconds(1));
    return health.reasons().stream().map(Reason::code).toList();
  }

  private void pass(Duration time) {
    now.addAndGet(time.toNanos());
  }

  @Test
  void saysThatRequestsAreFull() {
    full = true;
    assertThat(health().reasons())
        .singleElement()
        .satisfies(reason -> assertThat(reason.code()).isEqualTo("requests_full"))
        .satisfies(reason -> assertThat(reason.blocks()).isTrue());
  }

  @Test
  void saysThatTheIndexStandsStill() {
    Health health = health();
    assertThat(codes(health)).isEmpty();
    lag.set(3);
    pass(Duration.ofHours(1));
    assertThat(codes(health)).as("nobody knows yet since when").isEmpty();
    pass(Duration.ofSeconds(20));
    assertThat(codes(health)).isEmpty();
    position.incrementAndGet();
    pass(Duration.ofSeconds(20));
    assertThat(codes(health)).as("it moved").isEmpty();
    pass(Duration.ofSeconds(30));
    assertThat(codes(health)).containsExactly("index_stuck");
    assertThat(health.reasons().getFirst().blocks()).isTrue();
    position.incrementAndGet();
    assertThat(codes(health)).isEmpty();
    pass(Duration.ofHours(1));
    lag.set(0);
    assertThat(codes(health)).isEmpty();
  }

  @Test
  void goesOnWithEntriesThatCannotBeIndexedOrRead() {
    parked.set(2);
    damaged = true;
    assertThat(health().reasons())
        .extracting(Reason::code, Reason::blocks)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple("entries_parked", false),
            org.assertj.core.groups.Tuple.tuple("data_damaged", false));
  }

  @Test
  void namesNoFileOfTheStore() {
    ContextureException refused =
        new ContextureException(ErrorCode.STORE_FULL, "no room left for /secret/contexture.db");
    Reason reason = health(() -> Optional.of(refused), Duration.ofMinutes(1)).reasons().getFirst();
    assertThat(reason).isEqualTo(new Reason("store_full", "the store has no room left", true));
  }

  @Test
  void asksTheStoreOnceInASecond() {
    AtomicInteger asked = new AtomicInteger();
    Health health =
        health(
            () -> {
              asked.incrementAndGet();
              return Optional.empty();
            },
            Duration.ofMinutes(1));
    for (int i = 0; i < 100; i++) {
      health.reasons();
    }
    assertThat(asked).hasValue(1);
    pass(Duration.ofSeconds(1));
    health.reasons();
    assertThat(asked).hasValue(2);
  }

  @Test
  void answersWhileTheStoreHangs() throws InterruptedException {
    CountDownLatch hangs = new CountDownLatch(1);
    CountDownLatch ended = new CountDownLatch(1);
    AtomicInteger asked = new AtomicInteger();
    Health health =
        health(
            () -> {
              asked.incrementAndGet();
              try {
                hangs.await();
              } catch (InterruptedException early) {
                Thread.currentThread().interrupt();
              }
              ended.countDown();
              return Optional.empty();
            },
            Duration.ofMillis(20));
    assertThat(codes(health)).containsExactly("store_slow");
    assertThat(codes(health)).containsExactly("store_slow");
    assertThat(asked).as("one question at a time").hasValue(1);
    hangs.countDown();
    ended.await();
    while (!codes(health).isEmpty()) {
      Thread.onSpinWait(); // until its thread has handed the answer over
    }
    assertThat(asked).hasValueGreaterThanOrEqualTo(1);
  }
}
