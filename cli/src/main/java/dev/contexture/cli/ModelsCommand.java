package dev.contexture.cli;

import dev.contexture.cli.output.Printer;
import dev.contexture.cli.support.CatalogueFlags;
import dev.contexture.cli.support.JsonFile;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.model.ModelPrice;
import dev.contexture.model.ModelProfile;
import dev.contexture.provider.BuiltInProviders;
import dev.contexture.provider.catalogue.CatalogueUpdate;
import dev.contexture.provider.catalogue.ModelCatalogue;
import dev.contexture.request.CatalogueJson;
import dev.contexture.store.OwnerOnly;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Lists what is known about models, and takes facts over from other catalogues. */
@Command(
    name = "models",
    description = {
      "Lists what is known about models: windows, outputs, prices, and where each fact comes from.",
      "With --update it takes facts from a file of models.dev (api.json) or LiteLLM"
          + " (model_prices_and_context_window.json) into the directory of the store, where servers"
          + " and programs find them at their next start. Nothing is loaded from the network."
    },
    footerHeading = "%nExamples:%n",
    footer = {"  contexture models claude", "  contexture models --update api.json"})
final class ModelsCommand implements Callable<Integer> {
  private static final int SHOWN_CHANGES = 20;

  @Spec private @Nullable CommandSpec spec;
  @Mixin private CatalogueFlags catalogue = new CatalogueFlags();

  @Parameters(
      arity = "0..1",
      paramLabel = "NAME",
      description = "Only models whose provider or name contains it.")
  private @Nullable String name;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      defaultValue = "contexture-data",
      description = "Directory of the store (default: ${DEFAULT-VALUE}).")
  private Path data = Path.of("contexture-data");

  @Option(
      names = "--update",
      paramLabel = "FILE",
      description = "Take the facts of this file that differ into the directory of the store.")
  private @Nullable Path update;

  @Option(
      names = "--replace",
      description =
          "With --update: replace facts from a provider's own documentation, too. Without it they"
              + " stay, and are listed.")
  private boolean replace;

  @Override
  public Integer call() {
    if (update != null) {
      update(update);
    } else {
      list();
    }
    return Main.DONE;
  }

  private void list() {
    BuiltInProviders providers = BuiltInProviders.of(catalogue.open(data));
    String wanted = name == null ? "" : name.toLowerCase(Locale.ROOT);
    List<ModelProfile> models =
        providers.models().stream()
            .filter(
                model ->
                    (model.provider() + "/" + model.id()).toLowerCase(Locale.ROOT).contains(wanted))
            .toList();
    Printer printer = Printer.of(spec);
    if (printer.json()) {
      printer.json(CatalogueJson.write(providers, models));
      return;
    }
    printer.table(
        List.of("PROVIDER", "MODEL", "WINDOW", "OUTPUT", "IN", "OUT", "CACHED", "FROM"),
        models.stream().map(ModelsCommand::row).toList());
    printer.line(
        models.size()
            + (models.size() == 1 ? " model" : " models")
            + "; prices in "
            + ModelPrice.CURRENCY
            + " per million tokens; revision "
            + providers.revision());
  }

  private static List<String> row(ModelProfile model) {
    TreeSet<String> from = new TreeSet<>();
    for (String fact : List.of("contextWindow", "maxOutput", "prices")) {
      from.addAll(model.sources().getOrDefault(fact, List.of()));
    }
    List<String> row = new ArrayList<>();
    row.add(model.provider());
    row.add(model.id());
    row.add(Integer.toString(model.contextWindow()));
    row.add(Integer.toString(model.maxOutput()));
    if (model.prices().isEmpty()) {
      row.addAll(List.of("?", "?", "?"));
    } else {
      ModelPrice price = model.prices().getLast();
      row.add(price.input().toPlainString());
      row.add(price.output().toPlainString());
      row.add(
          String.format(
              Locale.ROOT,
              "%.4g",
              price.input().doubleValue() * model.cache().multipliers().read()));
    }
    row.add(String.join(", ", from));
    return row;
  }

  private void update(Path file) {
    JsonObject before = before();
    String day = LocalDate.ofInstant(InstantSource.system().instant(), ZoneOffset.UTC).toString();
    CatalogueUpdate found;
    JsonObject after;
    try {
      found = CatalogueUpdate.of(ModelCatalogue.in(data), JsonFile.read(file), day, replace);
      after = found.onto(before);
      ModelCatalogue.shipped().with(after, ModelCatalogue.FILE); // what is written can be read
    } catch (ContextureException refused) {
      throw refused.within(file.toString());
    }
    write(after);
    print(found);
  }

  private JsonObject before() {
    Path facts = data.resolve(ModelCatalogue.FILE);
    return Files.exists(facts) ? JsonFile.read(facts) : JsonObject.EMPTY;
  }

  /** Writes the file in one step: a server that starts meanwhile finds the old or the new one. */
  private void write(JsonObject facts) {
    Path file = data.resolve(ModelCatalogue.FILE);
    try {
      if (!Files.exists(data)) {
        OwnerOnly.createDirectory(data);
      }
      Path made = Files.createTempFile(data, ModelCatalogue.FILE, ".tmp");
      Files.writeString(made, facts.toPrettyJson() + "\n");
      Files.move(made, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException failure) {
      throw new ContextureException(
          ErrorCode.INVALID_ARGUMENT,
          "cannot write " + file + ": " + failure.getMessage(),
          Map.of("field", "--data"),
          failure);
    }
  }

  private void print(CatalogueUpdate found) {
    Printer printer = Printer.of(spec);
    if (printer.json()) {
      printer.json(
          JsonObject.builder()
              .put("file", data.resolve(ModelCatalogue.FILE).toString())
              .put("format", found.format())
              .put("added", JsonArray.ofStrings(found.added()))
              .put("changed", changes(found.changed()))
              .put("kept", changes(found.kept()))
              .put("skipped", found.skipped())
              .build());
      return;
    }
    lines(printer, "changed", found.changed());
    lines(printer, "kept", found.kept());
    printer.line(
        String.format(
            Locale.ROOT,
            "%s: %d models added, %d facts changed, %d kept, %d models skipped (%s)",
            printer.paint().strong(data.resolve(ModelCatalogue.FILE).toString()),
            found.added().size(),
            found.changed().size(),
            found.kept().size(),
            found.skipped(),
            found.format()));
    if (!found.kept().isEmpty()) {
      printer.note("kept: a provider's own documentation states these; --replace takes them, too");
    }
  }

  private static void lines(Printer printer, String what, List<CatalogueUpdate.Change> changes) {
    changes.stream()
        .limit(SHOWN_CHANGES)
        .forEach(
            change ->
                printer.line(
                    what
                        + " "
                        + change.model()
                        + " "
                        + change.fact()
                        + ": "
                        + change.from()
                        + (what.equals("kept") ? ", not " : " to ")
                        + change.to()));
    if (changes.size() > SHOWN_CHANGES) {
      printer.line(what + " and " + (changes.size() - SHOWN_CHANGES) + " more (--json lists all)");
    }
  }

  private static JsonArray changes(List<CatalogueUpdate.Change> changes) {
    return new JsonArray(
        changes.stream()
            .<JsonValue>map(
                change ->
                    JsonObject.builder()
                        .put("model", change.model())
                        .put("fact", change.fact())
                        .put("from", JsonValue.parse(change.from()))
                        .put("to", JsonValue.parse(change.to()))
                        .build())
            .toList());
  }
}
