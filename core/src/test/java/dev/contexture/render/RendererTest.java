package dev.contexture.render;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.contexture.block.BlockType;
import dev.contexture.block.TurnId;
import dev.contexture.compaction.CompactionPolicy;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.timeline.ArchivedRange;
import dev.contexture.timeline.Chat;
import dev.contexture.timeline.Timeline;
import dev.contexture.timeline.Visibility;
import dev.contexture.token.TokenCounter;
import dev.contexture.token.TokenMeter;
import dev.contexture.view.CachePoint;
import dev.contexture.view.ContributionFilters;
import dev.contexture.view.Dialect;
import dev.contexture.view.DroppedBlock;
import dev.contexture.view.Part;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class RendererTest {
  private static final RenderOptions PLAIN =
      RenderOptions.defaults().withMeter(TokenMeter.of(TokenCounter.CHARS4));
  private static final RenderOptions NATIVE = PLAIN.withDialect(Dialect.NATIVE);

  private static Chat chat() {
    return new Chat()
        .turn("t1")
        .prompt("one")
        .call("tc_1")
        .result("tc_1", "R1")
        .gate("g1")
        .completion("done")
        .activeTurn("t2")
        .prompt("two")
        .call("tc_2")
        .result("tc_2", "R2")
        .gate("g2");
  }

  private static String text(Timeline timeline, RenderOptions options) {
    return new Renderer().render(timeline, options).text();
  }

  @Nested
  class FiltersOfContributions {
    private static ContributionFilters exclude(BlockType... types) {
      return new ContributionFilters(Set.of(), Set.of(types));
    }

    private static ContributionFilters includeOnly(BlockType... types) {
      return new ContributionFilters(Set.of(types), Set.of());
    }

    @Test
    void leaveOutATypeInHistoryAndActiveTurnAlike() {
      // T-28
      String text = text(chat().timeline(), PLAIN.withFilters(exclude(BlockType.STAGE_GATE)));
      assertThat(text).doesNotContain("g1").doesNotContain("g2").contains("R1").contains("R2");
    }

    @Test
    void decideAloneIfTheyNameWhatIsIncluded() {
      // T-28: include-only beats exclude; base blocks are exempt
      ContributionFilters both =
          new ContributionFilters(Set.of(BlockType.STAGE_GATE), Set.of(BlockType.STAGE_GATE));
      String text = text(chat().timeline(), PLAIN.withFilters(both));
      assertThat(text).contains("g1", "g2", "one", "done").doesNotContain("R1");
      assertThat(text(chat().timeline(), PLAIN.withFilters(includeOnly(BlockType.of("x.y")))))
          .contains("one", "done", "two")
          .doesNotContain("g1");
    }

    @Test
    void matchTypesExactlyAndNeverBaseBlocks() {
      // T-28
      ContributionFilters filters = exclude(BlockType.of("stage"), BlockType.USER_PROMPT);
      assertThat(text(chat().timeline(), PLAIN.withFilters(filters)))
          .isEqualTo(text(chat().timeline(), PLAIN));
    }

    @Test
    void areReportedAndCostNothing() {
      // T-28, T-31
      RenderedContext all = new Renderer().render(chat().timeline(), PLAIN);
      RenderedContext some =
          new Renderer()
              .render(chat().timeline(), PLAIN.withFilters(exclude(BlockType.STAGE_GATE)));
      assertThat(some.report().dropped())
          .extracting(DroppedBlock::reason)
          .containsExactly(DroppedBlock.Reason.FILTERED, DroppedBlock.Reason.FILTERED);
      assertThat(some.report().stableTokens()).isLessThan(all.report().stableTokens());
    }

    @Test
    void leaveNoHalfOfAPairInMessages() {
      // T-41
      for (BlockType half : List.of(BlockType.REACT_TOOL_CALL, BlockType.REACT_TOOL_RESULT)) {
        RenderedContext context =
            new Renderer().render(chat().timeline(), NATIVE.withFilters(exclude(half)));
        assertThat(context.messages().stream().flatMap(m -> m.parts().stream()))
            .noneMatch(p -> p instanceof Part.ToolCall || p instanceof Part.ToolResult);
        assertThat(context.report().dropped()).hasSize(4);
      }
    }
  }

  @Nested
  class Report {
    @Test
    void countsSystemStableAndTail() {
      // T-31, T-59
      Timeline timeline = new Chat().activeTurn("t1").prompt("12345678").timeline();
      RenderOptions options = NATIVE.withSystemText("1234").withSources(true).withMaxTokens(100);
      RenderReport report = new Renderer().render(timeline, options).report();
      assertThat(report.systemTokens()).isEqualTo(1);
      assertThat(report.stableTokens()).isEqualTo(12);
      assertThat(report.tailTokens()).isEqualTo(7);
      assertThat(report.totalTokens()).isEqualTo(20);
      assertThat(report.limit()).hasValue(90);
      assertThat(report.overLimit()).isFalse();
      assertThat(report.counter()).isEqualTo("chars4");
      assertThat(report.ratio()).isEqualTo(BigDecimal.ONE);
    }

    @Test
    void saysWhenTheBudgetIsExceeded() {
      // T-31: 12 is not above 12
      Timeline timeline = new Chat().activeTurn("t1").prompt("12345678").timeline();
      assertThat(new Renderer().render(timeline, NATIVE.withMaxTokens(12)).report().overLimit())
          .isFalse();
      RenderReport over = new Renderer().render(timeline, NATIVE.withMaxTokens(11)).report();
      assertThat(over.overLimit()).isTrue();
      assertThat(new Renderer().render(timeline, NATIVE.withMaxTokens(1)).report().limit())
          .hasValue(0);
      assertThat(new Renderer().render(timeline, NATIVE).report().limit()).isEmpty();
      assertThatExceptionOfType(ContextureException.class)
          .isThrownBy(
              () ->
                  new Renderer().render(timeline, NATIVE.withMaxTokens(11).withStrictBudget(true)))
          .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.CONTEXT_TOO_LARGE))
          .satisfies(e -> assertThat(e.details()).containsEntry("actual", 12L));
    }

    @Test
    void refusesSettingsOutsideTheirRange() {
      // T-100
      assertThatExceptionOfType(ContextureException.class)
          .isThrownBy(() -> PLAIN.withMaxTokens(0))
          .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_CONFIG));
      for (String ratio : List.of("0", "-0.1", "1.01")) {
        assertThatExceptionOfType(ContextureException.class)
            .isThrownBy(
                () ->
                    PLAIN.withPolicy(
                        CompactionPolicy.STANDARD.withTriggerRatio(new BigDecimal(ratio))))
            .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_CONFIG));
      }
      assertThat(
              PLAIN
                  .withPolicy(CompactionPolicy.STANDARD.withTriggerRatio(BigDecimal.ONE))
                  .withMaxTokens(1)
                  .limit())
          .hasValue(1);
    }
  }

  @Nested
  class PrefixChanged {
    private static Optional<PrefixChange> between(Timeline before, Timeline after) {
      return between(before, PLAIN, after, PLAIN);
    }

    private static Optional<PrefixChange> between(
        Timeline before, RenderOptions first, Timeline after, RenderOptions second) {
      Renderer renderer = new Renderer();
      renderer.render(before, first);
      return renderer.render(after, second).report().prefixChangedAt();
    }

    private static Timeline shown(Visibility.Reason reason, String replacement) {
      return chat()
          .timeline()
          .withVisibility(List.of(new Visibility(5, replacement, reason, Chat.START)));
    }

    @Test
    void isSilentForAppendsAndANewTurn() {
      // T-31: this turn's previous render
      assertThat(between(chat().timeline(), chat().gate("more").timeline())).isEmpty();
      assertThat(between(chat().timeline(), shown(Visibility.Reason.API, "x").withActiveTurn(null)))
          .isEmpty();
    }

    @Test
    void namesTheIndexAndTheCause() {
      // T-31
      Timeline plain = chat().timeline();
      assertThat(between(plain, shown(Visibility.Reason.API, "x")))
          .hasValue(new PrefixChange(4, PrefixChange.Cause.HIDE));
      assertThat(between(plain, shown(Visibility.Reason.AGENT, "")))
          .hasValue(new PrefixChange(4, PrefixChange.Cause.HIDE));
      assertThat(between(shown(Visibility.Reason.AGENT, ""), plain))
          .hasValue(new PrefixChange(4, PrefixChange.Cause.HIDE));
      assertThat(between(plain, shown(Visibility.Reason.TTL, "x")))
          .hasValue(new PrefixChange(4, PrefixChange.Cause.TTL));
      assertThat(between(plain, shown(Visibility.Reason.OVERSIZE, "x")))
          .hasValue(new PrefixChange(4, PrefixChange.Cause.PREVIEW));
      assertThat(between(plain, chat().summary(7, "t2", false, "t1").timeline()))
          .hasValue(new PrefixChange(0, PrefixChange.Cause.COMPACTION));
      ArchivedRange range =
          new ArchivedRange("a", 1, 6, List.of(TurnId.of("t1")), "x", null, Chat.START);
      assertThat(between(plain, plain.withArchived(range)))
          .hasValue(new PrefixChange(0, PrefixChange.Cause.ARCHIVE));
      ContributionFilters filters = new ContributionFilters(Set.of(), Set.of(BlockType.STAGE_GATE));
      assertThat(between(plain, PLAIN, plain, PLAIN.withFilters(filters)))
          .hasValue(new PrefixChange(4, PrefixChange.Cause.FILTER));
    }
  }

  @Nested
  class Parts {
    @Test
    void endWithExactlyOneBlankLineAndDoNotDependOnNeighbours() {
      // T-32
      String breaks = "text\n\n\r\n";
      String alone = text(new Chat().turn("t1").prompt(breaks).timeline(), PLAIN);
      String more = text(new Chat().turn("t1").prompt(breaks).gate("x").timeline(), PLAIN);
      assertThat(alone).endsWith("[path: ar:t1.user.prompt]\ntext\n\n");
      assertThat(more).startsWith(alone);
    }

    @Test
    void ofTheTailComeOnlyOnRequestSourcesFirst() {
      // T-26, T-27, T-86
      Timeline timeline = GoldenCases.noSources();
      assertThat(text(timeline, PLAIN)).doesNotContain("SOURCES POOL").doesNotContain("ANNOUNCE");
      assertThat(text(timeline, PLAIN.withSources(true)))
          .endsWith("[SOURCES POOL] (0)\n(none)\n\n");
      assertThat(text(timeline, PLAIN.withAnnounce(true)))
          .endsWith("[ANNOUNCE]\nas given\n\nsecond\n\n");
    }

    @Test
    void carryTheCachePointOnTheLastPartOfTheirBlock() {
      // T-43: text, then binary
      Timeline timeline = GoldenCases.binaries();
      RenderedContext context = new Renderer().render(timeline, PLAIN);
      assertThat(context.transcript().getLast().cache()).isTrue();
      assertThat(context.transcript().getLast().part()).isInstanceOf(Part.Image.class);
      assertThat(context.transcript().get(context.transcript().size() - 2).cache()).isFalse();
      assertThat(context.points()).hasSize(1);
      assertThat(context.points().getFirst().point().kind()).isEqualTo(CachePoint.Kind.TAIL);
    }

    @Test
    void ofStoredBlocksStayUntouched() {
      // T-30, T-43: rendering changes no stored block
      Timeline timeline = chat().timeline();
      String before =
          timeline.entries().stream().map(e -> e.block().toString()).toList().toString();
      new Renderer().render(timeline, NATIVE);
      new Renderer().render(timeline, PLAIN);
      assertThat(timeline.entries().stream().map(e -> e.block().toString()).toList().toString())
          .isEqualTo(before);
    }
  }
}
