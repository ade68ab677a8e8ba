package dev.contexture.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.contexture.ContextBrowser;
import dev.contexture.ContextRequest;
import dev.contexture.Contexture;
import dev.contexture.Turn;
import dev.contexture.block.Block;
import dev.contexture.block.BlockPath;
import dev.contexture.block.BlockType;
import dev.contexture.block.Scope;
import dev.contexture.block.TurnId;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.prompt.ContextConfig;
import dev.contexture.prompt.ModelContextLimits;
import dev.contexture.provider.BuiltInProviders;
import dev.contexture.provider.catalogue.ModelCatalogue;
import dev.contexture.render.RenderOptions;
import dev.contexture.render.RenderedContext;
import dev.contexture.store.sqlite.InMemoryStore;
import dev.contexture.turn.TurnStart;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Requests whose limit cannot hold the current prompt and the reserved answer. */
class RefusedRequestTest {
  private static final Scope.OfConversation SCOPE =
      Scope.of("acme", "shop").user("u42").conversation("c1");

  private final ContextBrowser chat =
      Contexture.builder(new InMemoryStore())
          .providers(BuiltInProviders.of(ModelCatalogue.shipped()))
          .build()
          .browser(SCOPE);

  private static ContextConfig limits(long maxTokens) {
    return ContextConfig.DEFAULT.withLimits(new ModelContextLimits(maxTokens, 100, 1_400, 500));
  }

  private ContextRequest request(long maxTokens) {
    return chat.openTurn()
        .request("anthropic", "claude-opus-5")
        .instructions("Be brief.")
        .config(limits(maxTokens))
        .build();
  }

  /** Old turns that can be compacted, a result that can be shortened, and a prompt that cannot. */
  private void grown(int promptWords) {
    for (int i = 1; i <= 5; i++) {
      chat.startTurn(TurnStart.prompt("ask " + i).id(TurnId.of("t" + i)))
          .finish("answer " + "word ".repeat(200));
    }
    Turn turn = chat.startTurn(TurnStart.prompt("long ".repeat(promptWords)).id(TurnId.of("t9")));
    turn.contribute(
        Block.builder(BlockType.REACT_TOOL_CALL)
            .toolCallId("tc_1")
            .path(BlockPath.parse("tc:t9.tc_1.call"))
            .text("{\"tool_id\":\"run\",\"params\":{}}"),
        Block.builder(BlockType.REACT_TOOL_RESULT)
            .toolCallId("tc_1")
            .path(BlockPath.parse("tc:t9.tc_1.result"))
            .text("line ".repeat(4_000)));
  }

  private ContextureException refused(long maxTokens) {
    ContextureException refused =
        catchThrowableOfType(ContextureException.class, () -> request(maxTokens));
    assertThat(refused.code()).isEqualTo(ErrorCode.BUDGET_TOO_SMALL);
    return refused;
  }

  private static long least(ContextureException refused) {
    return (Long) Objects.requireNonNull(refused.details().get("least_max_tokens"));
  }

  @Test
  void leaveNoSummaryAndNoPreview() {
    grown(3_000);
    long version = chat.version();
    String before = chat.render(RenderOptions.defaults()).text();
    refused(2_000);
    refused(2_000);
    assertThat(chat.version()).isEqualTo(version);
    assertThat(chat.summaries()).isEmpty();
    assertThat(chat.timeline().visibilityRecords().all()).isEmpty();
    assertThat(chat.render(RenderOptions.defaults()).text()).isEqualTo(before);
  }

  @Test
  void leaveNothingEitherWhereACompactionIsNotEnough() {
    grown(30);
    chat.openTurn()
        .contribute(Block.builder(BlockType.REACT_NOTE).text("must stay ".repeat(2_000)));
    long version = chat.version();
    ContextureException refused = refused(2_000);
    assertThat(chat.version()).isEqualTo(version);
    assertThat(chat.summaries()).isEmpty();
    assertThat(chat.timeline().visibilityRecords().all()).isEmpty();
    long least = least(refused);
    refused(least - 1);
    assertThat(chat.summaries()).isEmpty();
    request(least);
    assertThat(chat.summaries()).hasSize(1);
  }

  @Test
  void sayTheLeastThatWouldDo() {
    grown(3_000);
    long least = least(refused(2_000));
    assertThat(least).isGreaterThan(3_000);
    assertThat(refused(least - 1).getMessage()).contains("at least");
    ContextRequest fits = request(least);
    assertThat(fits.metadata().tokens().total()).isLessThanOrEqualTo(least - 500);
  }

  @Test
  void areNoneWhereACompactionFits() {
    grown(300);
    assertThat(request(3_000).body()).contains("long long");
    assertThat(chat.summaries()).isNotEmpty();
  }

  @Test
  void aRenderSaysThatItIsOverTheLimitInstead() {
    chat.startTurn(TurnStart.prompt("long ".repeat(3_000)).id(TurnId.of("t1")));
    RenderedContext over = chat.render(RenderOptions.defaults().withMaxTokens(2_000));
    assertThat(over.report().overLimit()).isTrue();
    ContextureException strict =
        catchThrowableOfType(
            ContextureException.class,
            () ->
                chat.render(RenderOptions.defaults().withMaxTokens(2_000).withStrictBudget(true)));
    assertThat(strict.code()).isEqualTo(ErrorCode.CONTEXT_TOO_LARGE);
  }
}
