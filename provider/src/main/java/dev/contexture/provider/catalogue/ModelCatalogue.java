package dev.contexture.provider.catalogue;

import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.model.ModelProfile;
import dev.contexture.model.ModelProfiles;
import dev.contexture.model.ModelRef;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Finds profiles by name: the id, an alias, the name without its date or platform, and else the
 * provider's careful defaults. There is no guessing by family. Thread-safe.
 */
@API(status = API.Status.STABLE, since = "0.1")
public final class ModelCatalogue implements ModelProfiles {
  private static final int MAX_REMEMBERED = 1_000;
  private static final Pattern DATE = Pattern.compile("-(?:\\d{8}|\\d{4}-\\d{2}-\\d{2})$");
  private static final List<String> PLATFORMS =
      List.of("models/", "us.anthropic.", "anthropic.", "openai/");

  private final CatalogueFile file;
  private final Map<ModelRef, ModelProfile> found = new ConcurrentHashMap<>();

  private ModelCatalogue(CatalogueFile file) {
    this.file = file;
  }

  /** The catalogue of this release. */
  public static ModelCatalogue shipped() {
    return Shipped.CATALOGUE;
  }

  /**
   * Reads a catalogue file.
   *
   * @throws dev.contexture.error.ContextureException {@code malformed_json} if it is no JSON,
   *     {@code invalid_config} if a value in it cannot be
   */
  public static ModelCatalogue parse(String json) {
    JsonValue value = JsonValue.parse(json);
    return new ModelCatalogue(
        CatalogueFile.read(value instanceof JsonObject object ? object : JsonObject.EMPTY));
  }

  /** The date of the facts. */
  public String revision() {
    return file.revision();
  }

  /** All models of the file, by provider and id. */
  public List<ModelProfile> models() {
    return file.listed();
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
    String name = model.model();
    String bare = withoutPlatform(name);
    for (String candidate : List.of(name, bare, withoutDate(name), withoutDate(bare))) {
      Optional<ModelProfile> hit = file.find(model.provider(), candidate);
      if (hit.isPresent()) {
        return hit.get();
      }
    }
    return file.defaults(model.provider(), name);
  }

  private static String withoutPlatform(String name) {
    return PLATFORMS.stream()
        .filter(name::startsWith)
        .findFirst()
        .map(prefix -> name.substring(prefix.length()))
        .orElse(name);
  }

  private static String withoutDate(String name) {
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
