package dev.contexture.provider.catalogue;

import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonBoolean;
import dev.contexture.json.JsonNumber;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonValue;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads LiteLLM's price file. Its prices are of one token, and are taken as decimals. */
final class LiteLlmReader {
  /** Its names of the providers that are known here. */
  private static final Map<String, String> PROVIDERS =
      Map.ofEntries(
          Map.entry("anthropic", "anthropic"),
          Map.entry("openai", "openai"),
          Map.entry("gemini", "gemini"),
          Map.entry("deepseek", "deepseek"),
          Map.entry("xai", "xai"),
          Map.entry("mistral", "mistral"),
          Map.entry("moonshot", "moonshotai"),
          Map.entry("zai", "zai"),
          Map.entry("dashscope", "alibaba"),
          Map.entry("groq", "groq"),
          Map.entry("together_ai", "togetherai"),
          Map.entry("openrouter", "openrouter"));

  private static final SortedMap<String, String> FLAGS =
      new TreeMap<>(
          Map.of(
              "supports_vision", "images",
              "supports_pdf_input", "documents",
              "supports_assistant_prefill", "assistantPrefill",
              "supports_mid_conversation_system", "midConversationSystem"));

  private static final String SAMPLE = "sample_spec";
  private static final String FINE_TUNED = "ft:";
  private static final String INPUT = "input_cost_per_token";
  private static final String OUTPUT = "output_cost_per_token";
  private static final Pattern TIER = Pattern.compile(INPUT + "_above_(\\d{1,6})k_tokens");
  private static final int KILO = 1_000;

  private LiteLlmReader() {}

  static ForeignCatalogue read(JsonObject file) {
    Map<String, JsonObject> models = new TreeMap<>(); // some are there with and without prefix
    int skipped = 0;
    for (Map.Entry<String, JsonValue> entry : file.without(SAMPLE).members().entrySet()) {
      Optional<JsonObject> model =
          entry.getValue() instanceof JsonObject facts
              ? entry(entry.getKey(), facts)
              : Optional.empty();
      model.ifPresent(
          known ->
              models.put(
                  known.string("provider").orElseThrow() + " " + known.string("id").orElseThrow(),
                  known));
      skipped += model.isPresent() ? 0 : 1;
    }
    return new ForeignCatalogue(ForeignCatalogue.LITELLM, List.copyOf(models.values()), skipped);
  }

  private static Optional<JsonObject> entry(String key, JsonObject facts) {
    String called = facts.string("litellm_provider").orElse("");
    Optional<String> provider = ForeignCatalogue.provider(PROVIDERS, called);
    String mode = facts.string("mode").orElse("");
    Optional<Integer> window = ForeignCatalogue.count(facts, "max_input_tokens");
    Optional<Integer> output =
        ForeignCatalogue.count(facts, "max_output_tokens")
            .or(() -> ForeignCatalogue.count(facts, "max_tokens"));
    boolean prefixed = key.startsWith(called + "/");
    if (provider.isEmpty()
        || !(mode.equals("chat") || mode.equals("responses"))
        || window.filter(tokens -> tokens >= ForeignCatalogue.MIN_WINDOW).isEmpty()
        || output.isEmpty()
        || key.startsWith(FINE_TUNED)
        || (called.equals("gemini") && !prefixed)) {
      return Optional.empty();
    }
    JsonObject.Builder entry =
        JsonObject.builder()
            .put("id", prefixed ? key.substring(called.length() + 1) : key)
            .put("provider", provider.orElseThrow())
            .put("contextWindow", window.orElseThrow())
            .put("maxOutput", output.orElseThrow());
    ForeignCatalogue.putObject(entry, "cache", cache(provider.orElseThrow(), facts));
    ForeignCatalogue.put(entry, "prices", prices(facts));
    apis(provider.orElseThrow(), mode, facts)
        .ifPresent(apis -> entry.put("apis", JsonArray.ofStrings(apis)));
    facts
        .string("deprecation_date")
        .ifPresent(date -> entry.put("status", "deprecated from " + date));
    ForeignCatalogue.putObject(entry, "flags", flags(facts));
    if (facts.find("supports_sampling_params").filter(JsonBoolean.FALSE::equals).isPresent()) {
      entry.put("rejects", JsonArray.ofStrings(List.of("temperature", "top_p", "top_k")));
    }
    return Optional.of(entry.build());
  }

  private static JsonObject cache(String provider, JsonObject facts) {
    Optional<BigDecimal> input = ForeignCatalogue.decimal(facts, INPUT);
    JsonObject.Builder shares = JsonObject.builder();
    share(shares, "read", facts, "cache_read_input_token_cost", input);
    if (provider.equals("anthropic") || provider.equals("openai")) {
      String write = ForeignCatalogue.writeShare(provider);
      share(shares, write, facts, "cache_creation_input_token_cost", input);
    }
    if (provider.equals("anthropic")) {
      share(shares, "write1h", facts, "cache_creation_input_token_cost_above_1hr", input);
    }
    JsonObject.Builder cache = JsonObject.builder();
    if (provider.equals("anthropic")) {
      ForeignCatalogue.count(facts, "prompt_cache_min_tokens")
          .ifPresent(tokens -> cache.put("minTokens", tokens));
    }
    ForeignCatalogue.putObject(cache, "multipliers", shares.build());
    return cache.build();
  }

  private static void share(
      JsonObject.Builder shares,
      String name,
      JsonObject facts,
      String field,
      Optional<BigDecimal> input) {
    ForeignCatalogue.put(
        shares, name, ForeignCatalogue.share(ForeignCatalogue.decimal(facts, field), input));
  }

  private static Optional<JsonArray> prices(JsonObject facts) {
    Optional<JsonObject> base = base(facts);
    if (base.isPresent()) {
      return base.map(price -> ForeignCatalogue.prices(price, tiers(facts, price)));
    }
    List<JsonObject> ranges =
        facts.array("tiered_pricing").map(JsonArray::items).orElse(List.of()).stream()
            .filter(JsonObject.class::isInstance)
            .map(JsonObject.class::cast)
            .toList();
    return ranges.stream()
        .findFirst()
        .flatMap(LiteLlmReader::base)
        .map(first -> ForeignCatalogue.prices(first, later(ranges, first)));
  }

  private static Optional<JsonObject> base(JsonObject facts) {
    Optional<BigDecimal> input = ForeignCatalogue.decimal(facts, INPUT);
    Optional<BigDecimal> output = ForeignCatalogue.decimal(facts, OUTPUT);
    if (input.isEmpty() || output.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        JsonObject.builder()
            .put(
                "inputUsdPerMTok",
                ForeignCatalogue.number(ForeignCatalogue.perMillion(input.orElseThrow())))
            .put(
                "outputUsdPerMTok",
                ForeignCatalogue.number(ForeignCatalogue.perMillion(output.orElseThrow())))
            .build());
  }

  /** The tiers that stand beside a base price, the lowest first. */
  private static List<JsonValue> tiers(JsonObject facts, JsonObject base) {
    Map<Integer, JsonValue> tiers = new TreeMap<>();
    for (String key : facts.keys()) {
      Matcher tier = TIER.matcher(key);
      if (tier.matches()) {
        int above = Integer.parseInt(tier.group(1)) * KILO;
        String output = OUTPUT + key.substring(INPUT.length());
        tier(above, facts, key, output, base).ifPresent(found -> tiers.put(above, found));
      }
    }
    return List.copyOf(tiers.values());
  }

  /** The ranges after the first one, where prices are given by range. */
  private static List<JsonValue> later(List<JsonObject> ranges, JsonObject base) {
    List<JsonValue> tiers = new ArrayList<>();
    for (JsonObject range : ranges.subList(1, ranges.size())) {
      int above =
          range
              .array("range")
              .filter(bounds -> bounds.size() > 0)
              .map(bounds -> bounds.items().getFirst())
              .map(from -> from instanceof JsonNumber number ? number.decimal().intValue() : 0)
              .orElse(0);
      tier(above, range, INPUT, OUTPUT, base).ifPresent(tiers::add);
    }
    return tiers;
  }

  private static Optional<JsonValue> tier(
      int above, JsonObject facts, String input, String output, JsonObject base) {
    return ForeignCatalogue.tier(
        above,
        ForeignCatalogue.decimal(facts, input).map(ForeignCatalogue::perMillion),
        ForeignCatalogue.decimal(facts, output).map(ForeignCatalogue::perMillion),
        base);
  }

  /** The formats of a new model of OpenAI; others have those of their provider. */
  private static Optional<List<String>> apis(String provider, String mode, JsonObject facts) {
    if (!provider.equals("openai")) {
      return Optional.empty();
    }
    List<JsonValue> paths =
        facts.array("supported_endpoints").map(JsonArray::items).orElse(List.of());
    List<String> apis = new ArrayList<>();
    if (mode.equals("responses") || paths.contains(new JsonString("/v1/responses"))) {
      apis.add("openai-responses");
    }
    if (mode.equals("chat")) {
      apis.add("openai-chat");
    }
    return Optional.of(apis);
  }

  private static JsonObject flags(JsonObject facts) {
    JsonObject.Builder flags = JsonObject.builder();
    FLAGS.forEach(
        (field, flag) -> {
          if (facts.find(field).orElse(null) instanceof JsonBoolean known) {
            flags.put(flag, known.value());
          }
        });
    return flags.build();
  }
}
