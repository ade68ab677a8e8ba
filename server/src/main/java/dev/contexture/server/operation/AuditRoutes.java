package dev.contexture.server.operation;

import dev.contexture.block.Timestamps;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.server.audit.AuditLog;
import dev.contexture.server.http.Call;
import dev.contexture.server.http.Response;
import dev.contexture.server.http.ResponseForms;
import dev.contexture.server.http.Route;
import dev.contexture.server.keys.KeyRole;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** Shows administrators the audit log: that of their project, or of all to the host. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class AuditRoutes {
  private static final int DEFAULT_PAGE = 100;
  private static final int MAX_PAGE = 1_000;

  private final AuditTrail trail;

  public AuditRoutes(AuditTrail trail) {
    this.trail = trail;
  }

  public List<Route> routes() {
    return List.of(
        Route.get("/v1/audit", this::list, "limit", "from", "to").needing(KeyRole.ADMIN));
  }

  private Response list(Call call) {
    call.caller().mayReachAll();
    AuditLog log =
        trail
            .log()
            .orElseThrow(
                () ->
                    new ContextureException(
                        ErrorCode.NOT_FOUND, "this server keeps no audit log: serve --audit FILE"));
    Instant from = time(call, "from");
    Instant to = time(call, "to");
    Predicate<JsonObject> wanted =
        call.isForAllProjects() ? entry -> true : entry -> isOf(entry, call);
    List<JsonObject> entries =
        log.newest(
            wanted.and(entry -> isWithin(entry, from, to)), call.limit(DEFAULT_PAGE, MAX_PAGE));
    return Response.ok(JsonObject.of("entries", ResponseForms.array(entries)));
  }

  private static @Nullable Instant time(Call call, String name) {
    return call.query(name).map(text -> Timestamps.read(JsonValue.of(text), name)).orElse(null);
  }

  private static boolean isOf(JsonObject entry, Call call) {
    return entry.string("tenant").equals(Optional.of(call.scope().tenant()))
        && entry.string("project").equals(Optional.of(call.scope().project()));
  }

  /** An entry without a time, a damaged one, is in every span. */
  private static boolean isWithin(JsonObject entry, @Nullable Instant from, @Nullable Instant to) {
    Instant at =
        entry
            .string("ts")
            .map(text -> Timestamps.read(JsonValue.of(text)))
            .orElse(from == null ? Instant.EPOCH : from);
    return (from == null || !at.isBefore(from)) && (to == null || at.isBefore(to));
  }
}
