package dev.contexture.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TurnScoreTest {
  @ParameterizedTest
  @CsvSource({"0.5, 0, 0.60", "0.5, 7, 0.50", "0.5, 14, 0.45", "1, 0, 1.0", "0, 3650, 0.0"})
  void weighsSimilarityAndAge(double similarity, int days, double score) {
    // T-105, V9
    assertThat(TurnScore.of(similarity, Duration.ofDays(days)).total())
        .isCloseTo(score, within(1e-9));
  }

  @Test
  void staysBetweenNothingAndOne() {
    // T-105: sim in [0, 1]
    assertThat(TurnScore.of(7, Duration.ofDays(-3)).total()).isCloseTo(1.0, within(1e-9));
    assertThat(TurnScore.of(-7, Duration.ofDays(1000)).total()).isBetween(0.0, 1e-9);
  }
}
