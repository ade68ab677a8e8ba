package dev.contexture.cli;

import dev.contexture.cli.output.Printer;
import dev.contexture.cli.output.ReceiptText;
import dev.contexture.cli.support.Api;
import dev.contexture.cli.support.Environment;
import dev.contexture.cli.support.Names;
import dev.contexture.cli.support.StoreFlags;
import dev.contexture.cli.support.SummarizerOption;
import dev.contexture.compaction.summary.Summarizer;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
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
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  contexture compact c1 --user u42 --dry-run --explain",
      "  contexture compact c1 --user u42 --withdraw"
    })
final class CompactCommand implements Callable<Integer> {
  private static final String NEWEST = "";
  private static final String RECEIPT = "receipt";
  private static final int PAGE = 50;

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

  @Option(
      names = "--explain",
      description =
          "Say what the summary kept and left out; where none was made, that of the newest one.")
  private boolean explain;

  @Option(
      names = "--withdraw",
      paramLabel = "ID",
      arity = "0..1",
      fallbackValue = NEWEST,
      description =
          "Take a summary back instead: the newest, or the one named, which must be the newest.")
  private @Nullable String withdraw;

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
      String at = Api.conversation(user, conversation);
      if (withdraw != null) {
        withdraw(printer, api, at, withdraw);
      } else {
        compact(printer, api, at);
      }
    }
    return Main.DONE;
  }

  private void compact(Printer printer, Api api, String at) {
    JsonObject report = api.post(at + "/compact", body());
    JsonObject explained = explain ? explained(api, at, report) : JsonObject.EMPTY;
    if (printer.json()) {
      printer.json(report.toBuilder().putAll(explained).build());
      return;
    }
    print(printer, report);
    if (explain) {
      explain(printer, explained);
    }
  }

  /** Which summary is explained, and its receipt; of none: nothing. */
  private JsonObject explained(Api api, String at, JsonObject report) {
    if (dryRun && report.has(RECEIPT)) { // nothing is stored that could be asked for
      JsonArray pins = api.get(at + "/pins").array("pins").orElse(JsonArray.of());
      JsonObject receipt = report.object(RECEIPT).orElse(JsonObject.EMPTY).with("pins", pins);
      return of(report.string("summary_id").orElse(""), receipt);
    }
    return newest(api, at)
        .map(id -> of(id, api.get(at + "/summaries/" + id).find(RECEIPT).orElseThrow()))
        .orElse(JsonObject.EMPTY);
  }

  private static JsonObject of(String summary, JsonValue receipt) {
    return JsonObject.builder().put("receipt_of", summary).put(RECEIPT, receipt).build();
  }

  /** The newest summary that stands. */
  private static Optional<String> newest(Api api, String at) {
    String page = at + "/summaries?limit=" + PAGE;
    Optional<String> cursor = Optional.of("");
    while (cursor.isPresent()) {
      JsonObject found =
          api.get(page + cursor.map(c -> c.isEmpty() ? c : "&cursor=" + c).orElseThrow());
      for (JsonValue row : found.array("summaries").map(JsonArray::items).orElse(List.of())) {
        if (row instanceof JsonObject summary && !summary.isTrue("withdrawn")) {
          return summary.string("summary_id");
        }
      }
      cursor = found.string("next_cursor");
    }
    return Optional.empty();
  }

  private static void explain(Printer printer, JsonObject explained) {
    String id = explained.string("receipt_of").orElse("");
    if (id.isEmpty()) {
      printer.line("there is no summary to explain");
    } else if (explained.object(RECEIPT).isEmpty()) {
      printer.line("summary " + id + " was made before receipts were kept");
    } else {
      ReceiptText.of(id, explained.object(RECEIPT).orElseThrow()).forEach(printer::line);
    }
  }

  private static void withdraw(Printer printer, Api api, String at, String which) {
    String id =
        which.equals(NEWEST)
            ? newest(api, at)
                .orElseThrow(
                    () ->
                        new ContextureException(
                            ErrorCode.NOT_FOUND,
                            "there is no summary to withdraw",
                            Map.of("field", "--withdraw"),
                            null))
            : which;
    JsonObject answer = api.post(at + "/summaries/" + id + "/withdraw", JsonObject.EMPTY);
    if (printer.json()) {
      printer.json(answer.with("summary_id", JsonValue.of(id)));
    } else {
      printer.line("summary " + id + " is taken back: the context before it is shown again");
    }
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
              "%s%s; the context has %d tokens",
              printer.paint().doubtful(status.replace('_', ' ')),
              report
                  .string("reason")
                  .filter(reason -> !reason.equals(status))
                  .map(reason -> ": " + reason.replace('_', ' '))
                  .orElse(""),
              before));
      return;
    }
    String would = dryRun ? "would become" : "became";
    printer.line(
        String.format(
            Locale.ROOT,
            "%s%s of %s %s one summary: %d tokens before, %d after",
            dryRun ? printer.paint().doubtful("dry run: ") : "",
            Printer.count(Printer.number(report, "compacted_blocks"), "block", "blocks"),
            Printer.count(
                report.array("covered_turn_ids").map(ids -> ids.items().size()).orElse(0),
                "turn",
                "turns"),
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
