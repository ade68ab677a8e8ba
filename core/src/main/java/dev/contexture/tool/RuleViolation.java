package dev.contexture.tool;

import java.util.List;
import java.util.function.UnaryOperator;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** A rule that a call breaks, with the reason for its refusal. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public sealed interface RuleViolation {
  /** The tool, or {@link ToolRule#ALL_TOOLS}. */
  String tool();

  /** What the model can be told. */
  String message();

  /** The same about tools that go by other names: those that the model was given. */
  default RuleViolation renamed(UnaryOperator<String> names) {
    return switch (this) {
      case OperationNotAllowed refused ->
          new OperationNotAllowed(names.apply(refused.tool), refused.operation, refused.allowed);
      case StartRequired refused ->
          new StartRequired(
              names.apply(refused.tool), refused.missing.stream().map(names).toList());
      case PriorMissing refused ->
          new PriorMissing(names.apply(refused.tool), names.apply(refused.prior));
      case MaxCallsReached refused ->
          new MaxCallsReached(names.apply(refused.tool), refused.limit, refused.made);
    };
  }

  record OperationNotAllowed(String tool, @Nullable String operation, List<String> allowed)
      implements RuleViolation {
    public OperationNotAllowed {
      allowed = List.copyOf(allowed);
    }

    @Override
    public String message() {
      return tool
          + " may be used only for "
          + String.join(", ", allowed)
          + (operation == null ? "; the call names no op" : ", not for " + operation);
    }
  }

  record StartRequired(String tool, List<String> missing) implements RuleViolation {
    public StartRequired {
      missing = List.copyOf(missing);
    }

    @Override
    public String message() {
      return "call " + String.join(", ", missing) + " before " + tool;
    }
  }

  record PriorMissing(String tool, String prior) implements RuleViolation {
    @Override
    public String message() {
      return tool + " may be called only after " + prior + " has succeeded in this turn";
    }
  }

  record MaxCallsReached(String tool, int limit, int made) implements RuleViolation {
    @Override
    public String message() {
      String what = tool.equals(ToolRule.ALL_TOOLS) ? "all tools together" : tool;
      return what + " may be called " + limit + " times in a turn, and was called " + made;
    }
  }
}
