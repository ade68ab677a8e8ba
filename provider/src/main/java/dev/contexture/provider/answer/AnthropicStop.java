package dev.contexture.provider.answer;

import dev.contexture.json.JsonObject;
import dev.contexture.model.Stop;
import org.jspecify.annotations.Nullable;

/** Anthropic's words for why an answer ended (P-77). */
final class AnthropicStop {
  private AnthropicStop() {}

  static Stop of(JsonObject body) {
    return switch (body.string("stop_reason").orElse("")) {
      case "end_turn", "stop_sequence" -> Stop.END;
      case "tool_use" -> Stop.TOOL_USE;
      case "max_tokens" -> Stop.MAX_TOKENS;
      case "model_context_window_exceeded" -> Stop.CONTEXT_LIMIT;
      case "refusal" -> Stop.REFUSAL;
      case "pause_turn", "compaction" -> Stop.PAUSE;
      default -> Stop.OTHER;
    };
  }

  /** The reason as received, followed by its details where there are any. */
  static @Nullable String words(JsonObject body) {
    String reason = body.string("stop_reason").orElse(null);
    String details = body.object("stop_details").map(JsonObject::toJson).orElse(null);
    if (reason == null || details == null) {
      return reason == null ? details : reason;
    }
    return reason + " " + details;
  }
}
