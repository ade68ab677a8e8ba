package dev.contexture.cli.support;

import dev.contexture.provider.catalogue.ModelCatalogue;
import dev.contexture.provider.catalogue.ModelFactSettings;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that select facts about models beside those of this release. */
public final class CatalogueFlags {
  @Option(
      names = "--models",
      paramLabel = "FILE",
      description =
          "Facts about models that win over the catalogue's: a file like it, of models.dev or of"
              + " LiteLLM.")
  private @Nullable Path models;

  @Option(
      names = "--model-fact",
      paramLabel = "MODEL.FACT=VALUE",
      description =
          "One such fact, or more with commas between them: context_window, max_input, max_output,"
              + " input_price, output_price (USD per million tokens) or compat.")
  private @Nullable String facts;

  /**
   * The catalogue of this release with what a directory holds, with the file, with single facts.
   *
   * @throws dev.contexture.error.ContextureException {@code invalid_config} if one of them cannot
   *     be
   */
  public ModelCatalogue open(Path data) {
    ModelCatalogue catalogue = ModelCatalogue.in(data);
    if (models != null) {
      catalogue = catalogue.with(JsonFile.read(models), models.getFileName().toString());
    }
    return ModelFactSettings.apply(
        catalogue, facts == null ? List.of() : List.of(facts.split(",", -1)));
  }
}
