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
import dev.contexture.model.ModelRef;
import dev.contexture.request.Effort;
import dev.contexture.request.OutputSchema;
import dev.contexture.request.ProofMode;
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

/** H-8: what a provider would refuse is refused before it is sent, with what is allowed. */
class RefusedParamsTest {
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
}
