package dev.contexture.compaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import java.math.BigDecimal;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Settings and what follows from them (T-59, T-60, T-114). */
class CompactionPolicyTest {
  @Test
  void hasThreePresets() {
    // T-114
    CompactionPolicy standard = CompactionPolicy.named("standard");
    assertThat(standard)
        .isEqualTo(
            new CompactionPolicy(
                new BigDecimal("0.9"),
                new BigDecimal("0.7"),
                6,
                2,
                new BigDecimal("0.10"),
                new BigDecimal("0")));
    assertThat(CompactionPolicy.named("economical").keepRatio()).isEqualByComparingTo("0.05");
    assertThat(CompactionPolicy.names()).containsExactly("balanced", "standard", "economical");
    assertThat(CompactionPolicy.DEFAULT).isEqualTo(CompactionPolicy.named("balanced"));
  }

  @Test
  void asksForASummaryByTheBudget() {
    // T-60: a share of the budget, from 400 where that is a quarter of it, to 8,000
    assertThat(summaryTokens(1_599)).isEqualTo(159);
    assertThat(summaryTokens(1_600)).isEqualTo(400);
    assertThat(summaryTokens(4_001)).isEqualTo(400);
    assertThat(summaryTokens(20_000)).isEqualTo(2_000);
    assertThat(summaryTokens(200_000)).isEqualTo(8_000);
  }

  private static long summaryTokens(long max) {
    return CompactionBudget.of(CompactionPolicy.STANDARD, max).reserve();
  }

  @Test
  void refusesSettingsOutsideTheirRange() {
    // T-100
    CompactionPolicy policy = CompactionPolicy.STANDARD;
    refuses("policy", () -> CompactionPolicy.named("thrifty"));
    refuses("trigger_ratio", () -> policy.withTriggerRatio(BigDecimal.ZERO));
    refuses("keep_ratio", () -> policy.withKeepRatio(new BigDecimal("1.01")));
    refuses("keep_recent_turns", () -> policy.withKeepRecentTurns(-1));
    refuses("keep_recent_rounds", () -> policy.withKeepRecentRounds(-1));
    refuses("summary_ratio", () -> policy.withSummaryRatio(BigDecimal.ZERO));
    refuses("free_ratio", () -> policy.withFreeRatio(BigDecimal.ONE));
    refuses("max_tokens", () -> CompactionBudget.of(policy, 0));
  }

  private static void refuses(String field, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            ContextureException.class,
            refused -> {
              assertThat(refused.code()).isEqualTo(ErrorCode.INVALID_CONFIG);
              assertThat(refused.field()).contains(field);
            });
  }

  @Test
  void floorsExactDecimals() {
    // T-60: 0.7 * 355 is 248.5, and 0.9 * 10 is 9 however doubles see it
    CompactionBudget budget = CompactionBudget.of(CompactionPolicy.STANDARD, 356).system(1);
    assertThat(budget.limit()).isEqualTo(320);
    assertThat(budget.stream()).isEqualTo(355);
    assertThat(budget.base()).isEqualTo(248);
    assertThat(budget.reserve()).isEqualTo(35);
    assertThat(budget.promptQuota()).isEqualTo(88);
    assertThat(CompactionBudget.of(CompactionPolicy.STANDARD, 10).limit()).isEqualTo(9);
  }

  @Test
  void keepsHalfOfWhatTheBoundOfASummaryTakes() {
    // T-60: 0.29 * 128,000 is 37,120, of which a summary may have 8,000
    CompactionBudget large = CompactionBudget.of(CompactionPolicy.BALANCED, 128_000);
    assertThat(large.reserve()).isEqualTo(8_000);
    assertThat(large.base()).isEqualTo(25_600 + 14_560);
    assertThat(CompactionBudget.of(CompactionPolicy.BALANCED, 16_000).base()).isEqualTo(3_200);
    assertThat(CompactionBudget.of(CompactionPolicy.STANDARD, 128_000).base()).isEqualTo(89_600);
  }

  @Test
  void leavesOneTokenWhereNothingIsLeft() {
    // T-60
    CompactionBudget budget = CompactionBudget.of(CompactionPolicy.STANDARD, 5).system(9);
    assertThat(budget.stream()).isEqualTo(1);
    assertThat(budget.base()).isEqualTo(1);
    assertThat(budget.reserve()).isEqualTo(1);
  }

  @Test
  void hasItsOwnNumbersWithoutALimit() {
    // T-60
    CompactionBudget budget = CompactionBudget.unlimited(CompactionPolicy.STANDARD);
    assertThat(budget.reserve()).isEqualTo(800);
    assertThat(budget.promptQuota()).isEqualTo(4_000);
    assertThat(budget.isDue(1L << 40)).isFalse();
    assertThat(budget.force(true).isDue(0)).isTrue();
  }
}
