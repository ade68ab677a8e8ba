package dev.contexture.provider.catalogue;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonNull;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonValue;
import dev.contexture.model.FactSource;
import dev.contexture.model.ModelProfile;
import dev.contexture.model.ModelRef;
import dev.contexture.model.ParamRules;
import dev.contexture.model.Tokenizer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A catalogue file that was read and checked.
 *
 * @param revision the date of its facts
 * @param models profiles by every name that is theirs
 * @param defaults careful profiles by provider
 * @param fallback for providers that the file does not know
 * @param sources where its facts come from, by id
 */
record CatalogueFile(
    String revision,
    Map<ModelRef, ModelProfile> models,
    Map<String, ModelProfile> defaults,
    ModelProfile fallback,
    Map<String, FactSource> sources) {
  private static final long SCHEMA_VERSION = 1;
  private static final Set<String> KEYS =
      Set.of(
          "schemaVersion",
          "revision",
          "units",
          "conventions",
          "sources",
          "tokenizers",
          "imageRules",
          "documentRules",
          "providers",
          "models");

  /** The provider whose defaults serve where a provider states none of its own. */
  private static final String COMMON = "openai";

  /** The format that servers of unknown make speak. */
  private static final String COMMON_API = "openai-chat";

  static CatalogueFile read(JsonObject json) {
    CatalogueFields fields = new CatalogueFields(json, "");
    fields.allow(KEYS);
    long version = fields.requireCount("schemaVersion");
    if (version != SCHEMA_VERSION) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_CONFIG, "schemaVersion", version, "" + SCHEMA_VERSION);
    }
    Map<String, Tokenizer> tokenizers = new HashMap<>();
    for (String name : fields.object("tokenizers").keys()) {
      tokenizers.put(name, Profiles.tokenizer(name, fields.object("tokenizers").object(name)));
    }
    Profiles profiles = new Profiles(tokenizers, conflicts(fields.object("providers")));
    Map<String, JsonObject> defaults = defaults(fields.object("providers"));
    Map<String, Set<String>> apis = apis(fields);
    Map<String, ModelProfile> careful = new HashMap<>();
    defaults.forEach(
        (provider, values) ->
            careful.put(
                provider,
                profiles.unknown(
                    provider,
                    values,
                    List.copyOf(apis.get(provider)),
                    fields.object("providers").object(provider).object("sources"))));
    return new CatalogueFile(
        fields.requireString("revision"),
        models(fields, defaults, profiles),
        Map.copyOf(careful),
        profiles.unknown(
            COMMON,
            defaults.getOrDefault(COMMON, JsonObject.EMPTY),
            List.of(COMMON_API),
            fields.object("providers").object(COMMON).object("sources")),
        CatalogueFacts.titles(fields.object("sources")));
  }

  Optional<ModelProfile> find(String provider, String name) {
    return Optional.ofNullable(models.get(new ModelRef(provider, name)));
  }

  /**
   * A model of any provider that serves it in that format. Where more than one does, the one with
   * the least room, so that a request fits all of them.
   */
  Optional<ModelProfile> findServed(String api, String name) {
    return models.entrySet().stream()
        .filter(entry -> entry.getKey().model().equals(name))
        .map(Map.Entry::getValue)
        .filter(profile -> profile.apis().contains(api))
        .min(
            Comparator.comparingInt(ModelProfile::contextWindow)
                .thenComparing(ModelProfile::maxOutput)
                .thenComparing(ModelProfile::provider));
  }

  /** Providers with a format of their own, beside the one that servers of any make speak. */
  List<String> makers() {
    return defaults.entrySet().stream()
        .filter(provider -> !provider.getValue().apis().equals(List.of(COMMON_API)))
        .map(Map.Entry::getKey)
        .sorted()
        .toList();
  }

  /** Each model once, by provider and id. */
  List<ModelProfile> listed() {
    return models.values().stream()
        .distinct()
        .sorted(Comparator.comparing(ModelProfile::provider).thenComparing(ModelProfile::id))
        .toList();
  }

  ModelProfile defaults(String provider, String name) {
    return Profiles.named(defaults.getOrDefault(provider, fallback), provider, name);
  }

  /** The defaults of each provider; what one does not state comes from the common ones. */
  private static Map<String, JsonObject> defaults(CatalogueFields providers) {
    JsonObject common =
        providers.keys().contains(COMMON)
            ? providers.object(COMMON).object("defaults").json()
            : JsonObject.EMPTY;
    Map<String, JsonObject> defaults = new LinkedHashMap<>();
    for (String provider : providers.keys()) {
      JsonObject own = providers.object(provider).object("defaults").json();
      defaults.put(provider, Profiles.overlay(common, own));
    }
    return defaults;
  }

  /** The pairs of parameters that each provider does not take together. */
  private static Map<String, List<ParamRules.Conflict>> conflicts(CatalogueFields providers) {
    Map<String, List<ParamRules.Conflict>> conflicts = new HashMap<>();
    for (String provider : providers.keys()) {
      List<ParamRules.Conflict> pairs = new ArrayList<>();
      JsonArray listed =
          providers.object(provider).json().array("conflicts").orElse(JsonArray.of());
      for (JsonValue pair : listed.items()) {
        if (pair instanceof JsonArray two
            && two.size() == 2
            && two.items().get(0) instanceof JsonString first
            && two.items().get(1) instanceof JsonString second) {
          pairs.add(new ParamRules.Conflict(first.value(), second.value()));
        } else {
          throw providers.object(provider).invalid("conflicts", "pairs of parameters");
        }
      }
      conflicts.put(provider, pairs);
    }
    return conflicts;
  }

  /** The formats of each provider: those of its models, and its own. */
  private static Map<String, Set<String>> apis(CatalogueFields file) {
    Map<String, Set<String>> apis = new HashMap<>();
    CatalogueFields providers = file.object("providers");
    for (String provider : providers.keys()) {
      Set<String> own = new LinkedHashSet<>();
      own.add(providers.object(provider).requireString("api"));
      apis.put(provider, own);
    }
    for (CatalogueFields model : file.objects("models")) {
      Set<String> known = apis.get(model.requireString("provider"));
      if (known == null) {
        throw model.invalid("provider", "a provider of this file");
      }
      known.addAll(model.strings("apis"));
    }
    return apis;
  }

  private static Map<ModelRef, ModelProfile> models(
      CatalogueFields file, Map<String, JsonObject> defaults, Profiles profiles) {
    Map<ModelRef, ModelProfile> models = new HashMap<>();
    for (CatalogueFields model : file.objects("models")) {
      String provider = model.requireString("provider");
      JsonObject base = defaults.getOrDefault(provider, JsonObject.EMPTY);
      ModelProfile profile = profiles.model(model, base, file.object("providers").object(provider));
      Set<String> names = new LinkedHashSet<>(model.strings("aliases"));
      names.add(profile.id());
      for (String name : names) {
        if (models.putIfAbsent(new ModelRef(provider, name), profile) != null) {
          throw model.invalid("id", "a name that no other model has: " + name);
        }
      }
    }
    return Map.copyOf(models);
  }

  /** Whether a value says nothing. */
  static boolean isUnknown(JsonValue value) {
    return value == JsonNull.NULL;
  }
}
