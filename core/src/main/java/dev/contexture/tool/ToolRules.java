package dev.contexture.tool;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A valid set of rules, in the order in which they are printed: by kind, then by tool. Equal rules
 * are one; of several limits for one tool the smallest holds, and of several lists of operations
 * what they have in common. Immutable.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class ToolRules {
  public static final ToolRules NONE = new ToolRules(List.of());

  private static final int MAX_RULES = 1_000;
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_.:-]{1,64}");
  private static final String HEADER = "# Tool Execution Rules\n\n";

  private final List<ToolRule> rules;

  private ToolRules(List<ToolRule> rules) {
    this.rules = List.copyOf(rules);
  }

  /**
   * Checks rules against each other.
   *
   * @throws ContextureException {@code rule_invalid}
   */
  public static ToolRules of(Collection<? extends ToolRule> given) {
    if (given.size() > MAX_RULES) {
      throw ContextureException.limit(
          ErrorCode.RULE_INVALID, "rules", MAX_RULES, given.size(), "rules");
    }
    given.forEach(ToolRules::check);
    Map<Object, ToolRule> distinct = new LinkedHashMap<>();
    for (ToolRule rule : given) {
      distinct.merge(key(rule), rule, ToolRules::together);
    }
    List<ToolRule> sorted = new ArrayList<>(distinct.values());
    sorted.sort(
        Comparator.comparingInt(ToolRules::rank)
            .thenComparing(ToolRule::tool)
            .thenComparing(ToolRule::line));
    ToolRules rules = new ToolRules(sorted);
    rules.checkExits();
    rules.checkCycles();
    rules.checkReach();
    return rules;
  }

  /**
   * The part of the rules that applies to the registry's tools.
   *
   * @param rules those for tools that are there
   * @param unknown the tools that rules name and that are not, in the order of the rules
   */
  public record Fitted(ToolRules rules, List<String> unknown) {}

  /**
   * Leaves out rules about tools that are not there.
   *
   * @throws ContextureException {@code rule_invalid} if a rule allows an operation that its tool
   *     lacks
   */
  public Fitted fit(Collection<ToolSpec> tools) {
    Map<String, ToolSpec> byName =
        tools.stream().collect(Collectors.toMap(ToolSpec::name, Function.identity(), (a, b) -> a));
    List<ToolRule> kept = new ArrayList<>();
    Set<String> unknown = new LinkedHashSet<>();
    for (ToolRule rule : rules) {
      Optional<String> missing =
          named(rule).stream().filter(name -> !byName.containsKey(name)).findFirst();
      if (missing.isPresent()) {
        unknown.add(missing.get());
        continue;
      }
      if (rule instanceof ToolRule.AllowedOperations allowed) {
        checkOperations(allowed, byName.get(rule.tool()));
      }
      kept.add(rule);
    }
    return new Fitted(new ToolRules(kept), List.copyOf(unknown));
  }

  /** The rules, in the order in which they are printed. */
  public List<ToolRule> list() {
    return rules;
  }

  public boolean isEmpty() {
    return rules.isEmpty();
  }

  /** The part of the system prompt that tells them; empty if there are none. */
  public Optional<String> text() {
    return text(UnaryOperator.identity());
  }

  /**
   * The same with other names.
   *
   * @param names a tool's name as the model is given it
   */
  public Optional<String> text(UnaryOperator<String> names) {
    return rules.isEmpty()
        ? Optional.empty()
        : Optional.of(
            rules.stream()
                .map(rule -> rule.renamed(names).line())
                .collect(Collectors.joining("\n", HEADER, "")));
  }

  /** The operations that a tool is limited to, if it is. */
  public Optional<List<String>> allowedOperations(String tool) {
    return all(ToolRule.AllowedOperations.class)
        .filter(rule -> rule.tool().equals(tool))
        .map(ToolRule.AllowedOperations::operations)
        .findFirst();
  }

  <R extends ToolRule> Stream<R> all(Class<R> kind) {
    return rules.stream().filter(kind::isInstance).map(kind::cast);
  }

  private static void check(ToolRule rule) {
    for (String name : named(rule)) {
      if (!NAME.matcher(name).matches()) {
        throw invalid("tool", name, "1 to 64 letters, digits, _ . : - (* for max_calls only)");
      }
    }
    switch (rule) {
      case ToolRule.MaxCalls max when max.limit() < 1 ->
          throw invalid("n of " + rule.tool(), max.limit(), "a number from 1");
      case ToolRule.AllowedOperations allowed when allowed.operations().isEmpty() ->
          throw invalid("operations of " + rule.tool(), "none", "at least one operation");
      default -> {}
    }
  }

  private static List<String> named(ToolRule rule) {
    return switch (rule) {
      case ToolRule.MaxCalls max when max.tool().equals(ToolRule.ALL_TOOLS) -> List.of();
      case ToolRule.RequiresPrior requires -> List.of(requires.tool(), requires.prior());
      default -> List.of(rule.tool());
    };
  }

  private static Object key(ToolRule rule) {
    return rule instanceof ToolRule.MaxCalls || rule instanceof ToolRule.AllowedOperations
        ? List.of(rule.getClass(), rule.tool())
        : rule;
  }

  private static ToolRule together(ToolRule one, ToolRule other) {
    if (one instanceof ToolRule.MaxCalls a && other instanceof ToolRule.MaxCalls b) {
      return a.limit() <= b.limit() ? a : b;
    }
    if (one instanceof ToolRule.AllowedOperations a
        && other instanceof ToolRule.AllowedOperations b) {
      List<String> common = new ArrayList<>(a.operations());
      common.retainAll(b.operations());
      if (common.isEmpty()) {
        throw invalid("operations of " + a.tool(), "two lists without a common one", "one list");
      }
      return new ToolRule.AllowedOperations(a.tool(), common);
    }
    return one;
  }

  private static int rank(ToolRule rule) {
    return switch (rule) {
      case ToolRule.StartConstraint _unused -> 0;
      case ToolRule.ExitLoop _unused -> 1;
      case ToolRule.ContinueLoop _unused -> 2;
      case ToolRule.MaxCalls _unused -> 3;
      case ToolRule.RequiresPrior _unused -> 4;
      case ToolRule.AllowedOperations _unused -> 5;
    };
  }

  private void checkExits() {
    Set<String> exits =
        all(ToolRule.ExitLoop.class).map(ToolRule::tool).collect(Collectors.toSet());
    all(ToolRule.ContinueLoop.class)
        .map(ToolRule::tool)
        .filter(exits::contains)
        .findFirst()
        .ifPresent(
            tool -> {
              throw invalid("tool", tool, "exit_loop or continue_loop, not both");
            });
  }

  private void checkCycles() {
    Map<String, Set<String>> priors = new LinkedHashMap<>();
    all(ToolRule.RequiresPrior.class)
        .forEach(
            rule ->
                priors
                    .computeIfAbsent(rule.tool(), unused -> new LinkedHashSet<>())
                    .add(rule.prior()));
    for (String tool : priors.keySet()) {
      Set<String> reached = new HashSet<>();
      List<String> open = new ArrayList<>(priors.get(tool));
      while (!open.isEmpty()) {
        String next = open.removeLast();
        if (next.equals(tool)) {
          throw invalid("prior of " + tool, tool, "tools that do not need it themselves");
        }
        if (reached.add(next)) {
          open.addAll(priors.getOrDefault(next, Set.of()));
        }
      }
    }
  }

  /** No tool waits for ever: for one that waits for it, or for more calls than are allowed. */
  private void checkReach() {
    Set<String> starts =
        all(ToolRule.StartConstraint.class)
            .map(ToolRule::tool)
            .collect(Collectors.toCollection(LinkedHashSet::new));
    OptionalInt most =
        all(ToolRule.MaxCalls.class)
            .filter(rule -> rule.tool().equals(ToolRule.ALL_TOOLS))
            .mapToInt(ToolRule.MaxCalls::limit)
            .min();
    for (String tool : rules.stream().flatMap(rule -> named(rule).stream()).distinct().toList()) {
      Set<String> before = before(tool, starts);
      if (before.contains(tool)) {
        throw invalid(
            "start_constraint of " + tool,
            "waits for tools that wait for it",
            "rules under which every tool can be called");
      }
      if (most.isPresent() && before.size() >= most.getAsInt()) {
        throw invalid(
            "max_calls of " + ToolRule.ALL_TOOLS,
            most.getAsInt(),
            "at least " + (before.size() + 1) + ": so many calls lead to " + tool);
      }
    }
  }

  /** All tools that must have succeeded before one may be called. */
  private Set<String> before(String tool, Set<String> starts) {
    Map<String, List<String>> priors =
        all(ToolRule.RequiresPrior.class)
            .collect(
                Collectors.groupingBy(
                    ToolRule.RequiresPrior::tool,
                    Collectors.mapping(ToolRule.RequiresPrior::prior, Collectors.toList())));
    Set<String> before = new LinkedHashSet<>();
    List<String> open = new ArrayList<>(List.of(tool));
    while (!open.isEmpty()) {
      String next = open.removeLast();
      List<String> needed = new ArrayList<>(starts.contains(next) ? Set.of() : starts);
      needed.addAll(priors.getOrDefault(next, List.of()));
      needed.stream().filter(before::add).forEach(open::add);
    }
    return before;
  }

  private static void checkOperations(ToolRule.AllowedOperations rule, @Nullable ToolSpec tool) {
    List<String> has = tool == null ? List.of() : tool.operations();
    for (String operation : rule.operations()) {
      if (!has.contains(operation)) {
        throw invalid(
            "operations of " + rule.tool(),
            operation,
            has.isEmpty() ? "no rule: the tool has no operations" : String.join(", ", has));
      }
    }
  }

  private static ContextureException invalid(String field, Object actual, String allowed) {
    return ContextureException.invalid(ErrorCode.RULE_INVALID, field, actual, allowed);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ToolRules that && rules.equals(that.rules);
  }

  @Override
  public int hashCode() {
    return rules.hashCode();
  }

  @Override
  public String toString() {
    return rules.toString();
  }
}
