package dev.contexture.provider.catalogue;

import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonBoolean;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonValue;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads {@code api.json} of models.dev. */
final class ModelsDevReader {
  /** Its names of the providers that are known here. */
  private static final Map<String, String> PROVIDERS =
      Map.ofEntries(
          Map.entry("anthropic", "anthropic"),
          Map.entry("openai", "openai"),
          Map.entry("google", "gemini"),
          Map.entry("deepseek", "deepseek"),
          Map.entry("xai", "xai"),
          Map.entry("mistral", "mistral"),
          Map.entry("moonshotai", "moonshotai"),
          Map.entry("zai", "zai"),
          Map.entry("alibaba", "alibaba"),
          Map.entry("groq", "groq"),
          Map.entry("togetherai", "togetherai"),
          Map.entry("openrouter", "openrouter"));

  /** The tier that {@code context_over_200k} is about. */
  private static final int OLD_TIER = 200_000;

  /** The kind of tier that is about the length of a request. */
  private static final String LENGTH = "context";

  private ModelsDevReader() {}

  static ForeignCatalogue read(JsonObject file) {
    List<JsonObject> models = new ArrayList<>();
    int skipped = 0;
    for (Map.Entry<String, JsonValue> section : file.members().entrySet()) {
      JsonObject listed =
          section.getValue() instanceof JsonObject provider
              ? CataloguePatch.object(provider, "models")
              : JsonObject.EMPTY;
      Optional<String> provider = ForeignCatalogue.provider(PROVIDERS, section.getKey());
      for (Map.Entry<String, JsonValue> model : listed.members().entrySet()) {
        Optional<JsonObject> entry =
            provider.isPresent() && model.getValue() instanceof JsonObject facts
                ? entry(provider.orElseThrow(), model.getKey(), facts)
                : Optional.empty();
        entry.ifPresent(models::add);
        skipped += entry.isPresent() ? 0 : 1;
      }
    }
    return new ForeignCatalogue(ForeignCatalogue.MODELS_DEV, models, skipped);
  }

  private static Optional<JsonObject> entry(String provider, String id, JsonObject facts) {
    JsonObject limit = CataloguePatch.object(facts, "limit");
    Optional<Integer> window = ForeignCatalogue.count(limit, "context");
    Optional<Integer> output = ForeignCatalogue.count(limit, "output");
    if (!writesText(facts)
        || window.filter(tokens -> tokens >= ForeignCatalogue.MIN_WINDOW).isEmpty()
        || output.isEmpty()) {
      return Optional.empty();
    }
    JsonObject.Builder entry =
        JsonObject.builder()
            .put("id", id)
            .put("provider", provider)
            .put("contextWindow", window.orElseThrow());
    ForeignCatalogue.count(limit, "input")
        .filter(tokens -> tokens < window.orElseThrow())
        .ifPresent(tokens -> entry.put("maxInput", tokens));
    entry.put("maxOutput", output.orElseThrow());
    JsonObject cost = CataloguePatch.object(facts, "cost");
    ForeignCatalogue.putObject(entry, "cache", cache(provider, cost));
    ForeignCatalogue.put(entry, "prices", prices(cost));
    apis(provider, facts).ifPresent(apis -> entry.put("apis", JsonArray.ofStrings(apis)));
    facts.string("status").ifPresent(status -> entry.put("status", status));
    ForeignCatalogue.putObject(entry, "flags", flags(facts));
    if (facts.find("temperature").filter(JsonBoolean.FALSE::equals).isPresent()) {
      entry.put("rejects", JsonArray.ofStrings(List.of("temperature", "top_p", "top_k")));
    }
    return Optional.of(entry.build());
  }

  private static boolean writesText(JsonObject facts) {
    Optional<JsonArray> output = CataloguePatch.object(facts, "modalities").array("output");
    return output.isEmpty() || output.orElseThrow().items().contains(new JsonString("text"));
  }

  private static JsonObject cache(String provider, JsonObject cost) {
    Optional<BigDecimal> input = ForeignCatalogue.decimal(cost, "input");
    JsonObject.Builder shares = JsonObject.builder();
    ForeignCatalogue.put(
        shares,
        "read",
        ForeignCatalogue.share(ForeignCatalogue.decimal(cost, "cache_read"), input));
    if (provider.equals("anthropic") || provider.equals("openai")) {
      ForeignCatalogue.put(
          shares,
          ForeignCatalogue.writeShare(provider),
          ForeignCatalogue.share(ForeignCatalogue.decimal(cost, "cache_write"), input));
    }
    JsonObject known = shares.build();
    return known.isEmpty() ? known : JsonObject.of("multipliers", known);
  }

  private static Optional<JsonArray> prices(JsonObject cost) {
    Optional<BigDecimal> input = ForeignCatalogue.decimal(cost, "input");
    Optional<BigDecimal> output = ForeignCatalogue.decimal(cost, "output");
    if (input.isEmpty() || output.isEmpty()) {
      return Optional.empty();
    }
    JsonObject base =
        JsonObject.builder()
            .put("inputUsdPerMTok", ForeignCatalogue.number(input.orElseThrow()))
            .put("outputUsdPerMTok", ForeignCatalogue.number(output.orElseThrow()))
            .build();
    List<JsonValue> tiers = new ArrayList<>();
    for (JsonValue item : cost.array("tiers").map(JsonArray::items).orElse(List.of())) {
      if (item instanceof JsonObject tier) {
        JsonObject bound = CataloguePatch.object(tier, "tier");
        boolean ofLength = bound.string("type").orElse(LENGTH).equals(LENGTH);
        int above = ofLength ? ForeignCatalogue.count(bound, "size").orElse(0) : 0;
        tier(above, tier, base).ifPresent(tiers::add);
      }
    }
    if (tiers.isEmpty()) {
      cost.object("context_over_200k")
          .flatMap(tier -> tier(OLD_TIER, tier, base))
          .ifPresent(tiers::add);
    }
    return Optional.of(ForeignCatalogue.prices(base, tiers));
  }

  private static Optional<JsonValue> tier(int above, JsonObject tier, JsonObject base) {
    return ForeignCatalogue.tier(
        above,
        ForeignCatalogue.decimal(tier, "input"),
        ForeignCatalogue.decimal(tier, "output"),
        base);
  }

  /** The formats of a new model of OpenAI; others have those of their provider. */
  private static Optional<List<String>> apis(String provider, JsonObject facts) {
    if (!provider.equals("openai")) {
      return Optional.empty();
    }
    String shape = CataloguePatch.object(facts, "provider").string("shape").orElse("");
    return Optional.of(
        switch (shape) {
          case "responses" -> List.of("openai-responses");
          case "completions" -> List.of("openai-chat");
          default -> List.of("openai-responses", "openai-chat");
        });
  }

  private static JsonObject flags(JsonObject facts) {
    JsonObject.Builder flags = JsonObject.builder();
    CataloguePatch.object(facts, "modalities")
        .array("input")
        .ifPresent(
            input -> {
              flags.put("images", input.items().contains(new JsonString("image")));
              flags.put("documents", input.items().contains(new JsonString("pdf")));
            });
    if (CataloguePatch.object(facts, "interleaved")
        .string("field")
        .filter("reasoning_content"::equals)
        .isPresent()) {
      flags.put("reasoningContent", true);
    }
    return flags.build();
  }
}
