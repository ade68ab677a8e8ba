package dev.contexture.provider;

import static dev.contexture.provider.Requests.CLAUDE;
import static dev.contexture.provider.Requests.GPT;
import static dev.contexture.provider.Requests.assistant;
import static dev.contexture.provider.Requests.call;
import static dev.contexture.provider.Requests.result;
import static dev.contexture.provider.Requests.text;
import static dev.contexture.provider.Requests.user;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.model.ModelRef;
import dev.contexture.model.Repair;
import dev.contexture.model.RequestRule;
import dev.contexture.model.WireFinding;
import dev.contexture.provider.catalogue.ModelCatalogue;
import dev.contexture.render.Message;
import dev.contexture.request.LedgerBlock;
import dev.contexture.request.LedgerView;
import dev.contexture.request.Origin;
import dev.contexture.request.ProofMode;
import dev.contexture.request.ProviderRequest;
import dev.contexture.request.RequestInput;
import dev.contexture.request.RequestWriter;
import dev.contexture.request.ToolDef;
import dev.contexture.view.Part;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** P-14 for thinking, the modes, and what a repair means for the next request (P-16). */
class ThinkingRepairTest {
  private static final TestFormats FORMATS = TestFormats.of(ModelCatalogue.shipped());
  private static final ModelRef FABLE = new ModelRef("anthropic", "claude-fable-5-1");

  private static Part.Opaque thought(String text, int order) {
    String json = "{\"type\":\"thinking\",\"thinking\":\"" + text + "\",\"signature\":\"s\"}";
    return new Part.Opaque("anthropic", FABLE.model(), "thinking", json, false, "r1", order);
  }

  private static RequestInput.Builder input(ModelRef model, Message... messages) {
    return RequestInput.builder(model, 100)
        .tools(List.of(new ToolDef("f", "", "{\"type\":\"object\"}")))
        .messages(List.of(messages));
  }

  private static List<RequestRule> rules(ProviderRequest request) {
    return request.repairs().stream().map(Repair::rule).toList();
  }

  /** What the ledger knows of a request that was sent. */
  private static LedgerView sent(ProviderRequest request) {
    List<LedgerBlock> blocks = new ArrayList<>();
    for (var block : request.blocks()) {
      blocks.add(LedgerBlock.of(request.body(), block, 10, Origin.host("test")));
    }
    Set<String> leftOut =
        request.repairs().stream()
            .flatMap(repair -> repair.leftOut().stream())
            .collect(Collectors.toSet());
    return new LedgerView(blocks, List.of(), true, leftOut);
  }

  @Test
  void putsThinkingBackInOrder() {
    ProviderRequest request =
        FORMATS
            .forModel(FABLE)
            .write(
                input(
                        FABLE,
                        user(text("q")),
                        assistant(thought("two", 2), thought("one", 1), call("a", "f", "{}")),
                        user(result("a", text("r"))))
                    .build());
    assertThat(rules(request)).containsExactly(RequestRule.V13);
    String body = request.body().text();
    assertThat(body.indexOf("one")).isPositive().isLessThan(body.indexOf("two"));
  }

  /** V16: what stood before the thinking is another now, so it goes, and stays away. */
  @Test
  void leavesOutWhatWasMadeUponAnotherPast() {
    RequestWriter writer = FORMATS.forModel(FABLE).writer();
    Message question = user(text("q"));
    Message answer = assistant(thought("old", 0), call("a", "f", "{}"));
    ProviderRequest first = writer.write(input(FABLE, question).build());
    ProviderRequest second =
        writer.write(
            input(FABLE, question, answer, user(result("a", text("long result"))))
                .last(sent(first))
                .build());
    assertThat(second.repairs()).isEmpty();
    assertThat(second.body().text()).contains("old");

    Message hidden = user(text("q, but shorter"));
    Message more = user(result("a", text("long result")));
    ProviderRequest third =
        writer.write(input(FABLE, hidden, answer, more).last(sent(second)).build());
    assertThat(rules(third)).containsExactly(RequestRule.V16);
    assertThat(third.body().text()).doesNotContain("old");

    Message newer = assistant(thought("new", 0), call("b", "f", "{}"));
    ProviderRequest fourth =
        writer.write(
            input(FABLE, hidden, answer, more, newer, user(result("b", text("r"))))
                .last(sent(third))
                .build());
    assertThat(fourth.body().text()).contains("new").doesNotContain("old");
    assertThat(rules(fourth)).containsExactly(RequestRule.V16);
    String past = third.body().text();
    assertThat(fourth.body().text()).startsWith(past.substring(0, past.length() - "]}".length()));
  }

  /** V23 puts tools before everything, so that thinking loses its ground: both are repaired. */
  @Test
  void repairsWhatARepairBreaks() {
    RequestWriter writer = FORMATS.forModel(FABLE).writer();
    RequestInput first = RequestInput.builder(FABLE, 9).messages(List.of(user(text("q")))).build();
    LedgerView last = sent(writer.write(first));
    Message answer = assistant(thought("old", 0), call("a", "f", "{}"));
    ProviderRequest second =
        writer.write(
            first.toBuilder()
                .messages(List.of(user(text("q")), answer, user(result("a", text("r")))))
                .last(last)
                .build());
    assertThat(rules(second)).containsExactly(RequestRule.V23, RequestRule.V16);
    assertThat(second.body().text()).doesNotContain("old").contains("\"tools\"");
  }

  /** V17: what reasoning led to is sent without its id when the reasoning is gone. */
  @Test
  void rebuildsWhatLostItsReasoning() {
    String model = GPT.model();
    Part reasoning =
        new Part.Opaque(
            "openai",
            model,
            "reasoning",
            "{\"type\":\"reasoning\",\"id\":\"rs_1\",\"summary\":[],\"encrypted_content\":\"\"}",
            false,
            "r1",
            0);
    Part item =
        new Part.Opaque(
            "openai",
            model,
            "message",
            "{\"type\":\"message\",\"id\":\"msg_2\",\"role\":\"assistant\",\"content\":"
                + "[{\"type\":\"output_text\",\"text\":\"so\"}]}",
            true,
            "r1",
            1);
    ProviderRequest request =
        FORMATS
            .named("openai-responses")
            .orElseThrow()
            .write(
                input(GPT, user(text("q")), assistant(reasoning, item, text("so")), user(text("x")))
                    .build());
    assertThat(rules(request)).containsExactly(RequestRule.V14);
    assertThat(request.body().text())
        .doesNotContain("rs_1", "msg_2")
        .contains("{\"type\":\"message\",\"role\":\"assistant\",\"content\":\"so\"}");
  }

  @Test
  void strictRefusesWhatRepairWouldMend() {
    RequestInput.Builder input = input(CLAUDE, assistant(text("a")), user(text("q")));
    assertThatThrownBy(() -> FORMATS.forModel(CLAUDE).write(input.proof(ProofMode.STRICT).build()))
        .isInstanceOfSatisfying(
            ContextureException.class,
            refused -> {
              assertThat(refused.code()).isEqualTo(ErrorCode.INVALID_REQUEST);
              assertThat(refused.details()).containsEntry("violation", "V02");
            });
  }

  @Test
  void reportChangesNothing() {
    RequestInput.Builder input = input(CLAUDE, assistant(text("a")), user(text("q")));
    ProviderRequest request = FORMATS.forModel(CLAUDE).write(input.proof(ProofMode.REPORT).build());
    assertThat(request.repairs()).isEmpty();
    assertThat(request.findings()).extracting(WireFinding::code).contains("V02");
    assertThat(request.body().text()).doesNotContain("[conversation continues]");
  }

  /** V27: what does not fit is for compaction to mend. */
  @Test
  void saysThatItDoesNotFit() {
    RequestInput input = input(CLAUDE, user(text("q"))).highTokens(100_000_000).build();
    assertThatThrownBy(() -> FORMATS.forModel(CLAUDE).write(input))
        .isInstanceOfSatisfying(
            ContextureException.class,
            refused -> assertThat(refused.code()).isEqualTo(ErrorCode.CONTEXT_TOO_LARGE));
  }
}
