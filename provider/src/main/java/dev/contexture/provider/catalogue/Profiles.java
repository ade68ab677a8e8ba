package dev.contexture.provider.catalogue;

import dev.contexture.json.JsonBoolean;
import dev.contexture.json.JsonNull;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.model.CacheRules;
import dev.contexture.model.ModelFlag;
import dev.contexture.model.ModelProfile;
import dev.contexture.model.ParamRules;
import dev.contexture.model.Tokenizer;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Makes profiles from the objects of the file, and checks them.
 *
 * @param tokenizers by name
 * @param conflicts of parameters, by provider
 */
record Profiles(
    Map<String, Tokenizer> tokenizers, Map<String, List<ParamRules.Conflict>> conflicts) {
  private static final Set<String> MODEL_KEYS =
      Set.of(
          "id",
          "aliases",
          "provider",
          "apis",
          "status",
          "contextWindow",
          "maxInput",
          "maxOutput",
          "tokenizer",
          "imageRule",
          "documentRule",
          "cache",
          "prices",
          "flags",
          "rejects",
          "reads",
          "disputed",
          "sources",
          "notes");
  private static final Set<String> CACHE_KEYS =
      Set.of(
          "mode",
          "minTokens",
          "maxMarks",
          "maxWrites",
          "lookback",
          "granularity",
          "idleTtlSeconds",
          "ttl",
          "multipliers");

  static Tokenizer tokenizer(String name, CatalogueFields fields) {
    return new Tokenizer(
        name,
        fields.requireString("base"),
        fields.requirePositive("ratio"),
        fields.requirePositive("priorError"));
  }

  /**
   * One of the file's models, on top of its provider's defaults.
   *
   * @param provider the section of its provider
   */
  ModelProfile model(CatalogueFields model, JsonObject defaults, CatalogueFields provider) {
    model.allow(MODEL_KEYS);
    List<String> apis = model.strings("apis");
    CatalogueFields merged = new CatalogueFields(merge(defaults, model.json()), model.path());
    return profile(
        merged,
        new Name(model.requireString("provider"), model.requireString("id"), false),
        apis.isEmpty() ? List.of(provider.requireString("api")) : apis,
        CatalogueFacts.sources(model, provider.object("sources")));
  }

  /** A provider's defaults, for models that nobody knows. */
  ModelProfile unknown(
      String provider, JsonObject defaults, List<String> apis, CatalogueFields defaultSources) {
    CatalogueFields fields = new CatalogueFields(defaults, "providers." + provider + ".defaults.");
    CatalogueFields nothing = new CatalogueFields(JsonObject.EMPTY, "");
    return profile(
        fields,
        new Name(provider, "default", true),
        apis,
        CatalogueFacts.sources(nothing, defaultSources));
  }

  /** The same facts under another name. */
  static ModelProfile named(ModelProfile from, String provider, String id) {
    return new ModelProfile(
        provider,
        id,
        from.unknownModel(),
        from.apis(),
        from.contextWindow(),
        from.maxInputTokens(),
        from.maxOutput(),
        from.tokenizer(),
        from.cache(),
        from.flags(),
        from.reads(),
        from.params(),
        from.prices(),
        from.sources());
  }

  private ModelProfile profile(
      CatalogueFields fields, Name name, List<String> apis, Map<String, List<String>> sources) {
    int window = fields.requireCount("contextWindow");
    CacheRules cache = cache(fields.object("cache"));
    if (cache.minTokens() >= window) {
      throw fields.object("cache").invalid("minTokens", "less than the window of " + window);
    }
    Tokenizer tokenizer = tokenizers.get(fields.requireString("tokenizer"));
    if (tokenizer == null) {
      throw fields.invalid("tokenizer", "one of the file's tokenizers");
    }
    return new ModelProfile(
        name.provider(),
        name.id(),
        name.unknown(),
        apis,
        window,
        fields.count("maxInput").orElse(0),
        fields.requireCount("maxOutput"),
        tokenizer,
        cache,
        flags(fields.object("flags")),
        Set.copyOf(fields.strings("reads")),
        new ParamRules(
            Set.copyOf(fields.strings("rejects")),
            conflicts.getOrDefault(name.provider(), List.of())),
        CatalogueFacts.prices(fields),
        sources);
  }

  private static CacheRules cache(CatalogueFields fields) {
    fields.allow(CACHE_KEYS);
    CatalogueFields lookback = fields.object("lookback");
    CacheRules.@Nullable Lookback reach =
        lookback.keys().isEmpty()
            ? null
            : new CacheRules.Lookback(
                lookback.requireCount("limit"), lookback.requireString("unit"));
    return new CacheRules(
        mode(fields),
        fields.count("minTokens").orElse(0),
        fields.count("maxMarks").orElse(0),
        fields.count("maxWrites").orElse(0),
        reach,
        fields.strings("ttl"),
        fields.count("granularity").orElse(1),
        fields.count("idleTtlSeconds").orElse(0),
        multipliers(fields.object("multipliers")));
  }

  /** A price that is not known is the plain one: then a cache does not seem to save. */
  private static CacheRules.Multipliers multipliers(CatalogueFields fields) {
    fields.allow(Set.of("read", "write", "write5m", "write1h"));
    return new CacheRules.Multipliers(
        price(fields, "read"),
        price(fields, "write"),
        price(fields, "write5m"),
        price(fields, "write1h"));
  }

  private static double price(CatalogueFields fields, String key) {
    return CatalogueFile.isUnknown(fields.value(key))
        ? 1
        : fields.requirePositive(key).doubleValue();
  }

  private static CacheRules.Mode mode(CatalogueFields fields) {
    if (CatalogueFile.isUnknown(fields.value("mode"))) {
      return CacheRules.Mode.UNKNOWN;
    }
    String name = fields.requireString("mode");
    return Arrays.stream(CacheRules.Mode.values())
        .filter(mode -> mode.wireName().equals(name))
        .findFirst()
        .orElseThrow(() -> fields.invalid("mode", "explicit, breakpoint, prefix or unit"));
  }

  private static Set<ModelFlag> flags(CatalogueFields fields) {
    Set<ModelFlag> flags = EnumSet.noneOf(ModelFlag.class);
    for (String key : fields.keys()) {
      ModelFlag flag =
          ModelFlag.named(key).orElseThrow(() -> fields.invalid(key, "a flag that is known"));
      JsonValue value = fields.value(key);
      if (value instanceof JsonBoolean set) {
        if (set.value()) {
          flags.add(flag);
        }
      } else if (!CatalogueFile.isUnknown(value)) {
        throw fields.invalid(key, "true or false");
      }
    }
    return flags;
  }

  /**
   * The model's values, and the defaults where it has none. The rules of a cache of another kind
   * are no defaults for it.
   */
  private static JsonObject merge(JsonObject defaults, JsonObject own) {
    JsonObject cache = own.object("cache").orElse(JsonObject.EMPTY);
    JsonObject usual = defaults.object("cache").orElse(JsonObject.EMPTY);
    boolean sameKind = !cache.has("mode") || cache.find("mode").equals(usual.find("mode"));
    return fill(sameKind ? defaults : defaults.without("cache"), own);
  }

  /** Own members over those of a base, object by object; null says nothing. */
  static JsonObject fill(JsonObject base, JsonObject own) {
    JsonObject.Builder filled = base.toBuilder();
    for (Map.Entry<String, JsonValue> member : own.members().entrySet()) {
      String key = member.getKey();
      JsonValue value = member.getValue();
      JsonValue usual = base.find(key).orElse(JsonNull.NULL);
      if (value instanceof JsonObject inner && usual instanceof JsonObject outer) {
        filled.put(key, fill(outer, inner));
      } else if (value != JsonNull.NULL) {
        filled.put(key, value);
      }
    }
    return filled.build();
  }

  /** A provider's defaults on the common ones: flags one by one, everything else as a whole. */
  static JsonObject overlay(JsonObject common, JsonObject own) {
    JsonObject flags = fill(flagsOf(common), flagsOf(own));
    return common.toBuilder().putAll(own).put("flags", flags).build();
  }

  private static JsonObject flagsOf(JsonObject defaults) {
    return defaults.object("flags").orElse(JsonObject.EMPTY);
  }

  private record Name(String provider, String id, boolean unknown) {}
}
