package dev.contexture.compaction;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.block.BlockPath;
import dev.contexture.compaction.CompactionReport.Status;
import dev.contexture.compaction.summary.SummaryRequest;
import dev.contexture.json.JsonObject;
import dev.contexture.render.RenderOptions;
import dev.contexture.render.RenderedContext;
import dev.contexture.render.Renderer;
import dev.contexture.timeline.Artifact;
import dev.contexture.timeline.Summary;
import dev.contexture.timeline.Timeline;
import dev.contexture.timeline.Visibility;
import dev.contexture.token.TokenMeter;
import dev.contexture.view.CachePoint;
import dev.contexture.view.ContributionFilters;
import dev.contexture.view.Dialect;
import dev.contexture.view.StreamItem;
import dev.contexture.view.View;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The seven required cases (V7): four turns, nothing protected, a summariser that says little. */
class CompactionCasesTest {
  private static final Instant NOW = Instant.parse("2026-03-01T00:00:00Z");
  private static final CompactionPolicy POLICY = CompactionPolicy.STANDARD.withKeepRecentTurns(0);
  private static final RenderOptions OPTIONS =
      RenderOptions.defaults().withMeter(TokenMeter.of(new CostCounter()));

  private final Renderer renderer = new Renderer();
  private final List<SummaryRequest> asked = new ArrayList<>();

  private String answer(SummaryRequest request) {
    asked.add(request);
    return request.mode() == SummaryRequest.Mode.TURN_PREFIX ? "PRE" : "SUM";
  }

  private CompactionOutcome compact(Timeline timeline, long max) {
    CompactionBudget budget = CompactionBudget.of(POLICY, max).system(1);
    return Compactor.of(renderer.emitter(OPTIONS), ContributionFilters.NONE, budget)
        .compact(timeline, this::answer, "su_new", NOW);
  }

  private List<String> shown(Timeline timeline) {
    return renderer.view(timeline, OPTIONS).items().stream()
        .map(item -> item.turn() + " " + item.type())
        .toList();
  }

  @Test
  void case1insertsASummaryAndKeepsTheCutBlock() {
    // T-76
    CompactionOutcome outcome = compact(CostChat.b4(), 200);
    Summary summary = outcome.summary().orElseThrow();
    assertThat(summary.cutSeq()).isEqualTo(7);
    assertThat(summary.fromSeq()).isEqualTo(1);
    assertThat(summary.text())
        .isEqualTo(
            "## What the user said\n- #cost= …\n"
                + "(2 messages of the user are not here in full: ar:t2.user.prompt,"
                + " ar:t1.user.prompt)\n\nSUM");
    assertThat(summary.turn().value()).isEqualTo("t3");
    assertThat(shown(outcome.applyTo(CostChat.b4())))
        .containsExactly(
            "t3 conv.range.summary",
            "t3 turn.header",
            "t3 user.prompt",
            "t3 assistant.completion",
            "t4 turn.header",
            "t4 user.prompt");
  }

  @Test
  void case2summarisesTheBeginningOfADividedTurnApart() {
    // T-29, T-68, T-72
    CompactionOutcome outcome = compact(CostChat.b4(), 340);
    Summary summary = outcome.summary().orElseThrow();
    assertThat(summary.cutSeq()).isEqualTo(3);
    assertThat(summary.text())
        .isEqualTo(
            """
            ## What the user said
            (1 message of the user is not here in full: ar:t1.user.prompt)

            ---

            **Turn Context (split turn):**

            Original request (ar:t1.user.prompt): #cost= …

            PRE\
            """);
    assertThat(summary.mainText()).isEmpty();
    assertThat(summary.splitText()).isEqualTo("PRE");
    assertThat(summary.meta().string("split_turn_id")).contains("t1");
    assertThat(shown(outcome.applyTo(CostChat.b4())))
        .startsWith(
            "t1 conv.range.summary", "t1 turn.header", "t1 assistant.completion", "t2 turn.header")
        .doesNotContain("t1 user.prompt");
  }

  @Test
  void case3changesNothingBelowTheLimit() {
    // T-59
    Timeline timeline = CostChat.b4();
    CompactionOutcome outcome = compact(timeline, 400);
    assertThat(outcome.changes()).isFalse();
    assertThat(outcome.applyTo(timeline)).isSameAs(timeline);
    assertThat(asked).isEmpty();
  }

  @Test
  void case4putsANewSummaryBehindTheOldOne() {
    // T-70, T-76
    Timeline timeline = CompactionVectorsTest.row11().timeline();
    CompactionOutcome outcome = compact(timeline, 200);
    Timeline after = outcome.applyTo(timeline);
    assertThat(after.summaries()).extracting(Summary::cutSeq).containsExactly(4L, 7L);
    assertThat(asked.getFirst().previous()).contains("SUM");
    StreamItem first = renderer.view(after, OPTIONS).items().getFirst();
    assertThat(first.summary()).contains(outcome.summary().orElseThrow());
  }

  @Test
  void case5namesHiddenBlocksInTheDigest() {
    // T-77
    Timeline timeline =
        CostChat.b4()
            .withVisibility(List.of(new Visibility(3, "gone #cost=1", Visibility.Reason.API, NOW)));
    CompactionOutcome outcome = compact(timeline, 200);
    List<JsonObject> hidden =
        outcome.report().digest().array("hidden_blocks").orElseThrow().items().stream()
            .map(JsonObject.class::cast)
            .toList();
    assertThat(hidden).hasSize(1);
    assertThat(hidden.getFirst().string("path")).contains("ar:t1.assistant.completion");
    assertThat(hidden.getFirst().string("type")).contains("assistant.completion");
    assertThat(hidden.getFirst().string("turn_id")).contains("t1");
    assertThat(hidden.getFirst().string("replacement_text")).contains("gone #cost=1");
    assertThat(outcome.summary().orElseThrow().text()).contains("\n\nSUM", "ar:t1.user.prompt");
  }

  @Test
  void case6neverSeparatesACallFromItsResult() {
    // T-64; the cuts themselves are rows 9, 10 and 12 of V6
    Timeline timeline =
        new CostChat().turn("t1", 50, 50).active("t2", 50).rounds(6, 5, 60).timeline();
    Timeline after = compact(timeline, 300).applyTo(timeline);
    RenderedContext context = renderer.render(after, OPTIONS.withDialect(Dialect.NATIVE));
    assertThat(context.report().dropped()).isEmpty();
    assertThat(shown(after))
        .containsExactly(
            "t2 conv.range.summary",
            "t2 turn.header",
            "t2 user.prompt",
            "t2 react.tool.call",
            "t2 react.tool.result",
            "t2 react.tool.call",
            "t2 react.tool.result");
  }

  @Test
  void case7keepsCachePoints() {
    // T-45
    assertThat(points(compact(CostChat.b4(), 200))).containsExactly("prev_turn 3", "tail 5");
    assertThat(points(compact(CostChat.b4(), 340)))
        .containsExactly("pre_tail 2", "prev_turn 8", "tail 10");
  }

  private List<String> points(CompactionOutcome outcome) {
    View view = renderer.view(outcome.applyTo(CostChat.b4()), OPTIONS);
    return view.cachePoints(CachePoint.Settings.DEFAULT, true).stream()
        .map(point -> point.kind().wireName() + " " + point.index())
        .toList();
  }

  @Test
  void withdrawingTheSummaryRestoresTheViewBeforeIt() {
    // T-23
    Timeline before = CostChat.b4();
    Timeline after = compact(before, 200).applyTo(before);
    assertThat(shown(after)).isNotEqualTo(shown(before));
    Timeline restored = after.withdrawSummary("su_new");
    assertThat(renderer.render(restored, OPTIONS).text())
        .isEqualTo(renderer.render(before, OPTIONS).text());
  }

  @Test
  void deletesNothing() {
    // T-22
    Timeline before = CostChat.b4();
    Timeline after = compact(before, 200).applyTo(before);
    assertThat(after.entries()).isEqualTo(before.entries());
    BlockPath old = BlockPath.parse("ar:t1.user.prompt");
    assertThat(Artifact.resolve(after, old, false).orElseThrow().text()).contains("#cost=50");
  }

  @Test
  void doesNotCompactAgainUntilItIsDueAgain() {
    // T-78
    Timeline timeline = CostChat.b4();
    timeline = compact(timeline, 200).applyTo(timeline);
    asked.clear();
    for (int i = 0; i < 10; i++) {
      CompactionOutcome again = compact(timeline, 200);
      assertThat(again.report().status()).isEqualTo(Status.NOT_NEEDED);
      timeline = again.applyTo(timeline);
    }
    assertThat(asked).isEmpty();
  }

  @Test
  void reportsForCallersHooksAndPeople() {
    // T-79, H-5
    CompactionReport report = compact(CostChat.b4(), 340).report();
    assertThat(report.toJson().without("digest").toJson())
        .startsWith(
            "{\"status\":\"completed\",\"reason\":\"over_limit\",\"tokens_before\":321,"
                + "\"tokens_after\":281,\"compacted_blocks\":2,\"summary_block_count\":1,"
                + "\"summary_id\":\"su_new\",\"cut_seq\":3,\"split_turn_id\":\"t1\","
                + "\"covered_turn_ids\":[\"t1\"],\"summary\":\"## What the user said");
    assertThat(report.stats().toJson())
        .endsWith(
            "\"summary_block_count\":1,\"before_tokens\":321,\"after_tokens\":281,"
                + "\"compacted_tokens\":40}");
    assertThat(report.toString())
        .isEqualTo("completed (over_limit): 321 -> 281 tokens, 2 blocks summarised");
    CompactionReport none = compact(CostChat.b4(), 400).report();
    assertThat(none.toJson().toJson())
        .isEqualTo(
            "{\"status\":\"not_needed\",\"reason\":\"below_limit\",\"tokens_before\":321,"
                + "\"tokens_after\":321,\"compacted_blocks\":0,\"summary_block_count\":0,"
                + "\"covered_turn_ids\":[],\"digest\":{}}");
  }
}
