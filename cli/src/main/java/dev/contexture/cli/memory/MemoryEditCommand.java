package dev.contexture.cli.memory;

import dev.contexture.cli.ContextureCommand;
import dev.contexture.cli.Main;
import dev.contexture.cli.output.Printer;
import dev.contexture.cli.support.Api;
import dev.contexture.cli.support.Editor;
import dev.contexture.cli.support.Environment;
import dev.contexture.cli.support.JsonFile;
import dev.contexture.cli.support.StoreFlags;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonValue;
import dev.contexture.memory.permission.Actor;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.function.UnaryOperator;
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
      "--set with JSON changes the fields that it names; the others stay, unless --replace says"
          + " that it is all of the value. What would be removed by --replace or --file is asked"
          + " about first.",
      "Without --set and --file the editor that VISUAL or EDITOR names is opened. Only what was"
          + " changed is sent, against the version that was seen, so that what agents wrote"
          + " meanwhile stays."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  contexture memory edit mira customer --set '{\"name\":\"Hanna Lie\"}'",
      "  EDITOR=nano contexture memory edit mira notes --user hanna"
    })
final class MemoryEditCommand implements Callable<Integer> {
  private static final Set<String> REMOVING = Set.of("remove_field", "delete_item");

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
      names = "--user",
      paramLabel = "ID",
      description = "The block of this user (default: the agent's, for all users).")
  private @Nullable String user;

  @Option(
      names = "--for-all",
      description = "With --user: the agent's block too, where the user has none of that label.")
  private boolean forAll;

  @Option(
      names = "--message",
      paramLabel = "TEXT",
      defaultValue = "",
      description = "Why; kept in the history.")
  private String message = "";

  @Option(names = "--replace", description = "With --set: the value is all of it.")
  private boolean replace;

  @Option(names = "--yes", description = "Remove fields and items without a question.")
  private boolean sure;

  /** The source of the new value, if it does not come from an editor. */
  static final class Given {
    @Option(names = "--set", paramLabel = "VALUE", description = "The new text, or JSON.")
    private @Nullable String value;

    @Option(names = "--file", paramLabel = "FILE", description = "A file with the same.")
    private @Nullable Path file;
  }

  @Override
  public Integer call() {
    Printer printer = Printer.of(spec);
    Map<String, String> actor = Map.of("X-Actor", human().toString()); // before anything is typed
    try (Api api = Api.open(store)) {
      JsonObject block =
          api.send(
              "GET",
              MemoryCommand.block(agent, label) + MemoryCommand.user("?", user),
              null,
              actor);
      requireMeant(block);
      Done done = changed(block, text -> send(api, block, text, actor));
      if (printer.json()) {
        printer.json(
            JsonObject.builder()
                .put("changed", done.operations() > 0)
                .put("operations", done.operations())
                .putIfPresent("user", block.string("user").orElse(null))
                .put("version", done.version())
                .build());
      } else {
        printer.line(
            done.operations() == 0
                ? "nothing changed; version " + done.version()
                : String.format(
                    Locale.ROOT,
                    "%d change%s in the block %s; version %d",
                    done.operations(),
                    done.operations() == 1 ? "" : "s",
                    MemoryCommand.whose(block),
                    done.version()));
      }
    }
    return Main.DONE;
  }

  /** Who names a user does not mean what all users see, unless that is said. */
  private void requireMeant(JsonObject block) {
    if (user != null && !forAll && block.string("user").isEmpty()) {
      throw new ContextureException(
          ErrorCode.NOT_FOUND,
          "user "
              + user
              + " has no block "
              + label
              + "; the one of that label is for all users: say --for-all to edit it",
          Map.of("label", label, "user", user),
          null);
    }
  }

  /** The edit that was sent, and the version that the block has now. */
  private record Done(int operations, long version) {}

  private static JsonValue value(JsonObject block) {
    return block.find("value").orElse(JsonValue.of(""));
  }

  /** Hands the new content over as it was written. */
  private Done changed(JsonObject block, Function<String, Done> taker) {
    if (given != null && given.value != null) {
      return taker.apply(given.value);
    }
    JsonValue before = value(block);
    boolean text = before instanceof JsonString;
    UnaryOperator<String> meant = read -> text ? withoutAddedEnd(before, read) : read;
    if (given != null && given.file != null) {
      return taker.apply(meant.apply(JsonFile.text(given.file)));
    }
    String shown = before instanceof JsonString plain ? plain.value() : before.toPrettyJson();
    Environment environment = ContextureCommand.of(spec).environment();
    return new Editor(environment)
        .edit(
            new Editor.Draft(label, text ? ".txt" : ".json", shown),
            edited -> taker.apply(meant.apply(edited)));
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

  private Done send(Api api, JsonObject block, String text, Map<String, String> actor) {
    JsonValue before = value(block);
    JsonObject schema = block.object("schema").orElse(JsonObject.EMPTY);
    JsonValue after = read(before, text);
    boolean whole = replace || given == null || given.value == null;
    List<JsonObject> ops =
        MemoryChanges.between(schema, before, whole ? after : withNamed(before, after));
    confirm(ops);
    long seen = Printer.number(block, "version");
    if (ops.isEmpty()) {
      return new Done(0, seen);
    }
    JsonObject body =
        JsonObject.builder()
            .put("ops", new JsonArray(List.<JsonValue>copyOf(ops)))
            .put("base_version", seen)
            .put("message", message)
            .putIfPresent("user", user)
            .build();
    String path = MemoryCommand.block(agent, label) + "/ops";
    return new Done(
        ops.size(), Printer.number(api.send("POST", path, body.toJson(), actor), "version"));
  }

  /** The value with the fields that were named, of each section those that were. */
  private static JsonValue withNamed(JsonValue before, JsonValue named) {
    if (!(before instanceof JsonObject all) || !(named instanceof JsonObject fields)) {
      return named;
    }
    JsonObject merged = all;
    for (Map.Entry<String, JsonValue> field : fields.members().entrySet()) {
      JsonValue value =
          all.find(field.getKey())
              .map(known -> withNamed(known, field.getValue()))
              .orElse(field.getValue());
      merged = merged.with(field.getKey(), value);
    }
    return merged;
  }

  /** Asks before something goes that was not deleted by hand in an editor. */
  private void confirm(List<JsonObject> ops) {
    List<String> gone =
        ops.stream()
            .filter(op -> op.string("op").filter(REMOVING::contains).isPresent())
            .map(op -> op.string("field").orElseGet(() -> "an item"))
            .toList();
    if (gone.isEmpty() || sure || given == null) {
      return;
    }
    String what = String.join(", ", gone);
    String said = ContextureCommand.of(spec).environment().ask("Remove " + what + "? Type yes: ");
    if (said == null || !said.strip().equals("yes")) {
      throw new ContextureException(
          ErrorCode.INVALID_ARGUMENT,
          "nothing was changed: it would remove " + what + "; answer yes, or add --yes to do it",
          Map.of("field", "--yes"),
          null);
    }
  }

  private Actor human() {
    String name = human == null ? System.getProperty("user.name", "") : human;
    try {
      return Actor.human(name);
    } catch (ContextureException refused) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_ARGUMENT,
          "--as",
          name,
          "the id of a human, " + refused.details().get("allowed"));
    }
  }
}
