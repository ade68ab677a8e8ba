package dev.contexture.model;

import org.apiguardian.api.API;

/**
 * A change that made a request acceptable (P-15).
 *
 * @param rule the rule that was broken
 * @param pointer where, as a JSON Pointer into the neutral messages: message, then part
 * @param reason what was done, and why
 */
@API(status = API.Status.STABLE, since = "0.1")
public record Repair(RequestRule rule, String pointer, String reason) {
  /** The stable code, for example {@code V07}. */
  public String code() {
    return rule.name();
  }
}
