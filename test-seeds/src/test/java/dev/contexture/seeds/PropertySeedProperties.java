package dev.contexture.seeds;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.lifecycle.AfterContainer;

/** Two runs of a property see the same values: this run sees those of an earlier one. */
class PropertySeedProperties {
  private static final List<Integer> SEEN = new ArrayList<>();
  private static final List<Integer> IN_AN_EARLIER_RUN = List.of(-9068, -2147483648, 38878, -2, 2);

  @Property(tries = 5)
  void seesValues(@ForAll int value) {
    SEEN.add(value);
  }

  @AfterContainer
  static void everyRunSeesTheSameValues() {
    boolean explores = TestSeed.of(1) != 1 || TestSeed.tries(5) != 5;
    if (!explores) {
      assertThat(SEEN).isEqualTo(IN_AN_EARLIER_RUN);
    }
  }
}
