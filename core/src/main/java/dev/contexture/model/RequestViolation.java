package dev.contexture.model;

import org.apiguardian.api.API;

/**
 * A rule that a request breaks.
 *
 * @param rule which one
 * @param warning whether the provider takes the request all the same
 * @param pointer where, as a JSON Pointer into the body
 * @param message what is wrong, for people
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record RequestViolation(RequestRule rule, boolean warning, String pointer, String message) {
  /** The stable code, for example {@code V07}. */
  public String code() {
    return rule.name();
  }
}
