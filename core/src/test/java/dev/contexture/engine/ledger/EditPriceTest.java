package dev.contexture.engine.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.contexture.model.CacheRules;
import org.junit.jupiter.api.Test;

/** P-48, with its numbers. */
class EditPriceTest {
  private static CacheRules.Multipliers prices(double read) {
    return new CacheRules.Multipliers(read, 1, 1.25, 2);
  }

  @Test
  void anEditPaysAfterSomeCalls() {
    long removed = 1_000;
    long behind = 3_000;
    double ratio = (double) behind / removed;
    EditPrice usual = EditPrice.of(prices(0.1), removed, 0, behind, true);
    assertThat(usual.breakEvenCalls()).isCloseTo(11.5 * ratio - 1, within(1e-9));
    EditPrice cheap = EditPrice.of(prices(0.025), removed, 0, behind, true);
    assertThat(cheap.breakEvenCalls()).isCloseTo(49 * ratio - 1, within(1e-9));
  }

  @Test
  void aColdCacheMakesItFree() {
    assertThat(EditPrice.of(prices(0.1), 1_000, 0, 3_000, false).breakEvenCalls()).isZero();
  }

  @Test
  void insertingAsMuchNeverPays() {
    assertThat(EditPrice.of(prices(0.1), 1_000, 1_000, 3_000, true).breakEvenCalls()).isInfinite();
  }
}
