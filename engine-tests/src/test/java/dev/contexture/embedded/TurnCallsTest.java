package dev.contexture.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.ContextBrowser;
import dev.contexture.Turn;
import dev.contexture.block.Block;
import dev.contexture.block.BlockType;
import dev.contexture.block.TurnId;
import dev.contexture.engine.agent.TurnCalls;
import dev.contexture.tool.RuleCall;
import dev.contexture.tool.RuleEngine;
import dev.contexture.tool.RuleState;
import dev.contexture.tool.RuleViolation;
import dev.contexture.tool.ToolRule;
import dev.contexture.tool.ToolRules;
import dev.contexture.turn.TurnStart;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Rules against the calls that a stored turn holds: checklist 80 (M-116 to M-118). */
class TurnCallsTest extends ToolFixture {
  private ContextBrowser chat;
  private Turn turn;

  @BeforeEach
  void start() {
    chat = engine.browser(SHOP.user("u1").conversation("c1"));
    turn = chat.startTurn(TurnStart.prompt("go").id(TurnId.of("t1")));
  }

  private void called(String id, String tool, String params) {
    turn.contribute(
        Block.builder(BlockType.REACT_TOOL_CALL)
            .toolCallId(id)
            .text("{\"tool_id\":\"" + tool + "\",\"params\":" + params + "}"));
  }

  private void answered(String id, boolean error) {
    turn.contribute(
        Block.builder(BlockType.REACT_TOOL_RESULT).toolCallId(id).error(error).text("r"));
  }

  private static RuleEngine rules(ToolRule... rules) {
    return new RuleEngine(ToolRules.of(List.of(rules)));
  }

  private RuleState state(RuleEngine rules) {
    return TurnCalls.state(rules, chat.turnLog(turn.id()));
  }

  @Test
  void failuresConsumeCallsButSatisfyNothing() { // M-118
    RuleEngine rules =
        rules(
            new ToolRule.StartConstraint("context"),
            new ToolRule.MaxCalls("context", 2),
            new ToolRule.ExitLoop("send"));
    called("tc_1", "context", "{}");
    assertThat(state(rules).calls("context")).isZero(); // no result yet: not executed
    answered("tc_1", true);
    assertThat(state(rules).calls("context")).isEqualTo(1);
    assertThat(rules.check(state(rules), new RuleCall("send", null)))
        .contains(new RuleViolation.StartRequired("send", List.of("context")));
    called("tc_2", "send", "{}");
    answered("tc_2", true); // refused: it counts for nothing
    assertThat(state(rules).calls("send")).isZero();
    called("tc_3", "context", "{}");
    answered("tc_3", false);
    assertThat(rules.check(state(rules), new RuleCall("context", null)))
        .contains(new RuleViolation.MaxCallsReached("context", 2, 2));
    assertThat(rules.next(state(rules))).isEqualTo(RuleEngine.Next.MODEL_DECIDES);
    called("tc_4", "send", "{}");
    answered("tc_4", false);
    assertThat(rules.next(state(rules))).isEqualTo(RuleEngine.Next.EXIT);
  }

  @Test
  void operationsAndRepeatedIdsCount() {
    RuleEngine rules =
        rules(
            new ToolRule.AllowedOperations("file", List.of("list")),
            new ToolRule.MaxCalls("file", 2));
    called("tc_1", "file", "{\"op\":\"delete\"}");
    answered("tc_1", true); // refused
    called("tc_1", "file", "{\"op\":\"list\"}");
    answered("tc_1", false);
    called("tc_1", "file", "{\"op\":\"list\"}");
    answered("tc_1", true);
    assertThat(state(rules).calls("file")).isEqualTo(2);
  }

  @Test
  void callsBeforeASummaryCountToo() {
    RuleEngine rules = rules(new ToolRule.MaxCalls(ToolRule.ALL_TOOLS, 3));
    for (int i = 0; i < 3; i++) {
      called("tc_" + i, "web", "{}");
      answered("tc_" + i, false);
    }
    chat.compact(dev.contexture.render.RenderOptions.defaults().withForceSanitize(true));
    assertThat(state(rules).calls(ToolRule.ALL_TOOLS)).isEqualTo(3);
  }
}
