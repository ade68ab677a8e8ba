package dev.contexture.tool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Checklist 79 and 80 of the memory specification. */
class ToolRulesTest {
  private static final ToolSpec FILE =
      ToolSpec.of(
          "file",
          "",
          "{\"type\":\"object\",\"properties\":{\"op\":{\"enum\":[\"list\",\"load\",\"drop\"]}}}");

  private static ToolSpec tool(String name) {
    return new ToolSpec(name, "", JsonObject.EMPTY);
  }

  @Test
  void printsThePartOfTheExample() {
    // M-114
    ToolRules rules =
        ToolRules.of(
            List.of(
                new ToolRule.ExitLoop("send_message"),
                new ToolRule.ContinueLoop("search"),
                new ToolRule.MaxCalls("api_request", 3),
                new ToolRule.StartConstraint("context")));
    assertThat(rules.text())
        .contains(
            """
            # Tool Execution Rules

            - Call `context` first before any other tools
            - The conversation will end after calling `send_message`
            - The conversation will be continued after calling `search`
            - Call `api_request` at most 3 times\
            """);
    assertThat(ToolRules.NONE.text()).isEmpty();
  }

  @Test
  void printsEveryLineByKindAndThenByTool() {
    // M-113
    ToolRules rules =
        ToolRules.of(
            List.of(
                new ToolRule.AllowedOperations("file", List.of("list", "load")),
                new ToolRule.RequiresPrior("publish", "review"),
                new ToolRule.MaxCalls("b", 1),
                new ToolRule.MaxCalls("*", 10),
                new ToolRule.MaxCalls("B", 2),
                new ToolRule.MaxCalls("b", 4),
                new ToolRule.MaxCalls("b", 1)));
    assertThat(rules.list().stream().map(ToolRule::line))
        .containsExactly(
            "- Make at most 10 tool calls",
            "- Call `B` at most 2 times",
            "- Call `b` at most 1 time",
            "- Call `publish` only after `review` has succeeded",
            "- Use `file` only for: `list`, `load`");
    assertThat(new ToolRule.MaxCalls("*", 1).line()).isEqualTo("- Make at most 1 tool call");
  }

  static Stream<Arguments> invalidSets() {
    return Stream.of(
        Arguments.of("limit 0", List.of(new ToolRule.MaxCalls("a", 0))),
        Arguments.of("no operation", List.of(new ToolRule.AllowedOperations("a", List.of()))),
        Arguments.of(
            "exit and continue",
            List.of(new ToolRule.ExitLoop("a"), new ToolRule.ContinueLoop("a"))),
        Arguments.of("needs itself", List.of(new ToolRule.RequiresPrior("a", "a"))),
        Arguments.of(
            "cycle",
            List.of(
                new ToolRule.RequiresPrior("a", "b"),
                new ToolRule.RequiresPrior("b", "c"),
                new ToolRule.RequiresPrior("c", "a"))),
        Arguments.of("star", List.of(new ToolRule.ExitLoop("*"))),
        Arguments.of("star as prior", List.of(new ToolRule.RequiresPrior("a", "*"))),
        Arguments.of("name", List.of(new ToolRule.ExitLoop("a b"))),
        Arguments.of(
            "nothing in common",
            List.of(
                new ToolRule.AllowedOperations("a", List.of("x")),
                new ToolRule.AllowedOperations("a", List.of("y")))));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("invalidSets")
  void refusesInvalidSets(String name, List<ToolRule> rules) {
    // M-115
    assertThatExceptionOfType(ContextureException.class)
        .as(name)
        .isThrownBy(() -> ToolRules.of(rules))
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.RULE_INVALID));
  }

  /** A start that waits for a tool that waits for the start, and calls beyond the limit. */
  @Test
  void refusesSetsUnderWhichAToolCanNeverBeCalled() {
    for (List<ToolRule> never :
        List.<List<ToolRule>>of(
            List.of(new ToolRule.StartConstraint("a"), new ToolRule.RequiresPrior("a", "b")),
            List.of(
                new ToolRule.StartConstraint("a"),
                new ToolRule.RequiresPrior("a", "b"),
                new ToolRule.RequiresPrior("b", "c")),
            List.of(new ToolRule.MaxCalls("*", 1), new ToolRule.RequiresPrior("a", "b")),
            List.of(
                new ToolRule.MaxCalls("*", 2),
                new ToolRule.StartConstraint("s"),
                new ToolRule.RequiresPrior("a", "b")))) {
      assertThatExceptionOfType(ContextureException.class)
          .as(never.toString())
          .isThrownBy(() -> ToolRules.of(never))
          .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.RULE_INVALID));
    }
    ToolRules.of(
        List.of(
            new ToolRule.MaxCalls("*", 3),
            new ToolRule.StartConstraint("s"),
            new ToolRule.StartConstraint("b"),
            new ToolRule.RequiresPrior("b", "s"),
            new ToolRule.RequiresPrior("a", "b")));
  }

  @Test
  void namesToolsAsTheModelKnowsThem() {
    ToolRules rules =
        ToolRules.of(
            List.of(
                new ToolRule.StartConstraint("x.y"),
                new ToolRule.MaxCalls("*", 4),
                new ToolRule.RequiresPrior("z", "x.y")));
    assertThat(rules.text(name -> name.replace('.', '_')).orElseThrow())
        .contains("Call `x_y` first", "at most 4 tool calls", "`z` only after `x_y`")
        .doesNotContain("x.y");
    RuleViolation refused =
        new RuleEngine(rules).check(RuleState.EMPTY, new RuleCall("z", null)).orElseThrow();
    assertThat(refused.renamed(name -> name.replace('.', '_')).message())
        .isEqualTo("call x_y before z");
  }

  @Test
  void acceptsADiamondOfPriorRules() {
    List<ToolRule> diamond =
        List.of(
            new ToolRule.RequiresPrior("a", "b"),
            new ToolRule.RequiresPrior("a", "c"),
            new ToolRule.RequiresPrior("b", "d"),
            new ToolRule.RequiresPrior("c", "d"));
    assertThat(ToolRules.of(diamond).list()).hasSize(4);
  }

  @Test
  void leavesOutRulesForToolsThatAreNotThere() {
    // M-115
    ToolRules rules =
        ToolRules.of(
            List.of(
                new ToolRule.ExitLoop("gone"),
                new ToolRule.RequiresPrior("file", "missing"),
                new ToolRule.MaxCalls("*", 5),
                new ToolRule.MaxCalls("file", 2)));
    ToolRules.Fitted fitted = rules.fit(List.of(FILE));
    assertThat(fitted.unknown()).containsExactly("gone", "missing");
    assertThat(fitted.rules().list())
        .containsExactly(new ToolRule.MaxCalls("*", 5), new ToolRule.MaxCalls("file", 2));
  }

  @Test
  void refusesAnOperationThatTheToolLacks() {
    // M-115
    ToolRules rules =
        ToolRules.of(List.of(new ToolRule.AllowedOperations("file", List.of("list", "erase"))));
    assertThatExceptionOfType(ContextureException.class)
        .isThrownBy(() -> rules.fit(List.of(FILE)))
        .withMessageContaining("erase")
        .withMessageContaining("list, load, drop")
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.RULE_INVALID));
  }

  @Test
  void checksInTheStatedOrder() {
    // M-116, M-117
    RuleEngine engine =
        new RuleEngine(
            ToolRules.of(
                List.of(
                    new ToolRule.StartConstraint("context"),
                    new ToolRule.AllowedOperations("file", List.of("list")),
                    new ToolRule.RequiresPrior("file", "review"),
                    new ToolRule.MaxCalls("file", 1),
                    new ToolRule.MaxCalls("*", 4))));
    RuleCall drop = RuleCall.of("file", "{\"op\":\"drop\"}");
    RuleCall list = RuleCall.of("file", "{\"op\":\"list\"}");
    RuleState state = RuleState.EMPTY;
    assertThat(engine.check(state, drop))
        .contains(new RuleViolation.OperationNotAllowed("file", "drop", List.of("list")));
    assertThat(engine.check(state, RuleCall.of("file", "no json")))
        .contains(new RuleViolation.OperationNotAllowed("file", null, List.of("list")));
    assertThat(engine.check(state, list))
        .contains(new RuleViolation.StartRequired("file", List.of("context")));
    state = engine.record(state, new RuleCall("context", null), true);
    assertThat(engine.check(state, list))
        .contains(new RuleViolation.PriorMissing("file", "review"));
    state = engine.record(state, new RuleCall("review", null), true);
    assertThat(engine.check(state, list)).isEmpty();
    state = engine.record(state, list, true);
    assertThat(engine.check(state, list)).contains(new RuleViolation.MaxCallsReached("file", 1, 1));
    RuleCall other = new RuleCall("other", null);
    assertThat(engine.check(state, other)).isEmpty();
    state = engine.record(state, other, false);
    assertThat(engine.check(state, other)).contains(new RuleViolation.MaxCallsReached("*", 4, 4));
    assertThat(engine.newTurn().calls("*")).isZero();
  }

  @Test
  void countsFailedCallsButTakesOnlySuccessForDone() {
    // M-118
    RuleEngine engine =
        new RuleEngine(
            ToolRules.of(
                List.of(
                    new ToolRule.StartConstraint("context"),
                    new ToolRule.MaxCalls("context", 2),
                    new ToolRule.ExitLoop("send"),
                    new ToolRule.ContinueLoop("search"))));
    RuleCall context = new RuleCall("context", null);
    RuleState state = engine.record(RuleState.EMPTY, context, false);
    assertThat(engine.check(state, new RuleCall("send", null)))
        .contains(new RuleViolation.StartRequired("send", List.of("context")));
    assertThat(engine.check(state, context)).isEmpty();
    state = engine.record(state, context, false);
    assertThat(engine.check(state, context))
        .contains(new RuleViolation.MaxCallsReached("context", 2, 2));
  }

  @Test
  void saysWhatComesAfterACall() {
    // M-116
    RuleEngine engine =
        new RuleEngine(
            ToolRules.of(
                List.of(new ToolRule.ExitLoop("send"), new ToolRule.ContinueLoop("search"))));
    RuleState state = RuleState.EMPTY;
    assertThat(engine.next(state)).isEqualTo(RuleEngine.Next.MODEL_DECIDES);
    state = engine.record(state, new RuleCall("search", null), false);
    assertThat(engine.next(state)).isEqualTo(RuleEngine.Next.CONTINUE);
    state = engine.record(state, new RuleCall("other", null), true);
    assertThat(engine.next(state)).isEqualTo(RuleEngine.Next.MODEL_DECIDES);
    state = engine.record(state, new RuleCall("send", null), false);
    assertThat(engine.next(state)).isEqualTo(RuleEngine.Next.MODEL_DECIDES);
    state = engine.record(state, new RuleCall("send", null), true);
    state = engine.record(state, new RuleCall("search", null), true);
    assertThat(engine.next(state)).isEqualTo(RuleEngine.Next.EXIT);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"type\":\"start_constraint\",\"tool\":\"a\"}",
        "{\"type\":\"exit_loop\",\"tool\":\"a\"}",
        "{\"type\":\"continue_loop\",\"tool\":\"a\"}",
        "{\"type\":\"max_calls\",\"n\":3,\"tool\":\"*\"}",
        "{\"type\":\"requires_prior\",\"prior\":\"b\",\"tool\":\"a\"}",
        "{\"type\":\"allowed_operations\",\"operations\":[\"x\",\"y\"],\"tool\":\"a\"}"
      })
  void roundTripsAsJson(String json) {
    // H-6
    ToolRule rule = ToolRuleCodec.read((JsonObject) JsonValue.parse(json));
    assertThat(ToolRuleCodec.write(rule).toJson()).isEqualTo(json);
  }

  @ParameterizedTest
  @ValueSource(strings = {"cooldown", "exclusive_group", "required_before_exit", "nonsense"})
  void refusesTypesThatThereAreNot(String type) {
    // M-115: those of section 19 too
    JsonObject rule = JsonObject.builder().put("type", type).put("tool", "a").build();
    assertThatExceptionOfType(ContextureException.class)
        .isThrownBy(() -> ToolRuleCodec.read(rule))
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.RULE_INVALID));
  }

  @Test
  void namesTheFieldOfABadRule() {
    assertThatExceptionOfType(ContextureException.class)
        .isThrownBy(
            () -> ToolRuleCodec.read((JsonObject) JsonValue.parse("{\"type\":\"exit_loop\"}")))
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.FIELD_REQUIRED));
    assertThatExceptionOfType(ContextureException.class)
        .isThrownBy(
            () ->
                ToolRuleCodec.read(
                    (JsonObject)
                        JsonValue.parse("{\"type\":\"exit_loop\",\"tool\":\"a\",\"n\":1}")))
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.UNKNOWN_FIELD));
  }

  @Test
  void ignoresToolsWithoutRules() {
    assertThat(new RuleEngine(ToolRules.NONE).check(RuleState.EMPTY, new RuleCall("x", null)))
        .isEmpty();
    assertThat(ToolRules.NONE.fit(List.of(tool("x"))).unknown()).isEmpty();
  }
}
