package dev.contexture.json;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import org.apiguardian.api.API;

/**
 * Limits on JSON that is read.
 *
 * @param maxChars length of the text in UTF-16 units
 * @param maxDepth nesting of arrays and objects; a scalar has depth 0
 * @param maxValues values of every kind together: a short text of many tiny ones takes much memory
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record JsonLimits(int maxChars, int maxDepth, int maxValues) {
  private static final int MAX_VALUES = 4_000_000;

  /** 64 Mi characters, depth 64, 4 million values. */
  public static final JsonLimits DEFAULT = new JsonLimits(64 << 20, 64);

  /** With as many values as by default. */
  public JsonLimits(int maxChars, int maxDepth) {
    this(maxChars, maxDepth, MAX_VALUES);
  }

  public JsonLimits {
    if (maxChars < 1 || maxDepth < 0 || maxValues < 1) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_CONFIG,
          "json limits",
          maxChars + ", " + maxDepth + ", " + maxValues,
          "positive numbers");
    }
  }
}
