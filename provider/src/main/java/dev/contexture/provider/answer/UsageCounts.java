package dev.contexture.provider.answer;

import dev.contexture.json.JsonNumber;
import dev.contexture.json.JsonObject;
import dev.contexture.model.Usage;
import org.jspecify.annotations.Nullable;

/** A provider's token counts in the form of P-11. Counts that are missing or negative are 0. */
final class UsageCounts {
  private UsageCounts() {}

  /** Anthropic counts cached input apart from {@code input_tokens}. */
  static @Nullable Usage anthropic(@Nullable JsonObject usage) {
    if (usage == null) {
      return null;
    }
    JsonObject split = usage.object("cache_creation").orElse(JsonObject.EMPTY);
    long write5m = count(split, "ephemeral_5m_input_tokens");
    long write1h = count(split, "ephemeral_1h_input_tokens");
    long written = count(usage, "cache_creation_input_tokens");
    return new Usage(
        count(usage, "cache_read_input_tokens"),
        write5m,
        write1h,
        Math.max(0, written - write5m - write1h),
        count(usage, "input_tokens"),
        count(usage, "output_tokens"));
  }

  /** Chat Completions count cached input inside {@code prompt_tokens}. */
  static @Nullable Usage chat(@Nullable JsonObject usage, ReplyBuilder reply) {
    return usage == null
        ? null
        : openAi(usage, "prompt_tokens", count(usage, "completion_tokens"), reply);
  }

  /** Responses count cached input inside {@code input_tokens}. */
  static @Nullable Usage responses(@Nullable JsonObject usage, ReplyBuilder reply) {
    return usage == null
        ? null
        : openAi(usage, "input_tokens", count(usage, "output_tokens"), reply);
  }

  private static Usage openAi(JsonObject usage, String input, long output, ReplyBuilder reply) {
    JsonObject details = usage.object(input + "_details").orElse(JsonObject.EMPTY);
    long read = count(details, "cached_tokens");
    long write = count(details, "cache_write_tokens");
    long uncached = uncached(count(usage, input) - read - write, "/usage/" + input, reply);
    return new Usage(read, 0, 0, write, uncached, output);
  }

  /** Gemini counts cached input inside the prompt, and thoughts apart from the answer (P-78). */
  static @Nullable Usage gemini(@Nullable JsonObject usage, ReplyBuilder reply) {
    if (usage == null) {
      return null;
    }
    long read = count(usage, "cachedContentTokenCount");
    long input = count(usage, "promptTokenCount") + count(usage, "toolUsePromptTokenCount");
    long uncached = uncached(input - read, "/usageMetadata/promptTokenCount", reply);
    long output = count(usage, "candidatesTokenCount") + count(usage, "thoughtsTokenCount");
    return new Usage(read, 0, 0, 0, uncached, output);
  }

  private static long uncached(long counted, String pointer, ReplyBuilder reply) {
    if (counted < 0) {
      reply.finding(
          "usage-negative",
          pointer,
          "more input was cached than there was: uncached would be " + counted);
    }
    return Math.max(0, counted);
  }

  private static long count(JsonObject object, String key) {
    return object.members().get(key) instanceof JsonNumber number
        ? Math.max(0, number.asLong().orElse(0))
        : 0;
  }
}
