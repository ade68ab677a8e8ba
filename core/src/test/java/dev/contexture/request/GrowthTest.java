package dev.contexture.request;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class GrowthTest {
  @Test
  void nothingIsWrittenThatTheNextCompactionTakesAway() {
    Growth growth = new Growth();
    assertThat(growth.isWorthCaching(0)).as("nothing is known").isTrue();
    growth.add(5_000);
    assertThat(growth.isWorthCaching(-1)).as("no limit").isTrue();
    assertThat(growth.isWorthCaching(5_000)).isTrue();
    assertThat(growth.isWorthCaching(4_999)).isFalse();
    growth.add(100);
    assertThat(growth.isWorthCaching(4_999)).as("one that fits is enough").isTrue();
  }

  @Test
  void onlyTheLastOnesCount() {
    Growth growth = new Growth();
    growth.add(1);
    for (int i = 0; i < 8; i++) {
      growth.add(1_000);
    }
    assertThat(growth.isWorthCaching(500)).isFalse();
  }
}
