package dev.contexture.provider;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.json.JsonText;
import dev.contexture.request.Mark;
import dev.contexture.request.Point;
import dev.contexture.request.ProviderRequest;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** The golden bodies of P-12, byte for byte. */
class GoldenRequestsTest {
  @Test
  void writesAnthropicMessages() {
    ProviderRequest request = Requests.anthropic(Requests.golden(Requests.CLAUDE));
    assertThat(request.body().text())
        .isEqualTo(JsonText.minify(Golden.text("anthropic-request.json")));
    assertThat(request.marks())
        .containsExactly(
            new Mark(Point.SYSTEM, "/system/1"),
            new Mark(Point.PREV_TURN, "/messages/3/content/0"),
            new Mark(Point.TAIL, "/messages/4/content/1"));
    assertThat(request.findings()).isEmpty();
  }

  /** P-27: the assistant takes no mark, so the point moves back to the last result. */
  @Test
  void writesChatCompletions() {
    ProviderRequest request = Requests.chat(Requests.golden(Requests.GPT));
    assertThat(request.body().text()).isEqualTo(JsonText.minify(Golden.text("chat-request.json")));
    assertThat(request.marks())
        .containsExactly(
            new Mark(Point.SYSTEM, "/messages/0/content/1"),
            new Mark(Point.PREV_TURN, "/messages/4/content/0"));
  }

  @Test
  void writesResponses() {
    ProviderRequest request = Requests.responses(Requests.golden(Requests.GPT));
    assertThat(request.body().text())
        .isEqualTo(JsonText.minify(Golden.text("responses-request.json")));
    assertThat(request.marks())
        .containsExactly(
            new Mark(Point.SYSTEM, "/input/0/content/1"),
            new Mark(Point.PREV_TURN, "/input/6/output/0"));
  }

  @Test
  void writesGemini() {
    ProviderRequest request = Requests.gemini(Requests.golden(Requests.GEMINI));
    assertThat(request.body().text())
        .isEqualTo(JsonText.minify(Golden.text("gemini-request.json")));
    assertThat(request.marks()).isEmpty();
    assertThat(request.findings()).isEmpty();
  }

  @Test
  void givesTheBodyInEveryForm() throws Exception {
    ProviderRequest request = Requests.anthropic(Requests.golden(Requests.CLAUDE));
    var out = new ByteArrayOutputStream();
    request.body().writeTo(out);
    assertThat(out.toByteArray()).isEqualTo(request.body().bytes());
    assertThat(request.body().buffers().stream().mapToInt(ByteBuffer::remaining).sum())
        .isEqualTo(request.body().sizeBytes());
    assertThat(request.body())
        .isEqualTo(Requests.anthropic(Requests.golden(Requests.CLAUDE)).body());
  }
}
