package dev.contexture.json;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import org.apiguardian.api.API;

/**
 * How much JSON is read at most.
 *
 * @param maxChars length of the text in UTF-16 units
 * @param maxDepth nesting of arrays and objects; a scalar has depth 0
 */
@API(status = API.Status.STABLE, since = "0.1")
public record JsonLimits(int maxChars, int maxDepth) {
  /** 64 Mi characters, depth 64. */
  public static final JsonLimits DEFAULT = new JsonLimits(64 << 20, 64);

  public JsonLimits {
    if (maxChars < 1 || maxDepth < 0) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_CONFIG, "json limits", maxChars + ", " + maxDepth, "positive numbers");
    }
  }
}
