package dev.contexture.server;

import dev.contexture.Contexture;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.server.http.Route;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/** A server on a directory and a free port, and a client of it. */
public final class TestServer implements AutoCloseable {
  static final String C = "/v1/users/u1/conversations/c1";

  /** A conversation that does not exist. */
  static final String MISSING = "/v1/users/u1/conversations/nobody";

  // Held here, because a logger that nobody holds forgets its level.
  private static final List<Logger> QUIET =
      List.of(Logger.getLogger("org.eclipse.jetty"), Logger.getLogger("io.javalin"));

  static {
    QUIET.forEach(logger -> logger.setLevel(Level.OFF));
  }

  private final Path directory;
  private final HttpClient client = HttpClient.newHttpClient();
  private final ServerOptions options;
  private final UnaryOperator<Contexture.Builder> settings;
  private Contexture engine;
  private ContextureServer server;
  private volatile @Nullable DeclaredAnswers declared;

  public TestServer(Path directory) {
    this(directory, Duration.ofSeconds(30));
  }

  public TestServer(Path directory, Duration idle) {
    this(directory, ServerOptions.local("test").withIdle(idle));
  }

  public TestServer(Path directory, ServerOptions options) {
    this(directory, options, settings -> settings);
  }

  public TestServer(
      Path directory, ServerOptions options, UnaryOperator<Contexture.Builder> settings) {
    this.directory = directory;
    this.options = options.withPort(0);
    this.settings = settings;
    this.engine = open();
    this.server = start();
  }

  private Contexture open() {
    return Contexture.open(directory, settings::apply);
  }

  private ContextureServer start() {
    return ContextureServer.start(engine, options);
  }

  /** Ends server and engine, and starts others on the same directory. */
  void restart() {
    server.close();
    engine.close();
    engine = open();
    server = start();
  }

  Contexture engine() {
    return engine;
  }

  public ContextureServer server() {
    return server;
  }

  /** All its routes. */
  public List<Route> routes() {
    return server.routes();
  }

  /** What the document of the API says about the answers. */
  DeclaredAnswers declared() {
    DeclaredAnswers known = declared;
    if (known == null) {
      known = new DeclaredAnswers(routes());
      declared = known;
    }
    return known;
  }

  /** What came back. */
  public record Got(int status, String contentType, String text, HttpResponse<String> raw) {
    public JsonObject json() {
      return (JsonObject) JsonValue.parse(text);
    }

    public String string(String name) {
      return json().string(name).orElseThrow();
    }

    long number(String name) {
      return ((dev.contexture.json.JsonNumber) json().find(name).orElseThrow())
          .asLong()
          .orElseThrow();
    }

    public String code() {
      return string("code");
    }
  }

  public Got get(String path) {
    return send("GET", path, null);
  }

  Got post(String path, String body) {
    return send("POST", path, body);
  }

  /** Sends with a key. */
  Got as(String key, String method, String path, @Nullable String body) {
    return send(method, path, body, "Authorization", "Bearer " + key);
  }

  public Got send(String method, String path, @Nullable String body, String... headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(server.address() + path))
            .timeout(Duration.ofMinutes(2))
            .method(
                method,
                body == null
                    ? HttpRequest.BodyPublishers.noBody()
                    : HttpRequest.BodyPublishers.ofString(body));
    if (headers.length > 0) {
      request.headers(headers);
    }
    try {
      HttpResponse<String> response =
          client.send(request.build(), HttpResponse.BodyHandlers.ofString());
      String type = response.headers().firstValue("Content-Type").orElse("");
      String text = type.endsWith("json") ? response.body().stripTrailing() : response.body();
      Got got = new Got(response.statusCode(), type, text, response);
      boolean stream =
          List.of(headers).contains("text/event-stream")
              || List.of(headers).contains("application/x-ndjson");
      declared().check(method, path, stream ? null : body, got);
      return got;
    } catch (IOException | InterruptedException failed) {
      throw new IllegalStateException(method + " " + path, failed);
    }
  }

  /** Asks again while an erasure is finished in the background (H-8), for a minute. */
  static Got erased(Supplier<Got> delete) {
    Got got = delete.get();
    for (int i = 0; i < 600 && got.status() == 202; i++) {
      LockSupport.parkNanos(Duration.ofMillis(100).toNanos());
      got = delete.get();
    }
    return got;
  }

  @Override
  public void close() {
    server.close();
    engine.close();
    client.close();
  }
}
