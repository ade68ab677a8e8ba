package dev.contexture.cli;

import dev.contexture.cli.output.Printer;
import dev.contexture.cli.support.Api;
import dev.contexture.cli.support.Arguments;
import dev.contexture.cli.support.Embedders;
import dev.contexture.cli.support.Names;
import dev.contexture.cli.support.StoreFlags;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonNumber;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonValue;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
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
      "  contexture search '\"storm damage\"' --type messages --from 2026-02-01T00:00:00Z",
      "  contexture search harbour --agent atlas --type archival --metadata topic=ports --explain"
    })
final class SearchCommand implements Callable<Integer> {
  private static final Map<String, String> OPTIONS =
      Map.ofEntries(
          Map.entry("content_types", "--type"),
          Map.entry("roles", "--role"),
          Map.entry("from", "--from"),
          Map.entry("to", "--to"),
          Map.entry("mode", "--mode"),
          Map.entry("limit", "--limit"),
          Map.entry("user", "--user"),
          Map.entry("conversation", "--conversation"),
          Map.entry("metadata", "--metadata"),
          Map.entry("min_similarity", "--min-similarity"),
          Map.entry("content", "--content"),
          Map.entry("query", "QUERY"));

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

  @Option(
      names = "--metadata",
      paramLabel = "NAME=VALUE",
      description =
          "Only archival entries with this in their metadata, other types as they are; a VALUE that"
              + " is JSON is taken as such. May be given several times.")
  private Map<String, String> metadata = new LinkedHashMap<>();

  @Option(
      names = "--min-similarity",
      paramLabel = "X",
      description = "The least similarity of a hit by meaning, from -1 to 1 (default: 0).")
  private @Nullable Double minSimilarity;

  @Option(
      names = "--content",
      paramLabel = "NAME",
      defaultValue = "excerpt",
      description = "excerpt, or full: the whole content of each hit (default: ${DEFAULT-VALUE}).")
  private String content = "excerpt";

  @Option(names = "--explain", description = "Says why each hit was found: the parts of its score.")
  private boolean explain;

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
    JsonObject.Builder body =
        JsonObject.builder()
            .put("query", query())
            .put("mode", mode)
            .put("content_types", JsonArray.ofStrings(types))
            .put("roles", JsonArray.ofStrings(roles))
            .put("limit", limit)
            .put("raw", raw)
            .put("content", content)
            .putIfPresent("user", user)
            .putIfPresent("conversation", conversation)
            .putIfPresent("from", from)
            .putIfPresent("to", to);
    if (minSimilarity != null) {
      if (!Double.isFinite(minSimilarity)) {
        throw ContextureException.invalid(
            ErrorCode.INVALID_ARGUMENT, "min_similarity", minSimilarity, "-1 to 1");
      }
      body.put("min_similarity", new JsonNumber(minSimilarity.toString()));
    }
    if (!metadata.isEmpty()) {
      JsonObject.Builder wanted = JsonObject.builder();
      metadata.forEach((name, value) -> wanted.put(name, value(value)));
      body.put("metadata", wanted.build());
    }
    return body.build();
  }

  /** What is JSON stands for itself, everything else is a text. */
  private static JsonValue value(String text) {
    try {
      return JsonValue.parse(text);
    } catch (ContextureException noJson) {
      return JsonValue.of(text);
    }
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
    hits.forEach(hit -> printHit(printer, hit));
    for (JsonObject note : Printer.objects(results, "notes")) {
      printer.note(
          "note: " + note.string("code").orElse("") + ": " + note.string("detail").orElse(""));
    }
  }

  private void printHit(Printer printer, JsonObject hit) {
    String who = hit.string("label").or(() -> hit.string("role")).orElse("");
    printer.line(
        String.format(
            Locale.ROOT,
            "%8.4f  %s  %s  %s",
            hit.find("score").map(SearchCommand::number).orElse(0.0),
            hit.string("type").orElse(""),
            printer.paint().strong(hit.string("id").orElse("")),
            who));
    if (explain) {
      printer.line("          why: " + why(hit.object("why").orElse(JsonObject.EMPTY)));
    }
    String full = hit.string("content").orElse(null);
    if (full != null) {
      full.lines().forEach(line -> printer.line("          " + line));
    } else {
      printer.line("          " + hit.string("excerpt").orElse("").replaceAll("\\s+", " "));
    }
  }

  /** The parts of a score: {@code number 1 by words (bm25 4.2131); holds storm}. */
  private static String why(JsonObject why) {
    List<String> parts = new ArrayList<>();
    part(why, "bm25", "keyword_rank", "words").ifPresent(parts::add);
    part(why, "cosine", "vector_rank", "meaning").ifPresent(parts::add);
    why.object("shares").map(SearchCommand::shares).ifPresent(parts::add);
    List<String> words = new ArrayList<>();
    why.array("words").ifPresent(all -> all.items().forEach(word -> words.add(text(word))));
    if (!words.isEmpty()) {
      parts.add("holds " + String.join(", ", words));
    }
    why.object("typos")
        .ifPresent(
            typos ->
                typos
                    .members()
                    .forEach((wrote, meant) -> parts.add(wrote + " taken for " + text(meant))));
    return String.join("; ", parts);
  }

  private static Optional<String> part(JsonObject why, String score, String rank, String by) {
    return why.find(rank)
        .map(
            place ->
                "number "
                    + place.toJson()
                    + " by "
                    + by
                    + why.find(score)
                        .map(
                            value -> String.format(Locale.ROOT, " (%s %.4f)", score, number(value)))
                        .orElse(""));
  }

  private static String shares(JsonObject shares) {
    return String.format(
        Locale.ROOT,
        "score %.4f by words + %.4f by meaning, which counts %.2f",
        shares.find("words").map(SearchCommand::number).orElse(0.0),
        shares.find("meaning").map(SearchCommand::number).orElse(0.0),
        shares.find("weight").map(SearchCommand::number).orElse(0.0));
  }

  private static String text(JsonValue value) {
    return value instanceof JsonString text ? text.value() : value.toJson();
  }

  private static double number(JsonValue value) {
    return value instanceof JsonNumber number ? number.asDouble().orElse(0) : 0;
  }
}
