package dev.contexture.provider.gemini;

import static dev.contexture.provider.Requests.GEMINI;
import static dev.contexture.provider.Requests.assistant;
import static dev.contexture.provider.Requests.failure;
import static dev.contexture.provider.Requests.result;
import static dev.contexture.provider.Requests.text;
import static dev.contexture.provider.Requests.user;
import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.block.Binary;
import dev.contexture.block.CallId;
import dev.contexture.model.ModelFlag;
import dev.contexture.model.WireFinding;
import dev.contexture.prompt.SystemPart;
import dev.contexture.provider.Requests;
import dev.contexture.provider.SdkTypes;
import dev.contexture.provider.TestFormats;
import dev.contexture.request.CachePolicy;
import dev.contexture.request.ProviderRequest;
import dev.contexture.request.RequestBlock;
import dev.contexture.request.RequestInput;
import dev.contexture.request.RequestWriter;
import dev.contexture.request.ToolChoice;
import dev.contexture.request.ToolDef;
import dev.contexture.view.Part;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is special about bodies for Gemini. */
class GeminiWriterTest {
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

  /** P-35: what a cache holds is not sent; a call stays with its result. */
  @Test
  void goesOnFromACacheOfTheHost() throws Exception {
    RequestInput.Builder input =
        Requests.of(
                GEMINI,
                user(text("q")),
                assistant(call("a", "{}")),
                user(result("a", text("r"))),
                assistant(text("so")),
                user(text("and?")))
            .toBuilder()
            .system(List.of(SystemPart.of("You are Atlas.")))
            .tools(List.of(new ToolDef("f", "", "{\"type\":\"object\"}")));
    RequestWriter writer =
        TestFormats.of(Requests.profilesWith(ModelFlag.EXPLICIT_CACHE))
            .named("gemini-generate-content")
            .orElseThrow()
            .writer();
    CachePolicy.HostCache held = new CachePolicy.HostCache("cachedContents/x", 5);
    ProviderRequest request =
        writer.write(input.cache(CachePolicy.DEFAULT.withExplicit(held)).volatileParts(1).build());
    String body = request.body().text();
    assertThat(request.repairs()).isEmpty();
    assertThat(body)
        .startsWith("{\"cachedContent\":\"cachedContents/x\",\"contents\":[")
        .doesNotContain(
            "\"tools\"", "systemInstruction", "\"q\"", "functionCall", "functionResponse")
        .contains("\"so\"", "and?");
    assertThat(request.blocks())
        .extracting(RequestBlock::volatileTail)
        .containsExactly(false, true);
    assertThat(SdkTypes.unknownToGemini(body)).isEmpty();
    assertThat(request.findings()).extracting(WireFinding::code).contains("explicit_cache");
    String plain = writer.write(input.cache(CachePolicy.DEFAULT).build()).body().text();
    for (int covers : new int[] {0, 4, 7, 100}) { // nothing, a call without its result, everything
      CachePolicy.HostCache other = new CachePolicy.HostCache("cachedContents/x", covers);
      RequestInput asked = input.cache(CachePolicy.DEFAULT.withExplicit(other)).build();
      assertThat(writer.write(asked).body().text()).as("covers " + covers).isEqualTo(plain);
    }
  }

  /** P-35: models that take none get everything. */
  @Test
  void ignoresACacheThatTheModelDoesNotTake() {
    RequestInput input =
        Requests.of(GEMINI, user(text("q"))).toBuilder()
            .cache(
                CachePolicy.DEFAULT.withExplicit(new CachePolicy.HostCache("cachedContents/x", 1)))
            .build();
    ProviderRequest request = Requests.gemini(input);
    assertThat(request.body().text()).doesNotContain("cachedContent").contains("\"q\"");
    assertThat(request.findings()).extracting(WireFinding::code).contains("explicit_cache");
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
    assertThat(request.findings())
        .extracting(WireFinding::code)
        .containsExactly("arguments_invalid");
  }

  /** V24 for Gemini. */
  @Test
  void takesNamesThatOthersDoNot() {
    assertThat(new GeminiFormat().toolNames().wireName("react.read:x-1"))
        .isEqualTo("react.read:x-1");
    assertThat(new GeminiFormat().toolNames().wireName("1st")).matches("_1st_[0-9a-f]{8}");
    assertThat(new GeminiFormat().toolNames().wireName("a b")).matches("a_b_[0-9a-f]{8}");
    assertThat(new GeminiFormat().toolNames().wireName("x".repeat(200))).hasSize(128);
    RequestInput input =
        RequestInput.builder(GEMINI, 9)
            .tools(List.of(new ToolDef("a b", "d", "{\"type\":\"object\"}")))
            .toolChoice(ToolChoice.tool("a b"))
            .messages(List.of(user(text("q"))))
            .build();
    ProviderRequest request = Requests.gemini(input);
    assertThat(request.toolOf(new GeminiFormat().toolNames().wireName("a b"))).isEqualTo("a b");
    assertThat(request.body().text()).contains("\"mode\":\"ANY\",\"allowedFunctionNames\":[\"a_b_");
  }
}
