package dev.contexture.compaction;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.block.Author;
import dev.contexture.block.Block;
import dev.contexture.block.BlockType;
import dev.contexture.compaction.CompactionReport.Status;
import dev.contexture.compaction.summary.Summarizer;
import dev.contexture.compaction.summary.SummaryRequest;
import dev.contexture.timeline.Chat;
import dev.contexture.timeline.Summary;
import dev.contexture.timeline.Timeline;
import dev.contexture.token.TokenCounter;
import dev.contexture.token.TokenMeter;
import dev.contexture.view.ContributionFilters;
import dev.contexture.view.Dialect;
import dev.contexture.view.Emitter;
import dev.contexture.view.Reader;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** What a summariser is given, and what comes of its answers. */
class SummaryWriterTest {
  private static final Instant NOW = Instant.parse("2026-03-01T00:00:00Z");
  private static final CompactionPolicy POLICY = CompactionPolicy.STANDARD.withKeepRecentTurns(0);

  private final List<SummaryRequest> asked = new ArrayList<>();

  private static Compactor compactor(CompactionBudget budget, ContributionFilters filters) {
    Emitter emitter = new Emitter(Dialect.NATIVE, Reader.ANY, TokenMeter.of(TokenCounter.CHARS4));
    return Compactor.of(emitter, filters, budget);
  }

  private static Compactor forced() {
    return compactor(CompactionBudget.unlimited(POLICY).force(true), ContributionFilters.NONE);
  }

  private Summarizer answering(String text) {
    return request -> {
      asked.add(request);
      return text;
    };
  }

  private CompactionOutcome compact(Compactor compactor, Timeline timeline, Summarizer summarizer) {
    return compactor.compact(timeline, summarizer, "su_new", NOW);
  }

  private static String words(int chars) {
    return "word ".repeat(chars / 5);
  }

  @Nested
  class Input {
    @Test
    void isTheTranscriptOfTheBlocks() {
      // T-70: replaced as replaced, quiet and opaque left out, filtered types included
      Chat chat = new Chat().turn("t1").prompt("find it " + words(900));
      chat.opaque("c1", "{\"thinking\":1}").call("c1", "web.search", "{\"q\":1}").result("c1", "r");
      chat.add(
          Block.builder(BlockType.of("stage.extra"))
              .author(Author.AGENT)
              .text("filtered " + words(400)));
      chat.quiet(BlockType.REACT_THINKING).hide(4, "(replaced)");
      chat.activeTurn("t2").prompt("next " + words(4_000));
      ContributionFilters filters =
          new ContributionFilters(Set.of(), Set.of(BlockType.of("stage.extra")));
      compact(
          compactor(CompactionBudget.unlimited(POLICY).force(true), filters),
          chat.timeline(),
          answering("S"));
      assertThat(asked).hasSize(1);
      SummaryRequest request = asked.getFirst();
      assertThat(request.input())
          .extracting(item -> item.type().name())
          .containsExactly(
              "turn.header", "user.prompt", "react.tool.call", "react.tool.result", "stage.extra");
      assertThat(request.input().get(2).text()).startsWith("[react.tool.call] (");
      assertThat(request.input().get(2).tool()).contains("web.search");
      assertThat(request.input().get(1).path()).hasToString("Optional[ar:t1.user.prompt]");
      assertThat(request.material()).startsWith("<conversation>\n").doesNotContain("thinking\":1");
    }

    @Test
    void showsLargeResultsAsPreviews() {
      // T-70
      Chat chat = new Chat().turn("t1").prompt("p").call("c1").result("c1", words(13_000));
      chat.completion("done").activeTurn("t2").prompt(words(200));
      compact(forced(), chat.timeline(), answering("S"));
      SummaryRequest.Item result =
          asked.getFirst().input().stream()
              .filter(i -> i.type().isResult())
              .findFirst()
              .orElseThrow();
      assertThat(result.text())
          .contains(
              "[PREVIEW] 2601 tokens", "13000 chars. Full text: react.read tc:t1.tc_c1.result")
          .contains("... [11000 chars omitted] ...");
    }

    @Test
    void asksForWhatTheUsersWordsLeave() {
      // T-70
      Chat chat = new Chat().turn("t1").prompt("p").completion(words(900));
      chat.activeTurn("t2").prompt("q");
      for (int i = 0; i < 6; i++) {
        chat.call("c" + i).result("c" + i, words(900));
      }
      compact(forced(), chat.timeline(), answering("S"));
      assertThat(asked)
          .extracting(SummaryRequest::mode)
          .containsExactly(SummaryRequest.Mode.CREATE, SummaryRequest.Mode.TURN_PREFIX);
      assertThat(asked).extracting(SummaryRequest::targetTokens).containsExactly(515L, 257L);
      assertThat(asked.get(0).instructions()).contains("## Critical Context", "Do not answer");
      assertThat(asked.get(1).instructions()).contains("## Context for Suffix");
    }

    @Test
    void givesTheFullTextOfAPreviousSummaryOrItsParts() {
      // T-70: another turn is divided now, so that the whole text counts
      Chat chat = new Chat().turn("t1").prompt("p1");
      for (int i = 0; i < 8; i++) {
        chat.call("c" + i).result("c" + i, words(900));
      }
      Timeline once = compact(forced(), chat.timeline(), answering("ONE")).applyTo(chat.timeline());
      Summary first = once.openingSummary().orElseThrow();
      assertThat(first.splitText()).isEqualTo("ONE");
      chat.with(unused -> once).turn("t2").prompt("p2").completion(words(4_000));
      asked.clear();
      compact(forced(), chat.timeline(), answering("TWO"));
      assertThat(asked.getFirst().mode()).isEqualTo(SummaryRequest.Mode.UPDATE);
      assertThat(asked.getFirst().previous()).contains(first.text());
    }
  }

  @Nested
  class Chunks {
    private Timeline longHistory(int turns, int chars) {
      Chat chat = new Chat();
      for (int i = 0; i < turns; i++) {
        chat.turn("t" + i).prompt("p" + i).call("c" + i).result("c" + i, words(chars));
      }
      return chat.turn("last").prompt(words(turns * chars)).timeline();
    }

    @Test
    void areDividedBetweenUnitsOldestFirst() {
      // T-73: 20 turns of about 520 tokens, room for about 3 of them
      Compactor compactor = forced().withModel("small", 4_000);
      compact(compactor, longHistory(20, 2_000), answering("text so far"));
      assertThat(asked).hasSizeGreaterThan(4).hasSizeLessThan(12);
      assertThat(asked.getFirst().mode()).isEqualTo(SummaryRequest.Mode.CREATE);
      assertThat(asked.getFirst().previous()).isEmpty();
      assertThat(asked.getFirst().model()).contains("small");
      for (SummaryRequest later : asked.subList(1, asked.size())) {
        assertThat(later.mode()).isEqualTo(SummaryRequest.Mode.UPDATE);
        assertThat(later.previous()).contains("text so far");
      }
      for (SummaryRequest request : asked) {
        long tokens =
            request.input().stream().mapToLong(i -> TokenCounter.CHARS4.count(i.text())).sum();
        assertThat(tokens).isLessThanOrEqualTo(4_000 * 8 / 10 - 800);
        long calls = request.input().stream().filter(i -> i.type().isCall()).count();
        long results = request.input().stream().filter(i -> i.type().isResult()).count();
        assertThat(calls).isEqualTo(results);
      }
    }

    @Test
    void areAtMostThirtyTwo() {
      // T-73
      Compactor compactor = forced().withModel("small", 2_900);
      CompactionOutcome outcome =
          compact(compactor, longHistory(80, 2_000), answering("text so far"));
      assertThat(asked).isEmpty();
      assertThat(outcome.report().status()).isEqualTo(Status.COMPLETED);
      assertThat(failure(outcome)).contains("input_too_large");
    }

    @Test
    void areNotNeededByTheBuiltIn() {
      // T-73
      Compactor compactor = forced().withModel("small", 2_900);
      CompactionOutcome outcome =
          compact(compactor, longHistory(80, 2_000), new ExtractiveSummarizer());
      assertThat(outcome.report().status()).isEqualTo(Status.COMPLETED);
    }

    @Test
    void showASingleLargerBlockAsAPreview() {
      // T-73
      Chat chat = new Chat().turn("t1").prompt("start " + words(40_000)).completion("ok");
      chat.turn("t2").prompt(words(45_000));
      compact(forced().withModel("small", 3_000), chat.timeline(), answering("S"));
      assertThat(asked).hasSize(1);
      assertThat(asked.getFirst().input().get(1).text()).startsWith("[PREVIEW]");
    }
  }

  private static Optional<String> failure(CompactionOutcome outcome) {
    return outcome.summary().orElseThrow().meta().string(SummaryRow.FAILURE);
  }

  @Nested
  class Failures {
    private final Timeline timeline =
        new Chat()
            .turn("t1")
            .prompt(words(4_000))
            .completion(words(4_000))
            .activeTurn("t2")
            .prompt("q")
            .timeline();

    private void fails(Summarizer summarizer, String reason) {
      CompactionOutcome outcome = compact(forced(), timeline, summarizer);
      assertThat(outcome.report().status()).isEqualTo(Status.COMPLETED);
      assertThat(failure(outcome)).contains(reason);
      assertThat(outcome.report().warnings()).containsExactly("summarizer_failed");
      String builtIn =
          compact(forced(), timeline, new ExtractiveSummarizer()).summary().orElseThrow().text();
      assertThat(outcome.summary().orElseThrow().text()).isEqualTo(builtIn);
    }

    @Test
    void leaveTheSummaryToTheBuiltIn() {
      // T-74
      fails(
          request -> {
            throw new IllegalStateException("no model");
          },
          "summarizer_failed: it failed in a way that nobody foresaw");
      fails(answering("  \n"), "blank_summary");
      fails(answering("x".repeat(32_001)), "summary_too_long");
    }

    @Test
    void aLongTextIsCutToWhatTheSummaryMayHave() {
      // T-74, T-75
      CompactionOutcome outcome = compact(forced(), timeline, answering("word ".repeat(6_400)));
      assertThat(outcome.report().status()).isEqualTo(Status.COMPLETED);
      assertThat(TokenCounter.CHARS4.count(outcome.summary().orElseThrow().text()))
          .isLessThanOrEqualTo(800);
    }

    @Test
    void doNotAskAboutHeadersOnly() {
      // T-69
      Chat heads = new Chat().turn("t1").turn("t2").activeTurn("t3");
      heads.prompt(words(2_000));
      CompactionOutcome skipped =
          compact(
              compactor(CompactionBudget.of(POLICY, 300), ContributionFilters.NONE),
              heads.timeline(),
              answering("S"));
      assertThat(asked).isEmpty();
      assertThat(skipped.report().status()).isEqualTo(Status.SKIPPED);
      assertThat(skipped.report().reason()).isEqualTo("no_meaningful_history");
    }
  }
}
