package dev.contexture.cli;

import dev.contexture.cli.support.Api;
import dev.contexture.cli.support.StoreFlags;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonNull;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Versions of a memory block, and ways back. */
abstract class MemoryHistoryCommand implements Callable<Integer> {
  private static final Map<String, String> ACTOR = Map.of("X-Actor", "system");

  @Spec private @Nullable CommandSpec spec;
  @Mixin private StoreFlags store = new StoreFlags();

  @Parameters(index = "0", paramLabel = "AGENT", description = "The agent.")
  private String agent = "";

  @Parameters(index = "1", paramLabel = "LABEL", description = "The label of the block.")
  private String label = "";

  @Option(
      names = "--user",
      paramLabel = "ID",
      description = "The user's block of that label, else the agent's (default: the agent's).")
  @Nullable String user;

  @Override
  public final Integer call() {
    try (Api api = Api.open(store)) {
      run(Printer.of(spec), api, MemoryCommand.block(agent, label));
    }
    return Main.DONE;
  }

  abstract void run(Printer printer, Api api, String path);

  /** A body of a write, for the user that is named. */
  JsonObject body(JsonObject members) {
    return members.toBuilder().putIfPresent("user", user).build();
  }

  static JsonObject write(Api api, String path, JsonObject body) {
    return api.send("POST", path, body.toJson(), ACTOR);
  }

  /** Newest first. */
  @Command(
      name = "history",
      description = "Lists the versions of a block, newest first.",
      footerHeading = "%nExamples:%n",
      footer = "  contexture memory history mira customer --limit 10")
  static final class History extends MemoryHistoryCommand {
    private static final int PAGE = 200;

    @Option(
        names = "--limit",
        paramLabel = "N",
        defaultValue = "50",
        description = "The most versions (default: ${DEFAULT-VALUE}).")
    private int limit = 50;

    @Override
    void run(Printer printer, Api api, String path) {
      if (limit < 1) {
        throw ContextureException.invalid(
            ErrorCode.INVALID_ARGUMENT, "--limit", limit, "a number from 1");
      }
      long newest = Printer.number(api.get(path + MemoryCommand.user("?", user)), "version");
      List<JsonObject> versions = new ArrayList<>();
      List<JsonObject> page;
      long after = Math.max(0, newest - limit);
      do {
        page =
            Printer.objects(
                api.get(
                    path
                        + "/history?limit="
                        + PAGE
                        + "&after="
                        + after
                        + MemoryCommand.user("&", user)),
                "versions");
        versions.addAll(page);
        after = page.isEmpty() ? after : Printer.number(page.getLast(), "version");
      } while (page.size() == PAGE);
      Collections.reverse(versions);
      if (printer.json()) {
        printer.json(JsonObject.of("versions", new JsonArray(List.<JsonValue>copyOf(versions))));
        return;
      }
      printer.table(
          List.of("VERSION", "TIME", "BY", "WHAT", "WHY"),
          versions.stream()
              .map(
                  row ->
                      List.of(
                          String.valueOf(Printer.number(row, "version")),
                          row.string("ts").orElse(""),
                          row.string("actor").orElse(""),
                          row.string("operation").orElse(""),
                          row.string("message").orElse("")))
              .toList());
    }
  }

  /** Takes steps back, or does them again. */
  @Command(
      name = "undo",
      description = {
        "Takes the newest step of a block back, or does it again.",
        "Without --author it is the newest of anybody. What others wrote after it stays."
      },
      footerHeading = "%nExamples:%n",
      footer = {
        "  contexture memory undo mira customer",
        "  contexture memory undo mira customer --author agent:mira"
      })
  static final class Undo extends MemoryHistoryCommand {
    @Option(
        names = "--author",
        paramLabel = "WHO",
        description = "Only steps of agent:ID, human:ID or system.")
    private @Nullable String author;

    @Option(names = "--redo", description = "Do again what was taken back last.")
    private boolean redo;

    @Override
    void run(Printer printer, Api api, String path) {
      JsonObject asked = JsonObject.builder().putIfPresent("author", author).build();
      JsonObject done = write(api, path + (redo ? "/redo" : "/undo"), body(asked));
      if (printer.json()) {
        printer.json(done);
        return;
      }
      boolean changed = done.find("done").filter(JsonValue.of(true)::equals).isPresent();
      printer.line(
          (changed ? "version " + Printer.number(done, "version") : "there is nothing to do")
              + "; "
              + Printer.count(Printer.number(done, "undo_depth"), "step", "steps")
              + " can be taken back, "
              + Printer.number(done, "redo_depth")
              + " done again");
    }
  }

  /** Goes back to a version, as a new one. */
  @Command(
      name = "restore",
      description = "Writes the content of an older version again, as a new version.",
      footerHeading = "%nExamples:%n",
      footer = "  contexture memory restore mira customer --at 3")
  static final class Restore extends MemoryHistoryCommand {
    @Option(
        names = "--at",
        paramLabel = "VERSION",
        required = true,
        description = "The version to go back to.")
    private long at;

    @Override
    void run(Printer printer, Api api, String path) {
      String mine = MemoryCommand.user("&", user);
      JsonObject then = api.get(path + "?at=" + at + mine);
      JsonObject now = api.get(path + MemoryCommand.user("?", user));
      JsonValue value = then.find("value").orElse(JsonNull.NULL);
      boolean text =
          then.object("schema").flatMap(s -> s.string("kind")).orElse("text").equals("text");
      JsonObject op =
          text
              ? JsonObject.builder().put("op", "set_text").put("text", value).build()
              : JsonObject.builder().put("op", "import").put("value", value).build();
      JsonObject done =
          write(
              api,
              path + "/ops",
              body(
                  JsonObject.builder()
                      .put("ops", new JsonArray(List.of(op)))
                      .put("base_version", Printer.number(now, "version"))
                      .put("message", "back to version " + at)
                      .build()));
      if (printer.json()) {
        printer.json(done);
        return;
      }
      printer.line(
          "version " + Printer.number(done, "version") + " has the content of version " + at);
    }
  }
}
