package dev.contexture.compaction;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.timeline.Visibility;
import dev.contexture.timeline.VisibilityRecords;
import java.math.BigDecimal;
import org.apiguardian.api.API;

/**
 * The room that one render has, and what follows from it. Fractions are exact decimals and floored.
 *
 * @param policy the settings
 * @param maxTokens what the whole request may have; 0: no limit is known
 * @param systemTokens what stands before the stable stream: system text and tool definitions
 * @param tailTokens what stands behind it
 * @param aheadTokens what the next request is expected to add; a cut leaves room for it where it
 *     can, so that the next request does not have to cut again
 * @param viewTokens the budget that previews are made for: a configured number, so that equal
 *     budgets give equal previews whatever stands around the stream
 * @param forced whether to compact in any case
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record CompactionBudget(
    CompactionPolicy policy,
    long maxTokens,
    long systemTokens,
    long tailTokens,
    long aheadTokens,
    long viewTokens,
    boolean forced) {
  private static final long UNLIMITED = Long.MAX_VALUE / 4;
  private static final long PROMPT_TOKENS_WITHOUT_LIMIT = 4_000;
  private static final long SUMMARY_TOKENS_WITHOUT_LIMIT = 800;
  private static final long MAX_SUMMARY_TOKENS = 8_000;
  private static final long MIN_SUMMARY_TOKENS = 400;
  private static final int MAX_PREVIEW_CHARS = 2_000;
  private static final BigDecimal REFERENCES_RATIO = new BigDecimal("0.10");
  private static final int CHARS_PER_TOKEN = 4;

  /**
   * @throws ContextureException {@code invalid_config} if a number is negative
   */
  public CompactionBudget {
    if (maxTokens < 0 || systemTokens < 0 || tailTokens < 0 || aheadTokens < 0) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_CONFIG,
          "max_tokens, system, tail and ahead",
          maxTokens + ", " + systemTokens + ", " + tailTokens + ", " + aheadTokens,
          "numbers from 0");
    }
  }

  /**
   * A budget without system text and tail.
   *
   * @throws ContextureException {@code invalid_config} if it is below 1
   */
  public static CompactionBudget of(CompactionPolicy policy, long maxTokens) {
    if (maxTokens < 1) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_CONFIG, "max_tokens", maxTokens, "a number from 1");
    }
    return new CompactionBudget(policy, maxTokens, 0, 0, 0, maxTokens, false);
  }

  /** No budget: compaction runs only when it is forced. */
  public static CompactionBudget unlimited(CompactionPolicy policy) {
    return new CompactionBudget(policy, 0, 0, 0, 0, VisibilityRecords.NO_BUDGET, false);
  }

  public CompactionBudget system(long tokens) {
    return new CompactionBudget(
        policy, maxTokens, tokens, tailTokens, aheadTokens, viewTokens, forced);
  }

  public CompactionBudget tail(long tokens) {
    return new CompactionBudget(
        policy, maxTokens, systemTokens, tokens, aheadTokens, viewTokens, forced);
  }

  public CompactionBudget ahead(long tokens) {
    return new CompactionBudget(
        policy, maxTokens, systemTokens, tailTokens, tokens, viewTokens, forced);
  }

  public CompactionBudget view(long tokens) {
    return new CompactionBudget(
        policy, maxTokens, systemTokens, tailTokens, aheadTokens, tokens, forced);
  }

  public CompactionBudget force(boolean force) {
    return new CompactionBudget(
        policy, maxTokens, systemTokens, tailTokens, aheadTokens, viewTokens, force);
  }

  public boolean isLimited() {
    return maxTokens > 0;
  }

  /** Everything around the stable stream. */
  public long around() {
    return systemTokens + tailTokens;
  }

  /** Above this total a context is due. */
  public long limit() {
    return isLimited() ? share(policy.triggerRatio(), maxTokens) : UNLIMITED;
  }

  /** Whether a context of this total is to be compacted. */
  public boolean isDue(long total) {
    return forced || total > limit();
  }

  /** What the stable stream may have. */
  public long stream() {
    return isLimited() ? Math.max(1, maxTokens - around()) : UNLIMITED;
  }

  /**
   * How much of the stream stays, before anything is protected. A policy that leaves room free
   * keeps half of what the bound of a summary takes from its share, too: a large context would
   * forget what a small one can afford.
   */
  public long base() {
    if (!isLimited()) {
      return UNLIMITED;
    }
    long beyond =
        policy.freeRatio().signum() == 0
            ? 0
            : Math.max(0, share(policy.summaryRatio(), stream()) - MAX_SUMMARY_TOKENS);
    return Math.max(1, share(policy.keepRatio(), stream()) + beyond / 2);
  }

  /** What is reserved for the summary, and what it is asked to stay within. */
  public long reserve() {
    if (!isLimited()) {
      return SUMMARY_TOKENS_WITHOUT_LIMIT;
    }
    long share = Math.min(MAX_SUMMARY_TOKENS, share(policy.summaryRatio(), stream()));
    long least = MIN_SUMMARY_TOKENS <= stream() / 4 ? MIN_SUMMARY_TOKENS : 1;
    return Math.max(least, share);
  }

  /** The most that the references of a summary may have: more of them only fill the context. */
  long references() {
    return isLimited() ? Math.max(1, share(REFERENCES_RATIO, stream())) : reserve();
  }

  /** What a summary is cut down to before anything that is protected is given up for it. */
  long leastSummary() {
    return isLimited() ? Math.min(reserve(), Math.max(1, stream() / 10)) : reserve();
  }

  /** Above this total a compaction is not content, if it can leave more free. */
  long aim() {
    return limit() - share(policy.freeRatio(), limit());
  }

  /** The most that a prompt may cost to be shown again, or quoted in full. */
  public long promptQuota() {
    return isLimited() ? stream() / 4 : PROMPT_TOKENS_WITHOUT_LIMIT;
  }

  /** Above this cost even a block of a protected round becomes a preview. */
  long protectedBlock() {
    return isLimited() ? maxTokens / 4 : UNLIMITED;
  }

  /** How many characters of a block its preview shows. */
  int previewChars() {
    return (int) Math.min(MAX_PREVIEW_CHARS, CHARS_PER_TOKEN * (viewTokens / 10));
  }

  /** What a record that is made for this budget says. */
  long recordedTokens() {
    return viewTokens == VisibilityRecords.NO_BUDGET ? Visibility.ALL_VIEWS : viewTokens;
  }

  private static long share(BigDecimal ratio, long tokens) {
    return ratio.multiply(BigDecimal.valueOf(tokens)).longValue();
  }
}
