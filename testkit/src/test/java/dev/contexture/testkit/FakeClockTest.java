package dev.contexture.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class FakeClockTest {
  @Test
  void clockAndIdsMoveOnlyWhenAsked() {
    FakeClock clock = FakeClock.atStart();
    assertThat(clock.instant()).isEqualTo(FakeClock.START);
    assertThat(clock.advance(Duration.ofSeconds(1))).isEqualTo(clock.instant());
    FakeIds ids = FakeIds.withPrefix("turn_");
    assertThat(ids.get()).isEqualTo("turn_1");
    assertThat(ids.get()).isEqualTo("turn_2");
  }
}
