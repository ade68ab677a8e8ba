package dev.contexture.compaction;

import static dev.contexture.compaction.CostCounter.cost;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.contexture.block.TurnId;
import dev.contexture.compaction.CompactionReport.Status;
import dev.contexture.compaction.summary.Summarizer;
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
import dev.contexture.token.TokenCounter;
import dev.contexture.token.TokenMeter;
import dev.contexture.view.Dialect;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The strategies that archive whole turns (M-100 to M-109, checklist 74 to 77). */
class ArchiveVectorsTest {
  private static final Instant NOW = Instant.parse("2026-03-01T00:00:00Z");
  private static final CompressionStrategy.RecursiveSummarization CHUNKS_OF_FOUR =
      new CompressionStrategy.RecursiveSummarization(4, null, null);

  private final List<SummaryRequest> asked = new ArrayList<>();
  private final Summarizer counting =
      request -> {
        asked.add(request);
        return "S" + asked.size();
      };

  /** Closed turns of so many messages, each turn costing so much. */
  private static Chat turns(long tokens, int... messages) {
    Chat chat = new Chat();
    for (int i = 0; i < messages.length; i++) {
      add(chat.turn("T" + (i + 1)), messages[i], tokens);
    }
    return chat;
  }

  private static void add(Chat chat, int messages, long tokens) {
    chat.prompt("p " + cost(tokens));
    for (int i = 0; i < (messages - 1) / 2; i++) {
      chat.call("c" + i).result("c" + i, "r");
    }
    if (messages % 2 == 0) {
      chat.completion("c");
    }
  }

  private static int[] tenOfTwo() {
    return IntStream.generate(() -> 2).limit(10).toArray();
  }

  private CompactionOutcome compact(
      Timeline timeline, CompressionStrategy strategy, HistoryLimits limits) {
    return compact(timeline, strategy, limits, counting);
  }

  private static CompactionOutcome compact(
      Timeline timeline,
      CompressionStrategy strategy,
      HistoryLimits limits,
      Summarizer summarizer) {
    return compactor(timeline, strategy, limits).compact(timeline, summarizer, "su_new", NOW);
  }

  private static Compactor compactor(
      Timeline timeline, CompressionStrategy strategy, HistoryLimits limits) {
    RenderOptions options =
        RenderOptions.defaults()
            .withDialect(Dialect.NATIVE)
            .withMeter(TokenMeter.of(new CostCounter()))
            .withStrategy(strategy)
            .withHistory(limits);
    return new Renderer().compactor(timeline, options);
  }

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

  private static List<String> archived(CompactionOutcome outcome) {
    return outcome.archived().stream()
        .flatMap(range -> range.turns().stream())
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

  @Nested
  class Summaries {
    @Test
    void afterAFailureTheBuiltInOneWritesIt() {
      // M-108, checklist 77: the user's words stay, whoever fails
      Timeline timeline = turns(10, tenOfTwo()).timeline();
      List<Summarizer> failing =
          List.of(
              request -> {
                throw new IllegalStateException("down");
              },
              request -> " \n",
              request -> asked.add(request) && asked.size() == 2 ? "" : "S");
      for (Summarizer summarizer : failing) {
        CompactionOutcome outcome =
            compact(timeline, CHUNKS_OF_FOUR, HistoryLimits.ofMessages(12), summarizer);
        assertThat(archived(outcome)).hasSize(6);
        assertThat(outcome.report().status()).isEqualTo(Status.COMPLETED);
        assertThat(outcome.report().warnings()).containsExactly("summarizer_failed");
        assertThat(outcome.summary().orElseThrow().text()).contains("- p #cost=10");
      }
    }

    @Test
    void theBuiltInOneWorksWithoutAModel() {
      // M-107
      Timeline timeline = turns(10, tenOfTwo()).timeline();
      CompactionOutcome outcome =
          compact(
              timeline, CHUNKS_OF_FOUR, HistoryLimits.ofMessages(12), new ExtractiveSummarizer());
      assertThat(outcome.report().status()).isEqualTo(Status.COMPLETED);
      assertThat(outcome.summary().orElseThrow().text()).contains("## What the user said");
    }

    @Test
    void isCutAtALineEndWhereItIsTooLong() {
      // M-107
      TokenMeter meter = TokenMeter.of(TokenCounter.CHARS4);
      String line = "0123456789abcde\n"; // 4 tokens
      assertThat(TextBounds.text(line.repeat(10), 9, meter))
          .isEqualTo("0123456789abcde\n0123456789abcde");
      assertThat(TextBounds.text("short", 9, meter)).isEqualTo("short");
      String words = "word ".repeat(100);
      String cut = TextBounds.text(words, 9, meter);
      assertThat(cut).matches("(?:word )*word");
      assertThat(words).startsWith(cut);
    }

    @Test
    void overlongAnswersAreBounded() {
      // M-107, checklist 77
      Timeline timeline = words(10, 400);
      HistoryLimits limits = HistoryLimits.ofTokens(1_000);
      CompactionOutcome outcome =
          real(timeline, CHUNKS_OF_FOUR, limits)
              .compact(timeline, request -> "a line of words\n".repeat(5_000), "su_new", NOW);
      assertThat(outcome.report().status()).isEqualTo(Status.COMPLETED);
      long tokens =
          TokenMeter.of(TokenCounter.CHARS4).texts(List.of(outcome.summary().orElseThrow().text()));
      assertThat(tokens).isBetween(200L, 250L);
      assertThat(outcome.report().tokensAfter()).isLessThanOrEqualTo(1_000);
    }

    @Test
    void chunksLargerThanTheWindowAreDivided() {
      // M-107: window 1,000; turns of about 320, and one message of 10,000
      Chat chat = new Chat();
      for (int i = 1; i <= 6; i++) {
        chat.turn("T" + i).prompt("p " + "word ".repeat(i == 2 ? 8_000 : 250)).completion("done");
      }
      Timeline timeline = chat.activeTurn("now").prompt("go").timeline();
      CompressionStrategy six = new CompressionStrategy.RecursiveSummarization(12, "small", "Go.");
      HistoryLimits limits = HistoryLimits.ofTokens(1_200);
      CompactionOutcome outcome =
          real(timeline, six, limits)
              .withModel("small", 1_000)
              .compact(timeline, counting, "su_new", NOW);
      assertThat(outcome.report().status()).isEqualTo(Status.COMPLETED);
      assertThat(asked).hasSizeGreaterThan(3);
      TokenMeter meter = TokenMeter.of(TokenCounter.CHARS4);
      for (SummaryRequest request : asked) {
        long size =
            meter.texts(request.input().stream().map(SummaryRequest.Item::text).toList())
                + meter.texts(List.of(request.instructions()))
                + meter.texts(List.of(request.previous().orElse("")))
                + request.targetTokens();
        assertThat(size).isLessThanOrEqualTo(1_000);
        assertThat(request.model()).contains("small");
        assertThat(request.instructions()).isEqualTo("Go.");
      }
      assertThat(asked.stream().flatMap(request -> request.input().stream()))
          .anyMatch(item -> item.text().contains("chars omitted"));
    }

    private static Timeline words(int turns, int tokens) {
      Chat chat = new Chat();
      for (int i = 1; i <= turns; i++) {
        chat.turn("T" + i).prompt("word".repeat(tokens)).completion("done");
      }
      return chat.activeTurn("now").prompt("go").timeline();
    }

    private static Compactor real(
        Timeline timeline, CompressionStrategy strategy, HistoryLimits limits) {
      RenderOptions options =
          RenderOptions.defaults()
              .withDialect(Dialect.NATIVE)
              .withMeter(TokenMeter.of(TokenCounter.CHARS4))
              .withStrategy(strategy)
              .withHistory(limits);
      return new Renderer().compactor(timeline, options);
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
