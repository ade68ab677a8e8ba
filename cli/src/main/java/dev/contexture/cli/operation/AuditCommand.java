package dev.contexture.cli.operation;

import dev.contexture.cli.Main;
import dev.contexture.cli.output.Printer;
import dev.contexture.cli.support.Api;
import dev.contexture.cli.support.StoreFlags;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonValue;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Shows who administered, and erased. */
@Command(
    name = "audit",
    description = {
      "Shows administrative and erasing calls, and keys that changed, newest first.",
      "With --tenant and --project those of a project; without, those of the whole store."
    },
    footerHeading = "%nExamples:%n",
    footer = {"  contexture audit --limit 20", "  contexture audit --from 2026-11-01 --json"})
public final class AuditCommand implements Callable<Integer> {
  private static final int MAX_LIMIT = 1_000;

  @Spec private @Nullable CommandSpec spec;
  @Mixin private StoreFlags store = new StoreFlags();

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "50",
      description = "The most entries, up to 1000 (default: ${DEFAULT-VALUE}).")
  private int limit = 50;

  @Option(names = "--from", paramLabel = "TIME", description = "Only entries from then on.")
  private @Nullable String from;

  @Option(names = "--to", paramLabel = "TIME", description = "Only entries before then.")
  private @Nullable String to;

  @Override
  public Integer call() {
    if (limit < 1 || limit > MAX_LIMIT) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_ARGUMENT, "--limit", limit, "a number from 1 to " + MAX_LIMIT);
    }
    Printer printer = Printer.of(spec);
    JsonObject page;
    try (Api api = Api.open(store)) {
      page = api.get("/v1/audit?limit=" + limit + query("from", from) + query("to", to));
    }
    if (printer.json()) {
      printer.json(page);
      return Main.DONE;
    }
    List<JsonObject> entries = Printer.objects(page, "entries");
    if (entries.isEmpty()) {
      printer.note("nothing was administered or erased");
      return Main.DONE;
    }
    printer.table(
        List.of("TIME", "WHO", "WHAT", "ON", "OUTCOME"),
        entries.stream().map(AuditCommand::row).toList());
    return Main.DONE;
  }

  private static String query(String name, @Nullable String value) {
    return value == null ? "" : "&" + name + "=" + Api.encoded(value);
  }

  private static List<String> row(JsonObject entry) {
    return List.of(
        entry.string("ts").orElse("-"),
        who(entry),
        entry.string("action").orElse("an entry that is damaged"),
        target(entry),
        entry.string("outcome").orElse("-")
            + entry.string("code").map(code -> " (" + code + ")").orElse(""));
  }

  private static String who(JsonObject entry) {
    String by = entry.string("key").or(() -> entry.string("by")).orElse("-");
    return by + entry.string("key_name").map(name -> " (" + name + ")").orElse("");
  }

  private static String target(JsonObject entry) {
    StringJoiner all = new StringJoiner(" ").setEmptyValue("-");
    entry
        .string("tenant")
        .ifPresent(tenant -> all.add(tenant + "/" + entry.string("project").orElse("-")));
    for (Map.Entry<String, JsonValue> part :
        entry.object("target").orElse(JsonObject.EMPTY).members().entrySet()) {
      JsonValue value = part.getValue();
      all.add(
          part.getKey() + "=" + (value instanceof JsonString text ? text.value() : value.toJson()));
    }
    return all.toString();
  }
}
