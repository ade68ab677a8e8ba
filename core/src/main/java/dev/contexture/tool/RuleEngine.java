package dev.contexture.tool;

import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * Decides about calls. A pure function of the rules and the calls of the turn: the caller keeps the
 * {@link RuleState} and gives it back.
 *
 * <pre>{@code
 * RuleCheck check = engine.check(state, RuleCall.of("file", "{\"op\":\"list\"}"));
 * // run it if allowed, then:
 * state = engine.record(state, call, success);
 * }</pre>
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class RuleEngine {
  /** The continuation after the calls so far. */
  public enum Next {
    /** The turn ends. */
    EXIT,
    /** The model is called again. */
    CONTINUE,
    /** No rule says; the answer of the model does. */
    MODEL_DECIDES
  }

  private final ToolRules rules;

  public RuleEngine(ToolRules rules) {
    this.rules = rules;
  }

  /** Why the call is refused, in the order of M-117; empty: it is allowed. */
  public Optional<RuleViolation> check(RuleState state, RuleCall call) {
    return operation(call)
        .or(() -> start(state, call))
        .or(() -> prior(state, call))
        .or(() -> limit(state, call.tool()))
        .or(() -> limit(state, ToolRule.ALL_TOOLS));
  }

  /** The state after a call that was executed; a refused one is not recorded. */
  public RuleState record(RuleState state, RuleCall call, boolean success) {
    return state.with(call.tool(), success);
  }

  /** What happens next. */
  public Next next(RuleState state) {
    boolean ends =
        rules.all(ToolRule.ExitLoop.class).anyMatch(rule -> state.succeeded(rule.tool()));
    if (ends) {
      return Next.EXIT;
    }
    boolean goesOn =
        rules
            .all(ToolRule.ContinueLoop.class)
            .anyMatch(rule -> state.last().filter(rule.tool()::equals).isPresent());
    return goesOn ? Next.CONTINUE : Next.MODEL_DECIDES;
  }

  /** The state of the next turn. */
  public RuleState newTurn() {
    return RuleState.EMPTY;
  }

  private Optional<RuleViolation> operation(RuleCall call) {
    return rules
        .allowedOperations(call.tool())
        .filter(allowed -> call.operation() == null || !allowed.contains(call.operation()))
        .map(
            allowed ->
                new RuleViolation.OperationNotAllowed(call.tool(), call.operation(), allowed));
  }

  private Optional<RuleViolation> start(RuleState state, RuleCall call) {
    List<String> starts = rules.all(ToolRule.StartConstraint.class).map(ToolRule::tool).toList();
    List<String> missing = starts.stream().filter(tool -> !state.succeeded(tool)).toList();
    return starts.contains(call.tool()) || missing.isEmpty()
        ? Optional.empty()
        : Optional.of(new RuleViolation.StartRequired(call.tool(), missing));
  }

  private Optional<RuleViolation> prior(RuleState state, RuleCall call) {
    return rules
        .all(ToolRule.RequiresPrior.class)
        .filter(rule -> rule.tool().equals(call.tool()) && !state.succeeded(rule.prior()))
        .findFirst()
        .map(rule -> new RuleViolation.PriorMissing(call.tool(), rule.prior()));
  }

  private Optional<RuleViolation> limit(RuleState state, String tool) {
    int made = state.calls(tool);
    return rules
        .all(ToolRule.MaxCalls.class)
        .filter(rule -> rule.tool().equals(tool) && made >= rule.limit())
        .findFirst()
        .map(rule -> new RuleViolation.MaxCallsReached(tool, rule.limit(), made));
  }
}
