package dev.contexture.cli;

import dev.contexture.cli.output.Printer;
import dev.contexture.cli.output.Progress;
import dev.contexture.cli.support.Api;
import dev.contexture.cli.support.StoreFlags;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.provider.foreign.ForeignFormat;
import dev.contexture.request.history.HistoryFormat;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Takes existing chats, memory and archives in. */
@Command(
    name = "import",
    description = {
      "Imports chats and memory of other programs, and archives that contexture export wrote.",
      "What a FILE is, is found out and told: an export, a log, an agent file, a list of messages,"
          + " or JSON lines of one of them. A conversation has the id of the file if that says"
          + " one, else the file's name. Importing the same again adds nothing."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  contexture import conversations.json --user u42",
      "  contexture import weather.json chats.jsonl --user u42 --agent atlas",
      "  contexture import - --user u42 --conversation c1",
      "  contexture import u42.jsonl"
    })
final class ImportCommand implements Callable<Integer> {
  /** The values that {@code --format} takes. */
  static final class Formats implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      List<String> names = new ArrayList<>(List.of(HistoryFormat.AUTO));
      names.addAll(ForeignFormat.names());
      return names.iterator();
    }
  }

  @Spec private @Nullable CommandSpec spec;
  @Mixin private StoreFlags store = new StoreFlags();

  @Parameters(arity = "1..*", paramLabel = "FILE", description = "The files; - is standard input.")
  private List<Path> files = List.of();

  @Option(
      names = "--user",
      paramLabel = "ID",
      description = "Whose they are; an archive says that itself.")
  private @Nullable String user;

  @Option(
      names = "--conversation",
      paramLabel = "ID",
      description = "The conversation to import one chat into; it may exist.")
  private @Nullable String conversation;

  @Option(
      names = "--agent",
      paramLabel = "ID",
      description = "The agent whose turns, and whose memory, they are.")
  private @Nullable String agent;

  @Option(
      names = "--format",
      paramLabel = "NAME",
      defaultValue = HistoryFormat.AUTO,
      completionCandidates = Formats.class,
      description = "${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
  private String format = HistoryFormat.AUTO;

  @Option(
      names = "--model",
      paramLabel = "NAME",
      description = "The model that answered, where the chats do not say so.")
  private @Nullable String model;

  @Option(
      names = "--ts",
      paramLabel = "INSTANT",
      description =
          "The time of what has none, such as 2026-02-09T02:14:32Z (default: that of the import).")
  private @Nullable String ts;

  @Option(names = "--dry-run", description = "Says what would be imported, and imports nothing.")
  private boolean dryRun;

  @Override
  public Integer call() {
    Printer printer = Printer.of(spec);
    ImportFile.Wishes wishes =
        new ImportFile.Wishes(user, conversation, format(), agent, model, time());
    List<ImportFile> read = // all are read before the first is written
        files.stream().map(file -> ImportFile.read(file, wishes)).toList();
    if (conversation != null && read.size() > 1) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_ARGUMENT,
          "--conversation",
          "for " + read.size() + " files",
          "one file with one chat");
    }
    List<JsonValue> imported = new ArrayList<>();
    try (Api api = Api.openOrMake(store);
        Progress progress = printer.progress("import")) {
      for (ImportFile file : read) {
        imported.add(dryRun ? file.tryOut(api) : file.send(api));
        progress.at(imported.size(), read.size());
      }
    }
    if (printer.json()) {
      printer.json(JsonObject.of("imported", new JsonArray(imported)));
    } else {
      imported.forEach(each -> print(printer, (JsonObject) each));
    }
    return Main.DONE;
  }

  private @Nullable HistoryFormat format() {
    return HistoryFormat.wanted(List.of(ForeignFormat.values()), "--format", format);
  }

  private @Nullable Instant time() {
    try {
      return ts == null ? null : Instant.parse(ts);
    } catch (DateTimeException noTime) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_ARGUMENT, "--ts", ts, "a time such as 2026-02-09T02:14:32Z");
    }
  }

  private static void print(Printer printer, JsonObject imported) {
    if (imported.string("format").isPresent()) {
      printer.line(archive(imported));
      return;
    }
    Printer.objects(imported, "conversations").forEach(chat -> chat(printer, chat));
    for (JsonObject block : Printer.objects(imported, "memory")) {
      printer.line(
          String.format(
              Locale.ROOT,
              "memory %s/%s: %s (%s)",
              block.string("agent").orElse(""),
              printer.paint().strong(block.string("label").orElse("")),
              block.isTrue("stored") ? "new" : "nothing new",
              block.string("format").orElse("")));
    }
  }

  private static String archive(JsonObject imported) {
    return String.format(
        Locale.ROOT,
        "%s, %s, %s, %s; %s as before (archive)",
        count(imported, "conversations", "conversation"),
        count(imported, "turns", "turn"),
        count(imported, "blocks", "memory block"),
        Printer.count(Printer.number(imported, "entries"), "archival entry", "archival entries"),
        Printer.number(imported, "unchanged"));
  }

  private static String count(JsonObject of, String name, String one) {
    return Printer.count(Printer.number(of, name), one, one + "s");
  }

  private static void chat(Printer printer, JsonObject chat) {
    long turns = Printer.number(chat, "turns");
    long known = Printer.number(chat, "known_turns");
    String blocks =
        Printer.number(chat, "blocks") == 0 ? "" : ", " + count(chat, "blocks", "block");
    String added = turns == 0 ? "nothing new" : Printer.count(turns, "turn", "turns") + blocks;
    printer.line(
        String.format(
            Locale.ROOT,
            "%s: %s%s (%s)",
            printer.paint().strong(chat.string("conversation_id").orElse("")),
            added,
            known == 0 ? "" : ", " + Printer.count(known, "turn", "turns") + " as before",
            chat.string("format").orElse("")));
    for (JsonObject repair : Printer.objects(chat, "repairs")) {
      printer.line(
          String.format(
              Locale.ROOT,
              "  repaired %s: %s",
              repair.string("where").orElse(""),
              repair.string("reason").orElse("")));
    }
    chat.array("instructions")
        .filter(texts -> !texts.items().isEmpty())
        .ifPresent(
            texts ->
                printer.line(
                    "  "
                        + Printer.count(
                            texts.items().size(),
                            "instruction text is not part of the conversation; it is kept with its"
                                + " first turn; give it",
                            "instruction texts are not part of the conversation; they are kept"
                                + " with its first turn; give them")
                        + " with each request"));
  }
}
