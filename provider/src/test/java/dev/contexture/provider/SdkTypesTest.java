package dev.contexture.provider;

import static dev.contexture.provider.Requests.CLAUDE;
import static dev.contexture.provider.Requests.GEMINI;
import static dev.contexture.provider.Requests.GPT;
import static dev.contexture.provider.Requests.assistant;
import static dev.contexture.provider.Requests.call;
import static dev.contexture.provider.Requests.failure;
import static dev.contexture.provider.Requests.result;
import static dev.contexture.provider.Requests.text;
import static dev.contexture.provider.Requests.user;
import static org.assertj.core.api.Assertions.assertThat;

import com.anthropic.models.messages.RawMessageStreamEvent;
import com.openai.models.chat.completions.ChatCompletion;
import com.openai.models.chat.completions.ChatCompletionChunk;
import com.openai.models.responses.Response;
import com.openai.models.responses.ResponseStreamEvent;
import dev.contexture.block.Binary;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.model.ModelRef;
import dev.contexture.prompt.SystemPart;
import dev.contexture.request.RequestInput;
import dev.contexture.request.ToolChoice;
import dev.contexture.request.ToolDef;
import dev.contexture.view.Part;
import java.util.List;
import org.junit.jupiter.api.Test;

/** P-12: the official SDKs know every field that is written here, and every golden answer. */
class SdkTypesTest {
  /** The SDKs have a method for streams instead of a field. */
  private static final String STREAM = "Body {stream=true}";

  @Test
  void knowTheGoldenBodies() throws Exception {
    String claude = Requests.anthropic(Requests.golden(CLAUDE)).body().text();
    assertThat(SdkTypes.unknownToAnthropic(claude)).isEmpty();
    String gpt = Requests.chat(Requests.golden(GPT)).body().text();
    assertThat(SdkTypes.unknownToOpenAi(gpt)).isEmpty();
    String responses = Requests.responses(Requests.golden(GPT)).body().text();
    assertThat(SdkTypes.unknownToResponses(responses)).isEmpty();
    String gemini = Requests.gemini(Requests.golden(GEMINI)).body().text();
    assertThat(SdkTypes.unknownToGemini(gemini)).isEmpty();
  }

  @Test
  void findFieldsThatAreUnknown() throws Exception {
    String claude = Requests.anthropic(Requests.golden(CLAUDE)).body().text();
    assertThat(
            SdkTypes.unknownToAnthropic(
                claude.replace("\"tool_use_id\"", "\"x\":1,$0").replace("$0", "\"tool_use_id\"")))
        .hasSize(2);
    String gemini = Requests.gemini(Requests.golden(GEMINI)).body().text();
    assertThat(SdkTypes.unknownToGemini(gemini.replace("\"args\"", "\"argz\""))).isNotEmpty();
    String responses = Requests.responses(Requests.golden(GPT)).body().text();
    assertThat(SdkTypes.unknownToResponses(responses.replace("\"detail\"", "\"x\":1,\"detail\"")))
        .isNotEmpty();
  }

  @Test
  void knowEverythingElseThatIsWritten() throws Exception {
    assertThat(SdkTypes.unknownToAnthropic(Requests.anthropic(rich(CLAUDE)).body().text()))
        .containsExactly(STREAM);
    assertThat(SdkTypes.unknownToOpenAi(Requests.chat(rich(GPT)).body().text()))
        .containsExactly(STREAM);
    assertThat(SdkTypes.unknownToResponses(Requests.responses(rich(GPT)).body().text()))
        .containsExactly(STREAM);
    assertThat(SdkTypes.unknownToGemini(Requests.gemini(rich(GEMINI)).body().text())).isEmpty();
  }

  private static RequestInput rich(ModelRef model) {
    Part image = new Part.Image("image/jpeg", Binary.of(new byte[] {1}));
    Part pdf = new Part.Document("application/pdf", Binary.of(new byte[] {2}));
    return RequestInput.builder(model, 10)
        .system(List.of(SystemPart.of("s")))
        .tools(List.of(new ToolDef("a.b", "does", "{\"type\":\"object\"}")))
        .toolChoice(ToolChoice.tool("a.b"))
        .messages(
            List.of(
                user(image, pdf, text("q")),
                assistant(
                    new Part.Opaque(
                        "anthropic",
                        "claude-opus-5",
                        "thinking",
                        "{\"type\":\"thinking\",\"thinking\":\"t\",\"signature\":\"s\"}"),
                    call("c1", "a.b", "{\"x\":[1,{}]}"),
                    call("c2", "a.b", "")),
                user(failure("c1", text("no"), image), result("c2"))))
        .volatileParts(1)
        .stream(true)
        .build();
  }

  @Test
  void knowTheGoldenAnswers() throws Exception {
    assertThat(
            SdkTypes.unknown(
                SdkTypes.anthropic(
                    Golden.text("anthropic-answer.json"),
                    com.anthropic.models.messages.Message.class)))
        .isEmpty();
    assertThat(
            SdkTypes.unknown(
                SdkTypes.openAi(Golden.text("chat-answer.json"), ChatCompletion.class)))
        .isEmpty();
    assertThat(
            SdkTypes.unknown(SdkTypes.openAi(Golden.text("responses-answer.json"), Response.class)))
        .isEmpty();
    assertThat(SdkTypes.unknownToGeminiAnswer(Golden.text("gemini-answer.json"))).isEmpty();
    for (JsonValue event : Golden.events("gemini-stream.json")) {
      assertThat(SdkTypes.unknownToGeminiAnswer(event.toJson())).isEmpty();
    }
    for (JsonValue event : Golden.events("responses-stream.json")) {
      assertThat(SdkTypes.unknown(SdkTypes.openAi(event.toJson(), ResponseStreamEvent.class)))
          .isEmpty();
    }
    for (JsonValue event : Golden.events("anthropic-stream.json")) {
      if (!event.equals(JsonObject.of("type", JsonValue.of("ping")))) {
        assertThat(
                SdkTypes.unknown(SdkTypes.anthropic(event.toJson(), RawMessageStreamEvent.class)))
            .isEmpty();
      }
    }
    for (JsonValue event : Golden.events("chat-stream.json")) {
      if (event instanceof JsonObject chunk) {
        assertThat(SdkTypes.unknown(SdkTypes.openAi(chunk.toJson(), ChatCompletionChunk.class)))
            .isEmpty();
      }
    }
  }
}
