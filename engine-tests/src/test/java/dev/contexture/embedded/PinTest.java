package dev.contexture.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.contexture.ContextBrowser;
import dev.contexture.ContextRequest;
import dev.contexture.Contexture;
import dev.contexture.Turn;
import dev.contexture.block.Block;
import dev.contexture.block.BlockPath;
import dev.contexture.block.BlockType;
import dev.contexture.block.CallId;
import dev.contexture.block.Limits;
import dev.contexture.block.Scope;
import dev.contexture.block.TurnId;
import dev.contexture.compaction.CompactionReport;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonObject;
import dev.contexture.prompt.ContextConfigCodec;
import dev.contexture.render.RenderOptions;
import dev.contexture.render.RenderedContext;
import dev.contexture.turn.PinnedPath;
import dev.contexture.turn.TurnStart;
import dev.contexture.view.Dialect;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Paths that stay in context whatever is compacted (H-8, pins). */
class PinTest {
  private static final Scope.OfConversation SCOPE =
      Scope.of("acme", "shop").user("u42").conversation("c1");
  private static final RenderOptions SMALL = RenderOptions.defaults().withMaxTokens(3_000);
  private static final RenderOptions ALL = RenderOptions.defaults();

  @TempDir Path directory;
  private Contexture engine;
  private ContextBrowser chat;

  @BeforeEach
  void open() {
    engine = Contexture.open(directory);
    chat = engine.browser(SCOPE);
  }

  @AfterEach
  void close() {
    engine.close();
  }

  private void restart() {
    close();
    open();
  }

  private void talk(int from, int to) {
    for (int i = from; i <= to; i++) {
      String words = "word" + i + " ";
      chat.startTurn(TurnStart.prompt("ask " + words.repeat(80)).id(TurnId.of("t" + i)))
          .finish("answer " + words.repeat(80));
    }
  }

  private static BlockPath prompt(int turn) {
    return BlockPath.userPrompt(TurnId.of("t" + turn));
  }

  private static String pinned(int turn) {
    return "[PINNED]\n[path: ar:t"
        + turn
        + ".user.prompt]\nask "
        + ("word" + turn + " ").repeat(80);
  }

  @Test
  void staysVerbatimThroughAnyNumberOfCompactionsAndARestart() {
    talk(1, 4);
    chat.pin(prompt(3));
    PinnedPath first = chat.pin(prompt(1));
    assertThat(chat.pin(prompt(1))).as("pinning twice is once").isEqualTo(first);
    long version = chat.version();
    assertThat(chat.pin(prompt(1), 1)).isEqualTo(first);
    assertThat(chat.version()).isEqualTo(version);
    assertThat(chat.render(ALL).text()).as("in the window anyway").doesNotContain("[PINNED]");
    for (int round = 0; round < 3; round++) {
      talk(5 + 8 * round, 12 + 8 * round);
      assertThat(chat.compact(SMALL).status()).isEqualTo(CompactionReport.Status.COMPLETED);
      RenderedContext context = chat.render(SMALL);
      assertThat(context.text())
          .contains("[END SUMMARY]\n\n" + pinned(3) + "\n\n" + pinned(1) + "\n\n");
      assertThat(context.report().totalTokens()).isLessThanOrEqualTo(3_000);
    }
    String shown = chat.render(SMALL).text();
    restart();
    assertThat(chat.render(SMALL).text()).isEqualTo(shown);
    assertThat(chat.pins()).extracting(PinnedPath::path).containsExactly(prompt(3), prompt(1));
    assertThat(chat.pins()).contains(first);
  }

  @Test
  void isPartOfTheMessagesToo() {
    talk(1, 12);
    chat.pin(prompt(1));
    chat.compact(SMALL);
    RenderedContext context = chat.render(ALL.withDialect(Dialect.NATIVE));
    assertThat(context.messages().getFirst().parts().get(1).toString())
        .contains(pinned(1).stripTrailing());
    Turn turn = chat.startTurn(TurnStart.prompt("go on").id(TurnId.of("now")));
    ContextRequest request = turn.request("claude-opus-5").build();
    assertThat(request.body()).contains("[PINNED]\\n[path: ar:t1.user.prompt]\\nask word1 ");
    assertThat(request.metadata().toJson().array("warnings").orElseThrow().items()).isEmpty();
  }

  @Test
  void leavesThePrefixAsItIsWhileBlocksAreAppended() {
    talk(1, 12);
    chat.pin(prompt(1));
    chat.compact(SMALL);
    Turn turn = chat.startTurn(TurnStart.prompt("go on").id(TurnId.of("now")));
    String before = chat.render(ALL).text();
    turn.contribute(
        Block.builder(BlockType.REACT_NOTE).path(BlockPath.parse("ar:now.n")).text("noted"));
    assertThat(chat.render(ALL).text()).startsWith(before);
    turn.pin(prompt(2));
    assertThat(chat.render(ALL).text()).contains(pinned(1).strip() + " \n\n" + pinned(2).strip());
  }

  @Test
  void theTextIsThatOfTheTimeOfThePin() {
    BlockPath path = BlockPath.parse("ar:t0.plan");
    Turn turn = chat.startTurn(TurnStart.prompt("plan").id(TurnId.of("t0")));
    turn.contribute(Block.builder(BlockType.REACT_NOTE).path(path).text("first plan"));
    turn.pin(path);
    turn.contribute(Block.builder(BlockType.REACT_NOTE).path(path).text("second plan"));
    turn.finish("done");
    talk(1, 12);
    chat.compact(SMALL);
    assertThat(chat.render(ALL).text()).contains("[path: ar:t0.plan]\nfirst plan\n");
    restart();
    assertThat(chat.render(ALL).text()).contains("[path: ar:t0.plan]\nfirst plan\n");
    assertThat(chat.unpin(path)).isTrue();
    chat.pin(path);
    assertThat(chat.render(ALL).text()).contains("[path: ar:t0.plan]\nsecond plan\n");
  }

  @Test
  void whatIsShownAgainByTheSummaryIsNotShownTwice() {
    Turn turn = chat.startTurn(TurnStart.prompt("do it all").id(TurnId.of("w")));
    turn.pin(BlockPath.userPrompt(turn.id()));
    for (int i = 0; i < 24; i++) {
      CallId call = CallId.of("tc_" + i);
      turn.contribute(
          Block.builder(BlockType.REACT_TOOL_CALL)
              .toolCallId(call.value())
              .path(BlockPath.call(turn.id(), call))
              .text("{\"tool_id\":\"t\",\"params\":{}}"),
          Block.builder(BlockType.REACT_TOOL_RESULT)
              .toolCallId(call.value())
              .path(BlockPath.result(turn.id(), call))
              .text(("item" + i + " ").repeat(80)));
    }
    chat.compact(SMALL);
    assertThat(chat.render(ALL).text()).contains("[USER MESSAGE]").doesNotContain("[PINNED]");
  }

  @Test
  void takesAtMostAQuarterOfTheBudget() {
    talk(1, 12);
    PinnedPath first = chat.pin(prompt(1), 1_000);
    assertThatExceptionOfType(ContextureException.class)
        .isThrownBy(() -> chat.pin(prompt(2), 1_000))
        .satisfies(
            refused -> {
              assertThat(refused.code()).isEqualTo(ErrorCode.LIMIT_EXCEEDED);
              assertThat(refused.details()).containsEntry("limit", 250L);
              assertThat(refused.details()).containsEntry("actual", 2 * first.tokens());
            });
    assertThat(chat.pins()).containsExactly(first);
    chat.pin(prompt(2));
    chat.compact(SMALL);
    RenderedContext narrow = chat.render(ALL.withMaxTokens(1_000).withReadOnly(true));
    assertThat(narrow.text()).contains("ar:t1.user.prompt]\nask").doesNotContain("ar:t2.user");
    assertThat(narrow.report().dropped())
        .anyMatch(dropped -> dropped.reason().wireName().equals("pin_over_share"));
    Turn turn = chat.startTurn(TurnStart.prompt("go on").id(TurnId.of("now")));
    JsonObject config =
        (JsonObject)
            dev.contexture.json.JsonValue.parse(
                "{\"max_tokens\":1000,\"memory_tokens\":1,\"history_tokens\":900,"
                    + "\"reserved_response_tokens\":10}");
    ContextRequest request =
        turn.request("claude-opus-5").config(ContextConfigCodec.read(config)).build();
    assertThat(request.metadata().toJson().array("warnings").orElseThrow().toJson())
        .contains("pins_over_share");
  }

  @Test
  void refusesWhatHasNoText() {
    talk(1, 1);
    for (String path : new String[] {"ar:t1.nope", "ar:t9.user.prompt", "fi:t1.files/a.txt"}) {
      assertThatExceptionOfType(ContextureException.class)
          .isThrownBy(() -> chat.pin(BlockPath.parse(path)))
          .satisfies(refused -> assertThat(refused.code()).isEqualTo(ErrorCode.NOT_FOUND));
    }
    for (String path : new String[] {"so:sources_pool[1]", "su:t1.conv.range.summary", "sk:a"}) {
      assertThatExceptionOfType(ContextureException.class)
          .isThrownBy(() -> chat.pin(BlockPath.parse(path)))
          .satisfies(refused -> assertThat(refused.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT));
    }
    assertThat(chat.pins()).isEmpty();
  }

  @Test
  void thereAreAtMostAHundred() {
    Turn turn = chat.startTurn(TurnStart.prompt("notes").id(TurnId.of("t0")));
    for (int i = 0; i <= Limits.MAX_PINS; i++) {
      BlockPath path = BlockPath.parse("ar:t0.n" + i);
      turn.contribute(Block.builder(BlockType.REACT_NOTE).path(path).text("n"));
      if (i < Limits.MAX_PINS) {
        turn.pin(path);
      } else {
        assertThatExceptionOfType(ContextureException.class)
            .isThrownBy(() -> turn.pin(path))
            .satisfies(refused -> assertThat(refused.code()).isEqualTo(ErrorCode.LIMIT_EXCEEDED));
      }
    }
  }

  @Test
  void goesWithItsTurnWhenThatIsErasedOrAborted() {
    talk(1, 12);
    chat.pin(prompt(1));
    chat.pin(prompt(2));
    Turn turn = chat.startTurn(TurnStart.prompt("no good").id(TurnId.of("bad")));
    turn.pin(BlockPath.userPrompt(turn.id()));
    turn.abort("user");
    assertThat(chat.pins()).extracting(PinnedPath::path).containsExactly(prompt(1), prompt(2));
    chat.compact(SMALL);
    chat.eraseTurn(TurnId.of("t1"));
    assertThat(chat.pins()).extracting(PinnedPath::path).containsExactly(prompt(2));
    talk(13, 20);
    chat.compact(SMALL);
    assertThat(chat.render(ALL).text()).contains(pinned(2)).doesNotContain("word1 ", "no good");
    restart();
    assertThat(chat.pins()).extracting(PinnedPath::path).containsExactly(prompt(2));
  }

  @Test
  void aWithdrawnSummaryGivesTheContextBeforeItBack() {
    talk(1, 12);
    chat.pin(prompt(1));
    String before = chat.render(ALL).text();
    String id = chat.compact(SMALL).summary().orElseThrow().id();
    assertThat(chat.render(ALL).text()).contains("[PINNED]");
    chat.withdrawSummary(id);
    assertThat(chat.render(ALL).text()).isEqualTo(before);
  }

  @Test
  void endsWhenItsPathIsHidden() {
    talk(1, 4);
    chat.pin(prompt(3));
    chat.pin(prompt(4));
    Turn turn = chat.startTurn(TurnStart.prompt("go on").id(TurnId.of("now")));
    assertThat(turn.hide(prompt(4), "gone").blocksHidden()).isPositive();
    assertThat(chat.pins()).extracting(PinnedPath::path).containsExactly(prompt(3));
    turn.unhide(prompt(4));
    assertThat(chat.pins()).as("showing it again pins nothing").hasSize(1);
    restart();
    assertThat(chat.pins()).extracting(PinnedPath::path).containsExactly(prompt(3));
  }
}
