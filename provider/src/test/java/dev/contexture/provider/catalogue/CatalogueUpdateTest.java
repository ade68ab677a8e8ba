package dev.contexture.provider.catalogue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.model.ModelFlag;
import dev.contexture.model.ModelPrice;
import dev.contexture.model.ModelProfile;
import dev.contexture.model.ModelRef;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Facts of other catalogues, of files and of settings over those of the release. */
class CatalogueUpdateTest {
  private static final ModelCatalogue SHIPPED = ModelCatalogue.shipped();

  @TempDir Path folder;

  private static JsonObject file(String name) throws IOException {
    try (InputStream in = CatalogueUpdateTest.class.getResourceAsStream(name)) {
      String text = new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
      return (JsonObject) JsonValue.parse(text);
    }
  }

  private static ModelProfile profile(ModelCatalogue catalogue, String provider, String model) {
    return catalogue.profile(new ModelRef(provider, model));
  }

  private static CatalogueUpdate update(String name, boolean replace) throws IOException {
    return CatalogueUpdate.of(SHIPPED, file(name), "2026-11-16", replace);
  }

  @Test
  void takesFactsOfModelsDev() throws IOException {
    CatalogueUpdate update = update("models-dev-api.json", false);
    assertThat(update.format()).isEqualTo("models.dev api.json");
    assertThat(update.added()).containsExactly("openai/gpt-9", "deepseek/deepseek-v9");
    assertThat(update.skipped()).as("a moving name, speech, another provider").isEqualTo(3);
    ModelCatalogue catalogue = SHIPPED.with(update.facts(), "file");

    ModelProfile fresh = profile(catalogue, "openai", "gpt-9");
    assertThat(fresh.unknownModel()).isFalse();
    assertThat(fresh.contextWindow()).isEqualTo(2_000_000);
    assertThat(fresh.maxInput()).hasValue(1_800_000);
    assertThat(fresh.apis()).containsExactly("openai-responses");
    assertThat(fresh.cache().multipliers().read()).isEqualTo(0.1);
    assertThat(fresh.params().rejects()).contains("temperature");
    ModelPrice price = fresh.prices().getFirst();
    assertThat(price.inputCost(1_000_000, 300_000)).isEqualTo(6);
    assertThat(price.outputCost(1_000_000, 300_000)).isEqualTo(18);
    assertThat(price.inputCost(1_000_000, 200_000)).isEqualTo(3);
    assertThat(price.inputCost(1_000_000, 1_500_000)).as("whatever their order").isEqualTo(9);
    assertThat(profile(catalogue, "openai", "gpt-9-2026-11-01").id())
        .as("a dated name of the same model")
        .isEqualTo("gpt-9");
    assertThat(fresh.sources().get("prices")).containsExactly("models.dev api.json, 2026-11-16");
    assertThat(catalogue.sources()).containsKey("models.dev api.json, 2026-11-16");

    ModelProfile deep = profile(catalogue, "deepseek", "deepseek-v9");
    assertThat(deep.prices()).as("0 may be free or unknown").isEmpty();
    assertThat(deep.apis()).containsExactly("openai-chat");
    assertThat(deep.flags()).contains(ModelFlag.COMPAT, ModelFlag.REASONING_CONTENT);
  }

  @Test
  void takesFactsOfLiteLlm() throws IOException {
    CatalogueUpdate update = update("litellm-prices.json", false);
    assertThat(update.added())
        .containsExactlyInAnyOrder(
            "openai/gpt-9-mini",
            "anthropic/claude-opus-9",
            "gemini/gemini-9-pro",
            "alibaba/qwen9-max",
            "deepseek/deepseek-chat-9");
    assertThat(update.skipped()).as("Vertex, fine-tuned, an embedder").isEqualTo(3);
    ModelCatalogue catalogue = SHIPPED.with(update.facts(), "file");

    ModelProfile claude = profile(catalogue, "anthropic", "claude-opus-9");
    assertThat(claude.cache().multipliers().write5m()).isEqualTo(1.25);
    assertThat(claude.cache().multipliers().write1h()).isEqualTo(2);
    assertThat(claude.cache().minTokens()).isEqualTo(512);
    assertThat(claude.prices().getFirst().input()).isEqualByComparingTo("5");
    assertThat(profile(catalogue, "openai", "gpt-9-mini").prices().getFirst().tiers())
        .containsExactly(new ModelPrice.Tier(272_000, new BigDecimal("2"), new BigDecimal("1.5")));
    assertThat(profile(catalogue, "openai", "gpt-9-mini").contextWindow()).isEqualTo(2_000_000);
    ModelPrice qwen = profile(catalogue, "alibaba", "qwen9-max").prices().getFirst();
    assertThat(qwen.inputCost(1_000_000, 40_000)).isEqualTo(2.4);
    assertThat(profile(catalogue, "deepseek", "deepseek-chat-9").maxOutput()).isEqualTo(8_192);

    ModelProfile known = profile(catalogue, "openai", "gpt-5");
    assertThat(known.contextWindow()).as("272,000 is its input limit").isEqualTo(400_000);
    assertThat(known.prices().getFirst().output()).isEqualByComparingTo("8");
  }

  /** A provider's own documentation outweighs another catalogue, unless that is asked for. */
  @Test
  void keepsWhatAProviderSaysItself() throws IOException {
    CatalogueUpdate update = update("models-dev-api.json", false);
    assertThat(update.kept())
        .contains(
            new CatalogueUpdate.Change(
                "anthropic/claude-sonnet-4-6", "maxOutput", "128000", "64000"));
    ModelCatalogue kept = SHIPPED.with(update.facts(), "file");
    assertThat(profile(kept, "anthropic", "claude-sonnet-4-6").maxOutput()).isEqualTo(128_000);

    CatalogueUpdate all = update("models-dev-api.json", true);
    assertThat(all.kept()).isEmpty();
    ModelCatalogue replaced = SHIPPED.with(all.facts(), "file");
    assertThat(profile(replaced, "anthropic", "claude-sonnet-4-6").maxOutput()).isEqualTo(64_000);
  }

  @Test
  void aSecondUpdateKeepsWhatTheFirstOneAdded() throws IOException {
    CatalogueUpdate first = update("models-dev-api.json", false);
    JsonObject written = first.onto(JsonObject.EMPTY);
    CatalogueUpdate second =
        CatalogueUpdate.of(
            SHIPPED.with(written, "file"), file("litellm-prices.json"), "2026-11-17", false);
    Files.writeString(folder.resolve(ModelCatalogue.FILE), second.onto(written).toJson());
    ModelCatalogue catalogue = ModelCatalogue.in(folder);
    assertThat(profile(catalogue, "openai", "gpt-9").contextWindow()).isEqualTo(2_000_000);
    assertThat(profile(catalogue, "anthropic", "claude-opus-9").contextWindow())
        .isEqualTo(1_000_000);
    assertThat(catalogue.revision()).isEqualTo(SHIPPED.revision() + "+2026-11-17");
  }

  @Test
  void aDirectoryWithoutFactsHasThoseOfTheRelease() {
    assertThat(ModelCatalogue.in(folder)).isSameAs(SHIPPED);
  }

  @Test
  void saysWhichFileIsDamaged() throws IOException {
    Files.writeString(
        folder.resolve(ModelCatalogue.FILE),
        "{\"schemaVersion\":1,\"models\":[{\"id\":\"gpt-5\",\"contextWindow\":-1}]}");
    assertThatExceptionOfType(ContextureException.class)
        .isThrownBy(() -> ModelCatalogue.in(folder))
        .satisfies(
            failure -> {
              assertThat(failure.code()).isEqualTo(ErrorCode.INVALID_CONFIG);
              assertThat(failure.getMessage())
                  .contains(folder.resolve(ModelCatalogue.FILE).toString(), "contextWindow");
            });
  }

  @Test
  void aFileOverridesSingleFacts() {
    JsonObject facts =
        (JsonObject)
            JsonValue.parse(
                "{\"schemaVersion\":1,\"models\":[{\"id\":\"gpt-5\",\"contextWindow\":300000},"
                    + "{\"id\":\"llama-own\",\"provider\":\"groq\",\"contextWindow\":32000,"
                    + "\"maxOutput\":4000}]}");
    ModelCatalogue catalogue = SHIPPED.with(facts, "own.json");
    ModelProfile changed = profile(catalogue, "openai", "gpt-5");
    assertThat(changed.contextWindow()).isEqualTo(300_000);
    assertThat(changed.sources().get("contextWindow")).containsExactly("own.json");
    assertThat(changed.maxOutput()).as("the rest stays").isEqualTo(128_000);
    assertThat(changed.prices()).isEqualTo(profile(SHIPPED, "openai", "gpt-5").prices());
    assertThat(profile(catalogue, "groq", "llama-own").has(ModelFlag.COMPAT)).isTrue();
  }

  @Test
  void aSettingOverridesOneFact() {
    ModelCatalogue catalogue =
        ModelFactSettings.apply(
            SHIPPED,
            List.of(
                "gpt-4.1.context_window=500000",
                "gpt-4.1.input_price=1.8",
                "groq:openai/gpt-oss-120b.compat=false"));
    ModelProfile changed = profile(catalogue, "openai", "gpt-4.1");
    assertThat(changed.contextWindow()).isEqualTo(500_000);
    assertThat(changed.prices().getFirst().input()).isEqualByComparingTo("1.8");
    assertThat(changed.prices().getFirst().output()).isEqualByComparingTo("8");
    assertThat(changed.sources().get("contextWindow")).containsExactly("setting");
    assertThat(profile(catalogue, "groq", "openai/gpt-oss-120b").has(ModelFlag.COMPAT)).isFalse();
  }

  @Test
  void refusesSettingsThatSayNothing() {
    for (String wrong :
        List.of(
            "gpt-4.1",
            "gpt-4.1.context_window=many",
            "gpt-4.1.colour=1",
            "gpt-0.context_window=1000",
            "openai/gpt-oss-120b.max_output=1000",
            "gpt-4.1.context_window=0",
            "gpt-4.1.compat=yes")) {
      assertThatExceptionOfType(ContextureException.class)
          .as(wrong)
          .isThrownBy(() -> ModelFactSettings.apply(SHIPPED, List.of(wrong)))
          .satisfies(failure -> assertThat(failure.code()).isEqualTo(ErrorCode.INVALID_CONFIG));
    }
  }

  @Test
  void refusesFilesOfNoKnownKind() {
    for (String json : List.of("{}", "{\"a\":1}", "{\"openai/gpt-5\":{\"limit\":{}}}")) {
      assertThatExceptionOfType(ContextureException.class)
          .isThrownBy(
              () ->
                  CatalogueUpdate.of(
                      SHIPPED, (JsonObject) JsonValue.parse(json), "2026-11-16", false))
          .satisfies(failure -> assertThat(failure.code()).isEqualTo(ErrorCode.INVALID_CONFIG));
    }
  }
}
