package dev.contexture.cli.operation;

import dev.contexture.cli.ContextureCommand;
import dev.contexture.cli.Main;
import dev.contexture.cli.output.Paint;
import dev.contexture.cli.output.Printer;
import dev.contexture.cli.support.CheckResult;
import dev.contexture.cli.support.DatabaseFlags;
import dev.contexture.cli.support.LocalServer;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.store.sqlite.SqliteInspection;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Says whether everything is in order, and what to do where it is not. */
@Command(
    name = "doctor",
    description = {
      "Checks the JDK, the settings, the data directory, the store, its index and its server.",
      "Says what to do about what it finds, and changes nothing. Ends with 1 if something is"
          + " wrong."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  contexture doctor --data /var/lib/contexture --quick",
      "  contexture doctor --jdbc-url jdbc:postgresql://db.internal/contexture --jdbc-user"
          + " contexture"
    })
public final class DoctorCommand implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      defaultValue = "contexture-data",
      description = "Directory of the store (default: ${DEFAULT-VALUE}).")
  private Path data = Path.of("contexture-data");

  @Option(
      names = "--quick",
      description = "Do not read or count the rows of the store, which takes long in a large one.")
  private boolean quick;

  @Mixin private DatabaseFlags database = new DatabaseFlags();

  @Override
  public Integer call() {
    LocalServer.quiet();
    Printer printer = Printer.of(spec);
    Diagnostics checkup =
        new Diagnostics(
            data,
            ContextureCommand.of(spec).environment(),
            quick ? SqliteInspection.Depth.FACTS : SqliteInspection.Depth.ROWS);
    List<CheckResult> findings = new ArrayList<>(checkup.run());
    if (database.isGiven()) {
      findings.addAll(new DatabaseCheck(database.settings(), !quick).run());
    }
    boolean wrong = findings.stream().anyMatch(each -> each.state() == CheckResult.State.WRONG);
    if (printer.json()) {
      List<JsonValue> checks = new ArrayList<>();
      findings.forEach(each -> checks.add(each.toJson()));
      printer.json(
          JsonObject.builder().put("ok", !wrong).put("checks", new JsonArray(checks)).build());
    } else {
      findings.forEach(each -> print(printer, each));
    }
    return wrong ? Main.FAILED : Main.DONE;
  }

  private static void print(Printer printer, CheckResult finding) {
    Paint paint = printer.paint();
    String state =
        switch (finding.state()) {
          case OK -> paint.good("ok   ");
          case NOTE -> paint.doubtful("note ");
          case WRONG -> paint.bad("wrong");
        };
    printer.line(
        String.format(Locale.ROOT, "%s  %-9s  %s", state, finding.check(), finding.detail()));
    if (finding.todo() != null) {
      printer.line("                  -> " + finding.todo());
    }
  }
}
