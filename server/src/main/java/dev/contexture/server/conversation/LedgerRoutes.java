package dev.contexture.server.conversation;

import dev.contexture.block.TurnId;
import dev.contexture.engine.ledger.RequestLog;
import dev.contexture.engine.ledger.RequestReasons;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.server.http.Call;
import dev.contexture.server.http.Response;
import dev.contexture.server.http.ResponseForms;
import dev.contexture.server.http.Route;
import dev.contexture.store.RequestRow;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;

/** The ledger: what was sent, the bodies again, and what differs between them. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class LedgerRoutes {
  private static final int DEFAULT_PAGE = 50;
  private static final int MAX_PAGE = 200;

  private LedgerRoutes() {}

  static List<Route> routes(String base) {
    return List.of(
        Route.get(base + "/requests", LedgerRoutes::list, "limit", "cursor"),
        Route.get(base + "/requests/{request}", LedgerRoutes::one, "diff"),
        Route.get(base + "/requests/{request}/why", LedgerRoutes::why, "path"));
  }

  private static Response list(Call call) {
    int limit = call.limit(DEFAULT_PAGE, MAX_PAGE);
    RequestLog log = call.known().requests();
    String cursor = call.query("cursor").orElse(null);
    List<RequestRow> page =
        VisibleRows.read(
            limit + 1,
            (last, size) -> log.list(last == null ? cursor : last.id(), size),
            row -> isVisible(call, row));
    List<RequestRow> shown = page.subList(0, Math.min(limit, page.size()));
    JsonValue next = page.size() > limit ? JsonValue.of(shown.getLast().id()) : ResponseForms.NULL;
    return Response.ok(
        JsonObject.builder()
            .put("requests", ResponseForms.array(shown.stream().map(LedgerRoutes::write).toList()))
            .put("next_cursor", next)
            .build());
  }

  /** The body is put in as it is: its bytes are what was sent. */
  private static Response one(Call call) {
    RequestLog log = call.known().requests();
    RequestRow row = log.get(call.path("request"));
    agent(row).ifPresent(call.caller()::mayReachAgent);
    JsonObject written = write(row);
    String diff = call.query("diff").orElse(null);
    if (diff != null) {
      if (!diff.equals("previous")) {
        throw ContextureException.invalid(ErrorCode.INVALID_ARGUMENT, "diff", diff, "previous");
      }
      return Response.ok(written.with("diff", log.differenceToPrevious(row.id()).write()));
    }
    if (row.sent().isEmpty()) {
      return Response.ok(written);
    }
    String text = written.toJson();
    return Response.json(
        200, text.substring(0, text.length() - 1) + ",\"request\":" + log.body(row.id()) + "}");
  }

  /** The reason of each part; with a path, why that is there or why not. */
  private static Response why(Call call) {
    RequestLog log = call.known().requests();
    RequestRow row = log.get(call.path("request"));
    agent(row).ifPresent(call.caller()::mayReachAgent);
    RequestReasons reasons = log.reasons(row.id());
    return Response.ok(call.query("path").map(reasons::why).orElseGet(reasons::write));
  }

  /** Whose memory a request shows; empty: nobody's. */
  private static Optional<String> agent(RequestRow row) {
    return row.record().string("agent");
  }

  /** Whether the caller may see a request: it may show the memory of another agent. */
  public static boolean isVisible(Call call, RequestRow row) {
    return call.caller().reachesAgent(agent(row).orElse(null));
  }

  private static JsonObject write(RequestRow row) {
    TurnId turn = row.turn();
    JsonObject.Builder json =
        JsonObject.builder()
            .put("request_id", row.id())
            .put("turn_id", ResponseForms.orNull(turn == null ? null : turn.value()))
            .put("ts", row.at().toString())
            .putAll(row.record().without(RequestLog.STEP));
    row.sent().object("divergence").ifPresent(divergence -> json.put("divergence", divergence));
    return json.build();
  }
}
