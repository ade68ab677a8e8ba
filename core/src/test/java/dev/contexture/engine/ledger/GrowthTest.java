package dev.contexture.engine.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.model.CacheRules;
import org.junit.jupiter.api.Test;

class GrowthTest {
  private static final CacheRules.Multipliers PRICES =
      new CacheRules.Multipliers(0.1, 1.25, 1.25, 2);

  private final Growth growth = new Growth();

  @Test
  void nothingIsWrittenThatTheNextCompactionTakesAway() {
    assertThat(growth.isWorthCaching(0, PRICES)).as("nothing is known").isTrue();
    growth.add(5_000);
    assertThat(growth.isWorthCaching(-1, PRICES)).as("no limit").isTrue();
    assertThat(growth.isWorthCaching(5_000, PRICES)).isTrue();
    assertThat(growth.isWorthCaching(4_999, PRICES)).isFalse();
  }

  @Test
  void aWritePaysFromAChanceOnThatItIsRead() { // 0.25 / 0.9 = 0.278
    add(5_000, 13);
    add(100, 5);
    assertThat(growth.isWorthCaching(4_999, PRICES)).as("5 of 16").isTrue();
    add(5_000, 12);
    assertThat(growth.isWorthCaching(4_999, PRICES)).as("4 of 16").isFalse();
  }

  @Test
  void whereWritesAreFreeAnyChanceIsWorthIt() {
    CacheRules.Multipliers free = new CacheRules.Multipliers(0.1, 1, 1, 1);
    add(5_000, 15);
    assertThat(growth.isWorthCaching(4_999, free)).isFalse();
    growth.add(100);
    assertThat(growth.isWorthCaching(4_999, free)).isTrue();
  }

  @Test
  void onlyTheLastOnesCount() {
    assertThat(growth.expected()).isZero();
    add(9_000, 1);
    add(1_000, 15);
    assertThat(growth.expected()).isEqualTo(9_000);
    growth.add(400);
    assertThat(growth.expected()).isEqualTo(1_000);
    assertThat(growth.isWorthCaching(500, PRICES)).isFalse();
  }

  private void add(long tokens, int times) {
    for (int i = 0; i < times; i++) {
      growth.add(tokens);
    }
  }
}
