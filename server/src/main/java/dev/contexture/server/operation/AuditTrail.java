package dev.contexture.server.operation;

import dev.contexture.block.Scope;
import dev.contexture.engine.retention.RetentionReport;
import dev.contexture.engine.retention.RetentionRules;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.server.access.Caller;
import dev.contexture.server.audit.AuditLog;
import dev.contexture.server.http.RequestTrace;
import dev.contexture.server.http.Route;
import dev.contexture.server.keys.KeyChange;
import dev.contexture.server.keys.KeyRole;
import java.io.IOException;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Writes the audit log: who called what is for administrators, or erases, and what came of it. An
 * entry has ids and names, never a query, a body or a key. Thread-safe.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class AuditTrail {
  private static final String C = Route.CONVERSATION;
  private static final String A = Route.AGENT;

  /** Erasing that writers may do. */
  private static final Set<String> ERASING =
      Set.of(
          "DELETE " + C,
          "DELETE " + C + "/turns/{turn}",
          "DELETE " + A + "/blocks/{label}",
          "DELETE " + A + "/archival/{id}");

  /** For administrators, but asked every few seconds. */
  private static final Set<String> UNTOLD = Set.of("GET /metrics", "GET /v1/audit");

  private static final int DONE = 300;
  private static final int FAILED = 500;

  private final @Nullable AuditLog log;
  private final LogLines lines;
  private final InstantSource clock;

  /**
   * @param log null: nothing is kept
   * @param lines is told of entries that could not be written, with the entry
   */
  public AuditTrail(@Nullable AuditLog log, LogLines lines, InstantSource clock) {
    this.log = log;
    this.lines = lines;
    this.clock = clock;
  }

  /** Where the entries are; empty if nobody keeps them. */
  Optional<AuditLog> log() {
    return Optional.ofNullable(log);
  }

  /** Whether all calls of a route get an entry. */
  public static boolean tells(Route route) {
    boolean administrative = route.role() == KeyRole.ADMIN && !UNTOLD.contains(route.title());
    return administrative || ERASING.contains(route.title());
  }

  /**
   * A call that will be answered now.
   *
   * @param address where it came from
   */
  public void called(RequestTrace exchange, String address, int status) {
    Route route = exchange.route();
    if (log == null || route == null || !(tells(route) || exchange.isAdministrative())) {
      return;
    }
    Caller caller = exchange.caller();
    Scope scope = exchange.scope();
    write(
        entry(route.title())
            .put("request", exchange.id())
            .put("by", exchange.key() == null ? "local" : "key")
            .putIfPresent("key", exchange.key())
            .putIfPresent("key_name", caller.name())
            .put("address", address)
            .putIfPresent("tenant", scope == null ? null : scope.tenant())
            .putIfPresent("project", scope == null ? null : scope.project())
            .put("target", target(exchange))
            .put("status", status)
            .put("outcome", outcome(status))
            .putIfPresent("code", exchange.code())
            .build());
  }

  private static JsonObject target(RequestTrace exchange) {
    JsonObject.Builder target = JsonObject.builder();
    new TreeMap<>(exchange.target()).forEach(target::put);
    return target.build();
  }

  private static String outcome(int status) {
    if (status < DONE) {
      return "done";
    }
    return status < FAILED ? "refused" : "failed";
  }

  /** A key that the file has otherwise since the server looked at it last. */
  public void changed(KeyChange change) {
    Scope scope = change.key().grant().scope();
    write(
        entry("key " + change.kind().wireName())
            .put("by", "key file")
            .putIfPresent("tenant", scope == null ? null : scope.tenant())
            .putIfPresent("project", scope == null ? null : scope.project())
            .put("target", change.key().describe())
            .put("outcome", "done")
            .build());
  }

  /** A conversation that outlived the rules and was erased. */
  void outlived(RetentionReport.Outlived gone) {
    Scope scope = gone.conversation().owner().scope();
    write(
        retention(scope)
            .put(
                "target",
                JsonObject.builder()
                    .put("user", gone.conversation().owner().user())
                    .put("conversation", gone.conversation().conversation())
                    .put("last_activity_at", gone.lastActivityAt().toString())
                    .build())
            .put("outcome", "done")
            .build());
  }

  /** Requests and events that outlived the rules and were erased, all of a project together. */
  void outlived(Scope scope, RetentionReport report) {
    long requests = report.count(RetentionRules.Kind.REQUESTS);
    long events = report.count(RetentionRules.Kind.EVENTS);
    if (requests + events > 0) {
      write(
          retention(scope)
              .put(
                  "target",
                  JsonObject.builder().put("requests", requests).put("events", events).build())
              .put("outcome", "done")
              .build());
    }
  }

  private JsonObject.Builder retention(Scope scope) {
    return entry("retention")
        .put("by", "retention")
        .put("tenant", scope.tenant())
        .put("project", scope.project());
  }

  private JsonObject.Builder entry(String action) {
    return JsonObject.builder().put("ts", clock.instant().toString()).put("action", action);
  }

  private void write(JsonObject entry) {
    if (log == null) {
      return;
    }
    try {
      log.append(entry);
    } catch (IOException failed) { // what was done stays done: who reads the log must know of it
      lines.event(
          "audit_failed",
          JsonObject.builder()
              .put("reason", JsonValue.of(failed.toString()))
              .put("entry", entry)
              .build());
    }
  }
}
