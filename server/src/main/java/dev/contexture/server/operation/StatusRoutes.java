package dev.contexture.server.operation;

import dev.contexture.engine.search.EmbeddingProgress;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.server.Problem;
import dev.contexture.server.ServerOptions;
import dev.contexture.server.http.Response;
import dev.contexture.server.http.ResponseForms;
import dev.contexture.server.http.Route;
import dev.contexture.server.http.ServerContext;
import dev.contexture.server.keys.KeyRole;
import dev.contexture.server.openapi.OpenApi;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.apiguardian.api.API;

/** Routes that report the state of a server: for load balancers, for Prometheus and for people. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class StatusRoutes {
  private static final String PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8";

  private final ServerContext served;
  private final ServerOptions options;
  private final RecentValue<Long> lag;
  private final RecentValue<Optional<EmbeddingProgress>> vectors;
  private final Health health;

  public StatusRoutes(
      ServerContext served,
      ServerOptions options,
      RecentValue<Long> lag,
      RecentValue<Optional<EmbeddingProgress>> vectors,
      Health health) {
    this.served = served;
    this.options = options;
    this.lag = lag;
    this.vectors = vectors;
    this.health = health;
  }

  public List<Route> routes() {
    return List.of(
        Route.get("/healthz", unused -> Response.ok(health())).open(),
        Route.get("/readyz", unused -> ready()).open(),
        metrics());
  }

  /** They tell about all tenants. */
  private Route metrics() {
    Route route =
        Route.get("/metrics", unused -> Response.text(PROMETHEUS, served.metrics().text()));
    return options.duties().openMetrics() ? route.open() : route.needing(KeyRole.ADMIN);
  }

  /** The routes that describe all routes, themselves too. */
  public static List<Route> describing(List<Route> others, String version) {
    AtomicReference<OpenApi> api = new AtomicReference<>();
    List<Route> own =
        List.of(
            Route.get("/api", unused -> Response.page(known(api).page())).open(),
            Route.get("/openapi.json", unused -> Response.ok(known(api).document(version))).open());
    List<Route> all = new ArrayList<>(others);
    all.addAll(own);
    api.set(new OpenApi(all));
    return own;
  }

  private static OpenApi known(AtomicReference<OpenApi> api) {
    return Objects.requireNonNull(api.get());
  }

  /** Whether a load balancer should send requests. */
  private Response ready() {
    List<Health.Reason> blocking = health.reasons().stream().filter(Health.Reason::blocks).toList();
    if (blocking.isEmpty()) {
      return Response.ok(JsonObject.of("status", JsonValue.of("ready")));
    }
    String why = blocking.stream().map(Health.Reason::detail).collect(Collectors.joining("; "));
    JsonObject problem =
        Problem.of(ErrorCode.NOT_READY.wireName(), ErrorCode.NOT_READY.httpStatus(), why)
            .with("reasons", reasons(blocking));
    return Response.problem(ErrorCode.NOT_READY.httpStatus(), problem).with("Retry-After", "1");
  }

  private static JsonArray reasons(List<Health.Reason> reasons) {
    return ResponseForms.array(reasons.stream().map(Health.Reason::write).toList());
  }

  /** Answers while the process does: a store that cannot be asked is a reason, not a failure. */
  private JsonObject health() {
    List<Health.Reason> reasons = new ArrayList<>(health.reasons());
    JsonObject.Builder ofStore = JsonObject.builder();
    try {
      long waiting = lag.get();
      ofStore.put("index_lag", waiting).put("erasing", served.engine().store().isErasing());
      vectors.get().ifPresent(now -> ofStore.put("embedding", form(now)));
    } catch (ContextureException refused) {
      String code = refused.code().wireName();
      if (reasons.stream().noneMatch(reason -> reason.code().equals(code))) {
        reasons.add(new Health.Reason(code, ErrorMapper.storeWords(refused.code()), true));
      }
    }
    served.engine().search().indexKind().ifPresent(kind -> ofStore.put("index", kind));
    return JsonObject.builder()
        .put("status", reasons.isEmpty() ? "ok" : "degraded")
        .put("reasons", reasons(reasons))
        .put("version", options.version())
        .put("store", options.store())
        .putAll(ofStore.build())
        .build();
  }

  private static JsonObject form(EmbeddingProgress now) {
    return JsonObject.builder()
        .put("model", now.model())
        .put("lag", now.lag())
        .put("made", now.made())
        .put("per_minute", now.perMinute())
        .build();
  }
}
