package dev.contexture.cli.operation;

import dev.contexture.cli.Main;
import dev.contexture.cli.output.Printer;
import dev.contexture.cli.output.Progress;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonObject;
import dev.contexture.store.jdbc.copy.CopiedTable;
import dev.contexture.store.jdbc.copy.CopySide;
import dev.contexture.store.jdbc.copy.RowSum;
import dev.contexture.store.jdbc.copy.StoreCopy;
import dev.contexture.store.postgres.PostgresCopySide;
import dev.contexture.store.postgres.PostgresSettings;
import dev.contexture.store.sqlite.SqliteCopySide;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Copies a store into one of another kind, row by row. */
@Command(
    name = "copy",
    description = {
      "Copies a store from SQLite to PostgreSQL, or back, while no server works on either.",
      "The target holds nothing yet, and is made if it is missing. A copy that ended early is taken"
          + " up by the same command. At the end both sides are read again and compared."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  contexture copy --from sqlite:contexture-data --to postgres://db.internal/contexture"
          + " --jdbc-user contexture",
      "  contexture copy --from postgres://db.internal/contexture --to sqlite:/var/lib/contexture"
          + " --jdbc-user postgres"
    })
public final class CopyCommand implements Callable<Integer> {
  private static final String SQLITE = "sqlite:";
  private static final String POSTGRES = "postgres:";

  @Spec private @Nullable CommandSpec spec;

  @Option(
      names = "--from",
      paramLabel = "STORE",
      required = true,
      description = "What is copied: sqlite:DIR or postgres:URL.")
  private String from = "";

  @Option(
      names = "--to",
      paramLabel = "STORE",
      required = true,
      description = "Where it goes: sqlite:DIR or postgres:URL.")
  private String to = "";

  @Option(
      names = "--jdbc-user",
      paramLabel = "NAME",
      description =
          "The role to log in as; to copy from PostgreSQL, one that row-level security does not"
              + " bind (default: that of the URL, or the user of this process).")
  private @Nullable String user;

  @Option(
      names = "--jdbc-password",
      paramLabel = "TEXT",
      description =
          "Its password; better given as CONTEXTURE_JDBC_PASSWORD, which others do not see.")
  private @Nullable String password;

  @Override
  public Integer call() {
    Printer printer = Printer.of(spec);
    requireKnown("--from", from);
    requireKnown("--to", to);
    Map<CopiedTable, RowSum> copied;
    String names;
    try (CopySide source = from.startsWith(SQLITE) ? sqliteSource() : postgresSource();
        CopySide target = to.startsWith(SQLITE) ? sqliteTarget() : postgresTarget();
        Progress progress = printer.progress("copy")) {
      copied = StoreCopy.run(source, target, progress::at);
      names = source.name() + " is in " + target.name();
    }
    print(printer, copied, names);
    return Main.DONE;
  }

  private static void requireKnown(String option, String store) {
    boolean known =
        (store.startsWith(SQLITE) && store.length() > SQLITE.length())
            || (store.startsWith(POSTGRES) && store.length() > POSTGRES.length());
    if (!known) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_ARGUMENT, option, "of another kind", "sqlite:DIR or postgres:URL");
    }
  }

  private CopySide sqliteSource() {
    return SqliteCopySide.source(Path.of(from.substring(SQLITE.length())));
  }

  private CopySide sqliteTarget() {
    return SqliteCopySide.target(Path.of(to.substring(SQLITE.length())));
  }

  private CopySide postgresSource() {
    return PostgresCopySide.source(settings(from));
  }

  private CopySide postgresTarget() {
    return PostgresCopySide.target(settings(to));
  }

  private PostgresSettings settings(String store) {
    String url = store.substring(POSTGRES.length());
    return PostgresSettings.of(
            url.startsWith(PostgresSettings.PREFIX) ? url : PostgresSettings.PREFIX + url)
        .login(user, password);
  }

  private static void print(Printer printer, Map<CopiedTable, RowSum> copied, String names) {
    long rows = copied.values().stream().mapToLong(RowSum::rows).sum();
    if (printer.json()) {
      JsonObject.Builder tables = JsonObject.builder();
      for (CopiedTable table : CopiedTable.values()) {
        RowSum sum = copied.get(table);
        tables.put(table.table(), sum == null ? 0 : sum.rows());
      }
      printer.json(JsonObject.builder().put("rows", rows).put("tables", tables.build()).build());
      return;
    }
    printer.line(names + ": " + Printer.count(rows, "row", "rows") + ", the same on both sides");
  }
}
