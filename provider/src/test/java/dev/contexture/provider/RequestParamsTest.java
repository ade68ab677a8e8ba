package dev.contexture.provider;

import static dev.contexture.provider.AskedRequests.CITY;
import static dev.contexture.provider.AskedRequests.GEMINI_OLD;
import static dev.contexture.provider.AskedRequests.PROVIDERS;
import static dev.contexture.provider.AskedRequests.SONNET_OLD;
import static dev.contexture.provider.AskedRequests.format;
import static dev.contexture.provider.AskedRequests.input;
import static dev.contexture.provider.AskedRequests.open;
import static dev.contexture.provider.AskedRequests.write;
import static dev.contexture.provider.Requests.CLAUDE;
import static dev.contexture.provider.Requests.GEMINI;
import static dev.contexture.provider.Requests.GPT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.model.ModelFlag;
import dev.contexture.model.ModelRef;
import dev.contexture.prompt.SystemPart;
import dev.contexture.provider.openai.ChatFormat;
import dev.contexture.request.Effort;
import dev.contexture.request.ProviderFormat;
import dev.contexture.request.ProviderRequest;
import dev.contexture.request.RequestInput;
import dev.contexture.request.RequestParams;
import dev.contexture.request.ThinkingChoice;
import dev.contexture.request.ToolChoice;
import dev.contexture.request.ToolDef;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** H-8: what is asked of a model goes into its body, or is refused with the rule. */
class RequestParamsTest {
  @Test
  void whatIsGivenIsMergedAsItIs() {
    String body =
        write(
                "openai_chat",
                GPT,
                p -> p.withOpen(open("{\"temperature\":0.20,\"metadata\":{\"b\":1,\"a\":[]}}")))
            .body()
            .text();
    assertThat(body).contains(",\"temperature\":0.20,\"metadata\":{\"b\":1,\"a\":[]},\"messages\"");
    String gemini =
        write(
                "gemini",
                GEMINI,
                p ->
                    p.withOpen(
                        open("{\"generationConfig\":{\"topK\":3},\"safetySettings\":[{\"x\":1}]}")))
            .body()
            .text();
    assertThat(gemini)
        .endsWith(
            "\"generationConfig\":{\"maxOutputTokens\":4096,\"topK\":3},"
                + "\"safetySettings\":[{\"x\":1}]}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "model",
        "messages",
        "contents",
        "input",
        "system",
        "instructions",
        "tools",
        "stream",
        "max_tokens",
        "max_completion_tokens",
        "max_output_tokens",
        "cache_control",
        "prompt_cache_key"
      })
  void whatTheEngineWritesCannotBeGiven(String key) {
    for (String name : BuiltInProviders.names()) {
      JsonObject params = JsonObject.of(key, JsonValue.of("x"));
      assertThatExceptionOfType(ContextureException.class)
          .as(name)
          .isThrownBy(() -> write(name, CLAUDE, p -> p.withOpen(params)))
          .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.PARAM_OWNED))
          .satisfies(e -> assertThat(e.field()).contains("params." + key));
    }
  }

  @Test
  void theLimitOfGeminiIsNotTheCallers() {
    JsonObject params = open("{\"generationConfig\":{\"maxOutputTokens\":5}}");
    assertThatThrownBy(() -> write("gemini", GEMINI, p -> p.withOpen(params)))
        .hasMessageContaining("generationConfig.maxOutputTokens");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "anthropic|claude-opus-5|/thinking/type=adaptive|/output_config/effort=high",
        "openai_chat|gpt-5.6-terra|/reasoning_effort=high|/response_format/type=json_schema",
        "openai_responses|gpt-5.6-terra|/reasoning/effort=high|/text/format/name=city",
        "gemini|gemini-3.5-flash|/generationConfig/thinkingConfig/thinkingLevel=HIGH|"
            + "/generationConfig/responseMimeType=application/json",
      })
  void whatAllShareIsWrittenInTheWordsOfEach(String name, String model, String first, String second)
      throws Exception {
    ModelRef ref = PROVIDERS.resolve(name, model).model();
    String body =
        write(
                name,
                ref,
                p ->
                    p.withThinking(ThinkingChoice.ADAPTIVE)
                        .withEffort(Effort.HIGH)
                        .withOutputSchema(CITY))
            .body()
            .text();
    for (String expected : List.of(first, second)) {
      String[] pair = expected.split("=");
      assertThat(SdkTypes.text(body, pair[0])).as(body).isEqualTo(pair[1]);
    }
    assertThat(body).contains("\"properties\":{\"b\":{},\"a\":{}}");
    assertThat(SdkTypes.unknown(name, body)).isEmpty();
  }

  @Test
  void thinkingHasABudgetWhereTheModelTakesOne() {
    assertThat(
            write("anthropic", SONNET_OLD, p -> p.withThinking(ThinkingChoice.budget(2048)))
                .body()
                .text())
        .contains("\"thinking\":{\"type\":\"enabled\",\"budget_tokens\":2048}");
    assertThat(write("gemini", GEMINI_OLD, p -> p.withThinking(ThinkingChoice.OFF)).body().text())
        .contains("\"thinkingConfig\":{\"thinkingBudget\":0}");
    refused(
        "anthropic",
        CLAUDE,
        p -> p.withThinking(ThinkingChoice.budget(2048)),
        "thinking.type=enabled");
    refused("openai_chat", GPT, p -> p.withThinking(ThinkingChoice.budget(2048)), "effort");
    refused("anthropic", CLAUDE, p -> p.withEffort(Effort.MINIMAL), "low, medium");
    refused("gemini", GEMINI, p -> p.withEffort(Effort.MAX), "minimal, low");
  }

  private static void refused(
      String format, ModelRef model, UnaryOperator<RequestParams> asked, String rule) {
    assertThatExceptionOfType(ContextureException.class)
        .isThrownBy(
            () ->
                format(format)
                    .checkParams(input(model).params(asked.apply(RequestParams.NONE)).build()))
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.PARAM_REJECTED))
        .withMessageContaining(rule);
  }

  /** The newest version refuses sampling parameters of every model, an older one does not. */
  @Test
  void samplingIsAMatterOfTheVersion() {
    JsonObject sampling = open("{\"temperature\":0.5}");
    refused("anthropic", SONNET_OLD, p -> p.withOpen(sampling), "2026-10-21");
    RequestParams older = RequestParams.NONE.withOpen(sampling).withApiVersion("2023-06-01");
    ProviderRequest written = format("anthropic").write(input(SONNET_OLD).params(older).build());
    assertThat(written.body().text()).contains("\"temperature\":0.5");
    assertThat(written.endpoint().headers()).containsEntry("anthropic-version", "2023-06-01");
    assertThatThrownBy(() -> write("anthropic", SONNET_OLD, p -> p.withApiVersion("2024-01-01")))
        .hasMessageContaining("2026-10-21");
    assertThatThrownBy(() -> write("gemini", GEMINI, p -> p.withApiVersion("v1")))
        .hasMessageContaining("no versions");
  }

  @Test
  void theSameIsNotAskedTwice() {
    assertThatExceptionOfType(ContextureException.class)
        .isThrownBy(
            () ->
                write(
                    "openai_responses",
                    GPT,
                    p ->
                        p.withEffort(Effort.LOW)
                            .withOpen(open("{\"reasoning\":{\"effort\":\"high\"}}"))))
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.PARAM_OWNED));
    String merged =
        write(
                "openai_responses",
                GPT,
                p ->
                    p.withEffort(Effort.LOW)
                        .withOpen(
                            open(
                                "{\"reasoning\":{\"summary\":\"auto\"},"
                                    + "\"include\":[\"file_search_call.results\"]}")))
            .body()
            .text();
    assertThat(merged)
        .contains(
            "\"include\":[\"reasoning.encrypted_content\",\"file_search_call.results\"]",
            "\"reasoning\":{\"effort\":\"low\",\"summary\":\"auto\"}");
  }

  @Test
  void toolsOfTheProviderGoOutAsTheyAre() throws Exception {
    ToolDef own = new ToolDef("zeta", "", "{\"type\":\"object\",\"properties\":{}}");
    String search = "{\"type\":\"web_search_20250305\",\"name\":\"web_search\",\"max_uses\":3}";
    String claude =
        format("anthropic")
            .write(input(CLAUDE).tools(List.of(ToolDef.ofProvider(search), own)).build())
            .body()
            .text();
    assertThat(claude).contains("\"tools\":[{\"name\":\"zeta\"", "}}," + search + "]");
    assertThat(SdkTypes.unknownToAnthropic(claude)).isEmpty();
    String gemini =
        format("gemini")
            .write(
                input(GEMINI)
                    .tools(List.of(ToolDef.ofProvider("{\"googleSearch\":{}}"), own))
                    .build())
            .body()
            .text();
    assertThat(gemini)
        .contains("{\"type\":\"object\",\"properties\":{}}}]},{\"googleSearch\":{}}],");
    assertThat(SdkTypes.unknownToGemini(gemini)).isEmpty();
    String responses =
        format("openai_responses")
            .write(
                input(GPT).tools(List.of(ToolDef.ofProvider("{\"type\":\"web_search\"}"))).build())
            .body()
            .text();
    assertThat(responses).contains("\"tools\":[{\"type\":\"web_search\"}]");
    assertThat(SdkTypes.unknownToResponses(responses)).isEmpty();
  }

  @Test
  void everyBodyKnowsWhereItGoes() {
    assertThat(write("anthropic", CLAUDE, p -> p).endpoint().path()).isEqualTo("/v1/messages");
    assertThat(write("anthropic", CLAUDE, p -> p).endpoint().headers())
        .containsEntry("anthropic-version", "2026-10-21")
        .containsEntry("content-type", "application/json")
        .hasSize(2);
    assertThat(write("openai_chat", GPT, p -> p).endpoint().path())
        .isEqualTo("/v1/chat/completions");
    assertThat(write("openai_responses", GPT, p -> p).endpoint().path()).isEqualTo("/v1/responses");
    assertThat(format("gemini").write(input(GEMINI).stream(true).build()).endpoint().path())
        .isEqualTo("/v1beta/models/gemini-3.5-flash:streamGenerateContent?alt=sse");
  }

  /** Servers that speak OpenAI's format do not know what is new there. */
  @Test
  void aCompatibleBodyHasWhatAllTake() {
    ModelRef local = new ModelRef("openai", "llama3.3:70b");
    RequestInput asked =
        input(local)
            .system(List.of(SystemPart.of("Be brief.")))
            .cacheKey("cx-1")
            .params(RequestParams.NONE.withCompat(true))
            .build();
    assertThat(format("openai_chat").write(asked).body().text())
        .isEqualTo(
            "{\"model\":\"llama3.3:70b\",\"max_tokens\":4096,\"messages\":["
                + "{\"role\":\"system\",\"content\":[{\"type\":\"text\",\"text\":\"Be brief.\"}]},"
                + "{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"hi\"}]}]}");
    for (String other : List.of("anthropic", "openai_responses", "gemini")) {
      assertThatThrownBy(() -> write(other, GPT, p -> p.withCompat(true)))
          .hasMessageContaining("compat");
    }
    ProviderFormat flagged =
        BuiltInProviders.proved(new ChatFormat(), Requests.profilesWith(ModelFlag.COMPAT));
    assertThat(flagged.write(input(GPT).build()).body().text())
        .startsWith("{\"model\":\"gpt-5.6-terra\",\"max_tokens\":4096,\"messages\"");
  }

  @Test
  void toolsAreReadInTheShapeOfAnyProvider() {
    ToolDef expected = new ToolDef("a", "does", "{\"type\":\"object\"}");
    for (String shape :
        List.of(
            "{\"name\":\"a\",\"description\":\"does\",\"input_schema\":{\"type\":\"object\"}}",
            "{\"type\":\"custom\",\"name\":\"a\",\"description\":\"does\","
                + "\"input_schema\":{\"type\":\"object\"}}",
            "{\"type\":\"function\",\"function\":{\"name\":\"a\",\"description\":\"does\","
                + "\"parameters\":{\"type\":\"object\"}}}",
            "{\"type\":\"function\",\"name\":\"a\",\"description\":\"does\",\"strict\":false,"
                + "\"parameters\":{\"type\":\"object\"}}")) {
      assertThat(ToolDef.read(open(shape))).as(shape).isEqualTo(expected);
    }
    assertThat(ToolDef.read(open("{\"type\":\"function\",\"name\":\"a\"}")).schema())
        .contains("\"type\":\"object\"");
    for (String own :
        List.of(
            "{\"type\":\"web_search\"}", "{\"googleSearch\":{}}", "{\"type\":\"bash_20250124\"}")) {
      assertThat(ToolDef.read(open(own)).raw()).as(own).isEqualTo(own);
    }
    for (String wrong :
        List.of(
            "{}",
            "{\"name\":\"a\"}",
            "{\"name\":\"a\",\"input_schema\":{},\"x\":1}",
            "{\"input_schema\":{}}",
            "{\"type\":\"function\",\"function\":{\"name\":\"a\",\"x\":1}}",
            "{\"type\":\"function\",\"name\":\"a\",\"strict\":true}")) {
      assertThatThrownBy(() -> ToolDef.read(open(wrong)))
          .as(wrong)
          .isInstanceOf(ContextureException.class);
    }
  }

  @Test
  void aChoiceOfAToolIsNotGivenTwice() {
    RequestInput twice =
        input(GPT)
            .tools(List.of(new ToolDef("a", "", "{\"type\":\"object\"}")))
            .toolChoice(ToolChoice.REQUIRED)
            .params(RequestParams.NONE.withOpen(open("{\"tool_choice\":\"none\"}")))
            .build();
    assertThatThrownBy(() -> format("openai_chat").write(twice))
        .hasMessageContaining("tool_choice");
  }
}
