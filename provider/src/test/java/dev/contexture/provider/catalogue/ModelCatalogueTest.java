package dev.contexture.provider.catalogue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.model.CacheRules;
import dev.contexture.model.ModelFlag;
import dev.contexture.model.ModelPrice;
import dev.contexture.model.ModelProfile;
import dev.contexture.model.ModelRef;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ModelCatalogueTest {
  private static final ModelCatalogue CATALOGUE = ModelCatalogue.shipped();

  private static ModelProfile profile(String provider, String model) {
    return CATALOGUE.profile(new ModelRef(provider, model));
  }

  /** P-67: exact, alias, without date, without platform. */
  @ParameterizedTest
  @CsvSource({
    "anthropic,claude-opus-5,claude-opus-5",
    "anthropic,claude-opus-4-5-20251101,claude-opus-4-5",
    "anthropic,claude-opus-5-20260501,claude-opus-5",
    "anthropic,us.anthropic.claude-opus-5,claude-opus-5",
    "anthropic,anthropic.claude-opus-5-20260501,claude-opus-5",
    "anthropic,claude-3-5-haiku-20241022,claude-3-5-haiku-20241022",
    "openai,openai/gpt-4o,gpt-4o",
    "openai,gpt-4o-2024-08-06,gpt-4o",
    "gemini,models/gemini-2.5-pro,gemini-2.5-pro"
  })
  void findsAModelByItsNames(String provider, String name, String id) {
    assertThat(profile(provider, name).id()).isEqualTo(id);
    assertThat(profile(provider, name).unknownModel()).isFalse();
  }

  @Test
  void readsTheFactsOfAModel() {
    ModelProfile claude = profile("anthropic", "claude-opus-5");
    assertThat(claude.contextWindow()).isEqualTo(1_000_000);
    assertThat(claude.maxOutput()).isEqualTo(128_000);
    assertThat(claude.tokenizer().ratio()).isEqualByComparingTo("1.5");
    assertThat(claude.cache())
        .isEqualTo(
            new CacheRules(
                CacheRules.Mode.EXPLICIT,
                512,
                4,
                4,
                new CacheRules.Lookback(20, "position"),
                List.of("5m", "1h"),
                1,
                0,
                new CacheRules.Multipliers(0.1, 1, 1.25, 2)));
    assertThat(claude.has(ModelFlag.MID_CONVERSATION_TOOLS)).isTrue();
    assertThat(claude.has(ModelFlag.PRESERVED_THINKING)).as("from the provider").isTrue();
    assertThat(claude.has(ModelFlag.STRIPS_PRIOR_THINKING)).as("its own").isFalse();
  }

  /** Windows, outputs and prices of the models that people ask for. */
  @ParameterizedTest
  @CsvSource({
    "openai,gpt-4.1,1047576,32768,2",
    "openai,gpt-5,400000,128000,1.25",
    "openai,gpt-5.4,1050000,128000,2.5",
    "gemini,gemini-2.5-pro,1048576,65535,1.25",
    "anthropic,claude-sonnet-4-5,200000,64000,3",
    "deepseek,deepseek-v4-pro,1000000,384000,1.32"
  })
  void knowsWindowsOutputsAndPrices(
      String provider, String model, int window, int output, BigDecimal input) {
    ModelProfile facts = profile(provider, model);
    assertThat(facts.contextWindow()).isEqualTo(window);
    assertThat(facts.maxOutput()).isEqualTo(output);
    ModelPrice price = facts.priceAt(Instant.parse("2026-11-15T12:00:00Z")).orElseThrow();
    assertThat(price.input()).isEqualByComparingTo(input);
  }

  /** A price tier counts for the whole request. */
  @Test
  void pricesLongRequestsByTheirTier() {
    ModelPrice price = profile("openai", "gpt-5.4").prices().getFirst();
    assertThat(price.inputCost(100_000, 272_000)).isEqualTo(0.25);
    assertThat(price.inputCost(100_000, 272_001)).isEqualTo(0.5);
    assertThat(price.outputCost(100_000, 272_000)).isEqualTo(1.5);
    assertThat(price.outputCost(100_000, 272_001)).isEqualTo(2.25);
  }

  /** P-66, P-71: every fact names a source that the file has, and every source is used. */
  @Test
  void everyFactNamesItsSource() throws IOException {
    for (ModelProfile model : CATALOGUE.models()) {
      for (Map.Entry<String, List<String>> fact : model.sources().entrySet()) {
        assertThat(CATALOGUE.sources().keySet())
            .as(model.id() + " " + fact.getKey())
            .containsAll(fact.getValue());
      }
      assertThat(model.sources()).containsKeys("contextWindow", "maxOutput", "cache", "tokenizer");
      assertThat(model.sources().containsKey("prices")).isEqualTo(!model.prices().isEmpty());
      for (String fact : List.of("contextWindow", "maxOutput", "prices")) {
        assertThat(model.sources().getOrDefault(fact, List.of()))
            .as(model.id() + " states " + fact)
            .doesNotContain("policy");
      }
    }
    String file = Refused.shippedFile();
    for (String source : CATALOGUE.sources().keySet()) {
      assertThat(file.split("\"" + Pattern.quote(source) + "\"", -1).length - 1)
          .as("uses of " + source)
          .isGreaterThan(1);
    }
  }

  /** Models of OpenAI-compatible providers are found by the format that they speak. */
  @Test
  void findsModelsOfCompatibleProvidersByTheirFormat() {
    ModelProfile deep = CATALOGUE.served("openai-chat", "deepseek-v4-pro").orElseThrow();
    assertThat(deep.provider()).isEqualTo("deepseek");
    assertThat(deep.has(ModelFlag.COMPAT)).isTrue();
    assertThat(CATALOGUE.served("openai-responses", "deepseek-v4-pro")).isEmpty();
    assertThat(CATALOGUE.served("openai-chat", "mistral-large-latest").orElseThrow().id())
        .as("by an alias")
        .isEqualTo("mistral-large-2512");
    assertThat(CATALOGUE.served("openai-chat", "openai/gpt-oss-120b").orElseThrow().provider())
        .as("served twice: the one with the least room")
        .isEqualTo("groq");
    assertThat(profile("openai", "gpt-5").has(ModelFlag.COMPAT)).isFalse();
  }

  /** A8: what is not known of a model comes from its provider. */
  @Test
  void fillsUnknownFactsFromTheProvider() {
    assertThat(profile("anthropic", "claude-opus-5-5").cache().minTokens()).isEqualTo(4096);
    assertThat(profile("anthropic", "claude-opus-4-1").contextWindow()).isEqualTo(200_000);
    CacheRules breakpoints = profile("openai", "gpt-5.6-terra").cache();
    assertThat(breakpoints.mode()).isEqualTo(CacheRules.Mode.BREAKPOINT);
    assertThat(breakpoints.ttl()).containsExactly("30m");
  }

  /** P-67, P-68: no guessing by family. */
  @Test
  void isCarefulWithUnknownModels() {
    ModelProfile unknown = profile("anthropic", "claude-opus-9");
    assertThat(unknown.unknownModel()).isTrue();
    assertThat(unknown.id()).isEqualTo("claude-opus-9");
    assertThat(unknown.contextWindow()).isEqualTo(200_000);
    assertThat(unknown.cache().minTokens()).isEqualTo(4096);
    assertThat(unknown.apis()).containsExactly("anthropic-messages");

    ModelProfile stranger = profile("homegrown", "llama");
    assertThat(stranger.unknownModel()).isTrue();
    assertThat(stranger.provider()).isEqualTo("homegrown");
    assertThat(stranger.apis()).containsExactly("openai-chat");
    assertThat(profile("deepseek", "v4").has(ModelFlag.REASONING_CONTENT)).isTrue();
  }

  /** P-5: a model reads itself, under any of its names, and those it lists. */
  @Test
  void knowsWhoReadsWhom() {
    ModelProfile fable = profile("anthropic", "claude-fable-5-1");
    assertThat(fable.canRead(profile("anthropic", "claude-opus-5"))).isTrue();
    assertThat(profile("anthropic", "claude-opus-5").canRead(fable)).isFalse();
    assertThat(profile("openai", "gpt-4o").canRead(profile("openai", "gpt-4o-2024-08-06")))
        .isTrue();
    assertThat(profile("openai", "gpt-4o").canRead(profile("azure", "gpt-4o"))).isFalse();
  }

  @Nested
  class Refused {
    /** P-69. */
    @ParameterizedTest
    @CsvSource(
        delimiter = '|',
        value = {
          "\"schemaVersion\":1 | \"schemaVersion\":2 | schemaVersion",
          "\"revision\" | \"revisions\" | revisions",
          "\"contextWindow\":128000,\"maxInput\" | \"contextWindow\":-1,\"maxInput\" |"
              + " providers.openai.defaults.contextWindow",
          "\"id\":\"gpt-4o\" | \"id\":\"gpt-4.1\" | models.gpt-4.1.id",
          "\"chatToolsNeedNoEffort\":true | \"chatToolsNeedEffort\":true |"
              + " models.gpt-6-sol.flags.chatToolsNeedEffort",
          "\"minTokens\":2048 | \"minTokens\":20480000 | models",
          "\"mode\":\"breakpoint\" | \"mode\":\"magic\" | cache.mode",
          "\"tokenizer\":\"claude-2026\",\"imageRule\" | \"tokenizer\":\"x\",\"imageRule\" |"
              + " tokenizer"
        })
    void namesTheValueThatCannotBe(String from, String to, String field) throws IOException {
      String file = shippedFile();
      assertThat(file).contains(from);
      assertThatExceptionOfType(ContextureException.class)
          .isThrownBy(() -> ModelCatalogue.parse(file.replace(from, to)))
          .satisfies(
              failure -> {
                assertThat(failure.code()).isEqualTo(ErrorCode.INVALID_CONFIG);
                assertThat(failure.field().orElse("")).contains(field);
              });
    }

    private static String shippedFile() throws IOException {
      try (InputStream in = ModelCatalogue.class.getResourceAsStream("models.json")) {
        String text = new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
        return ((JsonObject) JsonValue.parse(text)).toJson();
      }
    }
  }
}
