package dev.contexture.cli;

import dev.contexture.block.Scope;
import dev.contexture.block.Timestamps;
import dev.contexture.engine.Contexture;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonNumber;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.search.SearchCodec;
import dev.contexture.search.SearchContentType;
import dev.contexture.search.SearchOptions;
import dev.contexture.search.SearchResults;
import java.io.PrintWriter;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
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
  @Spec private @Nullable CommandSpec spec;
  @ParentCommand private @Nullable ContextureCommand parent;
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
      description = "auto, fts, vector or hybrid (default: ${DEFAULT-VALUE}).")
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
      defaultValue = Embedders.DEFAULT,
      description =
          "As for serve; a server that has the store open uses its own (default:"
              + " CONTEXTURE_EMBEDDER, else none).")
  private String embedder = Embedders.NONE;

  @Override
  public Integer call() {
    SearchOptions options = options();
    Scope scope = store.scope();
    Embedders.quiet();
    Optional<RunningServer> server = RunningServer.of(store.data());
    if (server.isPresent()) {
      print(server.get().post(scope, path(), body()));
      return Main.DONE;
    }
    try (Contexture engine =
        Contexture.open(store.data(), settings -> settings.embedder(Embedders.of(embedder)))) {
      print(SearchCodec.write(find(engine, scope, options)));
    }
    return Main.DONE;
  }

  /** The route of the server that finds the same. */
  private String path() {
    if (agent != null) {
      return "/v1/agents/" + encoded(agent) + "/search";
    }
    return user != null ? "/v1/users/" + encoded(user) + "/search" : "/v1/search";
  }

  private static String encoded(String id) {
    return URLEncoder.encode(id, StandardCharsets.UTF_8).replace("+", "%20");
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

  private SearchOptions options() {
    Set<SearchContentType> wanted = EnumSet.noneOf(SearchContentType.class);
    types.forEach(name -> wanted.add(SearchCodec.type(name)));
    return SearchOptions.DEFAULT
        .withMode(SearchCodec.mode(mode))
        .withContentTypes(wanted)
        .withRoles(new HashSet<>(roles))
        .withConversation(conversation)
        .withTimes(time(from), time(to))
        .withLimit(limit)
        .withRaw(raw);
  }

  private static @Nullable Instant time(@Nullable String text) {
    return text == null ? null : Timestamps.read(JsonValue.of(text));
  }

  private SearchResults find(Contexture engine, Scope scope, SearchOptions options) {
    if (agent != null) {
      return engine.search().search(scope.agent(agent), query, options.withUser(user));
    }
    return user != null
        ? engine.search().search(scope.user(user), query, options)
        : engine.search().searchAll(scope, query, options);
  }

  private void print(JsonObject results) {
    PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
    if (parent != null && parent.json) {
      out.println(results.toJson());
      return;
    }
    for (JsonObject hit : objects(results, "hits")) {
      String who = hit.string("label").or(() -> hit.string("role")).orElse("");
      out.println(
          String.format(
              Locale.ROOT,
              "%8.4f  %s  %s  %s",
              hit.find("score").map(SearchCommand::number).orElse(0.0),
              hit.string("type").orElse(""),
              hit.string("id").orElse(""),
              who));
      out.println("          " + hit.string("excerpt").orElse("").replaceAll("\\s+", " "));
    }
    PrintWriter err = Objects.requireNonNull(spec).commandLine().getErr();
    for (JsonObject note : objects(results, "notes")) {
      err.println(
          "note: " + note.string("code").orElse("") + ": " + note.string("detail").orElse(""));
    }
  }

  private static double number(JsonValue value) {
    return value instanceof JsonNumber number ? number.decimal().doubleValue() : 0;
  }

  private static List<JsonObject> objects(JsonObject of, String name) {
    return of.array(name).map(JsonArray::items).orElse(List.of()).stream()
        .filter(JsonObject.class::isInstance)
        .map(JsonObject.class::cast)
        .toList();
  }
}
