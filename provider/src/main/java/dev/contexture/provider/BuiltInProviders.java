package dev.contexture.provider;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonObject;
import dev.contexture.model.ModelProfile;
import dev.contexture.model.ModelRef;
import dev.contexture.provider.cache.CacheReports;
import dev.contexture.provider.cache.Trace;
import dev.contexture.provider.catalogue.ModelCatalogue;
import dev.contexture.provider.history.Histories;
import dev.contexture.request.ImportedHistory;
import dev.contexture.request.ProviderFormat;
import dev.contexture.request.Providers;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The wire formats and the catalogue of this release, by the names that callers use. Thread-safe.
 */
@API(status = API.Status.STABLE, since = "0.1")
public final class BuiltInProviders implements Providers {
  private static final Map<String, Wire> WIRES = new LinkedHashMap<>();

  static {
    WIRES.put("anthropic", new Wire("anthropic", "anthropic-messages"));
    WIRES.put("openai_chat", new Wire("openai", "openai-chat"));
    WIRES.put("openai_responses", new Wire("openai", "openai-responses"));
    WIRES.put("gemini", new Wire("gemini", "gemini-generate-content"));
  }

  private final ModelCatalogue catalogue;
  private final ProviderFormats formats;

  private BuiltInProviders(ModelCatalogue catalogue) {
    this.catalogue = catalogue;
    this.formats = ProviderFormats.of(catalogue);
  }

  public static BuiltInProviders of(ModelCatalogue catalogue) {
    return new BuiltInProviders(catalogue);
  }

  @Override
  public Target resolve(@Nullable String provider, String model) {
    if (provider != null) {
      Wire wire = WIRES.get(provider);
      if (wire == null) {
        throw ContextureException.invalid(
            ErrorCode.INVALID_ARGUMENT, "provider", provider, String.join(" or ", WIRES.keySet()));
      }
      return target(wire, model);
    }
    List<Target> known =
        WIRES.values().stream()
            .map(wire -> target(wire, model))
            .filter(target -> !target.profile().unknownModel())
            .toList();
    if (known.isEmpty()) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_ARGUMENT,
          "model",
          model,
          "a model of the catalogue, or name its provider, too: "
              + String.join(" or ", WIRES.keySet()));
    }
    return known.getFirst();
  }

  @Override
  public String revision() {
    return catalogue.revision();
  }

  @Override
  public Optional<ModelProfile> profile(ModelRef model) {
    return Optional.of(catalogue.profile(model));
  }

  @Override
  public List<ModelProfile> models() {
    return catalogue.models();
  }

  @Override
  public JsonObject simulate(Target target, List<JsonObject> requests, List<Double> gapsSeconds) {
    return CacheReports.write(Trace.ofGaps(requests, gapsSeconds).on(target.profile()));
  }

  @Override
  public ImportedHistory importHistory(
      String format, String json, ImportedHistory.Options options) {
    return Histories.read(format, json, options);
  }

  private Target target(Wire wire, String model) {
    ModelRef ref = new ModelRef(wire.provider, model);
    ModelProfile profile = catalogue.profile(ref);
    ProviderFormat format = formats.named(wire.format).orElseThrow();
    return new Target(format, ref, profile);
  }

  private record Wire(String provider, String format) {}
}
