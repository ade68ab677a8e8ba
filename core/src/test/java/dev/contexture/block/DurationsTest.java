package dev.contexture.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DurationsTest {
  @Test
  void readsWhatPeopleWrite() {
    assertThat(Durations.read("30m", "f")).isEqualTo(Duration.ofMinutes(30));
    assertThat(Durations.read("12h", "f")).isEqualTo(Duration.ofHours(12));
    assertThat(Durations.read("90d", "f")).isEqualTo(Duration.ofDays(90));
    assertThat(Durations.read("2w", "f")).isEqualTo(Duration.ofDays(14));
    assertThat(Durations.read("1y", "f")).isEqualTo(Duration.ofDays(365));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "d", "0d", "-1d", "1.5d", "90", "90 d", "90D", "12345678d", "P1D"})
  void refusesEverythingElse(String text) {
    assertThat(Durations.isDuration(text)).isFalse();
    assertThatThrownBy(() -> Durations.read(text, "expires"))
        .hasMessageContaining("expires is '" + text + "'")
        .hasMessageContaining("such as 90d");
  }
}
