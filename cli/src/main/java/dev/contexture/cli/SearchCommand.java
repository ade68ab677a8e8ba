package dev.contexture.cli;

import dev.contexture.cli.support.Api;
import dev.contexture.cli.support.Arguments;
import dev.contexture.cli.support.Embedders;
import dev.contexture.cli.support.Names;
import dev.contexture.cli.support.StoreFlags;
import dev.contexture.error.ContextureException;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonNumber;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
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

/** Searches a store. */
@Command(
    name = "search",
    description = {
      "Finds messages, memory blocks and archival entries.",
      "Any text is a query: its words are alternatives, a \"phrase\" must occur. Without --agent"
          + " and --user everything of the project is searched. Where a server has the store open,"
          + " it is asked."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  contexture search storm parcel --user u42",
      "  contexture search '\"storm damage\"' --type messages --from 2026-02-01T00:00:00Z"
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

  @Parameters(arity = "1..*", paramLabel = "QUERY", description = "What to look for.")
  private List<String> words = List.of();

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

  @Option(
      names = "--from",
      paramLabel = "TIME",
      description = "Nothing older: 2026-02-09T02:14:32Z, or seconds or milliseconds since 1970.")
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
      throw Arguments.named(refused, OPTIONS);
    }
    return Main.DONE;
  }

  /** The route of the server that finds the same. */
  private String path() {
    if (agent != null) {
      return "/v1/agents/" + Api.id("--agent", agent) + "/search";
    }
    return user != null ? "/v1/users/" + Api.id("--user", user) + "/search" : "/v1/search";
  }

  private String query() {
    return String.join(" ", words);
  }

  private JsonObject body() {
    return JsonObject.builder()
        .put("query", query())
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

  private void print(Printer printer, JsonObject results) {
    if (printer.json()) {
      printer.json(results);
      return;
    }
    List<JsonObject> hits = Printer.objects(results, "hits");
    if (hits.isEmpty()) {
      printer.note("nothing found for '" + query() + "'");
    }
    for (JsonObject hit : hits) {
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
