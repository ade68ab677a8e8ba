package dev.contexture.provider.catalogue;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonNull;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Lays single facts over a catalogue file; the result is a file that is checked as a whole. */
final class CataloguePatch {
  private static final String MODELS = "models";
  private static final String PROVIDERS = "providers";
  private static final String SOURCES = "sources";

  /** Members of a model that are no facts. */
  private static final Set<String> NAMES = Set.of("id", "provider", SOURCES, "notes", "disputed");

  private CataloguePatch() {}

  /**
   * Applies a patch.
   *
   * @param base a catalogue file
   * @param patch the same shape with what differs; its models need a provider only where more than
   *     one provider, or none, has a model of that name
   * @param source the id, and title, of the source of its facts where it names none
   * @throws ContextureException {@code invalid_config} if a model of the patch cannot be placed
   */
  static JsonObject apply(JsonObject base, JsonObject patch, String source) {
    JsonObject sources = object(base, SOURCES).toBuilder().putAll(object(patch, SOURCES)).build();
    List<JsonValue> models = new ArrayList<>(items(base));
    boolean unnamed = false;
    for (CatalogueFields model : new CatalogueFields(patch, "").objects(MODELS)) {
      JsonObject sourced = sourced(model.json(), source);
      unnamed |= !sourced.equals(model.json());
      int place = place(models, model);
      if (place < 0) {
        models.add(sourced);
      } else {
        models.set(place, Profiles.fill((JsonObject) models.get(place), sourced));
      }
    }
    if (unnamed && !sources.has(source)) {
      sources = sources.with(source, JsonObject.of("title", new JsonString(source)));
    }
    return base.toBuilder()
        .putAll(patch)
        .put("revision", revision(base, patch))
        .put(SOURCES, sources)
        .put(PROVIDERS, Profiles.fill(object(base, PROVIDERS), object(patch, PROVIDERS)))
        .put(MODELS, new JsonArray(models))
        .build();
  }

  private static String revision(JsonObject base, JsonObject patch) {
    return base.string("revision").map(date -> date + "+").orElse("")
        + patch.string("revision").orElse("own");
  }

  /** Where a model stands in the list; -1 if it is not there. */
  private static int place(List<JsonValue> models, CatalogueFields wanted) {
    String id = wanted.requireString("id");
    Optional<String> provider = wanted.json().string("provider");
    int place = -1;
    for (int i = 0; i < models.size(); i++) {
      JsonObject model = (JsonObject) models.get(i);
      boolean meant =
          names(model).contains(id)
              && (provider.isEmpty() || provider.equals(model.string("provider")));
      if (meant && place >= 0) {
        throw ContextureException.invalid(
            ErrorCode.INVALID_CONFIG,
            wanted.path() + "provider",
            "not given",
            "one of the providers that have a model " + id);
      }
      place = meant ? i : place;
    }
    return place;
  }

  /** All names of a model. */
  static List<String> names(JsonObject model) {
    List<String> names = new ArrayList<>(new CatalogueFields(model, "").strings("aliases"));
    model.string("id").ifPresent(names::add);
    return names;
  }

  /** The model with a source for each of its facts. */
  static JsonObject sourced(JsonObject model, String source) {
    JsonObject named = object(model, SOURCES);
    JsonObject.Builder sources = named.toBuilder();
    for (Map.Entry<String, JsonValue> fact : model.members().entrySet()) {
      if (!NAMES.contains(fact.getKey())) {
        leaves(fact.getKey(), fact.getValue(), named, sources, source);
      }
    }
    return model.with(SOURCES, sources.build());
  }

  private static void leaves(
      String path, JsonValue value, JsonObject named, JsonObject.Builder sources, String source) {
    if (named.has(path) || value == JsonNull.NULL) {
      return;
    }
    if (value instanceof JsonObject object) {
      object
          .members()
          .forEach((key, inner) -> leaves(path + "." + key, inner, named, sources, source));
    } else {
      sources.put(path, JsonArray.ofStrings(List.of(source)));
    }
  }

  static JsonObject object(JsonObject of, String key) {
    return of.object(key).orElse(JsonObject.EMPTY);
  }

  private static List<JsonValue> items(JsonObject file) {
    return file.array(MODELS).map(JsonArray::items).orElse(List.of());
  }
}
