package dev.contexture.provider.catalogue;

import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonNull;
import dev.contexture.json.JsonNumber;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apiguardian.api.API;

/**
 * Facts of another catalogue that this one lacks or has otherwise.
 *
 * @param format what the other file is
 * @param facts a file with just these facts, for {@link ModelCatalogue#with}
 * @param added models that are new
 * @param changed facts that are replaced
 * @param kept facts that stay, because a provider's own documentation states them
 * @param skipped models of the file that are of no use here
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record CatalogueUpdate(
    String format,
    JsonObject facts,
    List<String> added,
    List<Change> changed,
    List<Change> kept,
    int skipped) {
  private static final List<String> SHARES = List.of("read", "write", "write5m", "write1h");
  private static final String LATEST = "-latest";

  public CatalogueUpdate {
    added = List.copyOf(added);
    changed = List.copyOf(changed);
    kept = List.copyOf(kept);
  }

  /**
   * A fact that two catalogues state differently.
   *
   * @param model provider and model
   * @param fact its name
   * @param from what this one says, as JSON
   * @param to what the other one says, as JSON
   */
  public record Change(String model, String fact, String from, String to) {}

  /**
   * Compares a file of others.
   *
   * @param day the day of the update
   * @param replace whether what a provider's documentation states is replaced, too
   * @throws dev.contexture.error.ContextureException {@code invalid_config} if it is of no known
   *     kind
   */
  public static CatalogueUpdate of(
      ModelCatalogue catalogue, JsonObject file, String day, boolean replace) {
    ForeignCatalogue foreign = ForeignCatalogue.read(file);
    return new Comparison(catalogue, foreign, replace).run(day);
  }

  /**
   * These facts together with those that earlier updates wrote.
   *
   * @param before the file of an earlier update; an empty object if there is none
   */
  public JsonObject onto(JsonObject before) {
    return CataloguePatch.apply(before, facts, format)
        .with("revision", facts.find("revision").orElse(JsonNull.NULL))
        .without("providers");
  }

  /** One comparison; confined to one thread. */
  private static final class Comparison {
    private final ModelCatalogue catalogue;
    private final ForeignCatalogue foreign;
    private final boolean replace;
    private final Map<String, JsonObject> known = new HashMap<>();
    private final Map<String, JsonObject> theirs = new LinkedHashMap<>();
    private final List<String> added = new ArrayList<>();
    private final List<Change> changed = new ArrayList<>();
    private final List<Change> kept = new ArrayList<>();

    Comparison(ModelCatalogue catalogue, ForeignCatalogue foreign, boolean replace) {
      this.catalogue = catalogue;
      this.foreign = foreign;
      this.replace = replace;
      for (JsonValue item :
          catalogue.json().array("models").map(JsonArray::items).orElse(List.of())) {
        JsonObject model = (JsonObject) item;
        for (String name : CataloguePatch.names(model)) {
          known.put(key(model, name), model);
        }
      }
      foreign.models().forEach(model -> theirs.put(key(model, id(model)), model));
    }

    CatalogueUpdate run(String day) {
      String source = foreign.format() + ", " + day;
      List<JsonValue> models = new ArrayList<>();
      int moving = 0;
      for (JsonObject model : theirs.values()) {
        Optional<JsonObject> facts = facts(model);
        facts.ifPresent(found -> models.add(CataloguePatch.sourced(found, source)));
        moving += id(model).endsWith(LATEST) ? 1 : 0;
      }
      JsonObject sources =
          JsonObject.of(
              source, JsonObject.builder().put("title", source).put("kind", "catalogue").build());
      JsonObject file =
          JsonObject.builder()
              .put("schemaVersion", 1)
              .put("revision", day)
              .put("sources", sources)
              .put("models", new JsonArray(models))
              .build();
      return new CatalogueUpdate(
          foreign.format(), file, added, changed, kept, foreign.skipped() + moving);
    }

    /** What is to be written of a model; empty if there is nothing new. */
    private Optional<JsonObject> facts(JsonObject model) {
      if (id(model).endsWith(LATEST)) {
        return Optional.empty(); // such a name stands for another model by and by
      }
      JsonObject base = known.get(key(model, id(model)));
      if (base == null) {
        return isRepeated(model) ? Optional.empty() : Optional.of(addedModel(model));
      }
      if (!id(base).equals(id(model)) && theirs.containsKey(key(model, id(base)))) {
        return Optional.empty(); // an alias; the model itself is there, too
      }
      JsonObject differing = differing(model, base);
      return differing.isEmpty()
          ? Optional.empty()
          : Optional.of(
              JsonObject.builder()
                  .put("id", id(base))
                  .put("provider", provider(model))
                  .putAll(differing)
                  .build());
    }

    private JsonObject addedModel(JsonObject model) {
      added.add(key(model, id(model)));
      return model;
    }

    /** Whether it is a dated name of a model that is there without its date, and says no more. */
    private boolean isRepeated(JsonObject model) {
      String undated = ModelCatalogue.withoutDate(id(model));
      if (undated.equals(id(model))) {
        return false;
      }
      JsonObject same = theirs.get(key(model, undated));
      return same == null
          ? known.containsKey(key(model, undated))
          : limits(same).equals(limits(model));
    }

    private static JsonObject limits(JsonObject model) {
      JsonObject.Builder limits = JsonObject.builder();
      for (String fact : List.of("contextWindow", "maxInput", "maxOutput", "prices")) {
        model.find(fact).ifPresent(value -> limits.put(fact, value));
      }
      return limits.build();
    }

    private JsonObject differing(JsonObject model, JsonObject base) {
      JsonObject.Builder facts = JsonObject.builder();
      for (String fact : List.of("contextWindow", "maxInput", "maxOutput", "prices")) {
        compare(model, base, fact).ifPresent(value -> facts.put(fact, value));
      }
      JsonObject.Builder shares = JsonObject.builder();
      for (String share : SHARES) {
        compare(model, base, "cache.multipliers." + share)
            .ifPresent(value -> shares.put(share, value));
      }
      JsonObject.Builder cache = JsonObject.builder();
      compare(model, base, "cache.minTokens").ifPresent(value -> cache.put("minTokens", value));
      ForeignCatalogue.putObject(cache, "multipliers", shares.build());
      ForeignCatalogue.putObject(facts, "cache", cache.build());
      return facts.build();
    }

    /** The other catalogue's value where it is to be taken. */
    private Optional<JsonValue> compare(JsonObject model, JsonObject base, String fact) {
      JsonValue theirs = value(model, fact);
      JsonValue ours = value(base, fact);
      boolean inputLimit =
          fact.equals("contextWindow") && isSame(theirs, value(base, "maxInput")); // LiteLLM's
      if (theirs == JsonNull.NULL || inputLimit || isSame(theirs, ours)) {
        return Optional.empty();
      }
      Change change = new Change(key(base, id(base)), fact, ours.toJson(), theirs.toJson());
      if (ours != JsonNull.NULL && !replace && isStrong(base, fact)) {
        kept.add(change);
        return Optional.empty();
      }
      changed.add(change);
      return Optional.of(theirs);
    }

    private boolean isStrong(JsonObject base, String fact) {
      CatalogueFields sources = new CatalogueFields(CataloguePatch.object(base, "sources"), "");
      Set<String> ids = Set.copyOf(CatalogueFacts.idsOf(sources, fact));
      Set<String> weak =
          catalogue.sources().entrySet().stream()
              .filter(source -> source.getValue().catalogue())
              .map(Map.Entry::getKey)
              .collect(Collectors.toSet());
      return ids.stream().anyMatch(id -> !weak.contains(id) && !id.equals("policy"));
    }

    private static boolean isSame(JsonValue one, JsonValue other) {
      if (one instanceof JsonNumber first && other instanceof JsonNumber second) {
        return first.decimal().compareTo(second.decimal()) == 0;
      }
      if (one instanceof JsonArray && other instanceof JsonArray) {
        return prices(one).equals(prices(other));
      }
      return one.equals(other);
    }

    private static List<?> prices(JsonValue value) {
      return CatalogueFacts.prices(new CatalogueFields(JsonObject.of("prices", value), ""));
    }

    private static JsonValue value(JsonObject model, String path) {
      JsonValue value = model;
      for (String key : path.split("\\.", -1)) {
        value =
            value instanceof JsonObject object
                ? object.find(key).orElse(JsonNull.NULL)
                : JsonNull.NULL;
      }
      return value;
    }

    private static String key(JsonObject model, String name) {
      return provider(model) + "/" + name;
    }

    private static String provider(JsonObject model) {
      return model.string("provider").orElse("");
    }

    private static String id(JsonObject model) {
      return model.string("id").orElse("");
    }
  }
}
