package dev.contexture.cli;

import dev.contexture.cli.support.Api;
import dev.contexture.cli.support.StoreFlags;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonObject;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Who has talked. */
@Command(
    name = "users",
    description = "Lists users with conversations, newest activity first.",
    footerHeading = "%nExamples:%n",
    footer = "  contexture users --limit 20")
final class UsersCommand implements Callable<Integer> {
  private static final int MAX_LIMIT = 200;

  @Spec private @Nullable CommandSpec spec;
  @Mixin private StoreFlags store = new StoreFlags();

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "50",
      description = "The most users, up to 200 (default: ${DEFAULT-VALUE}).")
  private int limit = 50;

  @Option(
      names = "--cursor",
      paramLabel = "CURSOR",
      description = "Goes on behind a page: what that printed as its cursor.")
  private @Nullable String cursor;

  @Override
  public Integer call() {
    if (limit < 1 || limit > MAX_LIMIT) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_ARGUMENT, "--limit", limit, "a number from 1 to " + MAX_LIMIT);
    }
    Printer printer = Printer.of(spec);
    JsonObject page;
    try (Api api = Api.open(store)) {
      page = api.get(Printer.paged("/v1/users", limit, cursor));
    }
    if (printer.json()) {
      printer.json(page);
      return Main.DONE;
    }
    List<JsonObject> users = Printer.objects(page, "users");
    if (users.isEmpty()) {
      printer.note("nobody has talked yet");
      return Main.DONE;
    }
    printer.table(
        List.of("USER", "CONVERSATIONS", "LAST ACTIVITY"),
        users.stream()
            .map(
                row ->
                    List.of(
                        row.string("user").orElse(""),
                        String.valueOf(Printer.number(row, "conversations")),
                        row.string("last_activity_at").orElse("")))
            .toList());
    printer.more(page);
    return Main.DONE;
  }
}
