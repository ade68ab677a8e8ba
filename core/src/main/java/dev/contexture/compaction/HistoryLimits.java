package dev.contexture.compaction;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import org.apiguardian.api.API;

/**
 * Limits for summary and turns together, used where whole turns are archived. 0 means that there is
 * no such limit.
 *
 * @param tokens the history budget H
 * @param room what is left of the whole request; above it nothing can be sent
 * @param messages the most messages, without the summary
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record HistoryLimits(long tokens, long room, int messages) {
  /** No limit at all. */
  public static final HistoryLimits NONE = new HistoryLimits(0, 0, 0);

  private static final long MAX_ALLOWANCE = 1_024;

  /**
   * @throws ContextureException {@code invalid_config} if a number is negative
   */
  public HistoryLimits {
    if (tokens < 0 || room < 0 || messages < 0) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_CONFIG,
          "history_tokens, room, max_messages_cap",
          tokens + ", " + room + ", " + messages,
          "numbers from 0");
    }
  }

  public static HistoryLimits ofTokens(long tokens) {
    return new HistoryLimits(tokens, 0, 0);
  }

  public static HistoryLimits ofMessages(int messages) {
    return new HistoryLimits(0, 0, messages);
  }

  public HistoryLimits withTokens(long most) {
    return new HistoryLimits(most, room, messages);
  }

  boolean exceededByMessages(int count) {
    return messages > 0 && count > messages;
  }

  boolean exceededByTokens(long count) {
    return tokens > 0 && count > tokens;
  }

  /** What a summary that is still to be made counts as, and may have. */
  long allowance() {
    return tokens == 0 ? MAX_ALLOWANCE : Math.max(1, Math.min(MAX_ALLOWANCE, tokens / 4));
  }

  /** What is aimed at once something is archived, so that the next message does not do it again. */
  long target(long alwaysSent) {
    if (tokens == 0) {
      return Long.MAX_VALUE;
    }
    long aim = 2 * tokens / 3;
    return alwaysSent > aim ? tokens : aim;
  }
}
