package dev.contexture.model;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import org.apiguardian.api.API;

/**
 * The tokens of one call, counted alike for all providers: the input is the sum of what was read
 * from a cache, written to one, and neither.
 *
 * @param cacheRead input read from a cache
 * @param cacheWrite5m input written to a cache that lives five minutes
 * @param cacheWrite1h input written to a cache that lives one hour
 * @param cacheWrite input written to a cache whose life was not named
 * @param uncached input that no cache had a part in
 * @param output everything the model made, reasoning included
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Usage(
    long cacheRead,
    long cacheWrite5m,
    long cacheWrite1h,
    long cacheWrite,
    long uncached,
    long output) {
  public Usage {
    long least = Math.min(Math.min(cacheRead, cacheWrite5m), Math.min(cacheWrite1h, cacheWrite));
    if (Math.min(least, Math.min(uncached, output)) < 0) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_ARGUMENT, "usage", "a negative count", "counts of 0 and more");
    }
  }

  /** All input, cached or not. */
  public long totalInput() {
    return cacheRead + cacheWrite5m + cacheWrite1h + cacheWrite + uncached;
  }
}
