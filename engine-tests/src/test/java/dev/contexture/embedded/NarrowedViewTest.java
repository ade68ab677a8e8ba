package dev.contexture.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.ContextBrowser;
import dev.contexture.ContextRequest;
import dev.contexture.Contexture;
import dev.contexture.Turn;
import dev.contexture.block.Block;
import dev.contexture.block.BlockPath;
import dev.contexture.block.BlockType;
import dev.contexture.block.Scope;
import dev.contexture.block.TurnId;
import dev.contexture.compaction.ExtractiveSummarizer;
import dev.contexture.compaction.summary.Summarizer;
import dev.contexture.provider.BuiltInProviders;
import dev.contexture.provider.catalogue.ModelCatalogue;
import dev.contexture.render.RenderOptions;
import dev.contexture.store.sqlite.InMemoryStore;
import dev.contexture.timeline.Summary;
import dev.contexture.timeline.TurnLimit;
import dev.contexture.timeline.Visibility;
import dev.contexture.turn.RenderResult;
import dev.contexture.turn.TurnStart;
import dev.contexture.view.PruneSettings;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** {@code limit} and {@code days} narrow one view and decide nothing for the others (T-84). */
class NarrowedViewTest {
  private static final Scope.OfConversation SCOPE =
      Scope.of("acme", "shop").user("u42").conversation("c1");
  private static final TurnLimit NEWEST_FOUR =
      new TurnLimit(OptionalInt.of(4), OptionalInt.empty());

  private final InMemoryStore store = new InMemoryStore();
  private final ContextBrowser chat = open(new ExtractiveSummarizer());

  private ContextBrowser open(Summarizer summarizer) {
    return Contexture.builder(store)
        .providers(BuiltInProviders.of(ModelCatalogue.shipped()))
        .summarizer(summarizer)
        .build()
        .browser(SCOPE);
  }

  private void grown(int turns, int words) {
    for (int i = 1; i <= turns; i++) {
      chat.startTurn(TurnStart.prompt("code word " + codeWord(i)).id(TurnId.of("t" + i)))
          .finish("noted " + "word ".repeat(words));
    }
  }

  private static String codeWord(int turn) {
    return "falcon-" + turn * 1_111;
  }

  private RenderResult narrowed(RenderOptions options) {
    return chat.render(options, PruneSettings.DISABLED, NEWEST_FOUR);
  }

  @Test
  void whatIsLeftOutIsCountedReadableAndNotStored() {
    grown(10, 20);
    long version = chat.version();
    RenderResult rendered = narrowed(RenderOptions.defaults().withMaxTokens(100_000));
    assertThat(rendered.context().text()).doesNotContain(codeWord(6)).contains(codeWord(7));
    assertThat(rendered.write().find("omitted_turns").orElseThrow().toJson()).isEqualTo("6");
    assertThat(chat.resolve(BlockPath.parse("ar:t3.user.prompt"), false).orElseThrow().text())
        .hasValueSatisfying(text -> assertThat(text).contains(codeWord(3)));
    assertThat(chat.version()).isEqualTo(version);
    RenderResult all =
        chat.render(RenderOptions.defaults(), PruneSettings.DISABLED, TurnLimit.NONE);
    assertThat(all.write().find("omitted_turns").orElseThrow().toJson()).isEqualTo("0");
    assertThat(all.context().text()).contains(codeWord(1));
  }

  @Test
  void aCompactionThatIsDueCoversEveryTurnBeforeItsCut() {
    grown(10, 120);
    RenderOptions small = RenderOptions.defaults().withMaxTokens(600).withKeepRecentTurns(0);
    Summary summary = narrowed(small).compaction().summary().orElseThrow();
    List<String> covered = summary.coveredTurns().stream().map(TurnId::value).toList();
    assertThat(covered).contains("t1", "t2", "t3", "t4", "t5", "t6");
    String all = chat.render(RenderOptions.defaults()).text();
    for (int i = 1; i <= 10; i++) {
      boolean shown = all.contains("[TURN t" + i + "]");
      assertThat(shown || covered.contains("t" + i)).as("turn " + i).isTrue();
    }
    assertThat(summary.fromSeq()).isEqualTo(1);
  }

  @Test
  void turnsThatASummaryCoversAreNotCountedAsLeftOut() {
    grown(10, 120);
    RenderOptions small = RenderOptions.defaults().withMaxTokens(600).withKeepRecentTurns(0);
    RenderResult rendered = narrowed(small);
    assertThat(rendered.compaction().summary()).isPresent();
    assertThat(rendered.write().find("omitted_turns").orElseThrow().toJson()).isEqualTo("0");
  }

  @Test
  void noPreviewIsStoredForATurnThatIsLeftOut() {
    Turn first = chat.startTurn(TurnStart.prompt("look").id(TurnId.of("t0")));
    first.contribute(
        Block.builder(BlockType.REACT_TOOL_CALL)
            .toolCallId("tc_1")
            .path(BlockPath.parse("tc:t0.tc_1.call"))
            .text("{\"tool_id\":\"run\",\"params\":{}}"),
        Block.builder(BlockType.REACT_TOOL_RESULT)
            .toolCallId("tc_1")
            .path(BlockPath.parse("tc:t0.tc_1.result"))
            .text("huge ".repeat(3_000)));
    first.finish("seen");
    for (int i = 1; i <= 4; i++) {
      chat.startTurn(TurnStart.prompt("ask").id(TurnId.of("t" + i))).finish("word ".repeat(430));
    }
    ContextBrowser failing =
        open(
            request -> {
              throw new IllegalStateException("no model");
            });
    RenderOptions small = RenderOptions.defaults().withMaxTokens(1_900);
    failing.render(small, PruneSettings.DISABLED, NEWEST_FOUR);
    narrowed(small);
    assertThat(chat.timeline().visibilityRecords().all())
        .extracting(Visibility::seq)
        .doesNotContain(4L);
  }

  @Test
  void aRequestSaysHowManyTurnsItLeavesOut() {
    grown(6, 20);
    Turn turn =
        chat.startTurn(
            TurnStart.prompt("go on")
                .turnLimit(new TurnLimit(OptionalInt.of(2), OptionalInt.empty())));
    ContextRequest request = turn.request("anthropic", "claude-opus-5").build();
    assertThat(turn.omittedTurns()).isEqualTo(4);
    assertThat(request.metadata().counts().omittedTurns()).isEqualTo(4);
    assertThat(request.body()).doesNotContain(codeWord(4)).contains(codeWord(5));
  }
}
