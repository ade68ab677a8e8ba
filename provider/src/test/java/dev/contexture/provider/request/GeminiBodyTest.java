package dev.contexture.provider.request;

import static dev.contexture.provider.request.Requests.GEMINI;
import static dev.contexture.provider.request.Requests.assistant;
import static dev.contexture.provider.request.Requests.failure;
import static dev.contexture.provider.request.Requests.result;
import static dev.contexture.provider.request.Requests.text;
import static dev.contexture.provider.request.Requests.user;
import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.block.Binary;
import dev.contexture.block.CallId;
import dev.contexture.model.Finding;
import dev.contexture.request.ProviderRequest;
import dev.contexture.request.RequestInput;
import dev.contexture.request.ToolChoice;
import dev.contexture.request.ToolDef;
import dev.contexture.view.Part;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is special about bodies for Gemini. */
class GeminiBodyTest {
  private static final Part IMAGE = new Part.Image("image/png", Binary.of(new byte[] {1}));

  private static Part call(String id, String arguments) {
    return Requests.call(id, "f", arguments);
  }

  /** P-8. */
  @Test
  void movesMediaOutOfResults() {
    String body =
        Requests.gemini(
                Requests.of(
                    GEMINI,
                    user(text("q")),
                    assistant(call("a", "{}"), call("b", "{}")),
                    user(result("a", text("x"), IMAGE), failure("b", text("1"), text("2")))))
            .body()
            .text();
    assertThat(body)
        .contains("\"response\":{\"output\":\"x\\n[see media below]\"}")
        .contains(
            "\"response\":{\"error\":\"1\\n2\"}}},{\"text\":\"[media of result a]\"},"
                + "{\"inlineData\":{\"mimeType\":\"image/png\",\"data\":\"AQ==\"}}]");
  }

  /** P-9: a call that came without an id is answered without one. */
  @Test
  void pairsByOrderWhereTheModelGaveNoId() {
    CallId own = CallId.of("own_1");
    String raw = "{\"functionCall\":{\"name\":\"f\",\"args\":{}}}";
    String body =
        Requests.gemini(
                Requests.of(
                    GEMINI,
                    user(text("q")),
                    assistant(
                        new Part.Opaque("gemini", "gemini-3.5-flash", "functionCall", raw, true),
                        new Part.ToolCall(own, null, "f", "{}")),
                    user(new Part.ToolResult(own, null, false, List.of(text("r"))))))
            .body()
            .text();
    assertThat(body)
        .contains(raw)
        .contains("{\"functionResponse\":{\"name\":\"f\",\"response\":{\"output\":\"r\"}}}");
  }

  @Test
  void wrapsArgumentsThatAreNoObject() {
    ProviderRequest request =
        Requests.gemini(
            Requests.of(
                GEMINI,
                user(text("q")),
                assistant(call("a", "nonsense"), call("b", " ")),
                user(result("a"), result("b"))));
    assertThat(request.body().text())
        .contains("\"args\":{\"_raw\":\"nonsense\"}")
        .contains("\"args\":{}");
    assertThat(request.findings()).extracting(Finding::code).containsExactly("arguments-invalid");
  }

  /** V24 for Gemini. */
  @Test
  void takesNamesThatOthersDoNot() {
    assertThat(ToolNames.geminiName("react.read:x-1")).isEqualTo("react.read:x-1");
    assertThat(ToolNames.geminiName("1st")).matches("_1st_[0-9a-f]{8}");
    assertThat(ToolNames.geminiName("a b")).matches("a_b_[0-9a-f]{8}");
    assertThat(ToolNames.geminiName("x".repeat(200))).hasSize(128);
    RequestInput input =
        RequestInput.builder(GEMINI, 9)
            .tools(List.of(new ToolDef("a b", "d", "{\"type\":\"object\"}")))
            .toolChoice(ToolChoice.tool("a b"))
            .messages(List.of(user(text("q"))))
            .build();
    ProviderRequest request = Requests.gemini(input);
    assertThat(request.toolOf(ToolNames.geminiName("a b"))).isEqualTo("a b");
    assertThat(request.body().text()).contains("\"mode\":\"ANY\",\"allowedFunctionNames\":[\"a_b_");
  }
}
