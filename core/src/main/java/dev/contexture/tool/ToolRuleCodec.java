package dev.contexture.tool;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonFields;
import dev.contexture.json.JsonObject;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apiguardian.api.API;

/** Rules as JSON. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class ToolRuleCodec {
  private static final String TYPES =
      "start_constraint, exit_loop, continue_loop, max_calls, requires_prior, allowed_operations";

  private ToolRuleCodec() {}

  /** Reads rules and checks them against each other. */
  public static ToolRules read(List<JsonObject> rules) {
    List<ToolRule> read = new ArrayList<>();
    rules.forEach(rule -> read.add(read(rule)));
    return ToolRules.of(read);
  }

  /**
   * Reads one rule.
   *
   * @throws ContextureException {@code rule_invalid} for a type that there is not
   */
  public static ToolRule read(JsonObject rule) {
    String type =
        rule.string("type")
            .orElseThrow(
                () -> ContextureException.invalid(ErrorCode.RULE_INVALID, "type", "absent", TYPES));
    return switch (type) {
      case "start_constraint" -> new ToolRule.StartConstraint(tool(rule, Set.of()));
      case "exit_loop" -> new ToolRule.ExitLoop(tool(rule, Set.of()));
      case "continue_loop" -> new ToolRule.ContinueLoop(tool(rule, Set.of()));
      case "max_calls" -> {
        String tool = tool(rule, Set.of("n"));
        long n = fields(rule, Set.of("n")).number("n").orElse(0);
        yield new ToolRule.MaxCalls(tool, Math.clamp(n, 0, Integer.MAX_VALUE));
      }
      case "requires_prior" -> {
        String tool = tool(rule, Set.of("prior"));
        yield new ToolRule.RequiresPrior(
            tool, fields(rule, Set.of("prior")).requiredString("prior"));
      }
      case "allowed_operations" -> {
        String tool = tool(rule, Set.of("operations"));
        yield new ToolRule.AllowedOperations(
            tool, fields(rule, Set.of("operations")).strings("operations"));
      }
      default -> throw ContextureException.invalid(ErrorCode.RULE_INVALID, "type", type, TYPES);
    };
  }

  public static JsonObject write(ToolRule rule) {
    JsonObject.Builder json = JsonObject.builder();
    switch (rule) {
      case ToolRule.StartConstraint _unused -> json.put("type", "start_constraint");
      case ToolRule.ExitLoop _unused -> json.put("type", "exit_loop");
      case ToolRule.ContinueLoop _unused -> json.put("type", "continue_loop");
      case ToolRule.MaxCalls max -> json.put("type", "max_calls").put("n", max.limit());
      case ToolRule.RequiresPrior prior ->
          json.put("type", "requires_prior").put("prior", prior.prior());
      case ToolRule.AllowedOperations allowed ->
          json.put("type", "allowed_operations")
              .put("operations", JsonArray.ofStrings(allowed.operations()));
    }
    return json.put("tool", rule.tool()).build();
  }

  /** Why a call is refused, with the fields of M-117 and what a model can be told. */
  public static JsonObject write(RuleViolation violation) {
    JsonObject.Builder json = JsonObject.builder();
    switch (violation) {
      case RuleViolation.OperationNotAllowed refused ->
          json.put("type", "operation_not_allowed")
              .putIfPresent("op", refused.operation())
              .put("allowed", JsonArray.ofStrings(refused.allowed()));
      case RuleViolation.StartRequired refused ->
          json.put("type", "start_required").put("missing", JsonArray.ofStrings(refused.missing()));
      case RuleViolation.PriorMissing refused ->
          json.put("type", "prior_missing").put("prior", refused.prior());
      case RuleViolation.MaxCallsReached refused ->
          json.put("type", "max_calls_reached")
              .put("limit", refused.limit())
              .put("made", refused.made());
    }
    return json.put("tool", violation.tool()).put("message", violation.message()).build();
  }

  private static String tool(JsonObject rule, Set<String> more) {
    return fields(rule, more).requiredString("tool");
  }

  private static JsonFields fields(JsonObject rule, Set<String> more) {
    Set<String> known = new HashSet<>(more);
    known.addAll(Set.of("type", "tool"));
    return JsonFields.of(rule, known);
  }
}
