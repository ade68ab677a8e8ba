package dev.contexture.provider.catalogue;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonNumber;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * A catalogue that others keep, read as model entries of our own file. What a file has beside the
 * facts that are known here is ignored: these files grow.
 *
 * @param format what it is, in words
 * @param models entries with {@code id}, {@code provider} and the facts that the file states
 * @param skipped how many of its models are of no use here
 */
record ForeignCatalogue(String format, List<JsonObject> models, int skipped) {
  static final String MODELS_DEV = "models.dev api.json";
  static final String LITELLM = "LiteLLM model_prices_and_context_window.json";

  /** Caches of some providers begin there; a model with less is none to hold a conversation. */
  static final int MIN_WINDOW = 4_097;

  private static final int SHARE_DIGITS = 4;
  private static final int PRICE_DIGITS = 8;
  private static final BigDecimal MILLION = BigDecimal.valueOf(1_000_000);

  /**
   * Reads a file of one of the known kinds.
   *
   * @throws ContextureException {@code invalid_config} if it is of none
   */
  static ForeignCatalogue read(JsonObject file) {
    Optional<JsonObject> inner = file.object("providers");
    if (inner.isPresent() && file.has("models")) {
      return ModelsDevReader.read(inner.orElseThrow()); // catalog.json holds api.json
    }
    if (!file.isEmpty()
        && file.members().values().stream().allMatch(ForeignCatalogue::isProvider)) {
      return ModelsDevReader.read(file);
    }
    if (file.members().values().stream().anyMatch(ForeignCatalogue::isLiteLlm)) {
      return LiteLlmReader.read(file);
    }
    throw ContextureException.invalid(
        ErrorCode.INVALID_CONFIG,
        "file",
        "of no known kind",
        MODELS_DEV + ", " + LITELLM + " or a file with schemaVersion");
  }

  private static boolean isProvider(JsonValue value) {
    return value instanceof JsonObject object && object.object("models").isPresent();
  }

  private static boolean isLiteLlm(JsonValue value) {
    return value instanceof JsonObject object && object.has("litellm_provider");
  }

  /** A whole number above 0; empty for texts, fractions and 0, which stand for unknown. */
  static Optional<Integer> count(JsonObject of, String key) {
    return decimal(of, key)
        .filter(number -> number.stripTrailingZeros().scale() <= 0)
        .filter(number -> number.compareTo(BigDecimal.valueOf(Integer.MAX_VALUE)) <= 0)
        .map(BigDecimal::intValueExact);
  }

  /** A number above 0; empty for texts and for 0, which may be free or unknown. */
  static Optional<BigDecimal> decimal(JsonObject of, String key) {
    return of.find(key).orElse(null) instanceof JsonNumber number && number.decimal().signum() > 0
        ? Optional.of(number.decimal())
        : Optional.empty();
  }

  /** The price of a million, from the price of one. */
  static BigDecimal perMillion(BigDecimal one) {
    return one.multiply(MILLION);
  }

  /** A price as a share of another one; empty if there is none to compare with. */
  static Optional<JsonNumber> share(Optional<BigDecimal> of, Optional<BigDecimal> plain) {
    return of.filter(price -> plain.isPresent())
        .map(price -> price.divide(plain.orElseThrow(), SHARE_DIGITS, RoundingMode.HALF_UP))
        .filter(share -> share.signum() > 0)
        .map(ForeignCatalogue::number);
  }

  static JsonNumber number(BigDecimal value) {
    BigDecimal rounded = value.setScale(PRICE_DIGITS, RoundingMode.HALF_UP).stripTrailingZeros();
    return new JsonNumber(rounded.toPlainString());
  }

  /** A tier of prices. */
  static Optional<JsonValue> tier(
      int above, Optional<BigDecimal> input, Optional<BigDecimal> output, JsonObject base) {
    Optional<JsonNumber> dearer = share(input, decimal(base, "inputUsdPerMTok"));
    Optional<JsonNumber> longer = share(output, decimal(base, "outputUsdPerMTok"));
    if (above < 1 || dearer.isEmpty() || longer.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        JsonObject.builder()
            .put("aboveInputTokens", above)
            .put("inputFactor", dearer.orElseThrow())
            .put("outputFactor", longer.orElseThrow())
            .build());
  }

  static JsonArray prices(JsonObject base, List<JsonValue> tiers) {
    return new JsonArray(
        List.of(tiers.isEmpty() ? base : base.with("tiers", new JsonArray(tiers))));
  }

  /** Which of the shares of a write a provider states. */
  static String writeShare(String provider) {
    return provider.equals("anthropic") ? "write5m" : "write";
  }

  /** Puts members that are there. */
  static void put(JsonObject.Builder json, String key, Optional<? extends JsonValue> value) {
    value.ifPresent(present -> json.put(key, present));
  }

  /** Puts an object that has members. */
  static void putObject(JsonObject.Builder json, String key, JsonObject value) {
    if (!value.isEmpty()) {
      json.put(key, value);
    }
  }

  /** The provider of the catalogue that a file calls so. */
  static Optional<String> provider(Map<String, String> names, String name) {
    return Optional.ofNullable(names.get(name.toLowerCase(Locale.ROOT)));
  }
}
