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

  /** OpenAI counts cached input inside {@code prompt_tokens}. */
  static @Nullable Usage chat(@Nullable JsonObject usage, ReplyBuilder reply) {
    if (usage == null) {
      return null;
    }
    JsonObject details = usage.object("prompt_tokens_details").orElse(JsonObject.EMPTY);
    long read = count(details, "cached_tokens");
    long write = count(details, "cache_write_tokens");
    long uncached = count(usage, "prompt_tokens") - read - write;
    if (uncached < 0) {
      reply.finding(
          "usage-negative",
          "/usage/prompt_tokens",
          "more input was cached than there was: uncached would be " + uncached);
    }
    return new Usage(read, 0, 0, write, Math.max(0, uncached), count(usage, "completion_tokens"));
  }

  private static long count(JsonObject object, String key) {
    return object.members().get(key) instanceof JsonNumber number
        ? Math.max(0, number.asLong().orElse(0))
        : 0;
  }
}
