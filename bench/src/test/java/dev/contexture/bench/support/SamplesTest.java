package dev.contexture.bench.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class SamplesTest {
  @Test
  void givesPercentilesByNearestRank() {
    Samples samples = Samples.of(4_000_000, 1_000_000, 3_000_000, 2_000_000);
    assertThat(samples.medianMillis()).isEqualTo(2.0);
    assertThat(samples.percentileMillis(99)).isEqualTo(4.0);
    assertThat(samples.percentileMillis(1)).isEqualTo(1.0);
  }

  @Test
  void runsWarmupsBeforeTheMeasuredRepetitions() {
    AtomicLong runs = new AtomicLong();
    Samples samples = Samples.measure(3, 5, runs::incrementAndGet);
    assertThat(samples.count()).isEqualTo(5);
    assertThat(runs).hasValue(8);
  }

  @Test
  void refusesNothingToMeasure() {
    assertThatIllegalArgumentException().isThrownBy(() -> Samples.measure(0, 0, () -> 0));
    assertThatIllegalArgumentException().isThrownBy(() -> Samples.of(1).percentileMillis(0));
  }
}
