package dev.contexture.server;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonNumber;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.model.CacheRules;
import dev.contexture.model.ModelProfile;
import dev.contexture.request.Providers;
import dev.contexture.simulator.CacheReports;
import dev.contexture.simulator.Trace;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;

/** What is known about models, and what their caches would make of requests. */
final class CatalogueRoutes {
  private static final int MAX_REQUESTS = 10_000;

  private CatalogueRoutes() {}

  static Response models(Call call) {
    Providers providers = call.engine().providers();
    return Response.ok(
        JsonObject.builder()
            .put("revision", providers.revision())
            .put(
                "models",
                ResponseForms.array(
                    providers.models().stream().map(CatalogueRoutes::write).toList()))
            .build());
  }

  private static JsonObject write(ModelProfile model) {
    CacheRules cache = model.cache();
    JsonObject rules =
        JsonObject.builder()
            .put("mode", cache.mode().wireName())
            .put("min_tokens", cache.minTokens())
            .put("max_marks", cache.maxMarks())
            .put("ttl", JsonArray.ofStrings(cache.ttl()))
            .put("read", number(cache.multipliers().read()))
            .put("write", number(cache.multipliers().writeShort()))
            .build();
    return JsonObject.builder()
        .put("provider", model.provider())
        .put("model", model.id())
        .put("apis", JsonArray.ofStrings(model.apis()))
        .put("context_window", model.contextWindow())
        .put("max_output", model.maxOutput())
        .put("tokenizer", model.tokenizer().name())
        .put("cache", rules)
        .put(
            "flags",
            JsonArray.ofStrings(
                model.flags().stream().map(flag -> flag.wireName()).sorted().toList()))
        .build();
  }

  private static JsonNumber number(double value) {
    return new JsonNumber(BigDecimal.valueOf(value).stripTrailingZeros().toPlainString());
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
