package dev.contexture.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.contexture.ContextBrowser;
import dev.contexture.ContextRequest;
import dev.contexture.Contexture;
import dev.contexture.RequestBuilder;
import dev.contexture.Turn;
import dev.contexture.block.Scope;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.provider.BuiltInProviders;
import dev.contexture.provider.catalogue.ModelCatalogue;
import dev.contexture.request.Divergence;
import dev.contexture.request.Effort;
import dev.contexture.request.OutputSchema;
import dev.contexture.request.Prefix;
import dev.contexture.request.ThinkingChoice;
import dev.contexture.request.ToolChoice;
import dev.contexture.request.ToolDef;
import dev.contexture.store.sqlite.InMemoryStore;
import dev.contexture.tool.ToolRule;
import dev.contexture.tool.ToolRules;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** H-8: what is asked of a model is sent, recorded and compared. */
class AskedParamsTest {
  private static final Scope.OfConversation SCOPE =
      Scope.of("acme", "shop").user("u42").conversation("c1");
  private static final String SCHEMA = "{\"type\":\"object\",\"properties\":{}}";
  private static final ToolDef WEATHER = new ToolDef("weather", "Weather of a city.", SCHEMA);

  private final ContextBrowser chat =
      Contexture.builder(new InMemoryStore())
          .providers(BuiltInProviders.of(ModelCatalogue.shipped()))
          .build()
          .browser(SCOPE);
  private final Turn turn = chat.startTurn("Weather? " + "Tell me all of it. ".repeat(400));

  private ContextRequest request(String model, UnaryOperator<RequestBuilder> asked) {
    return asked
        .apply(turn.request("anthropic", model).instructions("Be brief.").tools(List.of(WEATHER)))
        .build();
  }

  private static JsonObject json(String text) {
    return (JsonObject) JsonValue.parse(text);
  }

  @Test
  void isSentAndRecorded() {
    ContextRequest request =
        request(
            "claude-opus-4-5",
            builder ->
                builder
                    .toolChoice(ToolChoice.tool("weather"))
                    .effort(Effort.LOW)
                    .outputSchema(OutputSchema.of(json(SCHEMA)))
                    .params(json("{\"stop_sequences\":[\"END\"],\"temperature\":0.30}"))
                    .apiVersion("2023-06-01")
                    .stream(true));
    assertThat(request.body())
        .contains(
            "\"stop_sequences\":[\"END\"],\"temperature\":0.30",
            "\"tool_choice\":{\"type\":\"tool\",\"name\":\"weather\"}",
            "\"output_config\":{\"effort\":\"low\",\"format\":",
            "\"stream\":true");
    assertThat(request.request().repairs())
        .extracting(repair -> repair.code() + " " + repair.pointer())
        .containsExactly("V39 /output_schema/schema");
    assertThat(request.path()).isEqualTo("/v1/messages");
    assertThat(request.headers()).containsEntry("anthropic-version", "2023-06-01");
    JsonObject settings =
        chat.requests().get(request.id()).record().object("settings").orElseThrow();
    assertThat(settings.toJson())
        .contains(
            "\"params\":{\"stop_sequences\":[\"END\"],\"temperature\":0.30}",
            "\"effort\":\"low\"",
            "\"tool_choice\":\"tool:weather\"",
            "\"api_version\":\"2023-06-01\"",
            "\"stream\":true");
    assertThat(chat.requests().body(request.id())).isEqualTo(request.body());
  }

  /** Messages are the same, but their cache is not: it depends on thinking. */
  @Test
  void aChangeOfThinkingIsADivergence() {
    ContextRequest first = request("claude-opus-5", b -> b.thinking(ThinkingChoice.ADAPTIVE));
    assertThat(request("claude-opus-5", b -> b.thinking(ThinkingChoice.ADAPTIVE)).prefix())
        .isEqualTo(new Prefix.Identical());
    ContextRequest changed = request("claude-opus-5", b -> b.thinking(ThinkingChoice.OFF));
    Divergence divergence = changed.divergence().orElseThrow();
    assertThat(divergence.kind()).isEqualTo("setting");
    assertThat(divergence.path()).isEqualTo("thinking");
    assertThat(divergence.cause().operation()).isEqualTo("thinking-changed");
    assertThat(divergence.tier().wireName()).isEqualTo("messages");
    assertThat(divergence.was()).contains("adaptive");
    assertThat(divergence.now()).contains("disabled");
    assertThat(divergence.tokensLost()).isGreaterThan(1_000);
    assertThat(changed.prefix()).isInstanceOf(Prefix.Diverges.class);
    assertThat(first.divergence()).isEmpty();
  }

  @Test
  void aChangeOfToolsIsADivergence() {
    request("claude-opus-5", b -> b);
    ToolDef other = new ToolDef("weather", "Weather of a town.", SCHEMA);
    Divergence divergence =
        request("claude-opus-5", b -> b.tools(List.of(other))).divergence().orElseThrow();
    assertThat(divergence.cause().operation()).isEqualTo("tools-changed");
  }

  @Test
  void aRefusalChangesNothing() {
    long version = chat.version();
    assertThatExceptionOfType(ContextureException.class)
        .isThrownBy(() -> request("claude-opus-5", b -> b.params(json("{\"max_tokens\":1}"))))
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.PARAM_OWNED));
    assertThatExceptionOfType(ContextureException.class)
        .isThrownBy(() -> request("claude-sonnet-4-5", b -> b.params(json("{\"temperature\":1}"))))
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.PARAM_REJECTED))
        .withMessageContaining("V32");
    assertThatExceptionOfType(ContextureException.class)
        .isThrownBy(() -> request("claude-opus-5", b -> b.toolChoice(ToolChoice.tool("x"))))
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.PARAM_REJECTED))
        .withMessageContaining("allowed: a tool that is offered: weather");
    assertThatExceptionOfType(ContextureException.class)
        .isThrownBy(
            () -> request("claude-opus-4-5", b -> b.thinking(ThinkingChoice.budget(900_000))))
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.PARAM_REJECTED))
        .withMessageContaining("V37");
    assertThatExceptionOfType(ContextureException.class)
        .isThrownBy(() -> request("claude-opus-5", b -> b.maxOutputTokens(128_001)))
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.PARAM_REJECTED))
        .withMessageContaining("allowed is 1 to 128000 for claude-opus-5");
    assertThatExceptionOfType(ContextureException.class)
        .isThrownBy(
            () ->
                request(
                    "claude-opus-5",
                    b -> b.tools(List.of(ToolDef.ofProvider("{\"google_search\":{}}")))))
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.PARAM_REJECTED))
        .withMessageContaining("V40");
    assertThatExceptionOfType(ContextureException.class)
        .isThrownBy(() -> request("claude-opus-5", b -> b.params(json("{\"stop_sequences\":5}"))))
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.PARAM_REJECTED))
        .satisfies(e -> assertThat(e.field()).contains("params.stop_sequences"));
    assertThatExceptionOfType(ContextureException.class)
        .isThrownBy(() -> request("gpt-5.5", b -> b))
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.PARAM_REJECTED))
        .withMessageContaining("V38");
    assertThat(chat.version()).isEqualTo(version);
    assertThat(chat.requests().list(null, 10)).isEmpty();
  }

  /** What the model reads about tools has the names by which it can call them. */
  @Test
  void namesToolsAsTheModelIsGivenThem() {
    ToolDef read = new ToolDef("react.read", "Reads.", SCHEMA);
    ToolDef find = new ToolDef("find", "Then use react.read.", SCHEMA);
    ContextRequest request =
        turn.request("anthropic", "claude-opus-5")
            .instructions("Be brief.")
            .tools(List.of(read, find))
            .toolRules(ToolRules.of(List.of(new ToolRule.StartConstraint("react.read"))))
            .build();
    String given = "react_read_ebff75b4";
    assertThat(request.body())
        .contains(
            "- Call `" + given + "` first before any other tools",
            "- `react.read` is your tool `" + given + "`",
            "Then use " + given + ".");
    assertThat(request.request().repairs())
        .extracting(repair -> repair.code() + " " + repair.reason())
        .containsExactly("V24 tool react.read is sent as " + given);
    ContextRequest gemini =
        turn.request("gemini", "gemini-2.5-flash").tools(List.of(read, find)).build();
    assertThat(gemini.body()).contains("Then use react.read.").doesNotContain(given);
    assertThat(gemini.request().repairs()).isEmpty();
  }

  @Test
  void whatNoProviderTakesIsRefused() {
    for (String schema : List.of("{}", "{\"properties\":{}}")) {
      assertThatExceptionOfType(ContextureException.class)
          .isThrownBy(
              () -> request("claude-opus-5", b -> b.tools(List.of(new ToolDef("a", "", schema)))))
          .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.TOOL_SCHEMA_INVALID));
    }
    assertThatExceptionOfType(ContextureException.class)
        .isThrownBy(() -> turn.request("anthropic", " "))
        .satisfies(e -> assertThat(e.field()).contains("model"));
    assertThatExceptionOfType(ContextureException.class)
        .isThrownBy(() -> request("claude-opus-5", b -> b.maxOutputTokens(0)))
        .satisfies(e -> assertThat(e.field()).contains("max_output_tokens"));
  }

  @Test
  void toolsOfTheProviderAreCounted() {
    String search = "{\"type\":\"web_search_20250305\",\"name\":\"web_search\"}";
    ContextRequest request =
        request("claude-opus-5", b -> b.tools(List.of(WEATHER, ToolDef.ofProvider(search))));
    assertThat(request.body()).contains(search);
    assertThat(request.metadata().counts().tools()).isEqualTo(2);
  }
}
