package dev.contexture.tool;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** The calls of a turn so far, as far as rules need them. Immutable. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class RuleState {
  /** A turn without calls. */
  public static final RuleState EMPTY = new RuleState(Map.of(), Set.of(), null);

  private final Map<String, Integer> made;
  private final Set<String> succeeded;
  private final @Nullable String last;

  private RuleState(Map<String, Integer> made, Set<String> succeeded, @Nullable String last) {
    this.made = made;
    this.succeeded = succeeded;
    this.last = last;
  }

  RuleState with(String tool, boolean success) {
    Map<String, Integer> calls = new HashMap<>(made);
    calls.merge(tool, 1, Integer::sum);
    Set<String> done = new HashSet<>(succeeded);
    if (success) {
      done.add(tool);
    }
    return new RuleState(calls, done, tool);
  }

  /** How often a tool was called, or with {@link ToolRule#ALL_TOOLS} all of them. */
  public int calls(String tool) {
    return tool.equals(ToolRule.ALL_TOOLS)
        ? made.values().stream().mapToInt(Integer::intValue).sum()
        : made.getOrDefault(tool, 0);
  }

  /** Whether a call of the tool succeeded. */
  public boolean succeeded(String tool) {
    return succeeded.contains(tool);
  }

  Optional<String> last() {
    return Optional.ofNullable(last);
  }
}
