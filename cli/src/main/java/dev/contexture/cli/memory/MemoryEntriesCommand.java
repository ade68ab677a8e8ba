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
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Lists what an agent keeps for good. */
@Command(
    name = "entries",
    description = "Lists the archival entries of an agent, oldest first.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  contexture memory entries atlas",
      "  contexture memory entries atlas --user u42 --content full"
    })
final class MemoryEntriesCommand implements Callable<Integer> {
  private static final int PAGE = 100;

  @Spec private @Nullable CommandSpec spec;
  @Mixin private StoreFlags store = new StoreFlags();

  @Parameters(paramLabel = "AGENT", description = "The agent.")
  private String agent = "";

  @Option(
      names = "--user",
      paramLabel = "ID",
      description = "Those of the agent and of this user (default: those of all users).")
  private @Nullable String user;

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "100",
      description = "The most entries (default: ${DEFAULT-VALUE}).")
  private int limit = PAGE;

  @Option(
      names = "--content",
      paramLabel = "NAME",
      defaultValue = "excerpt",
      description = "excerpt, or full: the whole content of each entry (default: excerpt).")
  private String content = "excerpt";

  @Override
  public Integer call() {
    Printer printer = Printer.of(spec);
    List<JsonObject> entries;
    try (Api api = Api.open(store)) {
      api.get(MemoryCommand.agent(agent)); // an agent that is not there is refused, not empty
      entries = entries(api);
    }
    if (printer.json()) {
      printer.json(JsonObject.of("entries", new JsonArray(List.<JsonValue>copyOf(entries))));
    } else {
      printer.table(
          List.of("ID", "TIME", "USER", "TEXT"),
          entries.stream().map(MemoryEntriesCommand::row).toList());
    }
    return Main.DONE;
  }

  private List<JsonObject> entries(Api api) {
    List<JsonObject> all = new ArrayList<>();
    String whose =
        MemoryCommand.user("&", Objects.requireNonNullElse(user, MemoryCommand.EVERYBODY));
    String cursor = "";
    do {
      JsonObject page =
          api.get(
              MemoryCommand.agent(agent)
                  + "/archival?limit="
                  + Math.clamp(limit - all.size(), 1, PAGE)
                  + "&content="
                  + Api.encoded(content)
                  + whose
                  + cursor);
      all.addAll(Printer.objects(page, "entries"));
      cursor = page.string("next_cursor").map(next -> "&cursor=" + Api.encoded(next)).orElse("");
    } while (!cursor.isEmpty() && all.size() < limit);
    return all.subList(0, Math.min(limit, all.size()));
  }

  private static List<String> row(JsonObject entry) {
    return List.of(
        entry.string("id").orElse(""),
        entry.string("ts").orElse(""),
        entry.string("user").orElse("-"),
        entry.string("content").or(() -> entry.string("excerpt")).orElse("").replace('\n', ' '));
  }
}
