package dev.contexture.cli.memory;

import dev.contexture.cli.Main;
import dev.contexture.cli.output.Printer;
import dev.contexture.cli.support.Api;
import dev.contexture.cli.support.StoreFlags;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonNull;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Gives memory of an agent to one of its users, or back. */
@Command(
    name = "move",
    description = {
      "Gives blocks and archival entries of an agent to one of its users, or back to the agent.",
      "All of them are moved, or none. What belongs to a user is seen in conversations of that user"
          + " only."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  contexture memory move atlas --block notes --to u42 --dry-run",
      "  contexture memory move atlas --entry arc_0190 --entry arc_0191 --to u42",
      "  contexture memory move atlas --from u42 --block notes --to-agent"
    })
final class MemoryMoveCommand implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;
  @Mixin private StoreFlags store = new StoreFlags();

  @ArgGroup(multiplicity = "1")
  private Target target = new Target();

  @Parameters(paramLabel = "AGENT", description = "The agent.")
  private String agent = "";

  @Option(
      names = "--from",
      paramLabel = "ID",
      description = "The user that they belong to now (default: the agent itself).")
  private @Nullable String from;

  @Option(names = "--block", paramLabel = "LABEL", description = "A block; may be given again.")
  private List<String> labels = List.of();

  @Option(names = "--entry", paramLabel = "ID", description = "An entry; may be given again.")
  private List<String> entries = List.of();

  @Option(names = "--dry-run", description = "Says what would be moved, and moves nothing.")
  private boolean dryRun;

  /** The new owner of the blocks and entries. */
  static final class Target {
    @Option(names = "--to", paramLabel = "ID", description = "The user who gets them.")
    private @Nullable String user;

    @Option(names = "--to-agent", description = "Back to the agent, for all of its users.")
    private boolean agent;
  }

  @Override
  public Integer call() {
    if (labels.isEmpty() && entries.isEmpty()) {
      throw new ParameterException(
          Objects.requireNonNull(spec).commandLine(), "nothing to move: give --block or --entry");
    }
    Printer printer = Printer.of(spec);
    JsonObject moved;
    try (Api api = Api.open(store)) {
      moved = api.post(MemoryCommand.agent(agent) + "/move", body());
    }
    if (printer.json()) {
      printer.json(moved);
      return Main.DONE;
    }
    List<List<String>> rows = new ArrayList<>();
    for (JsonObject block : Printer.objects(moved, "blocks")) {
      rows.add(row("block", block.string("label").orElse(""), block));
    }
    for (JsonObject entry : Printer.objects(moved, "entries")) {
      rows.add(row("entry", entry.string("id").orElse(""), entry));
    }
    if (rows.isEmpty()) {
      printer.line("nothing to move: all of it is there already");
    } else {
      printer.table(List.of(dryRun ? "WOULD MOVE" : "MOVED", "NAME", "FROM", "TO"), rows);
    }
    return Main.DONE;
  }

  private JsonObject body() {
    return JsonObject.builder()
        .putIfPresent("user", from)
        .put("to", target.agent || target.user == null ? JsonNull.NULL : JsonValue.of(target.user))
        .put("labels", JsonArray.ofStrings(labels))
        .put("entries", JsonArray.ofStrings(entries))
        .put("dry_run", JsonValue.of(dryRun))
        .build();
  }

  private List<String> row(String kind, String name, JsonObject moved) {
    return List.of(
        kind,
        name,
        from == null ? "agent " + agent : from,
        moved.string("user").orElse("agent " + agent));
  }
}
