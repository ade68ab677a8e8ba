package dev.contexture.cli;

import dev.contexture.cli.support.Api;
import dev.contexture.cli.support.Environment;
import dev.contexture.cli.support.Names;
import dev.contexture.cli.support.StoreFlags;
import dev.contexture.cli.support.SummarizerOption;
import dev.contexture.compaction.summary.Summarizer;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Compacts one conversation now. */
@Command(
    name = "compact",
    description = {
      "Puts a summary in place of the older part of a conversation.",
      "Nothing is lost: what it stands for stays stored, and the summary can be withdrawn. Without"
          + " --max-tokens it is done in any case; with it only where the context is too large."
    })
final class CompactCommand implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;
  @Mixin private StoreFlags store = new StoreFlags();

  @Option(names = "--user", paramLabel = "ID", required = true, description = "The user.")
  private String user = "";

  @Parameters(paramLabel = "CONVERSATION", description = "Its id.")
  private String conversation = "";

  @Option(names = "--dry-run", description = "Say what would be done, and store nothing.")
  private boolean dryRun;

  @Option(names = "--max-tokens", paramLabel = "N", description = "The budget of the context.")
  private @Nullable Long maxTokens;

  @Option(names = "--force", description = "Also where the budget holds.")
  private boolean force;

  @Option(
      names = "--policy",
      paramLabel = "NAME",
      completionCandidates = Names.Policies.class,
      description = "${COMPLETION-CANDIDATES}.")
  private @Nullable String policy;

  @Option(
      names = "--keep-recent-turns",
      paramLabel = "N",
      description = "How many turns stay as they are.")
  private @Nullable Integer keepRecentTurns;

  @Option(
      names = "--tokenizer",
      paramLabel = "NAME",
      completionCandidates = Names.Tokenizers.class,
      description = "${COMPLETION-CANDIDATES}.")
  private @Nullable String tokenizer;

  @Option(
      names = "--summarizer",
      paramLabel = "WHO",
      defaultValue = "extractive",
      description =
          "As for serve; a server that has the store open uses its own (default:"
              + " ${DEFAULT-VALUE}).")
  private String summarizer = "extractive";

  @Override
  public Integer call() {
    Printer printer = Printer.of(spec);
    Environment environment = ContextureCommand.of(spec).environment();
    try (Api api =
        Api.open(
            store,
            () -> {
              Summarizer writer = SummarizerOption.open(summarizer, environment::variable);
              return settings -> settings.summarizer(writer);
            })) {
      JsonObject report = api.post(Api.conversation(user, conversation) + "/compact", body());
      if (printer.json()) {
        printer.json(report);
      } else {
        print(printer, report);
      }
    }
    return Main.DONE;
  }

  private JsonObject body() {
    JsonObject.Builder body = JsonObject.builder().put("dry_run", dryRun);
    if (maxTokens != null) {
      body.put("max_tokens", maxTokens);
    }
    if (force) {
      body.put("force", true);
    }
    if (keepRecentTurns != null) {
      body.put("keep_recent_turns", keepRecentTurns);
    }
    return body.putIfPresent("policy", policy).putIfPresent("tokenizer", tokenizer).build();
  }

  private void print(Printer printer, JsonObject report) {
    String status = report.string("status").orElse("");
    long before = Printer.number(report, "tokens_before");
    if (!status.equals("completed")) {
      printer.line(
          String.format(
              Locale.ROOT,
              "%s: %s; the context has %d tokens",
              printer.paint().doubtful(status.replace('_', ' ')),
              report.string("reason").orElse("").replace('_', ' '),
              before));
      return;
    }
    String would = dryRun ? "would become" : "became";
    printer.line(
        String.format(
            Locale.ROOT,
            "%s%d blocks of %d turns %s one summary: %d tokens before, %d after",
            dryRun ? printer.paint().doubtful("dry run: ") : "",
            Printer.number(report, "compacted_blocks"),
            report.array("covered_turn_ids").map(ids -> ids.items().size()).orElse(0),
            would,
            before,
            Printer.number(report, "tokens_after")));
    report
        .find("cut_seq")
        .map(JsonValue::toJson)
        .ifPresent(cut -> printer.line("what comes from block " + cut + " on stays as it is"));
    report
        .string("split_turn_id")
        .ifPresent(turn -> printer.line("turn " + turn + " is divided by the cut"));
    report
        .string("summary")
        .ifPresent(text -> printer.line(printer.paint().faint("summary:") + "\n" + text));
    report
        .string("summary_id")
        .filter(id -> !dryRun)
        .ifPresent(id -> printer.line("summary " + id));
  }
}
