package dev.contexture.provider.rules;

import dev.contexture.model.RequestViolation;
import java.util.List;
import org.apiguardian.api.API;

/**
 * The findings of checking a body.
 *
 * @param violations in the order of the rules
 * @param thinking the thinking of the conversation, in order, where something is wrong
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Proof(List<RequestViolation> violations, List<Thought> thinking) {
  public Proof {
    violations = List.copyOf(violations);
    thinking = List.copyOf(thinking);
  }

  /**
   * Thinking in the body.
   *
   * @param pointer where
   * @param json its JSON without white space
   */
  public record Thought(String pointer, String json) {}

  /** Whether the provider takes it: nothing is wrong but what is worth a warning. */
  public boolean valid() {
    return violations.stream().allMatch(RequestViolation::warning);
  }
}
