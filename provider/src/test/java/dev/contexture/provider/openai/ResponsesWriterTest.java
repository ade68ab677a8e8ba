package dev.contexture.provider.openai;

import static dev.contexture.provider.Requests.GPT;
import static dev.contexture.provider.Requests.assistant;
import static dev.contexture.provider.Requests.call;
import static dev.contexture.provider.Requests.failure;
import static dev.contexture.provider.Requests.result;
import static dev.contexture.provider.Requests.text;
import static dev.contexture.provider.Requests.user;
import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.block.Binary;
import dev.contexture.model.WireFinding;
import dev.contexture.prompt.SystemPart;
import dev.contexture.provider.Requests;
import dev.contexture.provider.wire.ToolNames;
import dev.contexture.request.Mark;
import dev.contexture.request.Point;
import dev.contexture.request.PointPlace;
import dev.contexture.request.ProviderRequest;
import dev.contexture.request.RequestInput;
import dev.contexture.request.ToolChoice;
import dev.contexture.request.ToolDef;
import dev.contexture.view.Part;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is special about bodies for Responses. */
class ResponsesWriterTest {
  private static final Part IMAGE = new Part.Image("image/png", Binary.of(new byte[] {1}));

  private static Part opaque(String kind, String raw, boolean verbatim) {
    return new Part.Opaque("openai", "gpt-5.6-terra", kind, raw, verbatim);
  }

  @Test
  void saysThatAToolFailed() {
    String body =
        Requests.responses(
                Requests.of(
                    GPT,
                    user(text("q")),
                    assistant(call("a", "f", "{}"), call("b", "f", "{}"), call("c", "f", "{}")),
                    user(failure("a", text("no")), failure("b", IMAGE), result("c"))))
            .body()
            .text();
    assertThat(body)
        .contains("\"output\":[{\"type\":\"input_text\",\"text\":\"ERROR: no\"}]")
        .contains("\"ERROR: [see media below]\"},{\"type\":\"input_image\"")
        .contains("\"output\":[{\"type\":\"input_text\",\"text\":\"(empty)\"}]");
  }

  /** V17: nobody takes reasoning that led to nothing. */
  @Test
  void sendsReasoningOnlyBeforeWhatItLedTo() {
    String reasoning = "{\"type\":\"reasoning\",\"id\":\"rs\",\"summary\":[]}";
    ProviderRequest request =
        Requests.responses(
            Requests.of(
                GPT,
                user(text("q")),
                assistant(
                    opaque("reasoning", reasoning, false),
                    text("a"),
                    opaque("reasoning", "{\"type\":\"reasoning\",\"id\":\"lone\"}", false)),
                user(text("go on"))));
    assertThat(request.body().text())
        .contains(reasoning + ",{\"type\":\"message\",\"role\":\"assistant\",\"content\":\"a\"}")
        .doesNotContain("lone");
    assertThat(request.findings()).extracting(WireFinding::code).containsExactly("reasoning_pair");
  }

  /** P-5: parts of chat answers are no items, though the provider is the same. */
  @Test
  void leavesOutWhatChatCompletionsMade() {
    String function =
        "{\"id\":\"c\",\"type\":\"function\",\"function\":{\"name\":\"f\",\"arguments\":\"{}\"},"
            + "\"extra\":1}";
    String body =
        Requests.responses(
                Requests.of(
                    GPT,
                    user(text("q")),
                    assistant(
                        opaque("content", "{\"content\":\"a\\n\"}", true),
                        text("a"),
                        opaque("novelty", "{\"novelty\":1}", false),
                        opaque("function", function, true),
                        call("c", "f", "{}")),
                    user(result("c", text("r")))))
            .body()
            .text();
    assertThat(body)
        .contains("\"content\":\"a\"}")
        .contains("{\"type\":\"function_call\",\"call_id\":\"c\"")
        .doesNotContain("extra", "novelty");
  }

  @Test
  void marksOnlyWhatTheUserAndToolsSaid() {
    RequestInput input =
        RequestInput.builder(GPT, 9)
            .system(List.of(SystemPart.of("s")))
            .tools(List.of(new ToolDef("f.x", "", "{\"type\":\"object\"}")))
            .toolChoice(ToolChoice.tool("f.x"))
            .messages(
                List.of(
                    user(text("q")),
                    assistant(call("a", "f.x", "{}")),
                    user(result("a", text("r"), IMAGE)),
                    assistant(text("done")),
                    user(text("more"), text("tail"))))
            .points(
                List.of(new PointPlace(Point.PREV_TURN, 3, 0), new PointPlace(Point.TAIL, 4, 0)))
            .volatileParts(1)
            .build();
    ProviderRequest request = Requests.responses(input);
    assertThat(request.marks())
        .containsExactly(
            new Mark(Point.SYSTEM, "/input/0/content/0"),
            new Mark(Point.PREV_TURN, "/input/3/output/1"),
            new Mark(Point.TAIL, "/input/5/content/0"));
    assertThat(request.body().text())
        .contains("\"prompt_cache_options\":{\"mode\":\"explicit\"")
        .contains("\"tool_choice\":{\"type\":\"function\",\"name\":\"f_x_");
    assertThat(request.toolOf(ToolNames.COMMON.wireName("f.x"))).isEqualTo("f.x");
  }
}
