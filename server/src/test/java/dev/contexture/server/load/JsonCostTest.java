package dev.contexture.server.load;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class JsonCostTest {
  @Test
  void countsValuesAndNotTheLettersOfTexts() {
    long plain = JsonCost.of("{\"a\":\"x\"}");
    assertThat(JsonCost.of("{\"a\":\"" + "{[:,\\\"".repeat(100) + "\"}")).isEqualTo(plain);
    assertThat(JsonCost.of("{\"a\":\"x\",\"b\":\"y\"}")).isGreaterThan(plain);
    assertThat(JsonCost.of("")).isZero();
  }

  /** What is read takes no more than what is set aside for it; on a heap that is counted. */
  @Test
  void smallObjectsCostFarMoreThanTheirLetters() {
    String many = "[" + "{\"a\":0},".repeat(1_000) + "0]";
    assertThat(JsonCost.of(many)).isGreaterThan(30L * many.length());
  }
}
