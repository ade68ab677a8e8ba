package dev.contexture.server.agent;

import dev.contexture.block.Scope;
import dev.contexture.engine.search.Search;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.search.SearchCodec;
import dev.contexture.search.SearchOptions;
import dev.contexture.search.SearchResults;
import dev.contexture.server.http.Call;
import dev.contexture.server.http.MemoryView;
import dev.contexture.server.http.RequestFields;
import dev.contexture.server.http.Response;
import dev.contexture.server.http.Route;
import dev.contexture.server.keys.KeyRole;
import io.javalin.http.HandlerType;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Finding things again: what an agent knows, what a user said, everything. */
final class SearchRoutes {
  /** What an address may ask for; lists are joined by commas. */
  private static final String[] ASKED = {
    "query", "mode", "content_types", "limit", "from", "to", "roles", "user", "conversation"
  };

  private static final Set<String> LISTS = Set.of("content_types", "roles");

  private SearchRoutes() {}

  static List<Route> routes() {
    return List.of(
        Route.get("/v1/agents/{agent}/search", SearchRoutes::agent, ASKED),
        Route.get("/v1/users/{user}/search", SearchRoutes::user, ASKED),
        Route.get("/v1/search", SearchRoutes::all, ASKED).needing(KeyRole.ADMIN),
        Route.post("/v1/agents/{agent}/search", SearchRoutes::agent).needing(KeyRole.READER),
        Route.post("/v1/users/{user}/search", SearchRoutes::user).needing(KeyRole.READER),
        Route.post("/v1/search", SearchRoutes::all).needing(KeyRole.ADMIN),
        Route.post("/v1/reindex", SearchRoutes::rebuild).needing(KeyRole.ADMIN));
  }

  /**
   * With a key that is bound to a user, messages of that user only, and memory of the agent and of
   * that user; the user {@code *} is for those who may see memory of all users.
   */
  private static Response agent(Call call) {
    return answer(
        call,
        (query, options) -> {
          Scope.OfAgent agent = call.scope().agent(MemoryView.readableAgent(call));
          if (MemoryView.EVERYBODY.equals(options.user())) {
            call.caller().mayReachAllUsers();
            return call.search()
                .searchEverybody(agent, query, options.toBuilder().user(null).build());
          }
          if (options.user() != null) {
            call.caller().mayReachUser(options.user());
          }
          String bound = call.caller().grant().user();
          return call.search().search(agent.forUser(bound), query, options);
        });
  }

  private static Response user(Call call) {
    call.caller().mayReachAllAgents();
    return answer(
        call,
        (query, options) -> {
          String user = options.user();
          if (user != null && !user.equals(call.path("user"))) {
            throw ContextureException.invalid(
                ErrorCode.INVALID_ARGUMENT, "user", user, "the user of the path, or none");
          }
          return call.search().search(call.user(), query, options);
        });
  }

  private static Response all(Call call) {
    call.caller().mayReachAll();
    return answer(
        call,
        (query, options) ->
            call.engine()
                .search()
                .searchAll(
                    call.scope(),
                    query,
                    MemoryView.EVERYBODY.equals(options.user())
                        ? options.toBuilder().user(null).build()
                        : options));
  }

  /** Rebuilds the index of the project, and answers when that is done. */
  private static Response rebuild(Call call) {
    call.caller().mayReachAll();
    call.body();
    Search.IndexStatus status = call.engine().search().rebuild(call.scope(), changes -> {});
    return Response.ok(
        JsonObject.builder().put("entries", status.entries()).put("lag", status.lag()).build());
  }

  /** The search that a route does. */
  private interface Finding {
    SearchResults find(String query, SearchOptions options);
  }

  private static Response answer(Call call, Finding finding) {
    RequestFields body =
        call.http().method().equals(HandlerType.POST)
            ? call.body(SearchCodec.FIELDS.toArray(String[]::new))
            : address(call);
    String query = body.requiredString("query");
    SearchOptions options = SearchCodec.read(body.fields());
    SearchResults results = call.metered(() -> finding.find(query, options));
    call.metrics().searched(results.usedMode());
    return Response.ok(SearchCodec.write(results, options.content()));
  }

  /** The same fields from an address, so that a search can be sent as a link. */
  private static RequestFields address(Call call) {
    JsonObject.Builder fields = JsonObject.builder();
    for (String name : ASKED) {
      Optional<String> given = call.query(name);
      if (name.equals("limit")) {
        call.queryNumber(name, 1).ifPresent(limit -> fields.put(name, limit));
      } else if (LISTS.contains(name)) {
        given.ifPresent(
            list -> fields.put(name, JsonArray.ofStrings(List.of(list.split(",", -1)))));
      } else {
        given.ifPresent(value -> fields.put(name, value));
      }
    }
    return RequestFields.read(fields.build().toJson(), SearchCodec.FIELDS);
  }
}
