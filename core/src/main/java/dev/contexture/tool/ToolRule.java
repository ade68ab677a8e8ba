package dev.contexture.tool;

import java.util.List;
import java.util.function.UnaryOperator;
import org.apiguardian.api.API;

/** A rule for calling one tool within a turn. A valid set of them is {@link ToolRules}. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public sealed interface ToolRule {
  /** Stands for all tools; only {@link MaxCalls} takes it. */
  String ALL_TOOLS = "*";

  /** The tool that it is for. */
  String tool();

  /** The line that tells a model about it. */
  String line();

  /** The same rule about tools that go by other names. */
  default ToolRule renamed(UnaryOperator<String> names) {
    return switch (this) {
      case StartConstraint rule -> new StartConstraint(names.apply(rule.tool));
      case ExitLoop rule -> new ExitLoop(names.apply(rule.tool));
      case ContinueLoop rule -> new ContinueLoop(names.apply(rule.tool));
      case MaxCalls rule -> new MaxCalls(names.apply(rule.tool), rule.limit);
      case RequiresPrior rule -> new RequiresPrior(names.apply(rule.tool), names.apply(rule.prior));
      case AllowedOperations rule -> new AllowedOperations(names.apply(rule.tool), rule.operations);
    };
  }

  /** The tool must succeed before any tool that has no such rule. */
  record StartConstraint(String tool) implements ToolRule {
    @Override
    public String line() {
      return "- Call `" + tool + "` first before any other tools";
    }
  }

  /** Its success ends the turn. */
  record ExitLoop(String tool) implements ToolRule {
    @Override
    public String line() {
      return "- The conversation will end after calling `" + tool + "`";
    }
  }

  /** The loop goes on after it. */
  record ContinueLoop(String tool) implements ToolRule {
    @Override
    public String line() {
      return "- The conversation will be continued after calling `" + tool + "`";
    }
  }

  /**
   * It is called at most so often in a turn.
   *
   * @param tool {@link #ALL_TOOLS}: all calls together
   */
  record MaxCalls(String tool, int limit) implements ToolRule {
    @Override
    public String line() {
      return tool.equals(ALL_TOOLS)
          ? "- Make at most " + limit + " tool " + (limit == 1 ? "call" : "calls")
          : "- Call `" + tool + "` at most " + limit + (limit == 1 ? " time" : " times");
    }
  }

  /** It is called only after another one succeeded in this turn. */
  record RequiresPrior(String tool, String prior) implements ToolRule {
    @Override
    public String line() {
      return "- Call `" + tool + "` only after `" + prior + "` has succeeded";
    }
  }

  /** Its argument {@code op} is one of these. */
  record AllowedOperations(String tool, List<String> operations) implements ToolRule {
    public AllowedOperations {
      operations = List.copyOf(operations);
    }

    @Override
    public String line() {
      return "- Use `" + tool + "` only for: `" + String.join("`, `", operations) + "`";
    }
  }
}
