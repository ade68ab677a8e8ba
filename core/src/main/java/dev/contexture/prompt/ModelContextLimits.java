package dev.contexture.prompt;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apiguardian.api.API;

/**
 * The number of tokens that a request may have, and its division among the parts.
 *
 * @param maxTokens system, tools, messages and the answer together
 * @param memoryTokens memory blocks in the prompt
 * @param historyTokens summary and turns
 * @param reservedResponseTokens kept free for the answer
 */
@API(status = API.Status.STABLE, since = "0.1")
public record ModelContextLimits(
    long maxTokens, long memoryTokens, long historyTokens, long reservedResponseTokens) {
  public static final ModelContextLimits DEFAULT =
      new ModelContextLimits(200_000, 12_000, 80_000, 8_000);

  private static final long MOST = 1_000_000_000;
  private static final long PARTS = 3;

  /**
   * @throws ContextureException {@code invalid_config} if a number is not positive, or the parts
   *     are together larger than the whole
   */
  public ModelContextLimits {
    check("max_tokens", maxTokens);
    check("memory_tokens", memoryTokens);
    check("history_tokens", historyTokens);
    check("reserved_response_tokens", reservedResponseTokens);
    long sum = memoryTokens + historyTokens + reservedResponseTokens;
    if (sum > maxTokens) {
      Map<String, Object> details = new LinkedHashMap<>();
      details.put("field", "max_tokens");
      details.put("actual", maxTokens);
      details.put("sum", sum);
      throw new ContextureException(
          ErrorCode.INVALID_CONFIG,
          "memory_tokens + history_tokens + reserved_response_tokens is "
              + sum
              + "; allowed: at most max_tokens, "
              + maxTokens,
          details,
          null);
    }
  }

  /** The default limits for another whole: each part keeps its share of it. */
  public static ModelContextLimits ofMaxTokens(long maxTokens) {
    return DEFAULT.scaledTo(maxTokens);
  }

  /**
   * The same shares of another whole.
   *
   * @throws ContextureException {@code invalid_config} if it is too small to be divided
   */
  public ModelContextLimits scaledTo(long whole) {
    if (whole < PARTS || whole > MOST) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_CONFIG,
          "max_tokens",
          whole,
          PARTS + " to " + MOST + ": memory, history and the answer each have a share of it");
    }
    return new ModelContextLimits(
        whole,
        share(memoryTokens, whole),
        share(historyTokens, whole),
        share(reservedResponseTokens, whole));
  }

  private long share(long part, long whole) {
    return Math.max(1, part * whole / maxTokens);
  }

  private static void check(String field, long tokens) {
    if (tokens < 1 || tokens > MOST) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_CONFIG, field, tokens, "a number from 1 to " + MOST);
    }
  }
}
