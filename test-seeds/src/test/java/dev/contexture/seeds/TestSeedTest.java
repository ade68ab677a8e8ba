package dev.contexture.seeds;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;

class TestSeedTest {
  @Test
  void withoutAFlagEachUseHasItsOwnSeed() {
    assertThat(TestSeed.of(7, Optional.empty())).isEqualTo(7);
  }

  @Test
  void aFlagGivesEachUseAnotherSeedAndRepeatsIt() {
    long one = TestSeed.of(7, Optional.of(42L));
    assertThat(one).isNotEqualTo(7).isEqualTo(TestSeed.of(7, Optional.of(42L)));
    assertThat(TestSeed.of(8, Optional.of(42L))).isNotEqualTo(one);
    assertThat(TestSeed.of(7, Optional.of(43L))).isNotEqualTo(one);
  }
}
