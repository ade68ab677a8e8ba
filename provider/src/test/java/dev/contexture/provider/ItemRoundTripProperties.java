package dev.contexture.provider;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.block.CallId;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonText;
import dev.contexture.json.JsonValue;
import dev.contexture.model.ModelAnswer;
import dev.contexture.model.ModelRef;
import dev.contexture.model.ReplyOpaque;
import dev.contexture.model.Stop;
import dev.contexture.provider.catalogue.ModelCatalogue;
import dev.contexture.render.Message;
import dev.contexture.request.ProviderFormat;
import dev.contexture.request.ReplyParts;
import dev.contexture.request.RequestInput;
import dev.contexture.testkit.AnswerArbitraries;
import dev.contexture.view.MessageRole;
import dev.contexture.view.Part;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Assume;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** P-83 for Responses and Gemini: the next request gives the provider its own parts back. */
class ItemRoundTripProperties {
  private static final TestFormats FORMATS = TestFormats.of(ModelCatalogue.shipped());

  @Property(tries = 1000)
  void responsesGetTheirItemsBack(@ForAll("outputs") List<JsonObject> output) {
    String answer =
        JsonObject.builder()
            .put("id", "resp_1")
            .put("status", "completed")
            .put("output", new JsonArray(List.copyOf(output)))
            .build()
            .toPrettyJson();
    ModelAnswer reply = format("openai-responses").readAnswer(answer, Requests.GPT);
    Assume.that(reply.stop() != Stop.REFUSAL); // of a refusal texts alone are kept
    String body = nextRequest("openai-responses", reply, Requests.GPT);
    List<String> items = JsonText.items(JsonText.member(body, "input").orElseThrow());
    List<String> expected = sendable(reply, output);
    assertThat(items.subList(1, 1 + expected.size())).isEqualTo(expected);
    List<String> outputs = new ArrayList<>();
    for (String item : items.subList(1 + expected.size(), items.size() - 1)) {
      outputs.add(((JsonObject) JsonValue.parse(item)).string("call_id").orElse(""));
    }
    assertThat(outputs)
        .isEqualTo(reply.calls().stream().map(call -> call.providerId().orElse("")).toList());
  }

  /** All but blank messages, and reasoning that nothing follows (V04, V17). */
  private static List<String> sendable(ModelAnswer reply, List<JsonObject> output) {
    List<String> kept = new ArrayList<>();
    List<String> held = new ArrayList<>();
    for (int i = 0; i < output.size(); i++) {
      JsonObject item = output.get(i);
      if (item.string("type").orElse("").equals("reasoning")) {
        held.add(item.toJson());
      } else if (!isBlank(reply, i)) {
        kept.addAll(held);
        held.clear();
        kept.add(item.toJson());
      }
    }
    return kept;
  }

  @Property(tries = 1000)
  void geminiGetsItsPartsBack(@ForAll("parts") List<JsonObject> parts) {
    JsonObject content =
        JsonObject.builder()
            .put("role", "model")
            .put("parts", new JsonArray(List.copyOf(parts)))
            .build();
    JsonObject candidate =
        JsonObject.builder().put("content", content).put("finishReason", "STOP").build();
    String answer = JsonObject.of("candidates", JsonArray.of(candidate)).toPrettyJson();
    ModelAnswer reply = format("gemini-generate-content").readAnswer(answer, Requests.GEMINI);
    String body = nextRequest("gemini-generate-content", reply, Requests.GEMINI);
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < parts.size(); i++) {
      if (!isBlank(reply, i)) {
        expected.add(parts.get(i).toJson());
      }
    }
    List<String> contents = JsonText.items(JsonText.member(body, "contents").orElseThrow());
    if (expected.isEmpty()) {
      assertThat(contents).hasSize(1);
      return;
    }
    assertThat(JsonText.items(JsonText.member(contents.get(1), "parts").orElseThrow()))
        .isEqualTo(expected);
    List<String> ids = new ArrayList<>();
    for (String part : JsonText.items(JsonText.member(contents.get(2), "parts").orElseThrow())) {
      ((JsonObject) JsonValue.parse(part))
          .object("functionResponse")
          .ifPresent(result -> ids.add(result.string("id").orElse("")));
    }
    assertThat(ids)
        .isEqualTo(reply.calls().stream().map(call -> call.providerId().orElse("")).toList());
  }

  /** What Responses made is no message of Chat Completions, and the other way round (P-5). */
  @Property(tries = 200)
  void theOtherInterfaceOfOpenAiGetsTheNeutralParts(@ForAll("outputs") List<JsonObject> output)
      throws Exception {
    JsonObject answer =
        JsonObject.builder()
            .put("status", "completed")
            .put("output", new JsonArray(List.copyOf(output)))
            .build();
    ModelAnswer reply = format("openai-responses").readAnswer(answer.toJson(), Requests.GPT);
    String body = nextRequest("openai-chat", reply, Requests.GPT);
    assertThat(body)
        .doesNotContain("encrypted_content", "server_novelty", "call_id\":\"c_0\",\"id");
    assertThat(SdkTypes.unknownToOpenAi(body)).isEmpty();
  }

  private static ProviderFormat format(String name) {
    return FORMATS.named(name).orElseThrow();
  }

  private static String nextRequest(String format, ModelAnswer reply, ModelRef model) {
    int[] made = {0};
    ReplyParts maker =
        new ReplyParts(
            model,
            name -> name,
            call -> CallId.of(call.providerId().orElseGet(() -> "own_" + made[0]++)));
    List<Part> said = maker.parts(reply);
    List<Part> answers = new ArrayList<>();
    for (Part part : said) {
      if (part instanceof Part.ToolCall call) {
        answers.add(
            new Part.ToolResult(
                call.id(), call.providerId().orElse(null), false, List.of(new Part.Text("ok"))));
      }
    }
    answers.add(new Part.Text("go on"));
    RequestInput input =
        RequestInput.builder(model, 100)
            .messages(
                List.of(
                    Requests.user(Requests.text("hi")),
                    new Message(MessageRole.ASSISTANT, said),
                    new Message(MessageRole.USER, answers)))
            .build();
    return format(format).write(input).body().text();
  }

  private static boolean isBlank(ModelAnswer reply, int order) {
    return reply.opaque().stream()
        .anyMatch(part -> part.order() == order && part.kind().equals(ReplyOpaque.BLANK));
  }

  @Provide
  Arbitrary<List<JsonObject>> outputs() {
    return AnswerArbitraries.responsesOutput();
  }

  @Provide
  Arbitrary<List<JsonObject>> parts() {
    return AnswerArbitraries.geminiParts();
  }
}
