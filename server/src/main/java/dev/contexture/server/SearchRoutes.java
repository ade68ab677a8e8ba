package dev.contexture.server;

import dev.contexture.engine.search.Search;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonObject;
import dev.contexture.search.SearchCodec;
import dev.contexture.search.SearchOptions;
import dev.contexture.search.SearchResults;
import java.util.List;

/** Finding things again: what an agent knows, what a user said, everything. */
final class SearchRoutes {
  private SearchRoutes() {}

  static List<Route> routes() {
    return List.of(
        Route.post("/v1/agents/{agent}/search", SearchRoutes::agent),
        Route.post("/v1/users/{user}/search", SearchRoutes::user),
        Route.post("/v1/search", SearchRoutes::all),
        Route.post("/v1/reindex", SearchRoutes::rebuild));
  }

  private static Answer agent(Call call) {
    return answer(
        call,
        (query, options) ->
            call.engine().search().search(call.scope().agent(call.path("agent")), query, options));
  }

  private static Answer user(Call call) {
    return answer(
        call,
        (query, options) -> {
          String user = options.user();
          if (user != null && !user.equals(call.path("user"))) {
            throw ContextureException.invalid(
                ErrorCode.INVALID_ARGUMENT, "user", user, "the user of the path, or none");
          }
          return call.engine().search().search(call.user(), query, options);
        });
  }

  private static Answer all(Call call) {
    return answer(
        call, (query, options) -> call.engine().search().searchAll(call.scope(), query, options));
  }

  /** Builds the index of the project anew, and answers when that is done. */
  private static Answer rebuild(Call call) {
    call.body();
    Search.IndexStatus status = call.engine().search().rebuild(call.scope(), changes -> {});
    return Answer.ok(
        JsonObject.builder().put("entries", status.entries()).put("lag", status.lag()).build());
  }

  /** What a route searches. */
  private interface Finding {
    SearchResults find(String query, SearchOptions options);
  }

  private static Answer answer(Call call, Finding finding) {
    Body body = call.body(SearchCodec.FIELDS.toArray(String[]::new));
    String query = body.requiredString("query");
    return Answer.ok(SearchCodec.write(finding.find(query, SearchCodec.read(body.fields()))));
  }
}
