package dev.contexture.server.conversation;

import dev.contexture.compaction.CompactionPolicy;
import dev.contexture.error.Choices;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.memory.permission.MemoryPermission;
import dev.contexture.memory.schema.MemoryBlockType;
import dev.contexture.request.CatalogueJson;
import dev.contexture.request.Providers;
import dev.contexture.search.SearchContentType;
import dev.contexture.search.SearchMode;
import dev.contexture.server.http.Call;
import dev.contexture.server.http.RequestFields;
import dev.contexture.server.http.Response;
import dev.contexture.simulator.CacheReports;
import dev.contexture.simulator.Trace;
import java.util.ArrayList;
import java.util.List;

/** Routes for facts about models, and for how their caches would serve requests. */
final class CatalogueRoutes {
  private static final int MAX_REQUESTS = 10_000;

  private CatalogueRoutes() {}

  static Response models(Call call) {
    return Response.ok(CatalogueJson.write(call.engine().providers()));
  }

  /** The names that fields may have, so that clients need no lists of their own. */
  static Response choices(Call call) {
    return Response.ok(
        JsonObject.builder()
            .put("block_type", names(MemoryBlockType.values()))
            .put("permission", names(MemoryPermission.values()))
            .put("search_mode", names(SearchMode.values()))
            .put("search_content_type", names(SearchContentType.values()))
            .put("policy", JsonArray.ofStrings(CompactionPolicy.names()))
            .build());
  }

  private static JsonArray names(Enum<?>[] values) {
    return JsonArray.ofStrings(Choices.of(values));
  }

  static Response simulate(Call call) {
    RequestFields body = call.body("provider", "model", "requests", "gaps_seconds");
    Providers.Target target =
        call.engine()
            .providers()
            .resolve(body.requiredString("provider"), body.requiredString("model"));
    List<JsonObject> requests = body.fields().objects("requests");
    if (requests.isEmpty() || requests.size() > MAX_REQUESTS) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_ARGUMENT,
          "requests",
          requests.size() + " requests",
          "1 to " + MAX_REQUESTS);
    }
    Trace trace = Trace.ofGaps(requests, gaps(body.fields().value("gaps_seconds")));
    return Response.ok(CacheReports.write(trace.on(target.profile())));
  }

  private static List<Double> gaps(@org.jspecify.annotations.Nullable JsonValue value) {
    if (value == null) {
      return List.of();
    }
    if (!(value instanceof JsonArray array)) {
      throw RequestFields.wrongType("gaps_seconds", value, "an array of numbers");
    }
    List<Double> gaps = new ArrayList<>();
    for (JsonValue item : array.items()) {
      gaps.add(RequestFields.decimal("gaps_seconds[" + gaps.size() + "]", item));
    }
    return gaps;
  }
}
