package dev.contexture.simulator;

import java.util.Optional;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The use of a cache by one request.
 *
 * @param read tokens that came from the cache
 * @param write5m tokens written for five minutes
 * @param write1h tokens written for an hour
 * @param write tokens written where there is one life
 * @param uncached tokens at the plain price
 * @param cost in plain input tokens
 * @param costNoCache the same without any cache
 * @param costIdeal the same with the best cache that these requests allow
 * @param rewritten tokens that are written again, because something before them changed: those that
 *     the request before had too, and those that stand in place of what went, such as a summary
 * @param rewriteCost what that costs more than reading them
 * @param missed why less was read than an earlier request shared; null: nothing was missed
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record CacheUse(
    long read,
    long write5m,
    long write1h,
    long write,
    long uncached,
    double cost,
    double costNoCache,
    double costIdeal,
    long rewritten,
    double rewriteCost,
    @Nullable Miss missed) {
  /** All tokens of the request. */
  public long inputTokens() {
    return read + write5m + write1h + write + uncached;
  }

  public Optional<Miss> miss() {
    return Optional.ofNullable(missed);
  }

  /**
   * The part that was not read although an earlier request began with it.
   *
   * @param cause why
   * @param block the index of the first block that was not read
   * @param tokensLost how much more could have been read
   * @param costLost what that costs
   * @param detail numbers to the cause
   */
  public record Miss(Cause cause, int block, long tokensLost, double costLost, String detail) {}

  /** The cause of a miss, in the order in which causes are looked for. */
  public enum Cause {
    SETTINGS_CHANGED,
    TOOLS_CHANGED,
    SYSTEM_CHANGED,
    MESSAGES_CHANGED,
    EXPIRED,
    NOT_READABLE_YET,
    BELOW_MINIMUM,
    LOOKBACK,
    TAIL_MARK,
    NO_MARK,
    GRANULARITY,
    FIRST_REQUEST
  }
}
