package dev.contexture.compaction;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.block.BlockType;
import dev.contexture.block.Limits;
import dev.contexture.render.RenderOptions;
import dev.contexture.render.Renderer;
import dev.contexture.timeline.Chat;
import dev.contexture.timeline.Timeline;
import dev.contexture.timeline.TimelineCodec;
import dev.contexture.timeline.Visibility;
import dev.contexture.token.TokenCounter;
import dev.contexture.token.TokenMeter;
import dev.contexture.view.ContributionFilters;
import dev.contexture.view.Dialect;
import dev.contexture.view.Emitter;
import dev.contexture.view.Reader;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Previews for the budget that they were made for (T-19, T-61, T-62). */
class PreviewBudgetTest {
  private static final Instant NOW = Instant.parse("2026-03-01T00:00:00Z");
  private static final String HUGE = "a line of output that says little\n".repeat(2_000);
  private static final TokenMeter PLAIN = TokenMeter.of(TokenCounter.O200K_BASE);

  private static Timeline chat() {
    return new Chat()
        .activeTurn("t1")
        .prompt("run it")
        .call("a", "tools.run", "{}")
        .result("a", HUGE)
        .timeline();
  }

  private static List<Visibility> previews(Emitter emitter, CompactionBudget budget) {
    return Compactor.of(emitter, ContributionFilters.NONE, budget).plan(chat(), NOW).previews();
  }

  private static List<Visibility> previews(long maxTokens) {
    return previews(
        new Emitter(Dialect.NATIVE, Reader.ANY, PLAIN),
        CompactionBudget.of(CompactionPolicy.STANDARD, maxTokens));
  }

  private static String shown(Timeline timeline, RenderOptions options) {
    return new Renderer().render(timeline, options).text();
  }

  private static String shown(Timeline timeline, long maxTokens) {
    return shown(timeline, RenderOptions.defaults().withMaxTokens(maxTokens));
  }

  @Test
  void areShownToViewsOfAtMostThatBudget() {
    Timeline timeline = chat().withVisibility(previews(4_000));
    assertThat(timeline.visibilityRecords().all())
        .extracting(Visibility::maxTokens)
        .containsExactly(4_000L);
    assertThat(shown(timeline, 4_000)).contains("[PREVIEW]");
    assertThat(shown(timeline, 3_999)).contains("[PREVIEW]");
    assertThat(shown(timeline, 4_001)).doesNotContain("[PREVIEW]").contains(HUGE);
    assertThat(shown(timeline, RenderOptions.defaults())).contains(HUGE);
  }

  @ParameterizedTest
  @EnumSource(Dialect.class)
  void sayTheSameWhateverStandsAroundThem(Dialect dialect) {
    CompactionBudget budget = CompactionBudget.of(CompactionPolicy.STANDARD, 4_000);
    TokenMeter dearer = new TokenMeter(TokenCounter.O200K_BASE, new BigDecimal("1.37"));
    List<Visibility> plain = previews(4_000);
    assertThat(previews(new Emitter(dialect, Reader.ANY, dearer), budget.system(900).tail(300)))
        .isEqualTo(plain);
    assertThat(plain.getFirst().replacement())
        .startsWith("[PREVIEW] " + TokenCounter.O200K_BASE.count(HUGE) + " tokens, ");
  }

  @Test
  void ofSeveralBudgetsTheSmallestThatIsNotBelowTheViewCounts() {
    Timeline timeline = chat().withVisibility(previews(8_000)).withVisibility(previews(2_000));
    assertThat(timeline.visibilityRecords().all()).hasSize(2);
    String small = previews(2_000).getFirst().replacement();
    String large = previews(8_000).getFirst().replacement();
    assertThat(small).isNotEqualTo(large);
    assertThat(shown(timeline, 1_000)).contains(small);
    assertThat(shown(timeline, 2_000)).contains(small);
    assertThat(shown(timeline, 2_001)).contains(large);
    assertThat(shown(timeline, 8_000)).contains(large);
    assertThat(shown(timeline, 8_001)).contains(HUGE);
  }

  @Test
  void budgetsAlternateInOneRendererWithoutDisturbingEachOther() {
    Timeline timeline = chat().withVisibility(previews(8_000)).withVisibility(previews(2_000));
    Renderer renderer = new Renderer();
    Timeline grown = timeline;
    for (int i = 0; i < 3; i++) {
      for (long budget : new long[] {2_000, 100_000, 8_000, 4_000}) {
        for (Dialect dialect : Dialect.values()) {
          RenderOptions options =
              RenderOptions.defaults().withDialect(dialect).withMaxTokens(budget);
          assertThat(renderer.render(grown, options).messages())
              .isEqualTo(new Renderer().render(grown, options).messages());
        }
      }
      Timeline known = grown;
      grown = new Chat().with(unused -> known).gate("more " + i).timeline();
    }
  }

  @Test
  void recordsWithoutABudgetCountEverywhere() {
    Visibility old = new Visibility(4, "[PREVIEW] old", Visibility.Reason.OVERSIZE, NOW);
    Timeline timeline = chat().withVisibility(List.of(old));
    assertThat(shown(timeline, RenderOptions.defaults())).contains("[PREVIEW] old");
    assertThat(shown(timeline.withVisibility(previews(4_000)), 4_000)).contains("[PREVIEW] old");
  }

  @Test
  void aHideCountsInEveryViewAndGoesWithThePreviews() {
    Timeline timeline = chat().withVisibility(previews(4_000));
    Visibility hide = new Visibility(4, "gone", Visibility.Reason.API, NOW);
    Timeline hidden = timeline.withVisibility(List.of(hide));
    assertThat(shown(hidden, 4_000)).contains("gone").doesNotContain("[PREVIEW]");
    assertThat(shown(hidden, 100_000)).contains("gone");
    assertThat(shown(hidden.withoutVisibility(List.of(4L)), 4_000)).contains(HUGE);
  }

  @Test
  void aBlockHasABoundedNumberOfBudgets() {
    Timeline timeline = chat();
    for (int i = 0; i < 40; i++) {
      Visibility record =
          new Visibility(
              4, "p" + i, Visibility.Reason.OVERSIZE, NOW.plusSeconds(i), 1_000 + i, null);
      timeline = timeline.withVisibility(List.of(record));
    }
    assertThat(timeline.visibilityRecords().all())
        .hasSize(16)
        .extracting(Visibility::replacement)
        .contains("p39")
        .doesNotContain("p0");
  }

  @Test
  void budgetsAreWrittenAndReadAgain() {
    Timeline timeline = chat().withVisibility(previews(4_000)).withVisibility(previews(2_000));
    Timeline read = TimelineCodec.read(TimelineCodec.write(timeline), Limits.DEFAULT);
    assertThat(read.visibilityRecords()).isEqualTo(timeline.visibilityRecords());
    assertThat(read.entries().getLast().block().type()).isEqualTo(BlockType.REACT_TOOL_RESULT);
  }
}
