package dev.contexture.provider.catalogue;

import dev.contexture.error.Choices;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonBoolean;
import dev.contexture.json.JsonNumber;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.model.ModelProfile;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.apiguardian.api.API;

/** Reads single facts that an operator sets: {@code gpt-4.1.context_window=500000}. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class ModelFactSettings {
  /** What can be set, and what the catalogue calls it. */
  private static final Map<String, String> COUNTS =
      Map.of("context_window", "contextWindow", "max_input", "maxInput", "max_output", "maxOutput");

  private static final Map<String, String> PRICES =
      Map.of("input_price", "inputUsdPerMTok", "output_price", "outputUsdPerMTok");

  private static final String COMPAT = "compat";
  private static final List<String> NAMES =
      List.of("context_window", "max_input", "max_output", "input_price", "output_price", COMPAT);
  private static final Pattern NUMBER = Pattern.compile("\\d{1,12}(\\.\\d{1,12})?");

  private ModelFactSettings() {}

  /**
   * The catalogue with other facts.
   *
   * @param settings each {@code MODEL.FACT=VALUE}; the model may be named {@code PROVIDER:MODEL}
   *     where more than one provider has it
   * @throws ContextureException {@code invalid_config} if one is no such thing, or names no model
   *     of the catalogue
   */
  public static ModelCatalogue apply(ModelCatalogue catalogue, List<String> settings) {
    ModelCatalogue result = catalogue;
    for (String setting : settings) {
      result = result.with(patch(result, setting), "setting");
    }
    return result;
  }

  private static JsonObject patch(ModelCatalogue catalogue, String setting) {
    int equals = setting.lastIndexOf('=');
    int dot = setting.lastIndexOf('.', Math.max(0, equals - 1));
    if (equals < 0 || dot < 1 || !NAMES.contains(setting.substring(dot + 1, equals).strip())) {
      throw refused(setting, "MODEL.FACT=VALUE, where FACT is " + Choices.inWords(NAMES));
    }
    String fact = setting.substring(dot + 1, equals).strip();
    ModelProfile model = model(catalogue, setting, setting.substring(0, dot).strip());
    JsonObject.Builder entry =
        JsonObject.builder().put("id", model.id()).put("provider", model.provider());
    String value = setting.substring(equals + 1).strip();
    if (fact.equals(COMPAT)) {
      entry.put("flags", JsonObject.of(COMPAT, flag(setting, value)));
    } else if (!NUMBER.matcher(value).matches()) {
      throw refused(setting, "a number");
    } else if (PRICES.containsKey(fact)) {
      entry.put("prices", prices(model, setting, PRICES.getOrDefault(fact, fact), value));
    } else {
      entry.put(COUNTS.getOrDefault(fact, fact), new JsonNumber(value));
    }
    return JsonObject.of("models", new JsonArray(List.of(entry.build())));
  }

  private static ModelProfile model(ModelCatalogue catalogue, String setting, String name) {
    List<ModelProfile> meant = new ArrayList<>();
    for (ModelProfile model : catalogue.models()) {
      if (name.equals(model.id()) || name.equals(model.provider() + ":" + model.id())) {
        meant.add(model);
      }
    }
    if (meant.size() != 1) {
      throw refused(
          setting,
          meant.isEmpty()
              ? "a model of the catalogue; put one that it lacks into a file for --models"
              : "PROVIDER:"
                  + name
                  + ", because "
                  + Choices.inWords(meant.stream().map(ModelProfile::provider).toList())
                  + " have it");
    }
    return meant.getFirst();
  }

  private static JsonValue flag(String setting, String value) {
    return switch (value) {
      case "true" -> JsonBoolean.TRUE;
      case "false" -> JsonBoolean.FALSE;
      default -> throw refused(setting, "true or false");
    };
  }

  /** The newest price with another amount; the other one must be known. */
  private static JsonArray prices(ModelProfile model, String setting, String field, String value) {
    JsonObject.Builder price = JsonObject.builder();
    if (model.prices().isEmpty()) {
      throw refused(setting, "a model whose prices are known; put both into a file for --models");
    }
    price
        .put("inputUsdPerMTok", new JsonNumber(model.prices().getLast().input().toPlainString()))
        .put("outputUsdPerMTok", new JsonNumber(model.prices().getLast().output().toPlainString()));
    return JsonArray.of(price.put(field, new JsonNumber(value)).build());
  }

  private static ContextureException refused(String setting, String allowed) {
    return ContextureException.invalid(ErrorCode.INVALID_CONFIG, "model-fact", setting, allowed);
  }
}
