package dev.contexture.cli.memory;

import dev.contexture.cli.Main;
import dev.contexture.cli.output.Printer;
import dev.contexture.cli.support.Api;
import dev.contexture.cli.support.StoreFlags;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Lists, shows, edits and moves the memory of agents. */
@Command(
    name = "memory",
    description = "Lists, shows, edits and moves what agents remember.",
    subcommands = {
      MemoryCommand.ListAll.class,
      MemoryCommand.Show.class,
      MemoryEditCommand.class,
      MemoryHistoryCommand.History.class,
      MemoryHistoryCommand.Undo.class,
      MemoryHistoryCommand.Restore.class,
      MemoryEntriesCommand.class,
      MemoryMoveCommand.class
    },
    synopsisSubcommandLabel = "COMMAND",
    footerHeading = "%nExamples:%n",
    footer = {
      "  contexture memory list",
      "  contexture memory show atlas notes",
      "  contexture memory edit atlas notes --set 'Ann lives in Oslo.'",
      "  contexture memory list atlas --user u42",
      "  contexture memory move atlas --block notes --to u42 --dry-run"
    })
public final class MemoryCommand implements Callable<Integer> {
  /** In the place of a user: all of them. */
  static final String EVERYBODY = "*";

  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() {
    throw new ParameterException(
        Objects.requireNonNull(spec).commandLine(),
        "no command given: list, show, edit, history, undo, restore, entries or move");
  }

  /** The path of an agent. */
  static String agent(String agent) {
    return "/v1/agents/" + Api.id("AGENT", agent);
  }

  /** The path of a block. */
  static String block(String agent, String label) {
    return agent(agent) + "/blocks/" + Api.id("LABEL", label);
  }

  /** The end of a path that names a user, if one is given. */
  static String user(String mark, @Nullable String user) {
    return user == null ? "" : mark + "user=" + Api.encoded(user);
  }

  /** Whose a block is, in words. */
  static String whose(JsonObject block) {
    return block.string("user").map(user -> "of user " + user).orElse("for all users");
  }

  /** The blocks of an agent, or all agents. */
  @Command(name = "list", description = "Lists the agents, or the memory blocks of one of them.")
  static final class ListAll implements Callable<Integer> {
    @Spec private @Nullable CommandSpec spec;
    @Mixin private StoreFlags store = new StoreFlags();

    @Parameters(arity = "0..1", paramLabel = "AGENT", description = "The agent.")
    private @Nullable String agent;

    @Option(
        names = "--user",
        paramLabel = "ID",
        description = "As the agent sees it for this user (default: blocks of all users).")
    private @Nullable String user;

    @Override
    public Integer call() {
      Printer printer = Printer.of(spec);
      try (Api api = Api.open(store)) {
        if (agent == null) {
          agents(api, printer);
        } else {
          blocks(api, printer, agent, user == null ? EVERYBODY : user);
        }
      }
      return Main.DONE;
    }

    private static void agents(Api api, Printer printer) {
      List<JsonObject> agents = new ArrayList<>();
      String cursor = "";
      do {
        JsonObject page = api.get("/v1/agents?limit=100" + cursor);
        agents.addAll(Printer.objects(page, "agents"));
        cursor = page.string("next_cursor").map(next -> "&cursor=" + Api.encoded(next)).orElse("");
      } while (!cursor.isEmpty());
      if (printer.json()) {
        printer.json(JsonObject.of("agents", new JsonArray(List.<JsonValue>copyOf(agents))));
      } else {
        printer.table(
            List.of("AGENT", "NAME", "DESCRIPTION"),
            agents.stream()
                .map(
                    row ->
                        List.of(
                            row.string("agent_id").or(() -> row.string("agent")).orElse(""),
                            row.string("name").orElse("-"),
                            row.string("description").orElse("-")))
                .toList());
      }
    }

    private static void blocks(Api api, Printer printer, String agent, String user) {
      api.get(agent(agent)); // an agent that is not there is refused, not empty
      JsonObject own = api.get(agent(agent) + "/blocks" + user("?", user));
      JsonObject shared = api.get(agent(agent) + "/shared" + user("?", user));
      if (printer.json()) {
        printer.json(own.with("shared", shared.find("blocks").orElse(new JsonArray(List.of()))));
        return;
      }
      List<List<String>> rows = new ArrayList<>();
      Printer.objects(own, "blocks").forEach(block -> rows.add(row(block, "")));
      Printer.objects(shared, "blocks")
          .forEach(block -> rows.add(row(block, block.string("owner").orElse(""))));
      printer.table(
          List.of("LABEL", "TYPE", "PERMISSION", "PINNED", "VERSION", "SIZE", "OWNER", "USER"),
          rows);
    }

    private static List<String> row(JsonObject block, String owner) {
      boolean own = owner.isEmpty();
      return List.of(
          block.string("label").orElse(""),
          block.string("block_type").orElse(""),
          block.string("permission").orElse(""),
          block.isTrue("pinned") ? "yes" : "no",
          own ? String.valueOf(Printer.number(block, "version")) : "-",
          own ? String.valueOf(Printer.number(block, "size")) : "-",
          own ? "-" : owner,
          block.string("user").orElse("-"));
    }
  }

  /** One block. */
  @Command(name = "show", description = "Shows a memory block as a model sees it.")
  static final class Show implements Callable<Integer> {
    @Spec private @Nullable CommandSpec spec;
    @Mixin private StoreFlags store = new StoreFlags();

    @Parameters(index = "0", paramLabel = "AGENT", description = "The agent.")
    private String agent = "";

    @Parameters(index = "1", paramLabel = "LABEL", description = "The label of the block.")
    private String label = "";

    @Option(names = "--at", paramLabel = "VERSION", description = "As it was at a version.")
    private @Nullable Long at;

    @Option(
        names = "--user",
        paramLabel = "ID",
        description = "The user's block of that label, else the agent's (default: the agent's).")
    private @Nullable String user;

    @Override
    public Integer call() {
      Printer printer = Printer.of(spec);
      JsonObject block;
      try (Api api = Api.open(store)) {
        String version = at == null ? "" : "?at=" + at;
        block = api.get(block(agent, label) + version + user(at == null ? "?" : "&", user));
      }
      if (printer.json()) {
        printer.json(block);
        return Main.DONE;
      }
      printer.line(
          String.format(
              Locale.ROOT,
              "%s  %s, %s, %s, version %d",
              printer.paint().strong(label),
              whose(block),
              block.string("block_type").orElse(""),
              block.string("permission").orElse(""),
              Printer.number(block, "version")));
      printer.line(block.string("rendered").orElse(""));
      return Main.DONE;
    }
  }
}
