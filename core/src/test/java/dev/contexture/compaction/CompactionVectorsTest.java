package dev.contexture.compaction;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.block.BlockPath;
import dev.contexture.compaction.CompactionReport.Status;
import dev.contexture.compaction.summary.SummaryRequest;
import dev.contexture.timeline.Chat;
import dev.contexture.timeline.Pin;
import dev.contexture.timeline.Timeline;
import dev.contexture.timeline.Visibility;
import dev.contexture.view.Dialect;
import java.math.BigDecimal;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The rows of the compaction vectors (V6), in both dialects. */
class CompactionVectorsTest {
  /** {@code economical} with the numbers that the vectors were made for. */
  private static final CompactionPolicy A_THIRD =
      CompactionPolicy.STANDARD.withKeepRatio(new BigDecimal("0.33")).withKeepRecentTurns(0);

  private static final CompactionPolicy STANDARD = CompactionPolicy.STANDARD;
  private static final CompactionPolicy UNPROTECTED = STANDARD.withKeepRecentTurns(0);

  private static CompactionBudget standard(long max) {
    return CompactionBudget.of(STANDARD, max);
  }

  private static CompactionBudget unprotected(long max) {
    return CompactionBudget.of(UNPROTECTED, max);
  }

  @ParameterizedTest
  @EnumSource(Dialect.class)
  void row1and2doNothingUpToTheLimit(Dialect dialect) {
    // T-59
    new CompactionRow(dialect, CostChat.b4(), standard(400)).limit(360).notNeeded(321, 321);
    new CompactionRow(dialect, CostChat.b4(), standard(357)).limit(321).notNeeded(321, 321);
  }

  @ParameterizedTest
  @EnumSource(Dialect.class)
  void row3givesUpAProtectionThatCannotBeHonoured(Dialect dialect) {
    // T-60, T-66
    new CompactionRow(dialect, CostChat.b4(), standard(356))
        .limit(320)
        .cut(2, "t1 assistant.completion")
        .keeping(248)
        .summarised("", "0-1")
        .ends(Status.COMPLETED, 321, 281);
  }

  @ParameterizedTest
  @EnumSource(Dialect.class)
  void row4keepsTheBase(Dialect dialect) {
    // T-65, T-66
    for (int turns : new int[] {2, 0}) {
      CompactionPolicy policy = STANDARD.withKeepRecentTurns(turns);
      new CompactionRow(dialect, CostChat.b4(), CompactionBudget.of(policy, 340))
          .limit(306)
          .cut(2, "t1 assistant.completion")
          .keeping(237)
          .estimated(304)
          .summarised("", "0-1")
          .ends(Status.COMPLETED, 321, 281);
    }
  }

  @ParameterizedTest
  @EnumSource(Dialect.class)
  void row5movesOnUntilTheEstimateFits(Dialect dialect) {
    // T-66
    for (CompactionBudget budget : List.of(standard(200), unprotected(200))) {
      new CompactionRow(dialect, CostChat.b4(), budget)
          .limit(180)
          .cut(6, "t3 turn.header")
          .keeping(139)
          .summarised("0-5", "")
          .ends(Status.COMPLETED, 321, 131);
    }
  }

  @ParameterizedTest
  @EnumSource(Dialect.class)
  void row6dividesATurnWithHistory(Dialect dialect) {
    // T-65, T-68
    new CompactionRow(dialect, CostChat.b4(), standard(100))
        .limit(90)
        .cut(8, "t3 assistant.completion")
        .keeping(69)
        .estimated(80)
        .summarised("0-5", "6-7")
        .ends(Status.COMPLETED, 321, 81);
  }

  @ParameterizedTest
  @EnumSource(Dialect.class)
  void row7countsTheTail(Dialect dialect) {
    // T-59
    new CompactionRow(dialect, CostChat.b4(), standard(400).tail(39))
        .limit(360)
        .notNeeded(360, 360);
    new CompactionRow(dialect, CostChat.b4(), standard(400).tail(40))
        .cut(2, "t1 assistant.completion")
        .summarised("", "0-1")
        .ends(Status.COMPLETED, 361, 321);
  }

  @ParameterizedTest
  @EnumSource(Dialect.class)
  void row8protectsRecentTurns(Dialect dialect) {
    // T-66
    CostChat chat = new CostChat().turn("t1", 20, 20).turn("t2", 20, 20).turn("t3", 10, 60);
    chat.turn("t4", 25, 25).turn("t5", 25, 25).turn("t6", 25, 25).turn("t7", 25, 25);
    Timeline timeline = chat.active("t8", 10).timeline();
    new CompactionRow(dialect, timeline, standard(360))
        .limit(324)
        .cut(6, "t3 turn.header")
        .keeping(280)
        .summarised("0-5", "")
        .ends(Status.COMPLETED, 361, 291);
    new CompactionRow(dialect, timeline, unprotected(360))
        .cut(8, "t3 assistant.completion")
        .keeping(251)
        .summarised("0-5", "6-7")
        .ends(Status.COMPLETED, 361, 281);
  }

  private static Timeline row9() {
    return new CostChat().turn("t1", 50, 50).active("t2", 50).rounds(6, 5, 60).timeline();
  }

  @ParameterizedTest
  @EnumSource(Dialect.class)
  void row9cutsTheActiveTurnAtACall(Dialect dialect) {
    // T-29, T-64, T-66, V7 case 6
    new CompactionRow(dialect, row9(), standard(300))
        .limit(270)
        .cut(13, "t2 react.tool.call")
        .estimated(210)
        .summarised("0-2", "3-12")
        .ends(Status.COMPLETED, 541, 191)
        .shows(
            "conv.range.summary",
            "turn.header",
            "user.prompt",
            "react.tool.call",
            "react.tool.result",
            "react.tool.call",
            "react.tool.result");
  }

  @ParameterizedTest
  @EnumSource(Dialect.class)
  void row10movesToTheStartOfItsUnitAndTurn(Dialect dialect) {
    // T-64
    CostChat chat = new CostChat().turn("t1", 100, 100).active("t2", 20);
    chat.call("a", 5).call("b", 5).result("a", 100).result("b", 80).call("c", 5).result("c", 20);
    new CompactionRow(dialect, chat.timeline(), standard(300))
        .limit(270)
        .cut(3, "t2 turn.header")
        .estimated(265)
        .summarised("0-2", "")
        .ends(Status.COMPLETED, 436, 246);
  }

  static CostChat row11() {
    CostChat chat = new CostChat().turn("t1", 50, 50).summaryBefore("t2", 4, "t1");
    return chat.turn("t2", 50, 50).turn("t3", 50, 50).active("t4", 20);
  }

  @ParameterizedTest
  @EnumSource(Dialect.class)
  void row11updatesTheSummaryBefore(Dialect dialect) {
    // T-68, T-70, T-76
    CompactionRow row =
        new CompactionRow(dialect, row11().timeline(), unprotected(200))
            .limit(180)
            .cut(4, "t3 turn.header")
            .summarised("1-3", "")
            .ends(Status.COMPLETED, 231, 131);
    assertThat(row.asked).hasSize(1);
    assertThat(row.asked.getFirst().mode()).isEqualTo(SummaryRequest.Mode.UPDATE);
    assertThat(row.asked.getFirst().previous()).contains("SUM");
    assertThat(row.outcome.report().coveredTurns())
        .extracting(Object::toString)
        .containsExactly("t1", "t2");
    assertThat(row.after.summaries()).extracting(s -> s.cutSeq()).containsExactly(4L, 7L);
    assertThat(row.outcome.report().summaryBlockCount()).isEqualTo(2);
  }

  @ParameterizedTest
  @EnumSource(Dialect.class)
  void row12reusesTheMainText(Dialect dialect) {
    // T-29, T-70
    CostChat chat = new CostChat().turn("t1", 50, 50).summaryBefore("t2", 4, "t1");
    Timeline timeline = chat.active("t2", 20).rounds(6, 5, 60).timeline();
    CompactionRow row =
        new CompactionRow(dialect, timeline, standard(300))
            .limit(270)
            .cut(9, "t2 react.tool.call")
            .estimated(245)
            .summarised("", "1-8")
            .ends(Status.COMPLETED, 421, 226);
    assertThat(row.asked)
        .extracting(SummaryRequest::mode)
        .containsExactly(SummaryRequest.Mode.TURN_PREFIX);
    assertThat(row.outcome.summary().orElseThrow().mainText()).isEqualTo("SUM");
  }

  @ParameterizedTest
  @EnumSource(Dialect.class)
  void row13countsReplacements(Dialect dialect) {
    // T-58, T-59
    Timeline timeline = CostChat.b4();
    for (long seq : new long[] {3, 6, 9}) {
      Visibility hidden =
          new Visibility(seq, CostCounter.cost(1), Visibility.Reason.API, Chat.START);
      timeline = timeline.withVisibility(List.of(hidden));
    }
    new CompactionRow(dialect, timeline, standard(200)).limit(180).notNeeded(174, 174);
  }

  @ParameterizedTest
  @EnumSource(Dialect.class)
  void row14and15meetAGiantPrompt(Dialect dialect) {
    // T-66
    CompactionRow none =
        new CompactionRow(dialect, new CostChat().active("t1", 1000).timeline(), standard(200))
            .limit(180)
            .ends(Status.NO_CUT, 1001, 1001)
            .unsummarised();
    assertThat(none.plan).isInstanceOf(CompactionPlan.NoCut.class);
    new CompactionRow(
            dialect, new CostChat().turn("t1", 1000, 10).active("t2", 5).timeline(), standard(200))
        .cut(2, "t1 assistant.completion")
        .summarised("", "0-1")
        .ends(Status.COMPLETED, 1016, 26);
  }

  @ParameterizedTest
  @EnumSource(Dialect.class)
  void row16previewsWhatIsLargerThanTheBudget(Dialect dialect) {
    // T-61
    CostChat one = new CostChat().active("t1", 10).call("a", 5).result("a", 1000);
    CompactionRow row =
        new CompactionRow(dialect, one.timeline(), standard(200)).limit(180).notNeeded(1016, 56);
    assertThat(row.outcome.previews()).hasSize(1);
    assertThat(row.outcome.previews().getFirst().reason()).isEqualTo(Visibility.Reason.OVERSIZE);
    new CompactionRow(dialect, one.call("b", 5).result("b", 10).timeline(), standard(200))
        .notNeeded(1031, 71);
  }

  @ParameterizedTest
  @EnumSource(Dialect.class)
  void row17previewsWhereNothingCanBeCut(Dialect dialect) {
    // T-61, T-113
    CostChat chat = new CostChat().active("t1", 10).call("a", 5).result("a", 185);
    new CompactionRow(dialect, chat.timeline(), standard(200)).limit(180).notNeeded(201, 56);
  }

  @ParameterizedTest
  @EnumSource(Dialect.class)
  void row18cutsWhenForced(Dialect dialect) {
    // T-67
    new CompactionRow(dialect, CostChat.b4(), standard(10_000).force(true))
        .cut(5, "t2 assistant.completion")
        .keeping(160)
        .summarised("0-2", "3-4")
        .ends(Status.COMPLETED, 321, 181);
  }

  @ParameterizedTest
  @EnumSource(Dialect.class)
  void row19cutsProtectedRoundsOnlyWithoutAnotherCandidate(Dialect dialect) {
    // T-67, T-113
    CompactionBudget forced = CompactionBudget.unlimited(STANDARD).force(true);
    new CompactionRow(dialect, new CostChat().active("t1", 30).rounds(2, 5, 30).timeline(), forced)
        .cut(4, "t1 react.tool.call")
        .summarised("", "0-3")
        .ends(Status.COMPLETED, 101, 76)
        .shows(
            "conv.range.summary",
            "turn.header",
            "user.prompt",
            "react.tool.call",
            "react.tool.result");
    new CompactionRow(dialect, new CostChat().active("t1", 30).timeline(), forced)
        .ends(Status.NO_CUT, 31, 31)
        .unsummarised();
  }

  @ParameterizedTest
  @EnumSource(Dialect.class)
  void row20skipsWhatWouldNotShrink(Dialect dialect) {
    // T-75
    CompactionRow row =
        new CompactionRow(
                dialect,
                new CostChat().turn("t1", 2, 2).active("t2", 2).timeline(),
                CompactionBudget.unlimited(STANDARD).force(true))
            .cut(2, "t1 assistant.completion")
            .summarised("", "0-1")
            .ends(Status.SKIPPED, 7, 7);
    assertThat(row.outcome.report().reason()).isEqualTo("no_reduction");
    assertThat(row.outcome.changes()).isFalse();
  }

  @ParameterizedTest
  @EnumSource(Dialect.class)
  void row21keepsTheLastTwoRoundsUnderEconomical(Dialect dialect) {
    // T-113, T-114
    new CompactionRow(dialect, row9(), CompactionBudget.of(A_THIRD, 300))
        .limit(270)
        .keeping(98)
        .cut(13, "t2 react.tool.call")
        .summarised("0-2", "3-12")
        .ends(Status.COMPLETED, 541, 191);
  }

  @ParameterizedTest
  @EnumSource(Dialect.class)
  void row22carriesAPromptUpToAQuarter(Dialect dialect) {
    // T-29, T-60
    CompactionRow carried =
        new CompactionRow(
                dialect, new CostChat().active("t1", 74).rounds(6, 5, 60).timeline(), standard(300))
            .limit(270)
            .cut(10, "t1 react.tool.call")
            .summarised("", "0-9")
            .ends(Status.COMPLETED, 465, 215);
    assertThat(carried.outcome.summary().orElseThrow().carriesPrompt()).isTrue();
    CompactionRow dearer =
        new CompactionRow(
                dialect, new CostChat().active("t1", 75).rounds(6, 5, 60).timeline(), standard(300))
            .cut(8, "t1 react.tool.call")
            .summarised("", "0-7")
            .ends(Status.COMPLETED, 466, 206);
    assertThat(dearer.outcome.summary().orElseThrow().carriesPrompt()).isFalse();
  }

  @ParameterizedTest
  @EnumSource(Dialect.class)
  void row25givesUpTheOldestProtectedRoundWhereTheBudgetIsExceeded(Dialect dialect) {
    // T-113: previewed, and where that is not enough, cut away; never while it fits
    CompactionRow previewed =
        new CompactionRow(
                dialect,
                new CostChat().active("t1", 30).rounds(2, 60, 75).timeline(),
                standard(300))
            .limit(270)
            .notNeeded(301, 266);
    assertThat(previewed.outcome.previews()).extracting(Visibility::seq).containsExactly(4L);
    CompactionRow cut =
        new CompactionRow(
                dialect,
                new CostChat().active("t1", 20).rounds(2, 90, 74).timeline(),
                standard(300))
            .limit(270)
            .cut(4, "t1 react.tool.call")
            .summarised("", "0-3")
            .ends(Status.COMPLETED, 349, 195);
    assertThat(cut.outcome.previews()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(Dialect.class)
  void aPinnedResultIsNotPreviewedWhenItsRoundGivesWay(Dialect dialect) {
    Timeline timeline = new CostChat().active("t1", 30).rounds(2, 60, 75).timeline();
    BlockPath path = timeline.entries().get(3).block().path().orElseThrow();
    Pin pin = Pin.of(path, CompactionRow.NOW, timeline.nextSeq(), timeline.entries()).orElseThrow();
    CompactionRow row =
        new CompactionRow(dialect, timeline.withPins(timeline.pins().with(pin)), standard(300))
            .limit(270);
    assertThat(row.outcome.previews()).isEmpty();
    assertThat(row.outcome.report().tokensAfter()).isLessThanOrEqualTo(300);
  }

  @ParameterizedTest
  @EnumSource(Dialect.class)
  void row23previewsAProtectedBlockOnlyAboveAQuarter(Dialect dialect) {
    // T-113
    new CompactionRow(
            dialect, new CostChat().active("t1", 20).rounds(2, 60, 75).timeline(), standard(300))
        .limit(270)
        .ends(Status.NO_CUT, 291, 291)
        .unsummarised();
    CompactionRow previewed =
        new CompactionRow(
                dialect,
                new CostChat().active("t1", 20).rounds(2, 60, 76).timeline(),
                standard(300))
            .notNeeded(293, 257);
    assertThat(previewed.outcome.previews()).extracting(Visibility::seq).containsExactly(4L);
  }

  @ParameterizedTest
  @EnumSource(Dialect.class)
  void row24compactsTheSameTurnAgain(Dialect dialect) {
    // T-29, T-68, T-70
    CostChat chat = new CostChat().turn("t1", 50, 50).active("t2", 50).rounds(6, 5, 60);
    CompactionRow first = new CompactionRow(dialect, chat.timeline(), standard(300));
    chat.chat.with(timeline -> first.after);
    CompactionRow second =
        new CompactionRow(dialect, chat.rounds(2, 5, 60).timeline(), standard(300))
            .limit(270)
            .cut(7, "t2 react.tool.call")
            .summarised("", "3-6")
            .ends(Status.COMPLETED, 321, 191)
            .shows(
                "conv.range.summary",
                "turn.header",
                "user.prompt",
                "react.tool.call",
                "react.tool.result",
                "react.tool.call",
                "react.tool.result");
    assertThat(second.asked).hasSize(1);
    assertThat(second.asked.getFirst().mode()).isEqualTo(SummaryRequest.Mode.TURN_PREFIX);
    assertThat(second.asked.getFirst().previous()).contains("PRE");
    assertThat(second.outcome.summary().orElseThrow().mainText()).isEqualTo("SUM");
  }

  @ParameterizedTest
  @EnumSource(Dialect.class)
  void everySettingCanBeSetAlone(Dialect dialect) {
    // T-114
    CompactionPolicy early = STANDARD.withTriggerRatio(new BigDecimal("0.5"));
    new CompactionRow(dialect, CostChat.b4(), CompactionBudget.of(early, 640)).limit(320);
    CompactionPolicy less = UNPROTECTED.withKeepRatio(new BigDecimal("0.33"));
    new CompactionRow(dialect, CostChat.b4(), CompactionBudget.of(less, 340)).keeping(111);
    CompactionPolicy noRounds = A_THIRD.withKeepRecentRounds(0);
    new CompactionRow(dialect, row9(), CompactionBudget.of(noRounds, 300))
        .cut(15, "t2 react.tool.call");
    CompactionPolicy small = UNPROTECTED.withSummaryRatio(new BigDecimal("0.02"));
    new CompactionRow(dialect, CostChat.b4(), CompactionBudget.of(small, 340)).estimated(277);
  }

  @ParameterizedTest
  @EnumSource(Dialect.class)
  void prefersToLeaveTheNewestRoundsOfTheTurnBeforeWhole(Dialect dialect) {
    // T-113: the active turn has no round yet; i = 9 is a result, so that 10 would come next
    CostChat chat = new CostChat();
    chat.chat.turn("t1").prompt(CostCounter.cost(10));
    Timeline timeline = chat.rounds(4, 5, 60).active("t2", 40).timeline();
    new CompactionRow(dialect, timeline, CompactionBudget.of(A_THIRD, 300))
        .limit(270)
        .keeping(98)
        .cut(6, "t1 react.tool.call")
        .ends(Status.COMPLETED, 311, 181);
  }
}
