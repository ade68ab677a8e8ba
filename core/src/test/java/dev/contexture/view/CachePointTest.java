package dev.contexture.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.block.BlockType;
import dev.contexture.timeline.Chat;
import dev.contexture.timeline.Timeline;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The cache points of V3 (T-43 to T-46). */
class CachePointTest {
  private static final int NONE = -1;
  private static final CachePoint.Settings DEFAULT = CachePoint.Settings.DEFAULT;

  static Chat calls(Chat chat, int count) {
    for (int i = 1; i <= count; i++) {
      String call = "tc_" + i;
      chat.notes(call, "notes").call(call).result(call, "{}");
      chat.artifact(call, "fi:t1.files/" + i, "content");
    }
    return chat;
  }

  static Chat open(Chat chat, String turn, int calls) {
    return calls(chat.activeTurn(turn).prompt("go"), calls);
  }

  private static Chat closed(int calls) {
    return calls(new Chat().turn("t1").prompt("go"), calls)
        .completion("done")
        .quiet(BlockType.REACT_STATE)
        .quiet(BlockType.REACT_EXIT);
  }

  static Stream<Arguments> rows() {
    Chat gates = open(new Chat(), "t1", 0).gate("1").gate("2").gate("3");
    return Stream.of(
        row(1, open(new Chat(), "t1", 0), DEFAULT, 2, NONE, 0, 1),
        row(2, open(new Chat(), "t1", 1), DEFAULT, 6, NONE, NONE, 5),
        row(3, open(new Chat(), "t1", 2), DEFAULT, 10, NONE, 5, 9),
        row(4, open(new Chat(), "t1", 6), DEFAULT, 26, NONE, 9, 25),
        row(5, open(closed(1), "t2", 0), DEFAULT, 9, 6, 5, 8),
        row(6, open(closed(3), "t2", 6), DEFAULT, 41, 14, 24, 40),
        row(7, open(closed(6), "t2", 1), DEFAULT, 33, 26, 17, 32),
        row(8, open(new Chat(), "t1", 3), new CachePoint.Settings(5, 4), 14, NONE, NONE, 13),
        row(9, gates, DEFAULT, 5, NONE, 0, 4),
        row(10, open(new Chat(), "t1", 3), new CachePoint.Settings(2, 0), 14, NONE, 9, 13),
        row(11, compacted(), DEFAULT, 7, 0, 4, 6));
  }

  /** Row 9 of V6 after compaction: summary, header, prompt, two calls with their results. */
  private static Chat compacted() {
    Chat chat = new Chat().turn("t1").prompt("p").completion("c").activeTurn("t2").prompt("go");
    for (int i = 1; i <= 6; i++) {
      chat.call("tc_" + i).result("tc_" + i, "{}");
    }
    return chat.summary(14, "t2", true, "t1", "t2");
  }

  private static Arguments row(
      int number,
      Chat chat,
      CachePoint.Settings settings,
      int size,
      int previousTurn,
      int preTail,
      int tail) {
    return Arguments.of(number, chat.timeline(), settings, size, previousTurn, preTail, tail);
  }

  @ParameterizedTest(name = "row {0}")
  @MethodSource("rows")
  void lieWhereTheTableSays(
      int row,
      Timeline timeline,
      CachePoint.Settings settings,
      int size,
      int previousTurn,
      int preTail,
      int tail) {
    for (Dialect dialect : Dialect.values()) {
      View view = view(timeline, dialect, ContributionFilters.NONE);
      assertThat(view.items()).as("S of row %d", row).hasSize(size);
      List<CachePoint> points = view.cachePoints(settings, true);
      assertThat(index(points, CachePoint.Kind.PREV_TURN)).isEqualTo(previousTurn);
      assertThat(index(points, CachePoint.Kind.PRE_TAIL)).isEqualTo(preTail);
      assertThat(index(points, CachePoint.Kind.TAIL)).isEqualTo(tail);
      assertThat(points).allMatch(point -> point.tokens() == view.costUpTo(point.index()));
    }
  }

  private static int index(List<CachePoint> points, CachePoint.Kind kind) {
    return points.stream()
        .filter(point -> point.kind() == kind)
        .mapToInt(CachePoint::index)
        .findFirst()
        .orElse(NONE);
  }

  private static View view(Timeline timeline, Dialect dialect, ContributionFilters filters) {
    return View.of(timeline, filters, new Emitter(dialect, Reader.ANY, CostCounter.meter()));
  }

  private static List<CachePoint> points(
      Timeline timeline, ContributionFilters filters, boolean cacheLast) {
    return view(timeline, Dialect.TRANSCRIPT, filters).cachePoints(DEFAULT, cacheLast);
  }

  @Test
  void withoutTheLastOneKeepTheOthers() {
    // T-26, T-46: cache_last=false
    Timeline timeline = open(closed(3), "t2", 6).timeline();
    assertThat(points(timeline, ContributionFilters.NONE, false))
        .extracting(CachePoint::index)
        .containsExactly(14, 24);
  }

  @Test
  void onOneIndexCollapse() {
    // T-46: prev_turn and pre_tail both on the completion
    Timeline timeline =
        new Chat().turn("t1").prompt("p").completion("c").activeTurn("t2").prompt("q").timeline();
    List<CachePoint> points =
        view(timeline, Dialect.TRANSCRIPT, ContributionFilters.NONE)
            .cachePoints(new CachePoint.Settings(1, 1), true);
    assertThat(points)
        .extracting(CachePoint::kind)
        .containsExactly(CachePoint.Kind.PREV_TURN, CachePoint.Kind.TAIL);
  }

  @Test
  void areNotMovedByAHideWithAReplacement() {
    // T-46
    Timeline timeline = open(closed(3), "t2", 6).timeline();
    List<Integer> before = indices(points(timeline, ContributionFilters.NONE, true));
    for (long seq : List.of(4L, 5L, 6L, 27L, 45L)) {
      Timeline hidden = new Chat().with(unused -> timeline).hide(seq, "gone").timeline();
      assertThat(indices(points(hidden, ContributionFilters.NONE, true))).isEqualTo(before);
    }
  }

  private static List<Integer> indices(List<CachePoint> points) {
    return points.stream().map(CachePoint::index).collect(Collectors.toList());
  }

  @Test
  void neverLieOnQuietFilteredOrHiddenBlocks() {
    // T-43
    Chat chat = open(new Chat(), "t1", 2).gate("filtered").notes("tc_9", "hidden").hide(12, "");
    Timeline timeline = chat.quiet(BlockType.REACT_STATE).timeline();
    ContributionFilters filters = new ContributionFilters(Set.of(), Set.of(BlockType.STAGE_GATE));
    View view = view(timeline, Dialect.TRANSCRIPT, filters);
    assertThat(view.items()).hasSize(10);
    assertThat(indices(view.cachePoints(DEFAULT, true))).containsExactly(5, 9);
  }

  @Test
  void moveForwardToTheEndOfARunOfOnePath() {
    // T-45
    Chat chat = open(new Chat(), "t1", 1);
    chat.gate("1").gate("2").call("tc_8").result("tc_8", "{}");
    Chat run = open(new Chat(), "t1", 0).call("tc_1").artifact("tc_1", "ar:t1.stage.gate", "x");
    run.gate("1").gate("2").call("tc_8").result("tc_8", "{}");
    assertThat(indices(points(chat.timeline(), ContributionFilters.NONE, true)))
        .containsExactly(5, 9);
    assertThat(indices(points(run.timeline(), ContributionFilters.NONE, true)))
        .containsExactly(5, 7);
  }
}
