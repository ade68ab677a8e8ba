package dev.contexture.provider.answer;

import dev.contexture.model.Cut;
import dev.contexture.model.ModelAnswer;
import dev.contexture.model.Stop;
import org.jspecify.annotations.Nullable;

/**
 * OpenAI's word for why an answer ended (P-77).
 *
 * @param word as received; null if there is none yet
 */
record ChatStop(@Nullable String word) {
  /** The finding for choices that nobody reads. */
  static final String MORE_CHOICES = "choices_extra";

  Stop stop() {
    return switch (word == null ? "" : word) {
      case "stop" -> Stop.END;
      case "tool_calls" -> Stop.TOOL_USE;
      case "length" -> Stop.MAX_TOKENS;
      case "content_filter" -> Stop.CONTENT_FILTER;
      default -> Stop.OTHER;
    };
  }

  boolean byLimit() {
    return stop() == Stop.MAX_TOKENS;
  }

  /** The reply; an end that only declines is a refusal. */
  ModelAnswer end(ReplyBuilder reply, @Nullable Cut cut) {
    reply.stopWords(word);
    boolean declined =
        stop() == Stop.END
            && !reply.hasTexts()
            && !reply.hasCalls()
            && reply.hasOpaque(ChatParts.REFUSAL);
    return reply.build(declined ? Stop.REFUSAL : stop(), cut);
  }
}
