package dev.contexture.provider.catalogue;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.model.FactSource;
import dev.contexture.model.ModelProfile;
import dev.contexture.model.ModelProfiles;
import dev.contexture.model.ModelRef;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Finds profiles by name: the id, an alias, the name without its date or platform, and else the
 * provider's careful defaults. There is no guessing by family. Thread-safe.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class ModelCatalogue implements ModelProfiles {
  private static final int MAX_REMEMBERED = 1_000;
  private static final Pattern DATE = Pattern.compile("-(?:\\d{8}|\\d{4}-\\d{2}-\\d{2})$");
  private static final List<String> PLATFORMS =
      List.of("models/", "us.anthropic.", "anthropic.", "openai/");

  /** The file of facts that were taken over from elsewhere, in the directory of a store. */
  public static final String FILE = "models.json";

  private final JsonObject json;
  private final CatalogueFile file;
  private final Map<ModelRef, ModelProfile> found = new ConcurrentHashMap<>();

  private ModelCatalogue(JsonObject json) {
    this.json = json;
    this.file = CatalogueFile.read(json);
  }

  /** The catalogue of this release. */
  public static ModelCatalogue shipped() {
    return Shipped.CATALOGUE;
  }

  /**
   * Reads a catalogue file.
   *
   * @throws ContextureException {@code malformed_json} if it is no JSON, {@code invalid_config} if
   *     a value in it cannot be
   */
  public static ModelCatalogue parse(String json) {
    JsonValue value = JsonValue.parse(json);
    return new ModelCatalogue(value instanceof JsonObject object ? object : JsonObject.EMPTY);
  }

  /**
   * The catalogue of this release with what {@code contexture models --update} wrote into a
   * directory; without such a file, the one of this release.
   *
   * @throws ContextureException {@code invalid_config} if the file is damaged
   */
  public static ModelCatalogue in(Path directory) {
    Path facts = directory.resolve(FILE);
    if (!Files.exists(facts)) {
      return shipped();
    }
    try {
      return shipped().with(object(Files.readString(facts)), FILE);
    } catch (ContextureException damaged) {
      throw new ContextureException(
          ErrorCode.INVALID_CONFIG,
          facts + ": " + damaged.getMessage() + "; delete it, or write it anew with --update",
          Map.of("field", facts.toString()),
          damaged);
    } catch (IOException failure) {
      throw new UncheckedIOException("cannot read " + facts, failure);
    }
  }

  /**
   * This catalogue with other facts.
   *
   * @param facts a file like the catalogue's with what differs, a file of models.dev or of LiteLLM;
   *     of these every fact is taken
   * @param source what is said about where facts come from that name no source
   * @throws ContextureException {@code invalid_config} if a value in it cannot be
   */
  public ModelCatalogue with(JsonObject facts, String source) {
    JsonObject patch =
        facts.has("schemaVersion") || facts.array("models").isPresent()
            ? facts
            : CatalogueUpdate.of(this, facts, source, true).facts();
    return new ModelCatalogue(CataloguePatch.apply(json, patch, source));
  }

  private static JsonObject object(String text) {
    return JsonValue.parse(text) instanceof JsonObject object ? object : JsonObject.EMPTY;
  }

  /** The file, as a whole. */
  JsonObject json() {
    return json;
  }

  /** The date of the facts. */
  public String revision() {
    return file.revision();
  }

  /** All models of the file, by provider and id. */
  public List<ModelProfile> models() {
    return file.listed();
  }

  /** Where facts come from, by the ids that profiles name. */
  public Map<String, FactSource> sources() {
    return file.sources();
  }

  /**
   * A model that some provider serves in a format of another one; empty if none is listed.
   *
   * @param api the catalogue's name for the format
   */
  public Optional<ModelProfile> served(String api, String name) {
    return file.findServed(api, name).or(() -> file.findServed(api, withoutDate(name)));
  }

  @Override
  public ModelProfile profile(ModelRef model) {
    ModelProfile known = found.get(model);
    if (known == null) {
      known = resolve(model);
      if (found.size() < MAX_REMEMBERED) { // names come from outside
        found.put(model, known);
      }
    }
    return known;
  }

  private ModelProfile resolve(ModelRef model) {
    return find(model.provider(), model.model())
        .orElseGet(() -> file.defaults(model.provider(), model.model()));
  }

  @Override
  public Optional<ModelProfile> ofMaker(String model) {
    return file.makers().stream().flatMap(maker -> find(maker, model).stream()).findFirst();
  }

  private Optional<ModelProfile> find(String provider, String name) {
    String bare = withoutPlatform(name);
    return Stream.of(name, bare, withoutDate(name), withoutDate(bare))
        .flatMap(candidate -> file.find(provider, candidate).stream())
        .findFirst();
  }

  private static String withoutPlatform(String name) {
    return PLATFORMS.stream()
        .filter(name::startsWith)
        .findFirst()
        .map(prefix -> name.substring(prefix.length()))
        .orElse(name);
  }

  static String withoutDate(String name) {
    return DATE.matcher(name).replaceFirst("");
  }

  /** Loads the shipped file when it is first asked for. */
  private static final class Shipped {
    private static final ModelCatalogue CATALOGUE = load();

    private static ModelCatalogue load() {
      try (@Nullable InputStream in = ModelCatalogue.class.getResourceAsStream("models.json")) {
        Objects.requireNonNull(in, "models.json is not in this jar");
        return parse(new String(in.readAllBytes(), StandardCharsets.UTF_8));
      } catch (IOException failure) {
        throw new UncheckedIOException("cannot read models.json in this jar", failure);
      }
    }
  }
}
