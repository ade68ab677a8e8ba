package dev.contexture.provider;

import static dev.contexture.provider.Requests.CLAUDE;
import static dev.contexture.provider.Requests.GEMINI;
import static dev.contexture.provider.Requests.GPT;
import static dev.contexture.provider.Requests.text;
import static dev.contexture.provider.Requests.user;
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
import dev.contexture.provider.catalogue.ModelCatalogue;
import dev.contexture.provider.openai.ChatFormat;
import dev.contexture.request.Effort;
import dev.contexture.request.OutputSchema;
import dev.contexture.request.ProofMode;
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
  private static final BuiltInProviders PROVIDERS = BuiltInProviders.of(ModelCatalogue.shipped());
  private static final ModelRef SONNET_OLD = new ModelRef("anthropic", "claude-sonnet-4-5");
  private static final ModelRef GEMINI_OLD = new ModelRef("gemini", "gemini-2.5-flash");
  private static final OutputSchema CITY =
      OutputSchema.of("city", "{\"type\":\"object\",\"properties\":{\"b\":{},\"a\":{}}}");

  private static ProviderFormat format(String name) {
    return PROVIDERS.resolve(name, "any").format();
  }

  private static RequestInput.Builder input(ModelRef model) {
    return RequestInput.builder(model, 4096).messages(List.of(user(text("hi"))));
  }

  private static ProviderRequest write(
      String format, ModelRef model, UnaryOperator<RequestParams> asked) {
    return format(format).write(input(model).params(asked.apply(RequestParams.NONE)).build());
  }

  private static JsonObject open(String json) {
    return (JsonObject) JsonValue.parse(json);
  }

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

  /** A call is demanded of a tool that is there, in every shape. */
  @ParameterizedTest
  @CsvSource({
    "anthropic,claude-opus-4-5",
    "openai_chat,gpt-5.6-terra",
    "openai_responses,gpt-5.6-terra",
    "gemini,gemini-3.5-flash"
  })
  void aCallIsDemandedOnlyOfAToolThatIsOffered(String name, String model) {
    ModelRef ref = PROVIDERS.resolve(name, model).model();
    List<ToolDef> offered = List.of(new ToolDef("a.b", "", "{\"type\":\"object\"}"));
    RequestInput.Builder none = input(ref);
    assertRefused(name, none.toolChoice(ToolChoice.REQUIRED).build(), "tool_choice", "give tools");
    assertRefused(
        name, none.toolChoice(ToolChoice.tool("a.b")).build(), "tool_choice", "give tools");
    RequestInput.Builder some = input(ref).tools(offered);
    assertRefused(name, some.toolChoice(ToolChoice.tool("x")).build(), "tool_choice", "a.b");
    for (ToolChoice taken : List.of(ToolChoice.REQUIRED, ToolChoice.tool("a.b"))) {
      RequestInput input = some.toolChoice(taken).build();
      format(name).checkParams(input);
      assertThat(format(name).write(input).body().text()).contains("a");
    }
    assertThat(format(name).write(none.toolChoice(ToolChoice.NONE).build()).body().text())
        .doesNotContain("choice");
  }

  private static void assertRefused(String name, RequestInput input, String field, String allowed) {
    assertThatExceptionOfType(ContextureException.class)
        .isThrownBy(() -> format(name).checkParams(input))
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.PARAM_REJECTED))
        .satisfies(e -> assertThat(e.field()).contains(field))
        .withMessageContaining(allowed);
  }

  @Test
  void thinkingIsAskedOnlyAsTheModelTakesIt() {
    refused(
        "anthropic",
        SONNET_OLD,
        p -> p.withThinking(ThinkingChoice.budget(4096)),
        "from 1024 to below the output limit (4096)");
    refused(
        "anthropic", SONNET_OLD, p -> p.withThinking(ThinkingChoice.budget(1000)), "from 1024 to");
    refused("anthropic", SONNET_OLD, p -> p.withThinking(ThinkingChoice.ADAPTIVE), "adaptive");
    refused("anthropic", SONNET_OLD, p -> p.withEffort(Effort.LOW), "output_config.effort");
    ModelRef gpt4o = new ModelRef("openai", "gpt-4o");
    refused("openai_chat", gpt4o, p -> p.withEffort(Effort.LOW), "gpt-4o");
    refused("openai_responses", gpt4o, p -> p.withEffort(Effort.LOW), "gpt-4o");
    refused("gemini", GEMINI_OLD, p -> p.withEffort(Effort.LOW), "gemini-2.5-flash");
    refused(
        "gemini",
        GEMINI,
        p -> p.withThinking(ThinkingChoice.budget(2048)).withEffort(Effort.LOW),
        "give one of them");
    ModelRef unknown = new ModelRef("openai", "gpt-next");
    format("openai_chat")
        .checkParams(input(unknown).params(RequestParams.NONE.withEffort(Effort.LOW)).build());
  }

  /** A schema that lacks what a provider enforces is completed, and that is said. */
  @ParameterizedTest
  @CsvSource({
    "anthropic,claude-opus-5,1",
    "openai_chat,gpt-5.6-terra,2",
    "openai_responses,gpt-5.6-terra,2",
    "gemini,gemini-3.5-flash,0"
  })
  void aSchemaIsCompletedAsTheProviderDemands(String name, String model, int repairs)
      throws Exception {
    ModelRef ref = PROVIDERS.resolve(name, model).model();
    ProviderRequest written = write(name, ref, p -> p.withOutputSchema(CITY));
    assertThat(written.repairs()).hasSize(repairs).allMatch(repair -> repair.code().equals("V39"));
    String sent =
        switch (repairs) {
          case 0 -> "{\"b\":{},\"a\":{}}}";
          case 1 -> "{\"b\":{},\"a\":{}},\"additionalProperties\":false}";
          default ->
              "{\"b\":{},\"a\":{}},\"additionalProperties\":false,\"required\":[\"b\",\"a\"]}";
        };
    assertThat(written.body().text()).contains("{\"type\":\"object\",\"properties\":" + sent);
    RequestInput.Builder asked = input(ref).params(RequestParams.NONE.withOutputSchema(CITY));
    format(name).checkParams(asked.build());
    if (repairs > 0) {
      RequestInput strict = asked.proof(ProofMode.STRICT).build();
      assertThatThrownBy(() -> format(name).checkParams(strict)).hasMessageContaining("V39");
      assertThatThrownBy(() -> format(name).write(strict)).hasMessageContaining("V39");
      format(name).checkParams(asked.proof(ProofMode.REPORT).build());
      OutputSchema open =
          OutputSchema.of(
              "open", "{\"type\":\"object\",\"additionalProperties\":{\"type\":\"string\"}}");
      refused(name, ref, p -> p.withOutputSchema(open), "additionalProperties is not false");
    }
  }

  /** A tool of one provider is nothing for another. */
  @Test
  void aToolOfAnotherProviderIsRefused() {
    String claude = "{\"type\":\"web_search_20250305\",\"name\":\"web_search\"}";
    String google = "{\"google_search\":{}}";
    String openai = "{\"type\":\"web_search\"}";
    assertForeign("anthropic", CLAUDE, google, openai);
    assertForeign("openai_chat", GPT, google, claude);
    assertForeign("openai_responses", GPT, google, claude);
    assertForeign("gemini", GEMINI, claude, openai);
  }

  private static void assertForeign(String name, ModelRef model, String... tools) {
    for (String tool : tools) {
      RequestInput input = input(model).tools(List.of(ToolDef.ofProvider(tool))).build();
      assertThatExceptionOfType(ContextureException.class)
          .as(name + tool)
          .isThrownBy(() -> format(name).checkParams(input))
          .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.PARAM_REJECTED))
          .withMessageContaining("V40");
      assertThatThrownBy(() -> format(name).write(input)).hasMessageContaining("V40");
    }
  }

  /** A parameter that is known has its type, and the refusal names it. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "openai_chat|{\"temperature\":\"hot\"}|params.temperature|a number",
        "openai_responses|{\"top_p\":[]}|params.top_p|a number",
        "anthropic|{\"stop_sequences\":5}|params.stop_sequences|a list of strings",
        "openai_chat|{\"stream_options\":1}|params.stream_options|an object",
        "openai_responses|{\"include\":\"x\"}|params.include|a list of strings",
        "gemini|{\"generationConfig\":5}|params.generationConfig|an object",
        "gemini|{\"generationConfig\":{\"topK\":{}}}|params.generationConfig.topK|a number"
      })
  void aParameterHasItsType(String name, String params, String field, String allowed) {
    ModelRef model = name.equals("anthropic") ? CLAUDE : name.equals("gemini") ? GEMINI : GPT;
    RequestInput input = input(model).params(RequestParams.NONE.withOpen(open(params))).build();
    assertRefused(name, input, field, "allowed: " + allowed);
  }

  /** What the catalogue knows of a model holds; of others nothing is said. */
  @Test
  void anAnswerIsNotLongerThanTheModelsOwn() {
    for (ModelRef known : List.of(CLAUDE, GPT, GEMINI)) {
      String name = known.equals(GPT) ? "openai_responses" : known.provider();
      int most = PROVIDERS.resolve(name, known.model()).profile().maxOutput();
      format(name).checkParams(RequestInput.builder(known, most).build());
      assertThatExceptionOfType(ContextureException.class)
          .isThrownBy(() -> format(name).checkParams(RequestInput.builder(known, most + 1).build()))
          .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.PARAM_REJECTED))
          .withMessageContaining("the output limit is " + (most + 1) + ", allowed is 1 to " + most);
    }
    ModelRef unknown = new ModelRef("openai", "gpt-next");
    format("openai_chat").checkParams(RequestInput.builder(unknown, 9_999_999).build());
  }

  /** A model goes to who serves it: by its maker, or by any server that is compatible. */
  @ParameterizedTest
  @CsvSource({
    "openai_chat,claude-opus-5,true",
    "openai_responses,gemini-2.5-pro,true",
    "anthropic,gpt-5.5,true",
    "gemini,claude-opus-4-5-20251101,true",
    "openai_chat,deepseek-v4-pro,false",
    "openai_chat,anthropic/claude-sonnet-4.6,false",
    "openai_chat,llama3.3:70b,false",
    "anthropic,deepseek-v4-pro,false",
    "anthropic,claude-next,false"
  })
  void aModelIsAskedInAFormatThatItIsServedIn(String name, String model, boolean refused) {
    ModelRef ref = PROVIDERS.resolve(name, model).model();
    if (refused) {
      refused(name, ref, p -> p, "model " + model + " is one of ");
    } else {
      format(name).checkParams(input(ref).build());
    }
    if (name.equals("openai_chat")) {
      format(name).checkParams(input(ref).params(RequestParams.NONE.withCompat(true)).build());
    }
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
