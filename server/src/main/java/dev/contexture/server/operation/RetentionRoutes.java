package dev.contexture.server.operation;

import dev.contexture.Contexture;
import dev.contexture.block.Scope;
import dev.contexture.engine.retention.RetentionReport;
import dev.contexture.engine.retention.RetentionReport.Outlived;
import dev.contexture.engine.retention.RetentionRules;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.server.http.Call;
import dev.contexture.server.http.RequestFields;
import dev.contexture.server.http.Response;
import dev.contexture.server.http.ResponseForms;
import dev.contexture.server.http.Route;
import dev.contexture.server.keys.KeyRole;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apiguardian.api.API;

/** Erases what outlived the rules, for a caller or in the background. Thread-safe. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class RetentionRoutes {
  private static final int SCOPES = 200;

  private final Contexture engine;
  private final AuditTrail trail;
  private final LogLines log;
  private final RetentionRules configured;

  /**
   * @param configured the rules of the server
   */
  public RetentionRoutes(
      Contexture engine, AuditTrail trail, LogLines log, RetentionRules configured) {
    this.engine = engine;
    this.trail = trail;
    this.log = log;
    this.configured = configured;
  }

  public List<Route> routes() {
    return List.of(Route.post("/v1/retention", this::run).needing(KeyRole.ADMIN));
  }

  private Response run(Call call) {
    call.caller().mayReachAll();
    RequestFields body = call.body("rules", "dry_run");
    RetentionRules rules = rules(body);
    boolean dryRun = body.fields().flag("dry_run", false);
    List<Scope> scopes = call.isForAllProjects() ? allProjects() : List.of(call.scope());
    return Response.ok(form(rules, run(scopes, rules, dryRun)));
  }

  private RetentionRules rules(RequestFields body) {
    RetentionRules rules =
        body.fields().string("rules").map(RetentionRules::parse).orElse(configured);
    if (rules.isEmpty()) {
      throw new ContextureException(
          ErrorCode.INVALID_ARGUMENT,
          "there are no rules: give some, such as conversations=180d,requests=30d, or set them for"
              + " the server: serve --retain",
          Map.of("field", "rules"),
          null);
    }
    return rules;
  }

  /** In the background, over everything. */
  public void runConfigured() {
    RetentionReport report = run(allProjects(), configured, false);
    log.event("retention", counts(report));
  }

  private List<Scope> allProjects() {
    List<Scope> all = new ArrayList<>();
    List<Scope> page = engine.store().outboxScopes(null, SCOPES);
    while (!page.isEmpty()) {
      all.addAll(page);
      page = page.size() < SCOPES ? List.of() : engine.store().outboxScopes(page.getLast(), SCOPES);
    }
    return all;
  }

  private RetentionReport run(List<Scope> scopes, RetentionRules rules, boolean dryRun) {
    Map<RetentionRules.Kind, Long> counts = new EnumMap<>(RetentionRules.Kind.class);
    List<Outlived> found = new ArrayList<>();
    boolean pending = false;
    Consumer<Outlived> told = trail::outlived;
    for (Scope scope : scopes) {
      RetentionReport part = engine.retain(scope, rules, dryRun, told);
      part.counts().forEach((kind, count) -> counts.merge(kind, count, Long::sum));
      int room = RetentionReport.SHOWN - found.size();
      found.addAll(part.conversations().subList(0, Math.min(room, part.conversations().size())));
      pending |= part.pending();
      if (!dryRun) {
        trail.outlived(scope, part);
      }
    }
    return new RetentionReport(dryRun, counts, found, pending);
  }

  private static JsonObject form(RetentionRules rules, RetentionReport report) {
    List<JsonObject> shown = report.conversations().stream().map(RetentionRoutes::row).toList();
    return JsonObject.builder()
        .put("rules", rules.toString())
        .put("dry_run", JsonValue.of(report.dryRun()))
        .put("counts", counts(report))
        .put("conversations", ResponseForms.array(shown))
        .put("pending", JsonValue.of(report.pending()))
        .build();
  }

  private static JsonObject counts(RetentionReport report) {
    JsonObject.Builder counts = JsonObject.builder();
    for (RetentionRules.Kind kind : RetentionRules.Kind.values()) {
      counts.put(kind.wireName(), report.count(kind));
    }
    return counts.build();
  }

  private static JsonObject row(Outlived gone) {
    Scope scope = gone.conversation().owner().scope();
    return JsonObject.builder()
        .put("tenant", scope.tenant())
        .put("project", scope.project())
        .put("user", gone.conversation().owner().user())
        .put("conversation", gone.conversation().conversation())
        .put("last_activity_at", gone.lastActivityAt().toString())
        .build();
  }
}
