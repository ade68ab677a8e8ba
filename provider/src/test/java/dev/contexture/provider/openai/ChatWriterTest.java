package dev.contexture.provider.openai;

import static dev.contexture.provider.Requests.GPT;
import static dev.contexture.provider.Requests.assistant;
import static dev.contexture.provider.Requests.call;
import static dev.contexture.provider.Requests.chat;
import static dev.contexture.provider.Requests.failure;
import static dev.contexture.provider.Requests.result;
import static dev.contexture.provider.Requests.text;
import static dev.contexture.provider.Requests.user;
import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.block.Binary;
import dev.contexture.model.ModelRef;
import dev.contexture.prompt.SystemPart;
import dev.contexture.provider.Requests;
import dev.contexture.provider.wire.ToolNames;
import dev.contexture.render.Message;
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

class ChatWriterTest {
  private static final Part IMAGE = new Part.Image("image/png", Binary.of(new byte[] {1, 2, 3}));
  private static final String IMAGE_JSON =
      "{\"type\":\"image_url\",\"image_url\":"
          + "{\"url\":\"data:image/png;base64,AQID\",\"detail\":\"auto\"}}";

  private static String messages(Message... messages) {
    return messages(GPT, messages);
  }

  private static String messages(ModelRef model, Message... messages) {
    String body = chat(Requests.of(model, messages)).body().text();
    return body.substring(body.indexOf("\"messages\":") + 11, body.length() - 1);
  }

  /** P-4: arguments are the string they were, whatever it is. */
  @Test
  void sendsArgumentsAsTheyWere() {
    assertThat(messages(assistant(call("a", "f", "{ \"x\": 1.0}"), call("b", "f", "oops"))))
        .isEqualTo(
            "[{\"role\":\"assistant\",\"tool_calls\":[{\"id\":\"a\",\"type\":\"function\","
                + "\"function\":{\"name\":\"f\",\"arguments\":\"{ \\\"x\\\": 1.0}\"}},"
                + "{\"id\":\"b\",\"type\":\"function\","
                + "\"function\":{\"name\":\"f\",\"arguments\":\"oops\"}}]}]");
  }

  /** P-8: media of a result go below it, behind a text that says whose they are. */
  @Test
  void hoistsMediaOutOfResults() {
    assertThat(messages(user(result("a", text("x"), IMAGE), result("b"), text("look"))))
        .isEqualTo(
            "[{\"role\":\"tool\",\"tool_call_id\":\"a\",\"content\":["
                + "{\"type\":\"text\",\"text\":\"x\"},"
                + "{\"type\":\"text\",\"text\":\"[see media below]\"}]},"
                + "{\"role\":\"tool\",\"tool_call_id\":\"b\",\"content\":["
                + "{\"type\":\"text\",\"text\":\"(empty)\"}]},"
                + "{\"role\":\"user\",\"content\":["
                + "{\"type\":\"text\",\"text\":\"[media of result a]\"},"
                + IMAGE_JSON
                + ",{\"type\":\"text\",\"text\":\"look\"}]}]");
    assertThat(messages(user(result("a", IMAGE))))
        .endsWith(
            "{\"role\":\"user\",\"content\":["
                + "{\"type\":\"text\",\"text\":\"[media of result a]\"},"
                + IMAGE_JSON
                + "]}]");
  }

  @Test
  void saysThatAToolFailed() {
    assertThat(messages(user(failure("a", text("no"), text("really")), failure("b"))))
        .contains(
            "[{\"type\":\"text\",\"text\":\"ERROR: no\"},{\"type\":\"text\",\"text\":\"really\"}]",
            "[{\"type\":\"text\",\"text\":\"ERROR: (empty)\"}]");
  }

  @Test
  void writesDocumentsAsFiles() {
    Part pdf = new Part.Document("application/pdf", Binary.of(new byte[] {1}));
    assertThat(messages(user(pdf)))
        .contains(
            "{\"type\":\"file\",\"file\":{\"filename\":\"document.pdf\","
                + "\"file_data\":\"data:application/pdf;base64,AQ==\"}}");
  }

  /** P-5, P-76: verbatim forms of content and calls; other members have no place. */
  @Test
  void sendsVerbatimFormsToTheirMaker() {
    String odd =
        "{\"id\":\"a\",\"type\":\"function\",\"function\":"
            + "{\"name\":\"f\",\"arguments\":\"oops\"},\"extra\":1}";
    Message said =
        assistant(
            opaque("content", "{\"content\":\"hi\\n\"}", true),
            text("hi"),
            opaque("refusal", "{\"refusal\":\"no\"}", false),
            opaque("function", odd, true),
            call("a", "f", "{\"_raw\":\"oops\"}"));
    assertThat(messages(said))
        .isEqualTo(
            "[{\"role\":\"assistant\",\"content\":[{\"type\":\"text\",\"text\":\"hi\\n\"}],"
                + "\"tool_calls\":["
                + odd
                + "]}]");
    assertThat(messages(new ModelRef("openai", "gpt-4o"), said))
        .contains("\"text\":\"hi\"}", "{\\\"_raw\\\":\\\"oops\\\"}")
        .doesNotContain("extra");
    assertThat(messages(user(text("a")), assistant(opaque("refusal", "{}", false))))
        .doesNotContain("assistant");
  }

  private static Part opaque(String kind, String raw, boolean verbatim) {
    return new Part.Opaque("openai", "gpt-5.6-terra", kind, raw, verbatim);
  }

  @Test
  void sendsReasoningContentWhereTheModelWantsIt() {
    ModelRef deepSeek = new ModelRef("deepseek", "v4");
    Part reasoning =
        new Part.Opaque(
            "deepseek", "v4", "reasoning_content", "{\"reasoning_content\":\"h\\u00e4\"}");
    assertThat(messages(deepSeek, assistant(reasoning, text("hi"), reasoning)))
        .isEqualTo(
            "[{\"role\":\"assistant\",\"reasoning_content\":\"h\\u00e4h\\u00e4\","
                + "\"content\":[{\"type\":\"text\",\"text\":\"hi\"}]}]");
    assertThat(chat(Requests.of(deepSeek, user(text("x")))).body().text())
        .doesNotContain("store", "prompt_cache");
  }

  @Test
  void writesToolChoiceAndStream() {
    RequestInput.Builder input =
        RequestInput.builder(GPT, 5)
            .tools(List.of(new ToolDef("a.b", "", "{}")))
            .messages(List.of(user(text("a"))));
    assertThat(chat(input.toolChoice(ToolChoice.REQUIRED).build()).body().text())
        .contains("\"tool_choice\":\"required\"");
    assertThat(chat(input.toolChoice(ToolChoice.NONE).build()).body().text())
        .contains("\"tool_choice\":\"none\"");
    assertThat(chat(input.toolChoice(ToolChoice.tool("a.b")).stream(true).build()).body().text())
        .contains(
            "\"tool_choice\":{\"type\":\"function\",\"function\":{\"name\":\""
                + ToolNames.COMMON.wireName("a.b")
                + "\"}}")
        .endsWith(",\"stream\":true,\"stream_options\":{\"include_usage\":true}}");
  }

  /** P-33: with a volatile tail the marks are explicit and the tail gets one before it. */
  @Test
  void marksTheTailItselfWhenAVolatileOneFollows() {
    ProviderRequest request =
        chat(
            RequestInput.builder(GPT, 5)
                .system(List.of(SystemPart.of("s")))
                .messages(List.of(user(text("q"), text("sources"))))
                .points(List.of(new PointPlace(Point.TAIL, 0, 1)))
                .volatileParts(1)
                .build());
    assertThat(request.body().text()).contains("{\"mode\":\"explicit\",\"ttl\":\"30m\"}");
    assertThat(request.marks())
        .containsExactly(
            new Mark(Point.SYSTEM, "/messages/0/content/0"),
            new Mark(Point.TAIL, "/messages/1/content/0"));
  }

  /** P-32: older models take no marks. */
  @Test
  void setsNoMarksForModelsThatTakeNone() {
    ProviderRequest request = chat(Requests.golden(new ModelRef("openai", "gpt-4o")));
    assertThat(request.marks()).isEmpty();
    assertThat(request.body().text())
        .doesNotContain("prompt_cache_options", "prompt_cache_breakpoint")
        .contains("prompt_cache_key");
  }
}
