package dev.contexture.provider.rules;

import static dev.contexture.provider.Requests.CLAUDE;
import static dev.contexture.provider.Requests.GPT;
import static dev.contexture.provider.rules.BrokenBodies.A;
import static dev.contexture.provider.rules.BrokenBodies.C;
import static dev.contexture.provider.rules.BrokenBodies.CHECKING;
import static dev.contexture.provider.rules.BrokenBodies.G;
import static dev.contexture.provider.rules.BrokenBodies.OTHER_THOUGHT;
import static dev.contexture.provider.rules.BrokenBodies.R;
import static dev.contexture.provider.rules.BrokenBodies.THOUGHT;
import static dev.contexture.provider.rules.BrokenBodies.body;
import static dev.contexture.provider.rules.BrokenBodies.broken;
import static dev.contexture.provider.rules.BrokenBodies.made;
import static dev.contexture.provider.rules.BrokenBodies.model;
import static dev.contexture.provider.rules.BrokenBodies.receivedAt;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.contexture.error.ContextureException;
import dev.contexture.model.ModelRef;
import dev.contexture.model.RequestRule;
import dev.contexture.model.RequestViolation;
import dev.contexture.provider.Requests;
import dev.contexture.provider.TestFormats;
import dev.contexture.provider.wire.ProofFacts;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** P-13: every rule is found where it is broken, and nothing else is. */
class ProverTest {
  private static final Prover PROVER = Prover.of(Requests.PROFILES);

  @ParameterizedTest
  @MethodSource("dev.contexture.provider.rules.BrokenBodies#broken")
  void findsTheRuleThatIsBrokenAndNoOther(BrokenBodies.Broken broken) {
    Proof proof =
        PROVER.check(
            TestFormats.wire(broken.format()), broken.model(), broken.body(), broken.facts());
    assertThat(proof.violations().stream().map(RequestViolation::rule).collect(Collectors.toSet()))
        .as(proof.toString())
        .containsExactly(broken.rule());
  }

  /** Equal parts came at 0 and 2, another one at 1: in this order, with all three, it is right. */
  @Test
  void thinkingMayRepeatItself() {
    ProofFacts facts =
        receivedAt(
            Map.of(
                THOUGHT, List.of(made("claude-opus-5", 0), made("claude-opus-5", 2)),
                OTHER_THOUGHT, List.of(made("claude-opus-5", 1))));
    assertThat(rules(facts, THOUGHT, OTHER_THOUGHT, THOUGHT)).isEmpty();
    assertThat(rules(facts, THOUGHT, THOUGHT, OTHER_THOUGHT)).containsOnly(RequestRule.V13);
    assertThat(rules(facts, OTHER_THOUGHT, THOUGHT, THOUGHT)).containsOnly(RequestRule.V13);
  }

  private static List<RequestRule> rules(ProofFacts facts, String... thinking) {
    String body =
        BrokenBodies.Broken.changed(A, CHECKING, String.join(",", thinking) + "," + CHECKING);
    return PROVER.check(TestFormats.wire(A), CLAUDE, body, facts).violations().stream()
        .map(RequestViolation::rule)
        .toList();
  }

  /** A code without a test would be one that nobody has seen. */
  @Test
  void knowsAnExampleOfEveryRule() {
    Set<RequestRule> tried =
        broken()
            .map(BrokenBodies.Broken::rule)
            .collect(Collectors.toCollection(() -> EnumSet.noneOf(RequestRule.class)));
    assertThat(tried).containsExactlyInAnyOrder(RequestRule.values());
  }

  @Test
  void findsNothingInTheGoldenBodies() {
    for (String format : List.of(A, C, R, G)) {
      assertThat(PROVER.check(TestFormats.wire(format), model(format), body(format)).violations())
          .isEmpty();
    }
  }

  /** P-13: what only costs money or quality is a warning. */
  @Test
  void warnsWhereTheProviderTakesIt() {
    Set<RequestRule> warnings =
        broken()
            .flatMap(
                b ->
                    PROVER
                        .check(TestFormats.wire(b.format()), b.model(), b.body(), b.facts())
                        .violations()
                        .stream())
            .filter(RequestViolation::warning)
            .map(RequestViolation::rule)
            .collect(Collectors.toSet());
    assertThat(warnings)
        .containsExactlyInAnyOrder(
            RequestRule.V05, RequestRule.V18, RequestRule.V20, RequestRule.V21, RequestRule.V29);
  }

  @Test
  void takesTheShortFormsOfForeignBodies() {
    String claude =
        "{\"model\":\"m\",\"max_tokens\":1,\"system\":\"s\","
            + "\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]}";
    assertThat(PROVER.check(TestFormats.wire(A), CLAUDE, claude).violations()).isEmpty();
    assertThat(
            PROVER
                .check(TestFormats.wire(R), GPT, "{\"model\":\"m\",\"input\":\"hi\"}")
                .violations())
        .isEmpty();
  }

  /** What the newest version refuses, an older one takes. */
  @Test
  void judgesByTheVersionOfTheInterface() {
    ProofFacts older = ProofFacts.NONE.withApiVersion("2023-06-01");
    broken()
        .filter(broken -> broken.rule() == RequestRule.V32)
        .forEach(
            broken ->
                assertThat(
                        PROVER
                            .check(TestFormats.wire(A), broken.model(), broken.body(), older)
                            .violations())
                    .isEmpty());
  }

  /** What is near to what the rules about parameters refuse. */
  @Test
  void takesWhatIsAskedWithinTheRules() {
    ModelRef opus = new ModelRef("anthropic", "claude-opus-4-5");
    ModelRef local = new ModelRef("openai", "llama3.3:70b");
    String thinks = "\"thinking\":{\"type\":\"enabled\",\"budget_tokens\":1999}";
    String search = "\"tools\":[{\"type\":\"web_search_20250305\",\"name\":\"web_search\"}],";
    String choice = "\"tool_choice\":{\"type\":\"tool\",\"name\":\"web_search\"}";
    assertTaken(A, opus, thinks);
    assertTaken(A, opus, search + choice);
    assertTaken(A, new ModelRef("anthropic", "deepseek-v4-pro"), "\"stream\":true");
    assertTaken(A, new ModelRef("anthropic", "claude-next"), "\"top_k\":null");
    assertTaken(C, local, "\"reasoning_effort\":\"low\",\"max_tokens\":9999999");
    assertTaken(C, new ModelRef("deepseek", "deepseek-v4-pro"), "\"max_tokens\":384000");
    assertTaken(C, GPT, "\"tool_choice\":\"none\"");
    assertTaken(C, GPT, "\"stop\":\"a\",\"temperature\":0.5,\"seed\":null,\"n\":2");
    assertTaken(G, Requests.GEMINI, "\"generationConfig\":{\"temperature\":\"0.5\",\"topK\":3}");
    assertTaken(G, Requests.GEMINI, "\"tools\":[{\"googleSearch\":{}},{\"urlContext\":{}}]");
    assertTaken(A, opus, "\"tools\":[{\"type\":\"mcp_toolset\",\"mcp_server_name\":\"x\"}]");
    assertTaken(R, GPT, "\"tools\":[{\"type\":\"web_search_preview_2025_03_11\"}]");
    String closed =
        "{\"type\":\"object\",\"properties\":{\"a\":{}},\"additionalProperties\":false}";
    assertTaken(A, opus, BrokenParams.formA(closed));
    assertTaken(C, GPT, BrokenParams.formC(closed.replace("{}}", "{}},\"required\":[\"a\"]")));
    assertTaken(C, GPT, BrokenParams.formC("{\"type\":\"array\"}").replace("true", "false"));
    assertTaken(
        R, GPT, "\"tools\":[{\"type\":\"web_search\"}],\"tool_choice\":{\"type\":\"web_search\"}");
    String claude = BrokenParams.hi(C, "\"stream\":true");
    ModelRef foreign = new ModelRef("openai", "claude-opus-5");
    ProofFacts compat = ProofFacts.NONE.withCompat(true);
    assertThat(PROVER.check(TestFormats.wire(C), foreign, claude, compat).violations()).isEmpty();
  }

  private static void assertTaken(String format, ModelRef model, String asked) {
    String body = BrokenParams.hi(format, asked);
    ProofFacts older = ProofFacts.NONE.withApiVersion("2023-06-01");
    assertThat(PROVER.check(TestFormats.wire(format), model, body, older).violations())
        .as(body)
        .isEmpty();
  }

  /** What to do, and what is allowed, is part of what is found. */
  @Test
  void saysWhatIsAllowed() {
    for (BrokenBodies.Broken broken : BrokenParams.all()) {
      String message =
          PROVER
              .check(TestFormats.wire(broken.format()), broken.model(), broken.body())
              .violations()
              .getFirst()
              .message();
      String expected =
          switch (broken.rule()) {
            case V36 -> "offered";
            case V37 -> "from 1024 to below the output limit (2000)";
            case V34 -> "allowed is 1 to ";
            case V38 -> "ask for its own format";
            case V40 -> "leave it out, or give this provider's own";
            case V41 -> ", allowed is ";
            default -> "";
          };
      assertThat(message).contains(expected);
    }
  }

  @Test
  void refusesWhatIsNoBody() {
    for (String body : Arrays.asList("[]", "{\"messages\":[1]}", "{\"messages\":[{}]}", "x")) {
      assertThatThrownBy(() -> PROVER.check(TestFormats.wire(C), GPT, body))
          .isInstanceOf(ContextureException.class);
    }
  }
}
