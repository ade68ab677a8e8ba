package dev.contexture.provider.catalogue;

import dev.contexture.json.JsonNumber;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonValue;
import dev.contexture.model.FactSource;
import dev.contexture.model.ModelPrice;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads prices, and where each fact comes from. */
final class CatalogueFacts {
  /** The facts whose sources a profile names. */
  static final List<String> NAMED =
      List.of("contextWindow", "maxInput", "maxOutput", "prices", "cache", "tokenizer");

  private static final String DEFAULTS = "defaults";
  private static final List<String> POLICY = List.of("policy");
  private static final Set<String> PRICE_KEYS =
      Set.of("from", "to", "inputUsdPerMTok", "outputUsdPerMTok", "tiers");
  private static final Set<String> TIER_KEYS =
      Set.of("aboveInputTokens", "inputFactor", "outputFactor");

  private CatalogueFacts() {}

  static List<ModelPrice> prices(CatalogueFields model) {
    List<ModelPrice> prices = new ArrayList<>();
    for (CatalogueFields price : model.objects("prices")) {
      price.allow(PRICE_KEYS);
      List<ModelPrice.Tier> tiers = new ArrayList<>();
      for (CatalogueFields tier : price.objects("tiers")) {
        tier.allow(TIER_KEYS);
        tiers.add(
            new ModelPrice.Tier(
                tier.requireCount("aboveInputTokens"),
                tier.requirePositive("inputFactor").stripTrailingZeros(),
                tier.requirePositive("outputFactor").stripTrailingZeros()));
      }
      tiers.sort(Comparator.comparingInt(ModelPrice.Tier::aboveInputTokens));
      prices.add(
          new ModelPrice(
              day(price, "from"),
              day(price, "to"),
              amount(price, "inputUsdPerMTok"),
              amount(price, "outputUsdPerMTok"),
              tiers));
    }
    return prices;
  }

  /** A price: 0 is free. */
  private static BigDecimal amount(CatalogueFields price, String key) {
    if (price.value(key) instanceof JsonNumber number && number.decimal().signum() >= 0) {
      return number.decimal().stripTrailingZeros();
    }
    throw price.invalid(key, "a number from 0");
  }

  private static @Nullable LocalDate day(CatalogueFields price, String key) {
    JsonValue value = price.value(key);
    if (CatalogueFile.isUnknown(value)) {
      return null;
    }
    try {
      return LocalDate.parse(price.requireString(key));
    } catch (DateTimeException malformed) {
      throw price.invalid(key, "a day such as 2026-11-15");
    }
  }

  /** Ids of sources by fact: the model's own, or those of its provider's defaults. */
  static Map<String, List<String>> sources(CatalogueFields model, CatalogueFields defaults) {
    Map<String, List<String>> sources = new LinkedHashMap<>();
    for (String fact : NAMED) {
      if (isStated(model, fact)) {
        sources.put(fact, idsOf(model.object("sources"), fact));
      } else if (!Set.of("maxInput", "prices").contains(fact)) { // there is no default for these
        sources.put(fact, idsOf(defaults, DEFAULTS + "." + fact));
      }
    }
    return sources;
  }

  private static boolean isStated(CatalogueFields model, String fact) {
    JsonValue value = model.value(fact);
    if (value instanceof JsonObject object) {
      return object.members().values().stream()
          .anyMatch(member -> !CatalogueFile.isUnknown(member));
    }
    return !CatalogueFile.isUnknown(value);
  }

  /** The ids of the field, or of the longest beginning of it that has some. */
  static List<String> idsOf(CatalogueFields sources, String field) {
    for (String name = field; ; name = name.substring(0, name.lastIndexOf('.'))) {
      List<String> ids = sources.strings(name);
      if (!ids.isEmpty()) {
        return ids;
      }
      if (name.indexOf('.') < 0) {
        return POLICY;
      }
    }
  }

  static Map<String, FactSource> titles(CatalogueFields sources) {
    Map<String, FactSource> titles = new LinkedHashMap<>();
    for (String id : sources.keys()) {
      CatalogueFields source = sources.object(id);
      source.allow(Set.of("title", "url", "read", "kind"));
      titles.put(
          id,
          new FactSource(
              source.requireString("title"),
              source.value("url") instanceof JsonString url ? url.value() : null,
              source.value("kind").equals(new JsonString("catalogue"))));
    }
    return titles;
  }
}
