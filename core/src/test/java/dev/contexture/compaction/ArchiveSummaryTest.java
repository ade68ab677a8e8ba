package dev.contexture.compaction;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.compaction.CompactionReport.Status;
import dev.contexture.compaction.summary.Summarizer;
import dev.contexture.compaction.summary.SummaryRequest;
import dev.contexture.render.RenderOptions;
import dev.contexture.render.Renderer;
import dev.contexture.timeline.Chat;
import dev.contexture.timeline.Timeline;
import dev.contexture.token.TokenCounter;
import dev.contexture.token.TokenMeter;
import dev.contexture.view.Dialect;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The summaries that archived turns leave (M-107, M-108, checklist 77). */
class ArchiveSummaryTest extends ArchiveFixture {
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
        compact(timeline, CHUNKS_OF_FOUR, HistoryLimits.ofMessages(12), new ExtractiveSummarizer());
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
