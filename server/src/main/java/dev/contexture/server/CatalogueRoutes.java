package dev.contexture.server;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.request.CatalogueJson;
import dev.contexture.request.Providers;
import dev.contexture.simulator.CacheReports;
import dev.contexture.simulator.Trace;
import java.util.ArrayList;
import java.util.List;

/** What is known about models, and what their caches would make of requests. */
final class CatalogueRoutes {
  private static final int MAX_REQUESTS = 10_000;

  private CatalogueRoutes() {}

  static Response models(Call call) {
    return Response.ok(CatalogueJson.write(call.engine().providers()));
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
