package dev.contexture.model;

import java.util.Optional;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A change that made a request acceptable.
 *
 * @param rule the rule that was broken
 * @param pointer where, as a JSON Pointer into the neutral messages: message, then part
 * @param reason what was done, and why
 * @param hashBefore of thinking that was left out, the SHA-256 of its JSON in hex; null otherwise
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Repair(RequestRule rule, String pointer, String reason, @Nullable String hashBefore) {
  public Repair(RequestRule rule, String pointer, String reason) {
    this(rule, pointer, reason, null);
  }

  /** What was left out. */
  public Optional<String> leftOut() {
    return Optional.ofNullable(hashBefore);
  }

  /** The stable code, for example {@code V07}. */
  public String code() {
    return rule.name();
  }
}
