package dev.contexture.timeline;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.SendableText;
import java.time.Instant;
import java.util.Locale;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The record that a block is shown as something else. The block itself never changes.
 *
 * <p>A record for all views counts wherever the block is shown, and the newest of them alone. A
 * record that was made for a budget counts in views that have at most that budget; of several the
 * one with the smallest budget does.
 *
 * @param seq the block
 * @param replacement what stands in its place; blank: nothing
 * @param reason who decided so
 * @param at when
 * @param maxTokens the budget that it was made for; {@link #ALL_VIEWS}: it counts in all of them
 * @param summaryId the summary that it was stored with: it is taken back with it; null: with none
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Visibility(
    long seq,
    String replacement,
    Reason reason,
    Instant at,
    long maxTokens,
    @Nullable String summaryId) {
  /** In place of a budget: the record counts in every view. */
  public static final long ALL_VIEWS = 0;

  /**
   * @throws ContextureException {@code invalid_config} if the budget is below 0
   */
  public Visibility {
    if (maxTokens < 0) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_CONFIG, "max_tokens", maxTokens, "a number from 1");
    }
    replacement = SendableText.of(replacement);
  }

  /** A record for all views. */
  public Visibility(long seq, String replacement, Reason reason, Instant at) {
    this(seq, replacement, reason, at, ALL_VIEWS, null);
  }

  /** Whether it counts in every view. */
  public boolean isForAllViews() {
    return maxTokens == ALL_VIEWS;
  }

  /** The same record, stored with a summary and taken back with it. */
  public Visibility storedWith(String summary) {
    return new Visibility(seq, replacement, reason, at, maxTokens, summary);
  }

  /** The reason why a block is shown as something else. */
  public enum Reason {
    /** A caller of the library asked for it. */
    API,
    /** The agent asked for it through a tool. */
    AGENT,
    /** The provider's cache had expired, so that old content could be dropped for nothing. */
    TTL,
    /** The block alone is larger than the budget. */
    OVERSIZE,
    /** The arguments of a call alone are too large for the budget. */
    ARGUMENTS,
    /** The turn ended with another answer, and no request has shown this one. */
    REPLACED;

    public String wireName() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
