package dev.contexture.server.conversation;

import dev.contexture.engine.ledger.RequestLog;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonNumber;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.model.ModelProfile;
import dev.contexture.server.http.Call;
import dev.contexture.server.http.Response;
import dev.contexture.server.http.ResponseForms;
import dev.contexture.server.http.Route;
import dev.contexture.simulator.CacheReports;
import dev.contexture.simulator.Trace;
import dev.contexture.simulator.WhatIf;
import dev.contexture.simulator.WhatIfChoice;
import dev.contexture.store.RequestRow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Routes that compute what the requests of a conversation would have cost with another choice. */
final class SimulationRoutes {
  private static final int DEFAULT_REQUESTS = 100;
  private static final int MAX_REQUESTS = 500;
  private static final long MAX_BYTES = 32L << 20; // of bodies, beyond the newest one
  private static final String CHOICE = "what_if";

  private SimulationRoutes() {}

  static List<Route> routes(String base) {
    return List.of(Route.get(base + "/simulation", SimulationRoutes::simulate, CHOICE, "limit"));
  }

  /** The newest requests to one model, oldest first. */
  private static Response simulate(Call call) {
    int limit = call.limit(DEFAULT_REQUESTS, MAX_REQUESTS);
    Optional<WhatIfChoice> choice =
        call.query(CHOICE).map(text -> WhatIfChoice.parse(CHOICE, text));
    RequestLog log = call.known().requests();
    List<RequestRow> rows = comparable(call, log, limit).reversed();
    JsonObject.Builder json =
        JsonObject.builder()
            .put("choices", WhatIfChoice.FORM)
            .put("request_ids", JsonArray.ofStrings(rows.stream().map(RequestRow::id).toList()))
            .put("actual", ResponseForms.NULL)
            .put(CHOICE, ResponseForms.NULL);
    if (rows.isEmpty()) {
      return Response.ok(json.build());
    }
    String provider = value(rows.getFirst(), "provider");
    ModelProfile profile = profile(call, provider, value(rows.getFirst(), "model"));
    Trace trace = trace(log, rows);
    if (choice.isEmpty()) {
      return Response.ok(json.put("actual", CacheReports.write(trace.on(profile))).build());
    }
    WhatIf both =
        choice
            .get()
            .of(
                trace,
                profile,
                (other, name) -> profile(call, other == null ? provider : other, name));
    return Response.ok(
        json.put("actual", CacheReports.write(both.actual()))
            .put(CHOICE, CacheReports.write(both.other()))
            .build());
  }

  private static ModelProfile profile(Call call, String provider, String model) {
    return call.engine().providers().resolve(provider, model).profile();
  }

  /** Those whose bodies are kept and that went to the model of the newest one. */
  private static List<RequestRow> comparable(Call call, RequestLog log, int limit) {
    List<RequestRow> page =
        VisibleRows.read(
            limit,
            (last, size) -> log.list(last == null ? null : last.id(), size),
            row -> LedgerRoutes.isVisible(call, row));
    List<RequestRow> rows = new ArrayList<>();
    long bytes = 0;
    for (RequestRow row : page) {
      boolean same = rows.isEmpty() || isSameModel(row, rows.getFirst());
      if (row.sent().isEmpty() || !same) {
        continue;
      }
      bytes += size(row);
      if (!rows.isEmpty() && bytes > MAX_BYTES) {
        break;
      }
      rows.add(row);
    }
    return rows;
  }

  private static boolean isSameModel(RequestRow one, RequestRow other) {
    return value(one, "provider").equals(value(other, "provider"))
        && value(one, "model").equals(value(other, "model"));
  }

  private static String value(RequestRow row, String name) {
    return row.record().string(name).orElse("");
  }

  private static long size(RequestRow row) {
    return row.record().find("body_bytes").orElse(null) instanceof JsonNumber bytes
        ? bytes.decimal().longValue()
        : 0;
  }

  private static Trace trace(RequestLog log, List<RequestRow> rows) {
    List<JsonObject> bodies = new ArrayList<>();
    List<Double> starts = new ArrayList<>();
    for (RequestRow row : rows) {
      bodies.add((JsonObject) JsonValue.parse(log.body(row.id())));
      starts.add(Duration.between(rows.getFirst().at(), row.at()).toMillis() / 1000.0);
    }
    return new Trace(bodies, starts);
  }
}
