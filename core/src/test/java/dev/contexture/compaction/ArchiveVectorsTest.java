package dev.contexture.compaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.contexture.block.TurnId;
import dev.contexture.compaction.CompactionReport.Status;
import dev.contexture.compaction.summary.SummaryRequest;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.render.RenderOptions;
import dev.contexture.render.Renderer;
import dev.contexture.timeline.ArchivedRange;
import dev.contexture.timeline.Chat;
import dev.contexture.timeline.Summary;
import dev.contexture.timeline.Timeline;
import dev.contexture.timeline.TimelineEntry;
import dev.contexture.timeline.TurnStatus;
import dev.contexture.token.TokenMeter;
import dev.contexture.view.Dialect;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The strategies that archive whole turns (M-100 to M-109, checklist 74 to 77). */
class ArchiveVectorsTest extends ArchiveFixture {
  private static CompressionStrategy truncate(int keepRecent) {
    return new CompressionStrategy.Truncate(keepRecent);
  }

  private static List<String> kept(CompactionOutcome outcome, Timeline before) {
    return outcome.applyTo(before).window().entries().stream()
        .map(TimelineEntry::turn)
        .distinct()
        .map(TurnId::value)
        .toList();
  }

  @Nested
  class Vectors {
    @Test
    void atTheCapNothingHappens() {
      // M-105 row 1, M-101
      Timeline timeline = turns(10, 2, 2, 2).timeline();
      for (CompressionStrategy strategy : List.of(truncate(1), CHUNKS_OF_FOUR)) {
        CompactionOutcome outcome = compact(timeline, strategy, HistoryLimits.ofMessages(6));
        assertThat(outcome.changes()).isFalse();
        assertThat(outcome.report().status()).isEqualTo(Status.NOT_NEEDED);
        assertThat(outcome.report().archiving().orElseThrow().strategy()).isEqualTo("none");
      }
      assertThat(asked).isEmpty();
    }

    @Test
    void wholeTurnsOvershootWhatIsKept() {
      // M-105 row 2
      Timeline timeline = turns(10, 2, 2, 2, 2, 2).timeline();
      CompactionOutcome outcome = compact(timeline, truncate(5), HistoryLimits.ofMessages(8));
      assertThat(kept(outcome, timeline)).containsExactly("T3", "T4", "T5");
      assertThat(archived(outcome)).containsExactly("T1", "T2");
      assertThat(outcome.report().archiving().orElseThrow().messagesAfter()).isEqualTo(6);
      assertThat(outcome.report().reason()).isEqualTo("over_cap");
    }

    @Test
    void theNewestTurnStaysWithoutAnActiveOne() {
      // M-105 row 3
      Timeline timeline = turns(10, 2, 1, 2).timeline();
      CompactionOutcome outcome = compact(timeline, truncate(1), HistoryLimits.ofMessages(4));
      assertThat(kept(outcome, timeline)).containsExactly("T3");
      assertThat(archived(outcome)).containsExactly("T1", "T2");
      assertThat(outcome.report().archiving().orElseThrow().messagesBefore()).isEqualTo(5);
    }

    @Test
    void moreIsArchivedWhileTheCapIsExceeded() {
      // M-105 row 4, M-103
      Chat chat = turns(10, 2, 4, 2);
      add(chat.activeTurn("now"), 3, 10);
      Timeline timeline = chat.timeline();
      CompactionOutcome outcome = compact(timeline, truncate(4), HistoryLimits.ofMessages(6));
      assertThat(kept(outcome, timeline)).containsExactly("T3", "now");
      assertThat(archived(outcome)).containsExactly("T1", "T2");
    }

    @Test
    void twoThirdsOfTheTokensAreAimedAt() {
      // M-105 row 5, M-103
      Timeline timeline = turns(100, tenOfTwo()).timeline();
      CompactionOutcome outcome = compact(timeline, truncate(100), HistoryLimits.ofTokens(900));
      assertThat(archived(outcome)).containsExactly("T1", "T2", "T3", "T4");
      assertThat(outcome.report().tokensBefore()).isEqualTo(1_000);
      assertThat(outcome.report().tokensAfter()).isEqualTo(600);
      assertThat(asked).isEmpty();
    }

    @Test
    void incompleteTurnsAreNeitherSentNorArchived() {
      // M-105 row 6, M-100
      Timeline timeline = turns(10, 2, 3, 2, 2).status("T2", TurnStatus.INCOMPLETE).timeline();
      CompactionOutcome outcome = compact(timeline, truncate(2), HistoryLimits.ofMessages(4));
      assertThat(kept(outcome, timeline)).containsExactly("T4");
      assertThat(archived(outcome)).containsExactly("T1", "T3");
      assertThat(outcome.archived()).hasSize(2);
    }

    @Test
    void chunksAreSummarisedOneAfterTheOther() {
      // M-105 row 7, M-107, M-109
      Timeline timeline = turns(10, tenOfTwo()).timeline();
      CompactionOutcome outcome = compact(timeline, CHUNKS_OF_FOUR, HistoryLimits.ofMessages(12));
      assertThat(kept(outcome, timeline)).containsExactly("T7", "T8", "T9", "T10");
      assertThat(archived(outcome)).containsExactly("T1", "T2", "T3", "T4", "T5", "T6");
      assertThat(asked)
          .extracting(ArchiveVectorsTest::turnsOf)
          .containsExactly(List.of("T1", "T2"), List.of("T3", "T4"), List.of("T5", "T6"));
      assertThat(asked)
          .extracting(request -> request.previous().orElse("-"))
          .containsExactly("-", "S1", "S2");
      assertThat(asked)
          .extracting(SummaryRequest::mode)
          .containsExactly(
              SummaryRequest.Mode.CREATE, SummaryRequest.Mode.UPDATE, SummaryRequest.Mode.UPDATE);
      Timeline after = outcome.applyTo(timeline);
      Summary summary = after.window().summary().orElseThrow();
      assertThat(summary.text()).endsWith("\n\nS3");
      assertThat(summary.mainText()).isEqualTo("S3");
      assertThat(summary.coveredTurns()).hasSize(6);
      assertThat(summary.turn()).isEqualTo(TurnId.of("T7"));
      assertThat(new Renderer().render(after, RenderOptions.defaults()).text())
          .startsWith("[SUMMARY] covers 6 turns: T1, T2, T3, T4, T5, T6\n");
    }

    @Test
    void theSummaryToBeMadeCountsAsItsAllowance() {
      // M-105 row 8, M-103: 1,024 + 1,500 <= 3,000
      Timeline timeline = turns(500, tenOfTwo()).timeline();
      CompactionOutcome outcome = compact(timeline, CHUNKS_OF_FOUR, HistoryLimits.ofTokens(4_500));
      assertThat(kept(outcome, timeline)).containsExactly("T8", "T9", "T10");
      assertThat(asked).hasSize(4);
      assertThat(turnsOf(asked.getLast())).containsExactly("T7");
      assertThat(asked).allMatch(request -> request.targetTokens() == 1_024 - 24 - 504);
      assertThat(outcome.report().tokensAfter()).isEqualTo(1_510);
    }
  }

  private static List<String> turnsOf(SummaryRequest request) {
    return request.input().stream().map(item -> item.turn().value()).distinct().toList();
  }

  @Nested
  class Limits {
    @Test
    void anActiveTurnAboveTheCapStays() {
      // M-103
      Chat chat = turns(10, 2, 2);
      add(chat.activeTurn("now"), 9, 10);
      CompactionOutcome outcome =
          compact(chat.timeline(), truncate(5), HistoryLimits.ofMessages(4));
      assertThat(kept(outcome, chat.timeline())).containsExactly("now");
      assertThat(outcome.report().archiving().orElseThrow().warnings())
          .containsExactly("active_turn_over_cap");
    }

    @Test
    void anActiveTurnAboveTheBudgetIsSentAloneAndNothingIsArchived() {
      // M-96
      Chat chat = turns(10, 2, 2);
      add(chat.activeTurn("now"), 1, 500);
      CompactionOutcome outcome =
          compact(chat.timeline(), truncate(5), new HistoryLimits(400, 600, 0));
      assertThat(outcome.changes()).isFalse();
      assertThat(outcome.leftOut()).containsExactlyInAnyOrder(TurnId.of("T1"), TurnId.of("T2"));
      assertThat(outcome.report().status()).isEqualTo(Status.SKIPPED);
      assertThat(outcome.report().archiving().orElseThrow().warnings())
          .containsExactly("active_turn_over_budget");
    }

    @Test
    void whatDoesNotFitTheRoomIsRefused() {
      // M-96, M-103
      Timeline timeline = turns(700, 2, 2).timeline();
      assertThatExceptionOfType(ContextureException.class)
          .isThrownBy(() -> compact(timeline, truncate(1), new HistoryLimits(400, 600, 0)))
          .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.BUDGET_TOO_SMALL));
    }

    @Test
    void theWholeBudgetIsTheTargetWhereTheActiveTurnNeedsTwoThirds() {
      // M-103: 700 of 900 are the active turn's
      Chat chat = turns(100, 2, 2, 2);
      add(chat.activeTurn("now"), 1, 700);
      CompactionOutcome outcome =
          compact(chat.timeline(), truncate(100), HistoryLimits.ofTokens(900));
      assertThat(kept(outcome, chat.timeline())).containsExactly("T2", "T3", "now");
    }

    @Test
    void numbersBelowOneAreRefused() {
      // M-103
      for (Runnable bad :
          List.<Runnable>of(
              () -> truncate(0),
              () -> new CompressionStrategy.RecursiveSummarization(0, null, null),
              () -> HistoryLimits.ofTokens(-1))) {
        assertThatExceptionOfType(ContextureException.class)
            .isThrownBy(bad::run)
            .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_CONFIG));
      }
    }

    @Test
    void aForcedCompactionCutsWhateverTheStrategy() {
      // M-101
      Timeline timeline = turns(100, tenOfTwo()).timeline();
      RenderOptions options =
          RenderOptions.defaults()
              .withDialect(Dialect.NATIVE)
              .withMeter(TokenMeter.of(new CostCounter()))
              .withStrategy(truncate(1))
              .withForceSanitize(true);
      CompactionPlan plan = new Renderer().compactor(timeline, options).plan(timeline, NOW);
      assertThat(plan).isInstanceOf(CompactionPlan.Cut.class);
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void messagesAreCountedAlikeInBothDialects(Dialect dialect) {
      // M-1
      Timeline timeline = turns(10, 2, 4, 3, 1).timeline();
      RenderOptions options =
          RenderOptions.defaults()
              .withDialect(dialect)
              .withStrategy(truncate(1))
              .withHistory(HistoryLimits.ofMessages(3));
      CompactionPlan plan = new Renderer().compactor(timeline, options).plan(timeline, NOW);
      assertThat(((CompactionPlan.Archive) plan).facts().messagesBefore()).isEqualTo(10);
    }
  }

  @Nested
  class Persistence {
    @Test
    void rangesStayArchivedAndNothingIsRepeated() {
      // M-106, checklist 76
      Timeline timeline = turns(10, tenOfTwo()).timeline();
      HistoryLimits limits = HistoryLimits.ofMessages(12);
      CompactionOutcome first = compact(timeline, CHUNKS_OF_FOUR, limits);
      Timeline after = first.applyTo(timeline);
      int calls = asked.size();
      assertThat(compact(after, CHUNKS_OF_FOUR, limits).changes()).isFalse();
      assertThat(compact(after, truncate(4), limits).changes()).isFalse();
      assertThat(asked).hasSize(calls);
      ArchivedRange range = first.archived().getFirst();
      assertThat(range.strategy()).isEqualTo("recursive_summarization");
      assertThat(range.summary()).contains("su_new");
      assertThat(range.fromSeq()).isEqualTo(1);
      assertThat(first.summary().orElseThrow().meta().string("prompt_sha256").orElseThrow())
          .hasSize(64);
    }

    @Test
    void anotherStrategyGoesOnFromThere() {
      // M-106, checklist 75: truncate keeps the summary; recursion updates it
      Chat chat = turns(10, tenOfTwo());
      CompactionOutcome first =
          compact(chat.timeline(), CHUNKS_OF_FOUR, HistoryLimits.ofMessages(12));
      chat.with(first::applyTo);
      CompactionOutcome second = compact(chat.timeline(), truncate(2), HistoryLimits.ofMessages(7));
      assertThat(archived(second)).containsExactly("T7", "T8", "T9");
      chat.with(second::applyTo);
      assertThat(chat.timeline().window().summary().orElseThrow().mainText()).isEqualTo("S3");
      for (int i = 11; i < 15; i++) {
        add(chat.turn("T" + i), 2, 10);
      }
      Timeline grown = chat.timeline();
      CompactionOutcome third =
          compactor(grown, CHUNKS_OF_FOUR, HistoryLimits.ofMessages(8))
              .compact(grown, counting, "su_third", NOW);
      assertThat(asked.get(3).previous())
          .hasValueSatisfying(text -> assertThat(text).endsWith("\n\nS3"));
      Summary summary = third.summary().orElseThrow();
      assertThat(summary.coveredTurns()).hasSize(9);
      assertThat(summary.meta().string("previous_summary_id")).contains("su_new");
      assertThat(kept(third, grown)).containsExactly("T13", "T14");
    }

    @Test
    void withdrawingTheSummaryBringsTheTurnsBack() {
      // T-23
      Timeline timeline = turns(10, tenOfTwo()).timeline();
      CompactionOutcome outcome = compact(timeline, CHUNKS_OF_FOUR, HistoryLimits.ofMessages(12));
      Timeline back = outcome.applyTo(timeline).withdrawSummary("su_new");
      RenderOptions options = RenderOptions.defaults();
      assertThat(new Renderer().render(back, options).text())
          .isEqualTo(new Renderer().render(timeline, options).text());
    }
  }

  @Test
  void theReportSaysItInWords() {
    Timeline timeline = turns(10, tenOfTwo()).timeline();
    String text =
        compact(timeline, CHUNKS_OF_FOUR, HistoryLimits.ofMessages(12)).report().describe();
    assertThat(text)
        .isEqualTo(
            """
            Compaction completed: there were more messages than allowed
              tokens: 100 -> 50 (-50 %)
              summary su_new stands before block 19 for 18 more blocks; it covers 6 turns: T1, T2, T3, T4, T5, T6
              strategy recursive_summarization: 20 -> 8 messages
              archived 6 turns: T1, T2, T3, T4, T5, T6
            """);
  }
}
