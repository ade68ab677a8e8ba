package dev.contexture.embedded;

import static dev.contexture.embedded.ContextFixture.ME;
import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.ContextRequest;
import dev.contexture.RequestBuilder;
import dev.contexture.Turn;
import dev.contexture.block.Block;
import dev.contexture.block.BlockPath;
import dev.contexture.block.BlockType;
import dev.contexture.compaction.CompressionStrategy;
import dev.contexture.model.WireFinding;
import dev.contexture.prompt.ContextConfig;
import dev.contexture.prompt.ContextMetadata;
import dev.contexture.prompt.ModelContextLimits;
import dev.contexture.prompt.Omission;
import dev.contexture.request.LedgerSettings;
import dev.contexture.request.ToolDef;
import dev.contexture.store.sqlite.InMemoryStore;
import dev.contexture.testkit.FakeClock;
import dev.contexture.turn.Reply;
import dev.contexture.turn.ToolCall;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** M-97, H-8: a request says what it leaves out, what was done for it, and what it holds, once. */
class RequestReportTest {
  private static final String MODEL = "claude-opus-5";
  private static final List<ToolDef> TOOLS =
      List.of(new ToolDef("look", "looks", "{\"type\":\"object\"}"));

  private final ContextFixture fixture =
      new ContextFixture(new InMemoryStore(), FakeClock.atStart());

  private RequestBuilder asked(Turn turn) {
    return turn.request(MODEL).agent(ME).tools(TOOLS).prefixCheck(LedgerSettings.Mode.WARN);
  }

  private static List<String> dropped(ContextRequest request) {
    return rows(request.metadata().dropped());
  }

  private static List<String> rows(List<Omission> rows) {
    return rows.stream().map(row -> row.reason().wireName() + " " + row.id()).toList();
  }

  private static List<String> warnings(ContextRequest request) {
    return request.metadata().warnings().stream().map(WireFinding::code).toList();
  }

  private static ContextConfig limits(int max, int memory, int history, int reserved) {
    return ContextConfig.DEFAULT.withLimits(new ModelContextLimits(max, memory, history, reserved));
  }

  /** An answer with thinking and a call, and the call's result. */
  private static void answer(Turn turn, ContextRequest request, int number) {
    Reply reply =
        turn.record(
            request,
            "{\"id\":\"m\",\"type\":\"message\",\"role\":\"assistant\",\"model\":\"claude-opus-5\","
                + "\"content\":[{\"type\":\"thinking\",\"thinking\":\"t\",\"signature\":\"s\"},"
                + "{\"type\":\"tool_use\",\"id\":\"toolu_"
                + number
                + "\",\"name\":\"look\",\"input\":{}}],\"stop_reason\":\"tool_use\"}");
    for (ToolCall call : reply.calls()) {
      turn.answer(call, "seen " + number);
    }
  }

  @Test
  void listsResultsWithoutCallAndBlocksThatAreHidden() {
    Turn turn = fixture.chat.startTurn("hello");
    turn.contribute(
        Block.builder(BlockType.REACT_TOOL_RESULT).toolCallId("tc_gone").text("a late result"),
        Block.builder(BlockType.REACT_NOTE)
            .path(BlockPath.parse("ar:" + turn.id().value() + ".note"))
            .text("nobody needs this any more"));
    turn.hide(BlockPath.parse("ar:" + turn.id().value() + ".note"), "");
    ContextRequest request = asked(turn).build();
    assertThat(request.body()).doesNotContain("late result", "nobody needs");
    assertThat(request.metadata().dropped())
        .filteredOn(row -> row.kind().equals("block"))
        .extracting(row -> row.reason().wireName())
        .containsExactlyInAnyOrder("orphan_result", "hidden");
    assertThat(request.metadata().dropped())
        .filteredOn(row -> row.kind().equals("block"))
        .allSatisfy(row -> assertThat(row.tokens()).as(row.id()).isPositive());
  }

  @Test
  void saysWhichBlocksAreShownInPart() {
    Turn turn = fixture.chat.startTurn("hello");
    BlockPath path = BlockPath.parse("ar:" + turn.id().value() + ".note");
    turn.contribute(
        Block.builder(BlockType.REACT_NOTE)
            .path(path)
            .text("nobody needs this any more ".repeat(9)));
    turn.hide(path, "a note");
    ContextRequest request = asked(turn).build();
    assertThat(rows(request.metadata().truncated())).containsExactly("hidden " + path.text());
    assertThat(request.metadata().truncated().getFirst().tokens()).isGreaterThan(20);
  }

  /** What the conversation says already is neither sent nor counted again. */
  @Test
  void countsABoundTailOnce() {
    fixture.pinned("notes", "Alice drinks tea.");
    Turn turn = fixture.chat.startTurn("hello");
    ContextConfig config = limits(3_200, 1_300, 1_600, 300);
    answer(turn, asked(turn).config(config).build(), 1);
    fixture.memory.updateBlockText(ME, "notes", "And coffee. ".repeat(250));
    ContextRequest told = asked(turn).config(config).build();
    assertThat(told.metadata().tokens().memoryUpdate()).isGreaterThan(700);
    answer(turn, told, 2);
    ContextRequest next = asked(turn).config(config).build();
    assertThat(next.metadata().tokens().memoryUpdate()).as("the history has it").isZero();
    assertThat(next.metadata().tokens().total()).isLessThan(told.metadata().tokens().total() + 200);
    assertThat(next.metadata().compression().applied()).as("it fits").isFalse();
    assertThat(next.metadata().epoch()).extracting(ContextMetadata.Epoch::cause).isNull();
  }

  /** A compaction ends the epoch, so that the request is rendered a second time. */
  @Test
  void reportsTheCompactionOfARequestThatWasRenderedTwice() {
    fixture.pinned("notes", "Alice drinks tea.");
    ContextConfig config = limits(5_000, 300, 2_000, 500);
    for (int i = 0; i < 9; i++) {
      Turn turn = fixture.chat.startTurn("question " + i + " " + "word ".repeat(150));
      ContextRequest request = asked(turn).config(config).build();
      ContextMetadata.Compression done = request.metadata().compression();
      if (done.applied()) {
        assertThat(request.metadata().epoch())
            .extracting(ContextMetadata.Epoch::cause)
            .isEqualTo("compaction");
        assertThat(Objects.requireNonNull(done.report()).string("status")).contains("completed");
        assertThat(done.report().string("summary_id"))
            .contains(Objects.requireNonNull(done.summaryId()));
        assertThat(done.tokensBefore()).isGreaterThan(done.tokensAfter());
        return;
      }
      assertThat(done.report()).as("nothing was due").isNull();
      turn.finish("answer " + "word ".repeat(150));
    }
    throw new AssertionError("nothing was compacted");
  }

  /** Also what was archived by a render that another one replaced. */
  @Test
  void listsEveryTurnThatIsArchived() {
    fixture.pinned("notes", "Alice drinks tea.");
    ContextConfig config =
        limits(5_000, 300, 900, 500).withStrategy(new CompressionStrategy.Truncate(4));
    for (int i = 0; i < 9; i++) {
      Turn turn = fixture.chat.startTurn("question " + i + " " + "word ".repeat(100));
      ContextRequest request = asked(turn).config(config).build();
      for (int old = 0; old < i; old++) {
        int number = old;
        String id =
            fixture.chat.turns(null, 20).stream()
                .map(stored -> stored.turn().value())
                .toList()
                .get(number);
        boolean sent = request.body().contains("question " + number + " ");
        assertThat(dropped(request).contains("archived " + id))
            .as("turn " + number)
            .isNotEqualTo(sent);
      }
      turn.finish("answer " + "word ".repeat(60));
    }
  }

  @Test
  void tellsTheModelOfMemoryThatDoesNotFit() {
    fixture.pinned("diary", "one long line ".repeat(300));
    Turn turn = fixture.chat.startTurn("hello");
    ContextRequest request = asked(turn).config(limits(8_000, 300, 4_000, 500)).build();
    assertThat(request.body())
        .contains("[memory blocks not shown for want of room: diary]")
        .doesNotContain("one long line");
    assertThat(warnings(request)).contains("memory_over_budget");
    assertThat(dropped(request)).containsExactly("over_memory_budget diary");
    assertThat(request.metadata().dropped().getFirst().tokens()).isGreaterThan(500);
  }

  @Test
  void warnsOfAModelThatNobodyAsksForSummaries() {
    Turn turn = fixture.chat.startTurn("hello");
    ContextConfig config =
        ContextConfig.DEFAULT.withStrategy(
            new CompressionStrategy.RecursiveSummarization(4, "gpt-5.6-terra", null));
    assertThat(warnings(asked(turn).config(config).build())).contains("summarization_model_unused");
    assertThat(warnings(asked(turn).build())).isEmpty();
  }

  @Test
  void warnsOfATurnThatACrashLeftWithoutAnEnd() {
    Turn lost = fixture.chat.startTurn("left alone");
    fixture.clock.advance(Duration.ofDays(2));
    Turn turn = fixture.chat.startTurn("hello");
    ContextRequest request = asked(turn).build();
    assertThat(warnings(request)).contains("turn_incomplete");
    assertThat(dropped(request)).containsExactly("incomplete_turn " + lost.id().value());
    turn.abort("wrong");
    Turn next = fixture.chat.startTurn("again");
    assertThat(dropped(asked(next).build()))
        .as("aborted on purpose")
        .contains("incomplete_turn " + turn.id().value());
  }

  /** What nobody asked for goes first where room is scarce. */
  @Test
  void leavesActivityOutInATightBudget() {
    Turn turn = fixture.chat.startTurn("hello");
    String news = "<recent_activity>\n" + "news ".repeat(400) + "\n</recent_activity>";
    ContextRequest request =
        asked(turn)
            .config(limits(700, 100, 200, 100))
            .activity((agent, limit) -> Optional.of(news))
            .build();
    assertThat(request.body()).doesNotContain("recent_activity");
    assertThat(dropped(request)).containsExactly("over_budget recent_activity");
    assertThat(request.metadata().dropped().getFirst().tokens()).isGreaterThan(300);
  }
}
