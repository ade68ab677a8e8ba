package dev.contexture.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.ContextBrowser;
import dev.contexture.Contexture;
import dev.contexture.Turn;
import dev.contexture.block.Block;
import dev.contexture.block.BlockPath;
import dev.contexture.block.BlockType;
import dev.contexture.block.CallId;
import dev.contexture.block.Scope;
import dev.contexture.block.TurnId;
import dev.contexture.compaction.CompactionReport;
import dev.contexture.compaction.CompactionReport.Status;
import dev.contexture.compaction.ExtractiveSummarizer;
import dev.contexture.render.RenderOptions;
import dev.contexture.timeline.Summary;
import dev.contexture.timeline.TurnLimit;
import dev.contexture.turn.RenderResult;
import dev.contexture.turn.TurnStart;
import dev.contexture.view.PruneSettings;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compaction of a conversation in SQLite, across restarts (checklist 15 to 19, 33, 48, 55). */
class StoredCompactionTest {
  private static final Scope.OfConversation SCOPE =
      Scope.of("acme", "shop").user("u42").conversation("c1");
  private static final RenderOptions SMALL = RenderOptions.defaults().withMaxTokens(3_000);
  private static final RenderOptions ALL = RenderOptions.defaults();

  @TempDir Path directory;
  private final AtomicInteger calls = new AtomicInteger();
  private Contexture engine;
  private ContextBrowser chat;

  @BeforeEach
  void open() {
    ExtractiveSummarizer extractive = new ExtractiveSummarizer();
    engine =
        Contexture.open(
            directory,
            settings ->
                settings.summarizer(
                    request -> {
                      calls.incrementAndGet();
                      return extractive.summarize(request);
                    }));
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

  private void talk(int turns) {
    for (int i = 1; i <= turns; i++) {
      String words = "word" + i + " ";
      chat.startTurn(TurnStart.prompt("ask " + words.repeat(80)).id(TurnId.of("t" + i)))
          .finish("answer " + words.repeat(80));
    }
  }

  /** An active turn with so many calls, each with a result of about 200 tokens. */
  private Turn work(String id, int rounds) {
    Turn turn = chat.startTurn(TurnStart.prompt("do " + id).id(TurnId.of(id)));
    for (int i = 0; i < rounds; i++) {
      round(turn, i, "item" + i + " ");
    }
    return turn;
  }

  private static void round(Turn turn, int number, String words) {
    CallId call = CallId.of("tc_" + number);
    turn.contribute(
        Block.builder(BlockType.REACT_TOOL_CALL)
            .toolCallId(call.value())
            .path(BlockPath.call(turn.id(), call))
            .text("{\"tool_id\":\"t\",\"params\":{}}"),
        Block.builder(BlockType.REACT_TOOL_RESULT)
            .toolCallId(call.value())
            .path(BlockPath.result(turn.id(), call))
            .text(words.repeat(80)));
  }

  private String stored() {
    return chat.readRange(1, 9_999, 9_999).toString();
  }

  @Test
  void nothingStoredChangesAndEverythingStaysReadable() {
    // T-18, T-22, checklist 15 and 16
    talk(12);
    String before = stored();
    CompactionReport report = chat.compact(SMALL);
    assertThat(report.status()).isEqualTo(Status.COMPLETED);
    String shown = chat.render(ALL).text();
    restart();
    assertThat(stored()).isEqualTo(before);
    assertThat(chat.render(ALL).text()).isEqualTo(shown).startsWith("[SUMMARY]");
    Summary summary = chat.timeline().openingSummary().orElseThrow();
    assertThat(chat.timeline().window().entries().getFirst().seq()).hasValue(summary.cutSeq());
    TurnId first = TurnId.of("t1");
    assertThat(chat.resolve(BlockPath.userPrompt(first), false).orElseThrow().text().orElseThrow())
        .contains("word1 ");
    assertThat(chat.turnLog(first).answer().orElseThrow()).contains("word1 ");
    assertThat(chat.readRange(1, 3, 9)).hasSize(3);
  }

  @Test
  void theLogOfADividedTurnIsWhole() {
    // T-25, T-29, checklist 17 and 33
    Turn turn = work("w", 24);
    String before = chat.turnLog(turn.id()).blocks().toString();
    chat.compact(SMALL);
    assertThat(chat.summaries()).hasSize(1);
    assertThat(chat.turnLog(turn.id()).blocks().toString()).isEqualTo(before);
    String text = chat.render(ALL).text();
    assertThat(text.split("\\[TURN w\\]", -1)).as("header once").hasSize(2);
    assertThat(text).contains("[USER MESSAGE]", "do w");
    turn.finish("done");
    restart();
    assertThat(chat.render(ALL).text()).startsWith(text.substring(0, text.indexOf("item23")));
  }

  @Test
  void takingASummaryBackRestoresTheBytes() {
    // T-23, checklist 18
    talk(12);
    String before = chat.render(ALL).text();
    chat.compact(SMALL);
    assertThat(chat.render(ALL).text()).isNotEqualTo(before);
    restart();
    chat.withdrawSummary(chat.summaries().getFirst().id());
    assertThat(chat.render(ALL).text()).isEqualTo(before);
    restart();
    assertThat(chat.render(ALL).text()).isEqualTo(before);
  }

  @Test
  void aSummaryOfATurnThatIsAbortedIsNotUsed() {
    // T-21, T-90, checklist 19
    talk(2);
    String before = chat.render(ALL).text();
    Turn turn = work("w", 24);
    chat.compact(SMALL);
    assertThat(chat.timeline().openingSummary().orElseThrow().coveredTurns()).contains(turn.id());
    turn.abort("no");
    assertThat(chat.render(ALL).text()).isEqualTo(before);
    restart();
    assertThat(chat.render(ALL).text()).isEqualTo(before);
  }

  @Test
  void aSummaryOfEarlierTurnsOnlyStaysWhenATurnIsAborted() {
    // T-21, T-90, checklist 19
    talk(12);
    Turn turn = work("w", 1);
    chat.compact(SMALL);
    Summary summary = chat.timeline().openingSummary().orElseThrow();
    assertThat(summary.coveredTurns()).doesNotContain(turn.id());
    turn.abort("no");
    assertThat(chat.timeline().openingSummary()).contains(summary);
  }

  @Test
  void aPreviewIsKeptAndItsTextStaysReadable() {
    // T-61, T-62, checklist 48
    Turn turn = work("w", 1);
    round(turn, 7, "giant ".repeat(80));
    round(turn, 8, "small ");
    RenderResult first = chat.render(SMALL, PruneSettings.DISABLED, TurnLimit.NONE);
    assertThat(first.compaction().previews()).hasSize(1);
    assertThat(calls).hasValue(0);
    assertThat(first.context().text()).contains("[PREVIEW]");
    restart();
    assertThat(chat.render(SMALL).text()).isEqualTo(first.context().text());
    BlockPath path = BlockPath.result(turn.id(), CallId.of("tc_7"));
    assertThat(chat.resolve(path, false).orElseThrow().text().orElseThrow())
        .isEqualTo("giant ".repeat(80 * 80));
  }

  @Test
  void tenRendersLaterNothingIsSummarisedAgain() {
    // T-78, checklist 55
    talk(12);
    String first = chat.render(SMALL).text();
    int asked = calls.get();
    assertThat(asked).isPositive();
    for (int i = 0; i < 10; i++) {
      assertThat(chat.render(SMALL).text()).isEqualTo(first);
    }
    restart();
    assertThat(chat.render(SMALL).text()).isEqualTo(first);
    assertThat(calls).hasValue(asked);
  }
}
