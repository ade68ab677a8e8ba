package dev.contexture.server;

import dev.contexture.engine.Contexture;
import dev.contexture.json.JsonObject;
import java.util.List;

/** What is running: for load balancers and for people. */
final class StatusRoutes {
  private static final String PAGE =
      """
      <!doctype html>
      <html lang="en">
      <head><meta charset="utf-8"><title>Contexture</title></head>
      <body>
      <h1>Contexture VERSION</h1>
      <p>The server of a context engine for LLM agents is running. Its API is under
      <code>/v1</code>, its state is at <a href="/healthz">/healthz</a>; the routes are described
      in <code>docs/http.md</code>.</p>
      </body>
      </html>
      """;

  private final Contexture engine;
  private final ServerOptions options;

  StatusRoutes(Contexture engine, ServerOptions options) {
    this.engine = engine;
    this.options = options;
  }

  List<Route> routes() {
    return List.of(
        Route.get("/healthz", unused -> Answer.ok(health())).open(),
        Route.get("/", unused -> Answer.page(page())).open());
  }

  private JsonObject health() {
    return JsonObject.builder()
        .put("status", "ok")
        .put("version", options.version())
        .put("store", options.store())
        .put("index_lag", engine.search().lag())
        .build();
  }

  private String page() {
    return PAGE.replace("VERSION", options.version());
  }
}
