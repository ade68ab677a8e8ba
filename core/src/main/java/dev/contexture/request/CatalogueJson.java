package dev.contexture.request;

import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonNull;
import dev.contexture.json.JsonNumber;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.model.CacheRules;
import dev.contexture.model.FactSource;
import dev.contexture.model.ModelFlag;
import dev.contexture.model.ModelPrice;
import dev.contexture.model.ModelProfile;
import java.math.BigDecimal;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.apiguardian.api.API;

/** Writes the catalogue as JSON: each model with its facts, and where they come from. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class CatalogueJson {
  private static final Pattern CAPITAL = Pattern.compile("([A-Z])");

  private CatalogueJson() {}

  /** {@code {"revision","currency","price_unit_tokens","models","sources"}}. */
  public static JsonObject write(Providers providers) {
    return write(providers, providers.models());
  }

  /** The same for some of the models, with the sources of these. */
  public static JsonObject write(Providers providers, List<ModelProfile> models) {
    TreeSet<String> named = new TreeSet<>();
    models.forEach(model -> model.sources().values().forEach(named::addAll));
    JsonObject.Builder sources = JsonObject.builder();
    for (String id : named) {
      FactSource source = providers.sources().get(id);
      if (source != null) {
        sources.put(
            id,
            JsonObject.builder()
                .put("title", source.title())
                .putIfPresent("url", source.url())
                .build());
      }
    }
    return JsonObject.builder()
        .put("revision", providers.revision())
        .put("currency", ModelPrice.CURRENCY)
        .put("price_unit_tokens", ModelPrice.UNIT_TOKENS)
        .put(
            "models",
            new JsonArray(
                models.stream().<JsonValue>map(model -> write(providers, model)).toList()))
        .put("sources", sources.build())
        .build();
  }

  private static JsonObject write(Providers providers, ModelProfile model) {
    JsonObject.Builder json =
        JsonObject.builder()
            .put("provider", model.provider())
            .put("model", model.id())
            .put("apis", JsonArray.ofStrings(providers.formats(model)))
            .put("compat", model.has(ModelFlag.COMPAT))
            .put("context_window", model.contextWindow());
    model.maxInput().ifPresent(tokens -> json.put("max_input", tokens));
    return json.put("max_output", model.maxOutput())
        .put("prices", prices(model))
        .put("tokenizer", model.tokenizer().name())
        .put("cache", cache(model.cache()))
        .put(
            "flags",
            JsonArray.ofStrings(model.flags().stream().map(ModelFlag::wireName).sorted().toList()))
        .put("sources", sources(model.sources()))
        .build();
  }

  /** The prices of a million tokens, the newest first; what a cache reads and writes too. */
  private static JsonValue prices(ModelProfile model) {
    if (model.prices().isEmpty()) {
      return JsonNull.NULL;
    }
    return new JsonArray(
        model.prices().reversed().stream()
            .<JsonValue>map(price -> price(price, model.cache()))
            .toList());
  }

  private static JsonObject price(ModelPrice price, CacheRules cache) {
    JsonObject.Builder json =
        JsonObject.builder()
            .put("input", number(price.input()))
            .put("output", number(price.output()));
    if (cache.mode() != CacheRules.Mode.UNKNOWN) {
      json.put("cache_read", number(price.input().multiply(share(cache.multipliers().read()))))
          .put(
              "cache_write",
              number(price.input().multiply(share(cache.multipliers().writeShort()))));
    }
    if (price.from() != null) {
      json.put("from", price.from().toString());
    }
    if (price.to() != null) {
      json.put("to", price.to().toString());
    }
    if (!price.tiers().isEmpty()) {
      json.put(
          "tiers",
          new JsonArray(
              price.tiers().stream()
                  .<JsonValue>map(
                      tier ->
                          JsonObject.builder()
                              .put("above_input_tokens", tier.aboveInputTokens())
                              .put("input", number(price.input().multiply(tier.inputFactor())))
                              .put("output", number(price.output().multiply(tier.outputFactor())))
                              .build())
                  .toList()));
    }
    return json.build();
  }

  private static JsonObject cache(CacheRules cache) {
    return JsonObject.builder()
        .put("mode", cache.mode().wireName())
        .put("min_tokens", cache.minTokens())
        .put("max_marks", cache.maxMarks())
        .put("ttl", JsonArray.ofStrings(cache.ttl()))
        .put("read", number(share(cache.multipliers().read())))
        .put("write", number(share(cache.multipliers().writeShort())))
        .build();
  }

  private static JsonObject sources(Map<String, List<String>> sources) {
    JsonObject.Builder json = JsonObject.builder();
    new TreeMap<>(sources)
        .forEach((fact, ids) -> json.put(wireName(fact), JsonArray.ofStrings(ids)));
    return json.build();
  }

  /** The catalogue's name of a fact as the API spells it. */
  static String wireName(String fact) {
    return CAPITAL.matcher(fact).replaceAll("_$1").toLowerCase(Locale.ROOT);
  }

  private static BigDecimal share(double value) {
    return BigDecimal.valueOf(value);
  }

  private static JsonNumber number(BigDecimal value) {
    return new JsonNumber(value.stripTrailingZeros().toPlainString());
  }
}
