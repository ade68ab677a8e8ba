package dev.contexture.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.ContextBrowser;
import dev.contexture.ContextRequest;
import dev.contexture.Contexture;
import dev.contexture.Turn;
import dev.contexture.block.Block;
import dev.contexture.block.BlockPath;
import dev.contexture.block.BlockType;
import dev.contexture.block.CallId;
import dev.contexture.block.Scope;
import dev.contexture.block.TurnId;
import dev.contexture.engine.agent.AgentTools;
import dev.contexture.json.JsonObject;
import dev.contexture.prompt.ContextConfig;
import dev.contexture.prompt.ModelContextLimits;
import dev.contexture.provider.BuiltInProviders;
import dev.contexture.provider.catalogue.ModelCatalogue;
import dev.contexture.render.RenderOptions;
import dev.contexture.store.sqlite.InMemoryStore;
import dev.contexture.timeline.TurnLimit;
import dev.contexture.timeline.Visibility;
import dev.contexture.turn.TurnStart;
import dev.contexture.view.Dialect;
import dev.contexture.view.PruneSettings;
import java.util.List;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Several budgets on one conversation: what one of them decides changes nothing for the others. */
class BudgetViewsTest {
  private static final Scope.OfConversation SCOPE =
      Scope.of("acme", "shop").user("u42").conversation("c1");
  private static final TurnId T1 = TurnId.of("t1");
  private static final String HUGE = "a line of output that says little\n".repeat(1_500).strip();
  private static final Pattern PREVIEW = Pattern.compile("\\[PREVIEW\\].{200}", Pattern.DOTALL);

  private final InMemoryStore store = new InMemoryStore();
  private final ContextBrowser chat = open();

  private Contexture engine() {
    return Contexture.builder(store)
        .providers(BuiltInProviders.of(ModelCatalogue.shipped()))
        .build();
  }

  private ContextBrowser open() {
    return engine().browser(SCOPE);
  }

  private static RenderOptions budget(long maxTokens) {
    return RenderOptions.defaults().withDialect(Dialect.NATIVE).withMaxTokens(maxTokens);
  }

  private Turn worked() {
    Turn turn = chat.startTurn(TurnStart.prompt("run it").id(T1));
    CallId call = CallId.of("tc_1");
    turn.contribute(
        Block.builder(BlockType.REACT_TOOL_CALL)
            .path(BlockPath.call(T1, call))
            .text("{\"tool_id\":\"run\",\"tool_call_id\":\"tc_1\",\"params\":{}}"),
        Block.builder(BlockType.REACT_TOOL_RESULT)
            .path(BlockPath.result(T1, call))
            .toolCallId("tc_1")
            .text(HUGE));
    return turn;
  }

  private static String text(ContextBrowser chat, long maxTokens) {
    return chat.render(budget(maxTokens)).messages().toString();
  }

  @Test
  void aSmallBudgetLeavesALargeOneAsItWas() {
    worked();
    String large = text(chat, 100_000);
    String small = text(chat, 4_000);
    assertThat(large).contains(HUGE);
    assertThat(small).contains("[PREVIEW]");
    for (ContextBrowser reader : List.of(chat, open())) {
      assertThat(text(reader, 100_000)).isEqualTo(large);
      assertThat(text(reader, 4_000)).isEqualTo(small);
      assertThat(reader.render(RenderOptions.defaults()).text()).contains(HUGE);
    }
  }

  @Test
  void theRequestsOfOneBudgetShowOnePreviewWhateverTheirInstructions() {
    worked();
    ContextConfig config =
        ContextConfig.DEFAULT.withLimits(new ModelContextLimits(9_000, 1_000, 6_000, 1_000));
    String first = preview(request(config, "Be brief."));
    String other = preview(request(config, "Explain each step at length. ".repeat(60)));
    assertThat(other).isEqualTo(first);
    assertThat(preview(chat.render(budget(9_000)).messages().toString())).isEqualTo(first);
    assertThat(chat.timeline().visibilityRecords().all())
        .extracting(Visibility::maxTokens)
        .containsExactly(9_000L);
  }

  private String request(ContextConfig config, String instructions) {
    ContextRequest request =
        chat.openTurn()
            .request("anthropic", "claude-opus-5")
            .config(config)
            .instructions(instructions)
            .build();
    return request.context().messages().toString();
  }

  private static String preview(String text) {
    Matcher preview = PREVIEW.matcher(text);
    assertThat(preview.find()).isTrue();
    return preview.group();
  }

  @Test
  void aReadShowsWhatTheModelSawShortened() {
    worked();
    AgentTools tools = engine().agentTools(chat, "atlas");
    text(chat, 100_000);
    assertThat(status(tools)).isEqualTo("exists");
    text(chat, 4_000);
    assertThat(status(tools)).as("one of its renders shows a preview").isNotEqualTo("exists");
    AgentTools restarted = engine().agentTools(open(), "atlas");
    assertThat(status(restarted)).as("nothing is known of what was shown").isNotEqualTo("exists");
  }

  @Test
  void aReadShowsWhatALimitLeftOut() {
    chat.startTurn(TurnStart.prompt("my name is Ingrid").id(TurnId.of("t0"))).finish("noted");
    chat.startTurn(TurnStart.prompt("who am I?").id(T1));
    AgentTools tools = engine().agentTools(chat, "atlas");
    String path = "ar:t0.user.prompt";
    chat.render(budget(100_000));
    assertThat(status(tools, path)).isEqualTo("exists");
    TurnLimit limit = new TurnLimit(OptionalInt.of(0), OptionalInt.empty());
    chat.render(budget(100_000), PruneSettings.DISABLED, limit);
    assertThat(status(tools, path)).isEqualTo("ok");
  }

  private static String status(AgentTools tools) {
    return status(tools, "tc:t1.tc_1.result");
  }

  private static String status(AgentTools tools, String path) {
    JsonObject answer = ToolFixture.run(tools, "react.read", "{'paths':['" + path + "']}").json();
    return ((JsonObject) answer.array("paths").orElseThrow().items().getFirst())
        .string("status")
        .orElseThrow();
  }
}
