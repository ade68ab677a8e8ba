package dev.contexture.cli.operation;

import dev.contexture.cli.Main;
import dev.contexture.cli.output.Printer;
import dev.contexture.cli.output.Progress;
import dev.contexture.cli.support.Api;
import dev.contexture.cli.support.PostgresNode;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonObject;
import dev.contexture.provider.catalogue.ModelCatalogue;
import dev.contexture.store.sqlite.SqliteBackup;
import dev.contexture.store.sqlite.SqliteInspection;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * Copies a store. It reads the database itself, also where a server has it open: SQLite gives every
 * reader one state, and a copy through the server would be no better and need its memory.
 */
@Command(
    name = "backup",
    description = {
      "Copies a store into a new directory, also while a server writes.",
      "The copy is what the store held at one moment; it is checked, and then opened with --data"
          + " like any other. The search index is built anew there."
    },
    footerHeading = "%nExamples:%n",
    footer = {"  contexture backup /var/backups/contexture-monday --data /var/lib/contexture"})
public final class BackupCommand implements Callable<Integer> {
  private static final double MEBI = 1 << 20;

  @Spec private @Nullable CommandSpec spec;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      defaultValue = "contexture-data",
      description = "Directory of the store (default: ${DEFAULT-VALUE}).")
  private Path data = Path.of("contexture-data");

  @Parameters(paramLabel = "DEST", description = "The directory to be made; it must not exist.")
  private Path destination = Path.of("");

  @Override
  public Integer call() {
    Printer printer = Printer.of(spec);
    requireFiles();
    Api.requireStore(data);
    SqliteInspection taken;
    try (Progress progress = printer.progress("backup")) {
      taken = SqliteBackup.take(data, destination, progress::at);
    }
    copyFacts();
    if (printer.json()) {
      printer.json(
          JsonObject.builder()
              .put("backup", destination.toString())
              .put("size_bytes", taken.sizeBytes())
              .put("conversations", taken.conversations())
              .put("memory_blocks", taken.memoryBlocks())
              .put("schema", taken.schema())
              .build());
    } else {
      printer.line(
          String.format(
              Locale.ROOT,
              "%s: %s, %s, %.1f MiB, checked",
              printer.paint().strong(destination.toString()),
              Printer.count(taken.conversations(), "conversation", "conversations"),
              Printer.count(taken.memoryBlocks(), "memory block", "memory blocks"),
              taken.sizeBytes() / MEBI));
    }
    return Main.DONE;
  }

  /** What is in a database is backed up there: a copy made from here would be the lesser one. */
  private void requireFiles() {
    String database = PostgresNode.database(data).orElse(null);
    if (database != null) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_ARGUMENT,
          "--data",
          data,
          "a directory that holds a store; that of this one is the PostgreSQL database "
              + database
              + ", which is backed up with pg_dump or pg_basebackup");
    }
  }

  /** Copies the facts about models that were taken over, where there are some. */
  private void copyFacts() {
    Path facts = data.resolve(ModelCatalogue.FILE);
    if (Files.exists(facts)) {
      try {
        Files.copy(facts, destination.resolve(ModelCatalogue.FILE));
      } catch (IOException failure) {
        throw new UncheckedIOException("cannot copy " + facts, failure);
      }
    }
  }
}
