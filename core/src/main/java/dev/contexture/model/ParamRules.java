package dev.contexture.model;

import java.util.List;
import java.util.Set;
import org.apiguardian.api.API;

/**
 * Parameters that a model refuses, in the words of the catalogue: a path such as {@code
 * generationConfig.thinkingConfig.thinkingBudget}, one with a value such as {@code
 * thinking.type=enabled}, or one with {@code ≠default}.
 *
 * @param rejects what must not be there
 * @param conflicts pairs that must not be there together
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record ParamRules(Set<String> rejects, List<Conflict> conflicts) {
  /** Everything is allowed. */
  public static final ParamRules NONE = new ParamRules(Set.of(), List.of());

  public ParamRules {
    rejects = Set.copyOf(rejects);
    conflicts = List.copyOf(conflicts);
  }

  /** Two parameters of which the second goes. */
  public record Conflict(String first, String second) {}
}
