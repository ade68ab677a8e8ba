package dev.contexture.prompt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.contexture.compaction.CompactionPolicy;
import dev.contexture.compaction.CompressionStrategy;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** M-93 and M-94. */
class ContextConfigTest {
  private static ContextConfig read(String json) {
    return ContextConfigCodec.read((JsonObject) JsonValue.parse(json));
  }

  @Test
  void hasTheDefaultsOfTheSpecification() {
    ContextConfig config = read("{}");
    assertThat(config).isEqualTo(ContextConfig.DEFAULT);
    assertThat(config.defaultLimits())
        .isEqualTo(new ModelContextLimits(200_000, 12_000, 80_000, 8_000));
    assertThat(config.includeDescriptions()).isTrue();
    assertThat(config.includeSchemas()).isFalse();
    assertThat(config.activityEntriesLimit()).isEqualTo(15);
    assertThat(config.maxMessagesCap()).isEqualTo(500);
    assertThat(config.compressionStrategy()).isNull(); // compaction, as the engine is set
    assertThat(read("{\"compression_strategy\":{\"kind\":\"compaction\"}}")).isEqualTo(config);
    assertThat(config.refresh(true)).isEqualTo(MemoryRefresh.PER_EPOCH);
    assertThat(config.refresh(false)).isEqualTo(MemoryRefresh.EVERY_BUILD);
  }

  @Test
  void readsEverySetting() {
    ContextConfig config =
        read(
            """
            {"max_tokens":1000,"memory_tokens":100,"history_tokens":500,
             "reserved_response_tokens":50,
             "model_overrides":{"GPT-5*":{"max_tokens":2000}},
             "include_descriptions":false,"include_schemas":true,"activity_entries_limit":0,
             "max_messages_cap":7,"memory_refresh":"every_build",
             "compression_strategy":{"kind":"recursive_summarization","chunk_size":4,
              "summarization_model":"m","prompt":"p"}}
            """);
    assertThat(config)
        .isEqualTo(
            ContextConfig.DEFAULT
                .withLimits(new ModelContextLimits(1000, 100, 500, 50))
                .withModelLimits("gpt-5*", new ModelContextLimits(2000, 200, 1000, 100))
                .withDescriptions(false)
                .withSchemas(true)
                .withActivityEntries(0)
                .withMessagesCap(7)
                .withRefresh(MemoryRefresh.EVERY_BUILD)
                .withStrategy(new CompressionStrategy.RecursiveSummarization(4, "m", "p")));
    assertThat(config.refresh(true)).isEqualTo(MemoryRefresh.EVERY_BUILD);
    assertThat(read("{\"compression_strategy\":{\"kind\":\"truncate\",\"keep_recent\":3}}"))
        .isEqualTo(ContextConfig.DEFAULT.withStrategy(new CompressionStrategy.Truncate(3)));
    assertThat(
            read("{\"compression_strategy\":{\"kind\":\"compaction\",\"preset\":\"economical\"}}")
                .compressionStrategy())
        .isEqualTo(new CompressionStrategy.Compaction(CompactionPolicy.ECONOMICAL));
  }

  /** An exact key wins, then the longest beginning; any case. */
  @ParameterizedTest
  @CsvSource({
    "claude-opus-5, claude-opus-5, 1003",
    "CLAUDE-Opus-5, claude-opus-5, 1003",
    "claude-opus-4, claude-opus-*, 1002",
    "claude-haiku, claude*, 1001",
    "gpt-5,, 200000"
  })
  void choosesTheOverrideOfAModel(String model, String key, long max) {
    ContextConfig config =
        ContextConfig.DEFAULT
            .withModelLimits("claude*", limits(1001))
            .withModelLimits("Claude-Opus-*", limits(1002))
            .withModelLimits("claude-opus-5", limits(1003));
    ContextConfig.Chosen chosen = config.limitsFor(model);
    assertThat(chosen.limits().maxTokens()).isEqualTo(max);
    assertThat(chosen.overrideKey().orElse(null)).isEqualTo(key);
  }

  private static ModelContextLimits limits(long max) {
    return new ModelContextLimits(max, 100, 500, 50);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"max_tokens\":0}",
        "{\"memory_tokens\":-1}",
        "{\"history_tokens\":0}",
        "{\"reserved_response_tokens\":0}",
        "{\"activity_entries_limit\":-1}",
        "{\"max_messages_cap\":0}",
        "{\"memory_refresh\":\"sometimes\"}",
        "{\"max_tokens\":2}",
        "{\"max_tokens\":99999,\"history_tokens\":80000}",
        "{\"model_overrides\":{\"m\":{\"max_tokens\":99999,\"memory_tokens\":12000}}}",
        "{\"model_overrides\":{\"m\":{},\"M\":{}}}",
        "{\"compression_strategy\":{\"kind\":\"importance_based\",\"keep_recent\":1}}",
        "{\"compression_strategy\":{}}",
        "{\"compression_strategy\":{\"kind\":\"compaction\",\"preset\":\"lavish\"}}",
        "{\"compression_strategy\":{\"kind\":\"truncate\",\"keep_recent\":0}}",
        "{\"compression_strategy\":{\"kind\":\"truncate\"}}",
        "{\"compression_strategy\":{\"kind\":\"recursive_summarization\",\"chunk_size\":0}}"
      })
  void refusesWhatCannotHold(String json) {
    assertThatThrownBy(() -> read(json))
        .isInstanceOfSatisfying(
            ContextureException.class,
            refused -> assertThat(refused.code()).isEqualTo(ErrorCode.INVALID_CONFIG));
  }

  /** A small whole is no error, and a large one is no small history. */
  @Test
  void theWholeAloneScalesItsParts() {
    assertThat(read("{\"max_tokens\":500000}").defaultLimits())
        .isEqualTo(new ModelContextLimits(500_000, 30_000, 200_000, 20_000))
        .isEqualTo(ModelContextLimits.ofMaxTokens(500_000));
    assertThat(read("{\"max_tokens\":16000}").defaultLimits())
        .isEqualTo(new ModelContextLimits(16_000, 960, 6_400, 640));
    assertThat(read("{\"max_tokens\":500000,\"history_tokens\":400000}").defaultLimits())
        .as("with a part, the others have their defaults")
        .isEqualTo(new ModelContextLimits(500_000, 12_000, 400_000, 8_000));
    assertThat(read("{\"model_overrides\":{\"m\":{\"max_tokens\":99999}}}").limitsFor("m").limits())
        .isEqualTo(ModelContextLimits.ofMaxTokens(99_999));
  }

  @Test
  void namesTheSumThatIsTooLarge() {
    assertThatThrownBy(() -> new ModelContextLimits(100, 50, 40, 11))
        .hasMessageContaining("is 101; allowed: at most max_tokens, 100")
        .isInstanceOfSatisfying(
            ContextureException.class,
            refused -> assertThat(refused.details()).containsEntry("sum", 101L));
    assertThat(new ModelContextLimits(101, 50, 40, 11).maxTokens()).isEqualTo(101);
  }

  @Test
  void refusesUnknownFields() {
    assertThatThrownBy(() -> read("{\"max_token\":1}"))
        .isInstanceOfSatisfying(
            ContextureException.class,
            refused -> assertThat(refused.code()).isEqualTo(ErrorCode.UNKNOWN_FIELD));
  }
}
