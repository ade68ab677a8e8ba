package dev.contexture.cli;

import dev.contexture.cli.support.Api;
import dev.contexture.cli.support.Embedders;
import dev.contexture.cli.support.Names;
import dev.contexture.cli.support.StoreFlags;
import dev.contexture.error.ContextureException;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonNumber;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Searches a store. */
@Command(
    name = "search",
    description = {
      "Finds messages, memory blocks and archival entries.",
      "Any text is a query: its words are alternatives, a \"phrase\" must occur. Without --agent"
          + " and --user everything of the project is searched. Where a server has the store open,"
          + " it is asked."
    })
final class SearchCommand implements Callable<Integer> {
  private static final Map<String, String> OPTIONS =
      Map.of(
          "content_types", "--type",
          "roles", "--role",
          "from", "--from",
          "to", "--to",
          "mode", "--mode",
          "limit", "--limit",
          "user", "--user",
          "conversation", "--conversation",
          "query", "QUERY");

  @Spec private @Nullable CommandSpec spec;
  @Mixin private StoreFlags store = new StoreFlags();

  @Parameters(paramLabel = "QUERY", description = "What to look for.")
  private String query = "";

  @Option(names = "--agent", paramLabel = "ID", description = "Only what this agent knows.")
  private @Nullable String agent;

  @Option(names = "--user", paramLabel = "ID", description = "Only this user's messages.")
  private @Nullable String user;

  @Option(
      names = "--conversation",
      paramLabel = "ID",
      description = "Only messages of conversations of this id.")
  private @Nullable String conversation;

  @Option(
      names = "--mode",
      paramLabel = "NAME",
      defaultValue = "auto",
      completionCandidates = Names.SearchModes.class,
      description = "${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
  private String mode = "auto";

  @Option(
      names = "--type",
      paramLabel = "NAME",
      split = ",",
      description = "messages, blocks, archival; all by default.")
  private List<String> types = List.of();

  @Option(
      names = "--role",
      paramLabel = "NAME",
      split = ",",
      description = "Only messages of these roles: user, assistant, tool, system, or a name.")
  private List<String> roles = List.of();

  @Option(names = "--from", paramLabel = "TIME", description = "Nothing older.")
  private @Nullable String from;

  @Option(names = "--to", paramLabel = "TIME", description = "Nothing as new as this.")
  private @Nullable String to;

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "10",
      description = "The most hits (default: ${DEFAULT-VALUE}).")
  private int limit = 10;

  @Option(names = "--raw", description = "The query is in Lucene's syntax, with operators.")
  private boolean raw;

  @Option(
      names = "--embedder",
      paramLabel = "NAME",
      defaultValue = Embedders.NONE,
      description =
          "As for serve; a server that has the store open uses its own (default:"
              + " ${DEFAULT-VALUE}).")
  private String embedder = Embedders.NONE;

  @Override
  public Integer call() {
    try (Api api = Api.open(store, () -> Embedders.settings(embedder))) {
      print(Printer.of(spec), api.post(path(), body()));
    } catch (ContextureException refused) {
      throw named(refused);
    }
    return Main.DONE;
  }

  /** The same refusal, with the option in the place of the field that it sets. */
  private static ContextureException named(ContextureException refused) {
    String field = refused.field().orElse("");
    String option = OPTIONS.get(field);
    String message = Objects.requireNonNullElse(refused.getMessage(), "");
    if (option == null || !message.startsWith(field + " ")) {
      return refused;
    }
    Map<String, Object> details = new LinkedHashMap<>(refused.details());
    details.put("field", option);
    return new ContextureException(
        refused.code(), option + message.substring(field.length()), details, refused);
  }

  /** The route of the server that finds the same. */
  private String path() {
    if (agent != null) {
      return "/v1/agents/" + Api.id("--agent", agent) + "/search";
    }
    return user != null ? "/v1/users/" + Api.id("--user", user) + "/search" : "/v1/search";
  }

  private JsonObject body() {
    return JsonObject.builder()
        .put("query", query)
        .put("mode", mode)
        .put("content_types", JsonArray.ofStrings(types))
        .put("roles", JsonArray.ofStrings(roles))
        .put("limit", limit)
        .put("raw", raw)
        .putIfPresent("user", user)
        .putIfPresent("conversation", conversation)
        .putIfPresent("from", from)
        .putIfPresent("to", to)
        .build();
  }

  private static void print(Printer printer, JsonObject results) {
    if (printer.json()) {
      printer.json(results);
      return;
    }
    for (JsonObject hit : Printer.objects(results, "hits")) {
      String who = hit.string("label").or(() -> hit.string("role")).orElse("");
      printer.line(
          String.format(
              Locale.ROOT,
              "%8.4f  %s  %s  %s",
              hit.find("score").map(SearchCommand::number).orElse(0.0),
              hit.string("type").orElse(""),
              printer.paint().strong(hit.string("id").orElse("")),
              who));
      printer.line("          " + hit.string("excerpt").orElse("").replaceAll("\\s+", " "));
    }
    for (JsonObject note : Printer.objects(results, "notes")) {
      printer.note(
          "note: " + note.string("code").orElse("") + ": " + note.string("detail").orElse(""));
    }
  }

  private static double number(JsonValue value) {
    return value instanceof JsonNumber number ? number.asDouble().orElse(0) : 0;
  }
}
