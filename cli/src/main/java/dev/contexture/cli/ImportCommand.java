package dev.contexture.cli;

import dev.contexture.cli.support.Api;
import dev.contexture.cli.support.JsonFile;
import dev.contexture.cli.support.Progress;
import dev.contexture.cli.support.StoreFlags;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Takes existing chats in. */
@Command(
    name = "import",
    description = {
      "Imports chats: message lists of OpenAI or Anthropic.",
      "A FILE holds one list, or a request body with \"messages\"; a FILE whose name ends with"
          + " .jsonl holds one of them per line. A conversation is named after its file, and after"
          + " its line in a .jsonl file. Importing the same again adds nothing."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  contexture import weather.json chats.jsonl --user u42",
      "  contexture import - --user u42 --conversation c1"
    })
final class ImportCommand implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;
  @Mixin private StoreFlags store = new StoreFlags();

  @Parameters(arity = "1..*", paramLabel = "FILE", description = "The chats; - is standard input.")
  private List<Path> files = List.of();

  @Option(names = "--user", paramLabel = "ID", required = true, description = "Whose they are.")
  private String user = "";

  @Option(
      names = "--conversation",
      paramLabel = "ID",
      description = "The conversation to import one chat into; it may exist.")
  private @Nullable String conversation;

  @Option(
      names = "--format",
      paramLabel = "NAME",
      defaultValue = "auto",
      description = "auto, openai or anthropic (default: ${DEFAULT-VALUE}).")
  private String format = "auto";

  @Option(
      names = "--model",
      paramLabel = "NAME",
      description = "The model that answered, where the chats do not say so.")
  private @Nullable String model;

  @Override
  public Integer call() {
    Printer printer = Printer.of(spec);
    List<Chat> chats = chats(); // all are read before the first is written
    List<JsonValue> imported = new ArrayList<>();
    try (Api api = Api.openOrMake(store);
        Progress progress = printer.progress("import")) {
      for (Chat chat : chats) {
        imported.add(send(api, chat));
        progress.at(imported.size(), chats.size());
      }
    }
    if (printer.json()) {
      printer.json(JsonObject.of("imported", new JsonArray(imported)));
    } else {
      imported.forEach(each -> print(printer, (JsonObject) each));
    }
    return Main.DONE;
  }

  private List<Chat> chats() {
    List<Chat> chats = new ArrayList<>();
    if (conversation == null && files.contains(JsonFile.STANDARD_INPUT)) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_ARGUMENT,
          "--conversation",
          null,
          "an id for what standard input holds");
    }
    files.forEach(file -> chats.addAll(Chat.read(file, format)));
    if (chats.isEmpty()) {
      throw ContextureException.invalid(
          ErrorCode.IMPORT_MALFORMED, "FILE", "no chats", "at least one");
    }
    if (conversation == null) {
      return chats;
    }
    if (chats.size() > 1) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_ARGUMENT,
          "--conversation",
          "for " + chats.size() + " chats",
          "one chat; without the option each becomes a conversation of its own");
    }
    return List.of(chats.getFirst().named(conversation));
  }

  private JsonObject send(Api api, Chat chat) {
    try {
      JsonObject answer =
          api.send(
              "POST",
              Api.conversation(user, chat.conversation()) + "/import",
              chat.body(model),
              Map.of());
      return JsonObject.builder()
          .put("conversation_id", chat.conversation())
          .put("format", chat.format())
          .putAll(answer)
          .build();
    } catch (ContextureException refused) {
      throw refused.within(chat.place());
    }
  }

  private static void print(Printer printer, JsonObject imported) {
    printer.line(
        String.format(
            Locale.ROOT,
            "%s: %s, %s (%s)",
            printer.paint().strong(imported.string("conversation_id").orElse("")),
            Printer.count(Printer.number(imported, "turns"), "turn", "turns"),
            Printer.count(Printer.number(imported, "blocks"), "block", "blocks"),
            imported.string("format").orElse("")));
    for (JsonObject repair : Printer.objects(imported, "repairs")) {
      printer.line(
          String.format(
              Locale.ROOT,
              "  repaired %s: %s",
              repair.string("where").orElse(""),
              repair.string("reason").orElse("")));
    }
    imported
        .array("instructions")
        .filter(texts -> !texts.items().isEmpty())
        .ifPresent(
            texts ->
                printer.line(
                    "  "
                        + Printer.count(
                            texts.items().size(),
                            "instruction text is not part of the conversation; give it",
                            "instruction texts are not part of the conversation; give them")
                        + " with each request"));
  }
}
