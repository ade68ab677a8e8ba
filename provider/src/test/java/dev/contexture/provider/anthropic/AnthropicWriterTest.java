package dev.contexture.provider.anthropic;

import static dev.contexture.provider.Requests.CLAUDE;
import static dev.contexture.provider.Requests.anthropic;
import static dev.contexture.provider.Requests.assistant;
import static dev.contexture.provider.Requests.call;
import static dev.contexture.provider.Requests.failure;
import static dev.contexture.provider.Requests.result;
import static dev.contexture.provider.Requests.text;
import static dev.contexture.provider.Requests.user;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.tuple;

import dev.contexture.block.CallId;
import dev.contexture.error.ContextureException;
import dev.contexture.model.ModelRef;
import dev.contexture.model.WireFinding;
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
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class AnthropicWriterTest {
  private static String messages(Message... messages) {
    String body = anthropic(Requests.of(CLAUDE, messages)).body().text();
    return body.substring(body.indexOf("\"messages\":") + 11, body.length() - 1);
  }

  private static final String THINKING =
      "{\"type\":\"thinking\",\"thinking\":\"\\u00e4\",\"signature\":\"s\"}";

  @Nested
  class Parts {
    /** P-4: white space goes, the rest stays; blank is an empty object; the rest is wrapped. */
    @Test
    void embedsArguments() {
      ProviderRequest request =
          anthropic(
              Requests.of(
                  CLAUDE,
                  user(text("go")),
                  assistant(
                      call("a", "f", "{ \"x\" : 1.0, \"\\u0061\": \" \" }"),
                      call("b", "f", " "),
                      call("c", "f", "oops"))));
      assertThat(request.body().text())
          .contains(
              "\"input\":{\"x\":1.0,\"\\u0061\":\" \"}}",
              "\"input\":{}}",
              "\"input\":{\"_raw\":\"oops\"}}");
      assertThat(request.findings())
          .containsExactly(
              new WireFinding(
                  "arguments_invalid",
                  "/messages/1/content/2",
                  "the arguments are no JSON object"));
    }

    /** P-9: the provider's id if there is one; an empty result says so. */
    @Test
    void writesResults() {
      assertThat(
              messages(
                  user(
                      new Part.ToolResult(CallId.of("x"), null, false, List.of()),
                      failure("y", text("no"), text(" ")))))
          .isEqualTo(
              "[{\"role\":\"user\",\"content\":[{\"type\":\"tool_result\",\"tool_use_id\":\"tc_x\","
                  + "\"content\":[{\"type\":\"text\",\"text\":\"(empty)\"}]},"
                  + "{\"type\":\"tool_result\",\"tool_use_id\":\"y\","
                  + "\"content\":[{\"type\":\"text\",\"text\":\"no\"}],\"is_error\":true}]}]");
    }

    /** P-5: opaque parts go to their maker, and to nobody else. */
    @Test
    void sendsOpaquePartsToTheirMakerOnly() {
      Part own = new Part.Opaque("anthropic", "claude-opus-5", "thinking", THINKING);
      Part cousin = new Part.Opaque("anthropic", "claude-opus-4-1", "thinking", THINKING);
      Part foreign = new Part.Opaque("openai", "claude-opus-5", "thinking", THINKING);
      Part blank = new Part.Opaque("anthropic", "claude-opus-5", "blank", "{\"type\":\"text\"}");
      Part partial =
          new Part.Opaque("anthropic", "claude-opus-5", "partial:tool_use", "{\"type\":\"x\"}");
      ProviderRequest request =
          anthropic(
              Requests.of(CLAUDE, assistant(own, cousin, foreign, blank, partial, text("hi"))));
      assertThat(request.body().text())
          .contains("\"content\":[" + THINKING + ",{\"type\":\"text\",\"text\":\"hi\"}]");
      assertThat(request.findings())
          .extracting(WireFinding::code, WireFinding::message)
          .containsExactly(tuple("opaque_omitted", "4 opaque parts that this model does not read"));
      String toReader =
          anthropic(
                  Requests.of(
                      new ModelRef("anthropic", "claude-fable-5-1"), assistant(own, text("hi"))))
              .body()
              .text();
      assertThat(toReader).as("claude-fable-5-1 reads claude-opus-5").contains(THINKING);
    }

    /** P-5, P-76: the verbatim form goes to its maker instead of the part it stands for. */
    @Test
    void sendsTheVerbatimFormInPlaceOfItsPart() {
      String raw = "{\"type\":\"text\",\"text\":\"hi\\n\",\"citations\":[{\"a\":1}]}";
      Part verbatim = new Part.Opaque("anthropic", "claude-opus-5", "text", raw, true);
      assertThat(messages(assistant(verbatim, text("hi"))))
          .isEqualTo("[{\"role\":\"assistant\",\"content\":[" + raw + "]}]");
      Part foreign = new Part.Opaque("anthropic", "claude-opus-4-1", "text", raw, true);
      assertThat(messages(assistant(foreign, text("hi"))))
          .isEqualTo(
              "[{\"role\":\"assistant\",\"content\":[{\"type\":\"text\",\"text\":\"hi\"}]}]");
    }

    @Test
    void mergesMessagesOfOneRoleAndLeavesOutBlankText() {
      assertThat(messages(user(text("a")), assistant(text(" ")), user(text("b"))))
          .isEqualTo(
              "[{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"a\"},"
                  + "{\"type\":\"text\",\"text\":\"b\"}]}]");
      assertThat(messages()).isEqualTo("[]");
    }
  }

  @Nested
  class Head {
    private RequestInput.Builder withTools(String... names) {
      return RequestInput.builder(CLAUDE, 5)
          .tools(Arrays.stream(names).map(name -> new ToolDef(name, "", "{}")).toList())
          .messages(List.of(user(text("a"))));
    }

    /** V24: an alias that depends on the name alone, and the way back. */
    @Test
    void givesAliasesToNamesThatAreNotAllowed() {
      ProviderRequest request =
          anthropic(
              withTools("web_tools.web_search", "b", "a")
                  .messages(List.of(assistant(call("c", "web_tools.web_search", "{}"))))
                  .build());
      String alias = ToolNames.COMMON.wireName("web_tools.web_search");
      assertThat(alias).matches("web_tools_web_search_[0-9a-f]{8}");
      assertThat(request.body().text())
          .contains(
              "\"tools\":[{\"name\":\"a\",\"input_schema\":{}},{\"name\":\"b\",\"input_schema\":{}},"
                  + "{\"name\":\""
                  + alias
                  + "\"",
              "\"id\":\"c\",\"name\":\"" + alias + "\"");
      assertThat(request.toolOf(alias)).isEqualTo("web_tools.web_search");
      assertThat(request.toolOf("a")).isEqualTo("a");
      assertThat(ToolNames.COMMON.wireName("x".repeat(100))).hasSize(64);
      assertThat(ToolNames.COMMON.wireName("a.b")).isNotEqualTo(ToolNames.COMMON.wireName("a/b"));
    }

    @Test
    void refusesTwoToolsOfOneName() {
      assertThatExceptionOfType(ContextureException.class)
          .isThrownBy(() -> anthropic(withTools("a", "a").build()));
    }

    @Test
    void writesToolChoiceAndStream() {
      assertThat(anthropic(withTools("a").toolChoice(ToolChoice.REQUIRED).build()).body().text())
          .contains(",\"tool_choice\":{\"type\":\"any\"},\"messages\"");
      assertThat(anthropic(withTools("a").toolChoice(ToolChoice.NONE).build()).body().text())
          .contains(",\"tool_choice\":{\"type\":\"none\"}");
      assertThat(
              anthropic(withTools("a.b").toolChoice(ToolChoice.tool("a.b")).stream(true).build())
                  .body()
                  .text())
          .contains("{\"type\":\"tool\",\"name\":\"" + ToolNames.COMMON.wireName("a.b") + "\"}")
          .endsWith("],\"stream\":true}");
    }

    @Test
    void saysThatAModelIsUnknown() {
      ProviderRequest request =
          anthropic(Requests.of(new ModelRef("anthropic", "claude-opus-9"), user(text("a"))));
      assertThat(request.findings()).extracting(WireFinding::code).containsExactly("unknown_model");
    }
  }

  @Nested
  class Marks {
    private RequestInput.Builder conversation() {
      return RequestInput.builder(CLAUDE, 5)
          .system(List.of(new SystemPart("s", true), new SystemPart("changing", false)))
          .messages(
              List.of(
                  user(text("q")),
                  assistant(text("let me see"), call("a", "f", "{}"), call("b", "f", "{}")),
                  user(result("a", text("1")), result("b", text("2"))),
                  assistant(text("done")),
                  user(text("next"), text("sources"))));
    }

    /** P-20: a call group is not split; its last block is fine. */
    @Test
    void movesAPointOutOfACallGroup() {
      assertThat(marks(conversation().points(List.of(new PointPlace(Point.PRE_TAIL, 2, 0)))))
          .containsExactly(
              new Mark(Point.SYSTEM, "/system/0"),
              new Mark(Point.PRE_TAIL, "/messages/1/content/0"));
      assertThat(marks(conversation().points(List.of(new PointPlace(Point.PRE_TAIL, 2, 1)))))
          .contains(new Mark(Point.PRE_TAIL, "/messages/2/content/1"));
    }

    /** P-18: never on what the next request will not repeat. */
    @Test
    void keepsMarksOffTheVolatileTail() {
      assertThat(
              marks(
                  conversation()
                      .points(List.of(new PointPlace(Point.TAIL, 4, 1)))
                      .volatileParts(1)))
          .contains(new Mark(Point.TAIL, "/messages/4/content/0"));
    }

    /** P-24. */
    @Test
    void dropsAPointBelowTheMinimum() {
      ProviderRequest request =
          anthropic(
              conversation()
                  .systemTokens(511)
                  .points(List.of(new PointPlace(Point.TAIL, 4, 0, 512)))
                  .build());
      assertThat(request.marks()).extracting(Mark::point).containsExactly(Point.TAIL);
      assertThat(request.findings())
          .extracting(WireFinding::message)
          .containsExactly("system below_minimum: 511 tokens up to it, the model caches from 512");
    }

    /** P-28: of two points on one block one is set. */
    @Test
    void setsOneMarkPerBlock() {
      assertThat(
              marks(
                  conversation()
                      .points(
                          List.of(
                              new PointPlace(Point.PRE_TAIL, 3, 0),
                              new PointPlace(Point.PREV_TURN, 3, 0)))))
          .hasSize(2);
    }

    /** P-23: thinking takes no mark. */
    @Test
    void movesAPointOffThinking() {
      Part thinking = new Part.Opaque("anthropic", "claude-opus-5", "thinking", THINKING);
      assertThat(
              marks(
                  RequestInput.builder(CLAUDE, 5)
                      .messages(List.of(user(text("q")), assistant(thinking)))
                      .points(List.of(new PointPlace(Point.TAIL, 1, 0)))))
          .containsExactly(new Mark(Point.TAIL, "/messages/0/content/0"));
    }

    private List<Mark> marks(RequestInput.Builder input) {
      return anthropic(input.build()).marks();
    }
  }
}
