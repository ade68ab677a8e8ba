package dev.contexture.provider.answer;

import dev.contexture.json.JsonObject;
import dev.contexture.model.Cut;
import dev.contexture.model.ModelAnswer;
import dev.contexture.model.Stop;
import org.jspecify.annotations.Nullable;

/** Gemini's words for why an answer ended (P-77); the last ones count. Confined to one thread. */
final class GeminiStop {
  /** The finding for candidates that nobody reads. */
  static final String MORE = "choices_extra";

  private @Nullable String finishReason;
  private @Nullable String blockReason;
  private boolean hasCandidate;
  private boolean more;

  void blocked(JsonObject feedback) {
    blockReason = feedback.string("blockReason").orElse(blockReason);
  }

  void candidates(int count) {
    hasCandidate |= count > 0;
    more |= count > 1;
  }

  void finished(JsonObject candidate) {
    finishReason = candidate.string("finishReason").orElse(finishReason);
  }

  boolean moreCandidates() {
    return more;
  }

  /** Whether the answer has said why it ended. */
  boolean known() {
    return finishReason != null || isBlocked();
  }

  private boolean isBlocked() {
    return blockReason != null && !hasCandidate;
  }

  boolean byLimit() {
    return stop() == Stop.MAX_TOKENS;
  }

  private Stop stop() {
    if (isBlocked()) {
      return Stop.CONTENT_FILTER;
    }
    return switch (finishReason == null ? "" : finishReason) {
      case "STOP" -> Stop.END;
      case "MAX_TOKENS" -> Stop.MAX_TOKENS;
      case "SAFETY",
          "RECITATION",
          "BLOCKLIST",
          "PROHIBITED_CONTENT",
          "SPII",
          "IMAGE_SAFETY",
          "IMAGE_PROHIBITED_CONTENT",
          "IMAGE_RECITATION" ->
          Stop.CONTENT_FILTER;
      default -> Stop.OTHER;
    };
  }

  ModelAnswer end(ReplyBuilder reply, @Nullable Cut cut) {
    reply.stopWords(isBlocked() ? blockReason : finishReason);
    return reply.build(stop(), cut);
  }
}
