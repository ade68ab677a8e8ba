package dev.contexture.provider.anthropic;

import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonText;
import dev.contexture.model.AnswerStream;
import dev.contexture.model.ModelAnswer;
import dev.contexture.model.ModelRef;
import dev.contexture.model.Stop;
import dev.contexture.model.Usage;
import dev.contexture.provider.wire.answer.AnswerJson;
import dev.contexture.provider.wire.answer.AnswerReader;
import dev.contexture.provider.wire.answer.ReplyBuilder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads Anthropic Messages. */
final class AnthropicReader extends AnswerReader {
  @Override
  protected ModelAnswer read(String text, JsonObject body, AnswerJson json, ReplyBuilder reply) {
    json.array(body, "content", "/content");
    reply.identify(body.string("id").orElse(null), body.string("model").orElse(null));
    reply.stopWords(stopWords(body));
    Stop stop = stop(body);
    AnthropicParts parts = new AnthropicParts(json, reply, stop);
    List<String> raws = JsonText.items(JsonText.member(text, "content").orElseThrow());
    for (int i = 0; i < raws.size(); i++) {
      parts.add(i, JsonText.minify(raws.get(i)), true);
    }
    reply.usage(usage(body.object("usage").orElse(null)));
    return reply.build(stop, null);
  }

  @Override
  public AnswerStream open(ModelRef model) {
    return new AnthropicStream(model);
  }

  /** Why an answer ended. */
  static Stop stop(JsonObject body) {
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
  static @Nullable String stopWords(JsonObject body) {
    String reason = body.string("stop_reason").orElse(null);
    String details = body.object("stop_details").map(JsonObject::toJson).orElse(null);
    if (reason == null || details == null) {
      return reason == null ? details : reason;
    }
    return reason + " " + details;
  }

  /** Cached input is counted apart from {@code input_tokens}. */
  static @Nullable Usage usage(@Nullable JsonObject usage) {
    if (usage == null) {
      return null;
    }
    JsonObject split = usage.object("cache_creation").orElse(JsonObject.EMPTY);
    long write5m = AnswerJson.count(split, "ephemeral_5m_input_tokens");
    long write1h = AnswerJson.count(split, "ephemeral_1h_input_tokens");
    long written = AnswerJson.count(usage, "cache_creation_input_tokens");
    return new Usage(
        AnswerJson.count(usage, "cache_read_input_tokens"),
        write5m,
        write1h,
        Math.max(0, written - write5m - write1h),
        AnswerJson.count(usage, "input_tokens"),
        AnswerJson.count(usage, "output_tokens"));
  }
}
