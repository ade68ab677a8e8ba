package dev.contexture.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.ContextBrowser;
import dev.contexture.Contexture;
import dev.contexture.Turn;
import dev.contexture.block.Block;
import dev.contexture.block.BlockPath;
import dev.contexture.block.BlockType;
import dev.contexture.block.Scope;
import dev.contexture.block.TurnId;
import dev.contexture.render.RenderOptions;
import dev.contexture.store.sqlite.InMemoryStore;
import dev.contexture.timeline.Summary;
import dev.contexture.timeline.TurnLimit;
import dev.contexture.timeline.Visibility;
import dev.contexture.turn.RenderResult;
import dev.contexture.turn.TurnStart;
import dev.contexture.view.Dialect;
import dev.contexture.view.PruneSettings;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Withdrawing a compaction gives back what was before, whatever came with it (T-23). */
class WithdrawnCompactionTest {
  private static final Scope.OfConversation SCOPE =
      Scope.of("acme", "shop").user("u42").conversation("c1");
  private static final RenderOptions SMALL = budget(2_000);

  private final InMemoryStore store = new InMemoryStore();
  private final ContextBrowser chat = open();

  private ContextBrowser open() {
    return Contexture.builder(store).build().browser(SCOPE);
  }

  private static RenderOptions budget(long maxTokens) {
    return RenderOptions.defaults().withDialect(Dialect.NATIVE).withMaxTokens(maxTokens);
  }

  private static RenderResult compacted(ContextBrowser chat) {
    return chat.render(SMALL, PruneSettings.DISABLED, TurnLimit.NONE);
  }

  private static String[] shown(ContextBrowser chat) {
    RenderOptions readOnly = RenderOptions.defaults().withDialect(Dialect.NATIVE);
    String all = chat.render(readOnly).messages().toString();
    String small = chat.render(readOnly.withViewTokens(2_000)).messages().toString();
    return new String[] {all, small};
  }

  /** Old turns, one of them with a huge result, and an open one with a huge result too. */
  private Turn grown() {
    for (int i = 1; i <= 6; i++) {
      Turn turn = chat.startTurn(TurnStart.prompt("ask " + "word ".repeat(170)).id(id(i)));
      if (i == 2) {
        round(turn, i, "old ".repeat(3_000));
      }
      turn.finish("answer " + "word ".repeat(170));
    }
    Turn open = chat.startTurn(TurnStart.prompt("now").id(id(7)));
    round(open, 7, "new ".repeat(3_000));
    return open;
  }

  private static TurnId id(int number) {
    return TurnId.of("t" + number);
  }

  private static void round(Turn turn, int number, String text) {
    String call = "tc_" + number;
    turn.contribute(
        Block.builder(BlockType.REACT_TOOL_CALL)
            .toolCallId(call)
            .path(BlockPath.parse("tc:t" + number + "." + call + ".call"))
            .text("{\"tool_id\":\"run\",\"params\":{}}"),
        Block.builder(BlockType.REACT_TOOL_RESULT)
            .toolCallId(call)
            .path(BlockPath.parse("tc:t" + number + "." + call + ".result"))
            .text(text));
  }

  @Test
  void givesBackThePreviewsThatCameWithIt() {
    grown();
    String[] before = shown(chat);
    RenderResult made = compacted(chat);
    Summary summary = made.compaction().summary().orElseThrow();
    assertThat(made.compaction().previews())
        .as("the result that stays is shown shortened")
        .extracting(Visibility::summaryId)
        .containsExactly(summary.id());
    assertThat(shown(chat)[1]).contains("[PREVIEW]");
    long version = chat.withdrawSummary(summary.id());
    assertThat(shown(chat)).isEqualTo(before);
    assertThat(shown(open())).isEqualTo(before);
    assertThat(chat.withdrawSummary(summary.id())).as("twice is once").isEqualTo(version);
    assertThat(chat.version()).isEqualTo(version);
  }

  @Test
  void keepsThePreviewsThatAreOlder() {
    Turn turn = chat.startTurn(TurnStart.prompt("now").id(id(1)));
    round(turn, 1, "first ".repeat(3_000));
    assertThat(compacted(chat).compaction().previews()).hasSize(1);
    String[] before = shown(chat);
    assertThat(before[1]).contains("[PREVIEW]");
    for (int i = 2; i <= 6; i++) {
      round(turn, i, "more ".repeat(350));
    }
    turn.finish("done");
    chat.startTurn(TurnStart.prompt("next").id(id(8)));
    String[] grown = shown(chat);
    Summary summary = compacted(chat).compaction().summary().orElseThrow();
    chat.withdrawSummary(summary.id());
    assertThat(shown(chat)).isEqualTo(grown);
  }

  @Test
  void nothingIsDecidedForWhatIsCutAway() {
    grown();
    Summary summary = compacted(chat).compaction().summary().orElseThrow();
    List<Visibility> stored = open().timeline().visibilityRecords().all();
    assertThat(stored).isNotEmpty();
    chat.withdrawSummary(summary.id());
    RenderOptions any = RenderOptions.defaults().withViewTokens(1);
    assertThat(open().render(any).text()).doesNotContain("[PREVIEW]");
    assertThat(stored).allMatch(record -> record.seq() >= summary.cutSeq());
  }
}
