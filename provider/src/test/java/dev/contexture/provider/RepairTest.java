package dev.contexture.provider;

import static dev.contexture.provider.Requests.CLAUDE;
import static dev.contexture.provider.Requests.GEMINI;
import static dev.contexture.provider.Requests.GPT;
import static dev.contexture.provider.Requests.assistant;
import static dev.contexture.provider.Requests.call;
import static dev.contexture.provider.Requests.result;
import static dev.contexture.provider.Requests.text;
import static dev.contexture.provider.Requests.user;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.contexture.block.Binary;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.model.ModelRef;
import dev.contexture.model.Repair;
import dev.contexture.model.RequestRule;
import dev.contexture.provider.catalogue.ModelCatalogue;
import dev.contexture.render.Message;
import dev.contexture.request.Mark;
import dev.contexture.request.Point;
import dev.contexture.request.PointPlace;
import dev.contexture.request.ProviderRequest;
import dev.contexture.request.RequestInput;
import dev.contexture.request.RequestWriter;
import dev.contexture.request.ToolChoice;
import dev.contexture.request.ToolDef;
import dev.contexture.view.Part;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** P-14: what can be repaired is, with its reason; the rest is refused. */
class RepairTest {
  private static final TestFormats FORMATS = TestFormats.of(ModelCatalogue.shipped());
  private static final Part IMAGE = new Part.Image("image/png", Binary.of(new byte[] {1}));

  private static RequestInput.Builder input(ModelRef model, Message... messages) {
    return RequestInput.builder(model, 100)
        .tools(List.of(new ToolDef("f", "", "{\"type\":\"object\"}")))
        .messages(List.of(messages));
  }

  private static ProviderRequest write(ModelRef model, Message... messages) {
    return FORMATS.forModel(model).write(input(model, messages).build());
  }

  private static void assertRepairs(ProviderRequest request, RequestRule... rules) {
    assertThat(request.repairs()).extracting(Repair::rule).containsExactly(rules);
    assertThat(request.repairs()).allMatch(repair -> !repair.reason().isEmpty());
  }

  /** A tool of the provider that was called and did not end before the user went on. */
  @Test
  void saysWhatBecameOfAToolOfTheProvider() {
    Message asks = assistant(text("I look it up."), Requests.search("s1"));
    assertRepairs(write(CLAUDE, user(text("a")), asks));
    assertRepairs(
        write(CLAUDE, user(text("a")), asks, assistant(Requests.found("s1")), user(text("b"))));
    ProviderRequest left = write(CLAUDE, user(text("a")), asks, user(text("b")));
    assertRepairs(left, RequestRule.V42);
    assertThat(left.body().text())
        .contains("[web_search: no result recorded]")
        .doesNotContain("server_tool_use");
    ProviderRequest orphan =
        write(CLAUDE, user(text("a")), assistant(Requests.found("s1")), user(text("b")));
    assertRepairs(orphan, RequestRule.V42);
    assertThat(orphan.body().text())
        .contains("[web_search_tool_result: call not in context]")
        .doesNotContain("tool_use_id");
  }

  /** The model called a tool of the provider and one of ours: the first waits for the second. */
  @Test
  void letsAToolOfTheProviderWaitForOneOfOurs() {
    Message[] turn = {
      user(text("a")),
      assistant(Requests.search("s1"), call("c1", "f", "{}")),
      user(result("c1", text("r"))),
      assistant(call("c2", "f", "{}")),
      user(result("c2", text("r"))),
      assistant(Requests.found("s1"), text("done")),
      user(text("b"))
    };
    RequestWriter writer = FORMATS.forModel(CLAUDE).writer();
    for (int end : List.of(3, 5, 7)) {
      ProviderRequest request = writer.write(input(CLAUDE, Arrays.copyOf(turn, end)).build());
      assertRepairs(request);
    }
    turn[5] = assistant(text("done"));
    assertRepairs(writer.write(input(CLAUDE, turn).build()), RequestRule.V42);
  }

  @Test
  void refusesNothing() {
    assertThatThrownBy(() -> write(CLAUDE))
        .isInstanceOfSatisfying(
            ContextureException.class,
            refused -> {
              assertThat(refused.code()).isEqualTo(ErrorCode.INVALID_REQUEST);
              assertThat(refused.details()).containsEntry("violation", "V01");
            });
  }

  @Test
  void letsTheUserBeginAndHaveTheLastWord() {
    ProviderRequest request = write(CLAUDE, assistant(text("a")));
    assertRepairs(request, RequestRule.V02, RequestRule.V05);
    assertThat(request.body().text())
        .contains(
            "\"messages\":[{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":"
                + "\"[conversation continues]\"}]},{\"role\":\"assistant\"");
    assertRepairs(write(GEMINI, assistant(text("a"))), RequestRule.V02, RequestRule.V05);
    ProviderRequest chat = write(GPT, assistant(text("a")));
    assertRepairs(chat);
    assertThat(chat.findings()).anyMatch(finding -> finding.code().equals("V05"));
  }

  @Test
  void leavesBlankTextOut() {
    assertRepairs(write(CLAUDE, user(text(" "), text("q"))), RequestRule.V04);
  }

  @Test
  void turnsAnOrphanIntoText() {
    for (ModelRef model : List.of(CLAUDE, GPT, GEMINI)) {
      ProviderRequest request = write(model, user(result("x", text("r"), IMAGE), text("q")));
      assertRepairs(request, RequestRule.V06);
      assertThat(request.body().text())
          .contains("[result of tool x, call not in context]", "\"r\"");
    }
  }

  @Test
  void answersACallThatNobodyAnswered() {
    for (ModelRef model : List.of(CLAUDE, GPT)) {
      ProviderRequest request =
          write(model, user(text("q")), assistant(call("a", "f", "{}")), user(text("go on")));
      assertRepairs(request, RequestRule.V07);
      assertThat(request.body().text()).contains("no result recorded");
    }
  }

  @Test
  void movesALateResultBack() {
    Message late = user(result("a", text("r")), text("q3"));
    Message calls = assistant(call("a", "f", "{}"));
    for (ModelRef model : List.of(CLAUDE, GPT)) {
      ProviderRequest request =
          write(model, user(text("q")), calls, user(text("q2")), assistant(text("s")), late);
      assertRepairs(request, RequestRule.V08);
      String body = request.body().text();
      assertThat(body.indexOf("\"r\"")).isLessThan(body.indexOf("\"q2\""));
    }
  }

  @Test
  void putsResultsFirst() {
    ProviderRequest request =
        write(
            CLAUDE,
            user(text("q")),
            assistant(call("a", "f", "{}")),
            user(text("by the way"), result("a", text("r"))));
    assertRepairs(request, RequestRule.V09);
  }

  @Test
  void givesEveryCallItsOwnId() {
    ProviderRequest request =
        write(
            CLAUDE,
            user(text("q")),
            assistant(call("a", "f", "{}")),
            user(result("a", text("r1"))),
            assistant(call("a", "f", "{}")),
            user(result("a", text("r2")), result("a", text("r3"))));
    assertRepairs(request, RequestRule.V10, RequestRule.V10);
    assertThat(request.body().text())
        .contains("\"id\":\"a_2\"", "\"tool_use_id\":\"a_2\"", "r3")
        .doesNotContain("r2");
  }

  @Test
  void givesAnIdAFormThatIsTaken() {
    Part.ToolCall odd = new Part.ToolCall(dev.contexture.block.CallId.of("a"), "call:1", "f", "{}");
    Part answer = new Part.ToolResult(odd.id(), "call:1", false, List.of(text("r")));
    ProviderRequest request = write(CLAUDE, user(text("q")), assistant(odd), user(answer));
    assertRepairs(request, RequestRule.V11);
    assertThat(request.body().text()).containsPattern("\"id\":\"c_[0-9a-f]{24}\"");
    assertRepairs(write(GEMINI, user(text("q")), assistant(odd), user(answer)), RequestRule.V18);
  }

  /** P-20: a result that got another id is where the point was. */
  @Test
  void aPointStaysOnWhatIsRepaired() {
    Part.ToolCall odd = new Part.ToolCall(dev.contexture.block.CallId.of("a"), "call:1", "f", "{}");
    Part answer = new Part.ToolResult(odd.id(), "call:1", false, List.of(text("r")));
    ProviderRequest request =
        FORMATS
            .forModel(CLAUDE)
            .write(
                input(CLAUDE, user(text("q")), assistant(odd), user(answer))
                    .points(List.of(new PointPlace(Point.TAIL, 2, 0)))
                    .build());
    assertRepairs(request, RequestRule.V11);
    assertThat(request.marks()).extracting(Mark::pointer).containsExactly("/messages/2/content/0");
  }

  @Test
  void leavesUnsignedThinkingOut() {
    Part unsigned =
        new Part.Opaque(
            "anthropic", "claude-opus-5", "thinking", "{\"type\":\"thinking\",\"thinking\":\"t\"}");
    ProviderRequest request =
        write(CLAUDE, user(text("q")), assistant(unsigned, text("a")), user(text("q2")));
    assertRepairs(request, RequestRule.V14);
    assertThat(request.body().text()).doesNotContain("thinking");
  }

  @Test
  void declaresToolsThatWereCalled() {
    for (ModelRef model : List.of(CLAUDE, GPT)) {
      RequestInput bare =
          input(model, user(text("q")), assistant(call("a", "f.x", "{}")), user(result("a")))
              .tools(List.of())
              .build();
      ProviderRequest request = FORMATS.forModel(model).write(bare);
      assertRepairs(request, RequestRule.V23, RequestRule.V24);
      assertThat(request.body().text()).contains("\"tool_choice\":").contains("none");
      assertThat(request.aliases()).containsValue("f.x");
    }
  }

  @Test
  void letsTheModelChooseWhereItRefusesAChoice() {
    ModelRef fable = new ModelRef("anthropic", "claude-fable-5-1");
    RequestInput input = input(fable, user(text("q"))).toolChoice(ToolChoice.tool("f")).build();
    ProviderRequest request = FORMATS.forModel(fable).write(input);
    assertRepairs(request, RequestRule.V28);
    assertThat(request.body().text()).doesNotContain("tool_choice");
  }

  @Test
  void replacesMediaOfTheAssistant() {
    ProviderRequest request =
        write(CLAUDE, user(text("q")), assistant(text("a"), IMAGE), user(text("q2")));
    assertRepairs(request, RequestRule.V26);
    assertThat(request.body().text()).contains("[image/png omitted]");
  }

  /** V18: foreign calls of the current turn get the sentinel. */
  @Test
  void signsForeignCalls() {
    ProviderRequest request =
        write(
            GEMINI,
            user(text("q")),
            assistant(call("a", "f", "{\"x\":1}"), call("b", "f", "{}")),
            user(result("a"), result("b")));
    assertRepairs(request, RequestRule.V18);
    assertThat(request.body().text())
        .contains(
            "{\"functionCall\":{\"id\":\"a\",\"name\":\"f\",\"args\":{\"x\":1}},"
                + "\"thoughtSignature\":\"c2tpcF90aG91Z2h0X3NpZ25hdHVyZV92YWxpZGF0b3I=\"},"
                + "{\"functionCall\":{\"id\":\"b\",\"name\":\"f\",\"args\":{}}}");
  }

  @Test
  void sendsWhatTheseModelsDemandOfChat() {
    ModelRef sol = new ModelRef("openai", "gpt-6-sol");
    ModelRef deep = new ModelRef("deepseek", "deepseek-chat");
    var chat = FORMATS.named("openai-chat").orElseThrow();
    assertThat(chat.write(input(sol, user(text("q"))).build()).body().text())
        .contains("\"reasoning_effort\":\"none\"");
    RequestInput calls =
        input(deep, user(text("q")), assistant(call("a", "f", "{}")), user(result("a"))).build();
    assertThat(chat.write(calls).body().text()).contains("\"reasoning_content\":\"\"");
  }

  @Test
  void keepsPointsOnTheirParts() {
    RequestInput input =
        input(CLAUDE, assistant(text("a")), user(text("q")), assistant(text("b")), user(text("c")))
            .points(
                List.of(new PointPlace(Point.PREV_TURN, 1, 0), new PointPlace(Point.TAIL, 3, 0)))
            .build();
    ProviderRequest request = FORMATS.forModel(CLAUDE).write(input);
    assertRepairs(request, RequestRule.V02);
    assertThat(request.marks())
        .extracting(mark -> mark.pointer())
        .containsExactly("/messages/2/content/0", "/messages/4/content/0");
  }

  @Test
  void leavesAValidRequestAlone() {
    for (ModelRef model : List.of(CLAUDE, GPT, GEMINI)) {
      ProviderRequest proved = FORMATS.forModel(model).write(Requests.golden(model));
      assertRepairs(proved);
    }
    assertThat(FORMATS.forModel(CLAUDE).write(Requests.golden(CLAUDE)).body())
        .isEqualTo(Requests.anthropic(Requests.golden(CLAUDE)).body());
  }
}
