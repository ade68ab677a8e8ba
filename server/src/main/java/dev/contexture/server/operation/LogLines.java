package dev.contexture.server.operation;

import dev.contexture.block.Scope;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonNumber;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonString;
import dev.contexture.server.http.RequestTrace;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The log of a server: one JSON object per line. It has ids and routes, never a path, a query, a
 * body, a key or the message of an exception, because those may hold what users said. Thread-safe.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class LogLines {
  private static final int MAX_FRAMES = 24;
  private static final int MAX_CAUSES = 4;
  private static final BigDecimal NANOS_PER_MILLI = BigDecimal.valueOf(1_000_000);

  private final Consumer<String> lines;
  private final boolean requests;
  private final InstantSource clock;

  /**
   * @param requests whether each request gets a line; failures always do
   */
  public LogLines(Consumer<String> lines, boolean requests, InstantSource clock) {
    this.lines = lines;
    this.requests = requests;
    this.clock = clock;
  }

  /** A request ended. */
  public void request(RequestTrace exchange, String method, int status) {
    if (!requests) {
      return;
    }
    JsonObject.Builder line =
        start("request", exchange, method)
            .put("status", status)
            .put("ms", millis(exchange.nanos()));
    Scope scope = exchange.scope();
    line.putIfPresent("tenant", scope == null ? null : scope.tenant())
        .putIfPresent("project", scope == null ? null : scope.project())
        .putIfPresent("key", exchange.key())
        .putIfPresent("code", exchange.code())
        .putIfPresent("failure", exchange.failure());
    lines.accept(line.build().toJson());
  }

  /**
   * Something failed that is no fault of the caller.
   *
   * @param id what the problem carries; null: it carries none
   */
  void failure(RequestTrace exchange, String method, @Nullable String id, Throwable thrown) {
    JsonObject line =
        start("failure", exchange, method)
            .putIfPresent("failure", id)
            .put("trace", trace(thrown))
            .build();
    lines.accept(line.toJson());
  }

  /**
   * Something that is no request.
   *
   * @param facts ids, names of files and numbers, never what users said
   */
  public void event(String event, JsonObject facts) {
    lines.accept(
        JsonObject.builder()
            .put("ts", clock.instant().toString())
            .put("event", event)
            .putAll(facts)
            .build()
            .toJson());
  }

  private JsonObject.Builder start(String event, RequestTrace exchange, String method) {
    return JsonObject.builder()
        .put("ts", clock.instant().toString())
        .put("event", event)
        .put("id", exchange.id())
        .put("method", method)
        .put("route", exchange.template());
  }

  private static JsonNumber millis(long nanos) {
    BigDecimal millis = BigDecimal.valueOf(nanos).divide(NANOS_PER_MILLI, 3, RoundingMode.HALF_UP);
    return new JsonNumber(millis.toPlainString());
  }

  /** Classes and lines of code, without messages. */
  public static JsonArray trace(Throwable thrown) {
    List<JsonString> trace = new ArrayList<>();
    Throwable cause = thrown;
    for (int depth = 0; cause != null && depth < MAX_CAUSES; depth++) {
      trace.add(new JsonString(cause.getClass().getName()));
      StackTraceElement[] frames = cause.getStackTrace();
      for (int i = 0; i < Math.min(MAX_FRAMES, frames.length); i++) {
        trace.add(new JsonString("  at " + frames[i]));
      }
      cause = cause.getCause();
    }
    return new JsonArray(List.copyOf(trace));
  }
}
