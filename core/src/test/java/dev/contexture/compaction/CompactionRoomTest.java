package dev.contexture.compaction;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.timeline.Timeline;
import dev.contexture.token.TokenMeter;
import dev.contexture.view.ContributionFilters;
import dev.contexture.view.Dialect;
import dev.contexture.view.Emitter;
import dev.contexture.view.Reader;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** A cut leaves room for what the next request is expected to add. */
class CompactionRoomTest {
  private static final Instant NOW = Instant.parse("2026-03-01T00:00:00Z");
  private static final CompactionPolicy UNPROTECTED =
      CompactionPolicy.STANDARD.withKeepRecentTurns(0);

  /** Twelve rounds of 45; at 600 tokens the limit is 540 and a cut keeps nine of them. */
  private static final Timeline ROUNDS =
      new CostChat().turn("t1", 50, 50).active("t2", 50).rounds(12, 5, 40).timeline();

  private static long estimate(Timeline timeline, CompactionBudget budget) {
    Emitter emitter = new Emitter(Dialect.NATIVE, Reader.ANY, TokenMeter.of(new CostCounter()));
    return Compactor.of(emitter, ContributionFilters.NONE, budget.system(1))
        .plan(timeline, NOW)
        .sizes()
        .estimate();
  }

  private static long estimate(long ahead) {
    return estimate(ROUNDS, CompactionBudget.of(UNPROTECTED, 600).ahead(ahead));
  }

  @Test
  void theNextRequestFitsToo() {
    assertThat(estimate(0)).as("nothing is known").isEqualTo(515);
    assertThat(estimate(25)).as("there is room").isEqualTo(515);
    assertThat(estimate(26)).isEqualTo(470);
    assertThat(estimate(45)).isEqualTo(470);
    assertThat(estimate(71)).isEqualTo(425);
  }

  @Test
  void halfOfWhatIsToBeKeptStays() {
    assertThat(estimate(100_000)).as("five rounds of 45, not below 419 / 2").isEqualTo(335);
  }

  @Test
  void aSummaryThatWasLongerThanAskedForIsExpectedAgain() {
    Timeline before =
        new CostChat().turn("t1", 50, 50).active("t2", 50).rounds(12, 5, 40).timeline();
    Emitter emitter = new Emitter(Dialect.NATIVE, Reader.ANY, TokenMeter.of(new CostCounter()));
    CompactionBudget budget = CompactionBudget.of(UNPROTECTED, 600).system(1);
    Timeline after =
        Compactor.of(emitter, ContributionFilters.NONE, budget)
            .compact(before, asked -> CostCounter.cost(160), "su_1", NOW)
            .applyTo(before);
    CompactionPlan plan =
        Compactor.of(emitter, ContributionFilters.NONE, budget).withAhead(45).plan(after, NOW);
    long room = plan.sizes().limit() - plan.sizes().estimate();
    assertThat(room).isGreaterThanOrEqualTo(45 + 160 - budget.reserve());
  }

  @Test
  void protectedTurnsStay() { // V6 row 8
    CostChat chat = new CostChat().turn("t1", 20, 20).turn("t2", 20, 20).turn("t3", 10, 60);
    for (int i = 4; i < 8; i++) {
      chat.turn("t" + i, 25, 25);
    }
    Timeline timeline = chat.active("t8", 10).timeline();
    CompactionBudget budget = CompactionBudget.of(CompactionPolicy.STANDARD, 360);
    assertThat(estimate(timeline, budget.ahead(1_000))).isEqualTo(estimate(timeline, budget));
  }

  @Test
  void noMoreThanNeededWhenItIsForced() {
    CompactionBudget forced = CompactionBudget.of(UNPROTECTED, 10_000).force(true);
    assertThat(estimate(ROUNDS, forced.ahead(9_900))).isEqualTo(estimate(ROUNDS, forced));
  }

  @Test
  void aShorterSummaryComesBeforeAPreviewOfTheNewestRounds() {
    Timeline timeline =
        new CostChat()
            .turn("t1", 50, 50)
            .active("t2", 50)
            .rounds(8, 5, 40)
            .rounds(2, 175, 190)
            .timeline();
    CompactionBudget budget = CompactionBudget.of(CompactionPolicy.BALANCED, 1_000).system(1);
    Emitter emitter = new Emitter(Dialect.NATIVE, Reader.ANY, TokenMeter.of(new CostCounter()));
    CompactionPlan plan =
        Compactor.of(emitter, ContributionFilters.NONE, budget).plan(timeline, NOW);
    assertThat(plan.sizes().estimate()).as("with the whole summary").isGreaterThan(1_000);
    assertThat(plan.previews()).isEmpty();
  }
}
