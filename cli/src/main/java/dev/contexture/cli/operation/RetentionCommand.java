package dev.contexture.cli.operation;

import dev.contexture.cli.Main;
import dev.contexture.cli.output.Printer;
import dev.contexture.cli.support.Api;
import dev.contexture.cli.support.StoreFlags;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Erases what outlived rules, or tells what would be erased. */
@Command(
    name = "retention",
    description = {
      "Erases for good what is older or more than rules say, or only tells what that would be.",
      "With --tenant and --project in a project; without, in the whole store. What is erased is"
          + " gone from the store, its log and its index; backups keep what they have."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  contexture retention --retain conversations=180d,requests=100 --dry-run",
      "  contexture retention --retain events=90d"
    })
public final class RetentionCommand implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;
  @Mixin private StoreFlags store = new StoreFlags();

  @Option(
      names = "--retain",
      paramLabel = "RULES",
      description =
          "The rules, as for serve --retain: KIND=AGE or KIND=NUMBER with commas between them, of"
              + " conversations, requests and events (default: those of the server that runs).")
  private @Nullable String retain;

  @Option(names = "--dry-run", description = "Erase nothing; tell what would be erased.")
  private boolean dryRun;

  @Override
  public Integer call() {
    Printer printer = Printer.of(spec);
    JsonObject.Builder body = JsonObject.builder().put("dry_run", JsonValue.of(dryRun));
    body.putIfPresent("rules", retain);
    JsonObject report;
    try (Api api = Api.open(store)) {
      report = api.post("/v1/retention", body.build());
    }
    if (printer.json()) {
      printer.json(report);
      return Main.DONE;
    }
    List<JsonObject> gone = Printer.objects(report, "conversations");
    if (!gone.isEmpty()) {
      printer.table(
          List.of("PROJECT", "USER", "CONVERSATION", "LAST ACTIVITY"),
          gone.stream().map(RetentionCommand::row).toList());
    }
    printer.line(summary(report));
    if (report.isTrue("pending")) {
      printer.note(
          "somebody still reads the files: copies go as soon as that ends, or when the store is"
              + " opened again");
    }
    return Main.DONE;
  }

  private static List<String> row(JsonObject gone) {
    return List.of(
        gone.string("tenant").orElse("-") + "/" + gone.string("project").orElse("-"),
        gone.string("user").orElse("-"),
        gone.string("conversation").orElse("-"),
        gone.string("last_activity_at").orElse("-"));
  }

  private static String summary(JsonObject report) {
    JsonObject counts = report.object("counts").orElse(JsonObject.EMPTY);
    return (report.isTrue("dry_run") ? "would erase " : "erased ")
        + Printer.count(Printer.number(counts, "conversations"), "conversation", "conversations")
        + ", "
        + Printer.count(Printer.number(counts, "requests"), "request record", "request records")
        + ", "
        + Printer.count(Printer.number(counts, "events"), "event", "events");
  }
}
