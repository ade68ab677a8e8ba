package dev.contexture.cli;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonValue;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Changes a memory block as a human. */
@Command(
    name = "edit",
    description = {
      "Edits a memory block: its text, or its value as JSON.",
      "Without --set and --file the editor that VISUAL or EDITOR names is opened. Only what was"
          + " changed is sent, against the version that was seen, so that what agents wrote"
          + " meanwhile stays."
    })
final class MemoryEditCommand implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;
  @Mixin private StoreFlags store = new StoreFlags();
  @ArgGroup private @Nullable Given given;

  @Parameters(index = "0", paramLabel = "AGENT", description = "The agent.")
  private String agent = "";

  @Parameters(index = "1", paramLabel = "LABEL", description = "The label of the block.")
  private String label = "";

  @Option(
      names = "--as",
      paramLabel = "ID",
      description = "Who edits: a human of this id (default: the user of this machine).")
  private @Nullable String human;

  @Option(
      names = "--message",
      paramLabel = "TEXT",
      defaultValue = "",
      description = "Why; kept in the history.")
  private String message = "";

  /** Where the new value comes from, if not from an editor. */
  static final class Given {
    @Option(names = "--set", paramLabel = "VALUE", description = "The new text, or JSON.")
    private @Nullable String value;

    @Option(names = "--file", paramLabel = "FILE", description = "A file with the same.")
    private @Nullable Path file;
  }

  @Override
  public Integer call() {
    Printer printer = Printer.of(spec);
    try (Api api = Api.open(store)) {
      JsonObject block = api.get(MemoryCommand.block(agent, label));
      JsonValue before = block.find("value").orElse(JsonValue.of(""));
      JsonObject schema = block.object("schema").orElse(JsonObject.EMPTY);
      JsonValue after = read(before, changed(before));
      List<JsonObject> ops = MemoryChanges.between(schema, before, after);
      long version = Printer.number(block, "version");
      if (!ops.isEmpty()) {
        version = Printer.number(send(api, ops, version), "version");
      }
      if (printer.json()) {
        printer.json(
            JsonObject.builder()
                .put("changed", !ops.isEmpty())
                .put("operations", ops.size())
                .put("version", version)
                .build());
      } else {
        printer.line(
            ops.isEmpty()
                ? "nothing changed; version " + version
                : String.format(
                    Locale.ROOT,
                    "%d change%s; version %d",
                    ops.size(),
                    ops.size() == 1 ? "" : "s",
                    version));
      }
    }
    return Main.DONE;
  }

  /** The new content as it was written. */
  private String changed(JsonValue before) {
    if (given != null && given.value != null) {
      return given.value;
    }
    boolean text = before instanceof JsonString;
    if (given != null && given.file != null) {
      String read = JsonFile.text(given.file);
      return text ? withoutAddedEnd(before, read) : read;
    }
    String shown = before instanceof JsonString plain ? plain.value() : before.toPrettyJson();
    Environment environment = ContextureCommand.of(spec).environment();
    String edited = new Editor(environment).edit(label, text ? ".txt" : ".json", shown);
    return text ? withoutAddedEnd(before, edited) : edited;
  }

  /** Editors end a file with a line feed that nobody wrote. */
  private static String withoutAddedEnd(JsonValue before, String text) {
    boolean had = before instanceof JsonString plain && plain.value().endsWith("\n");
    return !had && text.endsWith("\n") ? text.substring(0, text.length() - 1) : text;
  }

  private static JsonValue read(JsonValue before, String text) {
    if (before instanceof JsonString) {
      return JsonValue.of(text);
    }
    try {
      return JsonValue.parse(text);
    } catch (ContextureException malformed) {
      throw malformed.within("the new value");
    }
  }

  private JsonObject send(Api api, List<JsonObject> ops, long seen) {
    JsonObject body =
        JsonObject.builder()
            .put("ops", new JsonArray(List.<JsonValue>copyOf(ops)))
            .put("base_version", seen)
            .put("message", message)
            .build();
    return api.send(
        "POST",
        MemoryCommand.block(agent, label) + "/ops",
        body.toJson(),
        Map.of("X-Actor", "human:" + human()));
  }

  private String human() {
    String name = human == null ? System.getProperty("user.name", "") : human;
    if (name.isBlank()) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_PARAMS, "--as", name, "the id of a human");
    }
    return name;
  }
}
