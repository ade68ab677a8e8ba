package dev.contexture.cli.support;

import dev.contexture.Contexture;
import dev.contexture.cli.demo.Demo;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonNumber;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonValue;
import dev.contexture.store.sqlite.DirectoryLock;
import dev.contexture.store.sqlite.SqliteStore;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The HTTP API of a store, whoever serves it: the server that has the directory open, which the
 * lock file names, or else one that this process starts for the time of the command.
 *
 * <p>Only one process may own a directory, so beside a server a command has to ask that one.
 * Without a server it could call the engine instead; but then every command would have two ways to
 * do one thing, and the seldom used one would be wrong some day. To start a server and ask it takes
 * once or twice as long again as to open the store, which is the price of that. It asks for a key
 * that only this process knows.
 *
 * <p>Thread-safe.
 */
public final class Api implements AutoCloseable {
  /** A summary by a model takes minutes, and so does a large index. */
  private static final Duration ANSWER = Duration.ofHours(1);

  private static final int UNAUTHENTICATED = 401;
  private static final int FORBIDDEN = 403;
  private static final Set<String> PLAIN = Set.of("type", "title", "status", "code", "detail");

  private final String address;
  private final Map<String, String> headers;
  private final HttpClient client;
  private final @Nullable LocalServer own;

  private Api(String address, Map<String, String> headers, @Nullable LocalServer own) {
    PinnedAddress pinned = PinnedAddress.of(address);
    this.address = pinned.address();
    this.client = pinned.client();
    this.headers = headers;
    this.own = own;
  }

  /**
   * Of a store that exists.
   *
   * @throws ContextureException {@code not_found} if there is none, {@code store_in_use} if another
   *     process that is no server has it open, or another {@code store_} code
   */
  public static Api open(StoreFlags store) {
    return open(store, UnaryOperator::identity);
  }

  /**
   * The same.
   *
   * @param settings for the engine where this process opens the store
   */
  public static Api open(StoreFlags store, Supplier<UnaryOperator<Contexture.Builder>> settings) {
    Optional<Api> running = running(store);
    if (running.isEmpty()) {
      requireStore(store.data());
    }
    return running.orElseGet(() -> own(store, settings));
  }

  /** Of a store that is made if it does not exist. */
  public static Api openOrMake(StoreFlags store) {
    Optional<Api> running = running(store);
    if (running.isEmpty()) {
      PostgresNode.refuse(store.data());
    }
    return running.orElseGet(() -> own(store, UnaryOperator::identity));
  }

  /** Of a server that runs. */
  public static Optional<Api> running(StoreFlags store) {
    return DirectoryLock.owner(store.data())
        .filter(owner -> owner.server() != null)
        .map(
            owner ->
                new Api(
                    Objects.requireNonNull(owner.server()), store.headersFor(owner.key()), null));
  }

  /** Of a server at an address, as nobody in particular. */
  public static Api at(String address) {
    return new Api(address, Map.of(), null);
  }

  /**
   * Refuses a directory without a store.
   *
   * @throws ContextureException {@code not_found}
   */
  public static void requireStore(Path directory) {
    PostgresNode.refuse(directory);
    if (!Files.isRegularFile(directory.resolve(SqliteStore.FILE))) {
      throw new ContextureException(
          ErrorCode.NOT_FOUND,
          "there is no store in "
              + directory
              + "; give --data, or make one with contexture serve or contexture import"
              + demoBeside(directory),
          Map.of("directory", directory.toString()),
          null);
    }
  }

  private static String demoBeside(Path directory) {
    Path demo = directory.resolveSibling(Demo.DIRECTORY);
    return Files.isRegularFile(demo.resolve(SqliteStore.FILE))
        ? "; that of the demo is in " + demo
        : "";
  }

  private static Api own(StoreFlags store, Supplier<UnaryOperator<Contexture.Builder>> settings) {
    UnaryOperator<Contexture.Builder> checked = settings.get(); // before anything is opened
    try {
      LocalServer server = LocalServer.open(store.data(), checked);
      return new Api(server.address(), store.headers(server.key()), server);
    } catch (ContextureException refused) {
      if (refused.code() != ErrorCode.STORE_IN_USE) {
        throw refused;
      }
      return running(store).orElseThrow(() -> refused); // one that came up meanwhile
    }
  }

  /** Where it is. */
  public String address() {
    return address;
  }

  /** A part of a path, whatever is in it. */
  public static String encoded(String id) {
    return URLEncoder.encode(id, StandardCharsets.UTF_8).replace("+", "%20");
  }

  /**
   * An id as a part of a path.
   *
   * @param name what it is, for whoever gave none
   * @throws ContextureException {@code invalid_argument} if it is blank
   */
  public static String id(String name, String id) {
    if (id.isBlank()) {
      throw ContextureException.invalid(ErrorCode.INVALID_ARGUMENT, name, id, "an id");
    }
    return encoded(id);
  }

  /** The path of a conversation. */
  public static String conversation(String user, String conversation) {
    return "/v1/users/" + id("--user", user) + "/conversations/" + id("CONVERSATION", conversation);
  }

  public JsonObject get(String path) {
    return send("GET", path, null, Map.of());
  }

  public JsonObject post(String path, JsonObject body) {
    return send("POST", path, body.toJson(), Map.of());
  }

  /**
   * Sends a request and returns the answer; an empty one is an empty object.
   *
   * @throws ContextureException what the server refused with, or {@code store_unavailable} if it
   *     does not answer
   */
  public JsonObject send(
      String method, String path, @Nullable String body, Map<String, String> more) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(address + path))
            .header("Content-Type", "application/json")
            .method(
                method,
                body == null
                    ? HttpRequest.BodyPublishers.noBody()
                    : HttpRequest.BodyPublishers.ofString(body));
    more.forEach(request::header);
    return send(request);
  }

  /**
   * Posts an archive as it comes, however large it is.
   *
   * @throws ContextureException as {@link #send}
   */
  public JsonObject postArchive(String path, HttpRequest.BodyPublisher archive) {
    return send(
        HttpRequest.newBuilder(URI.create(address + path))
            .header("Content-Type", "application/x-ndjson")
            .POST(archive));
  }

  private JsonObject send(HttpRequest.Builder request) {
    request.timeout(ANSWER);
    headers.forEach(request::header);
    try {
      return read(client.send(request.build(), HttpResponse.BodyHandlers.ofString()));
    } catch (IOException silent) {
      throw unavailable(silent.toString(), silent);
    } catch (InterruptedException early) {
      Thread.currentThread().interrupt();
      throw unavailable("interrupted", early);
    }
  }

  /**
   * What a GET answers, as it comes; the caller closes it.
   *
   * @throws ContextureException as {@link #send}
   */
  public InputStream stream(String path) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(address + path)).timeout(ANSWER).GET();
    headers.forEach(request::header);
    try {
      HttpResponse<InputStream> answer =
          client.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
      if (answer.statusCode() / 100 == 2) {
        return answer.body();
      }
      try (InputStream body = answer.body()) {
        String text = new String(body.readAllBytes(), StandardCharsets.UTF_8);
        throw JsonValue.parse(text) instanceof JsonObject problem
            ? refused(problem, answer.statusCode())
            : unavailable("it answered " + answer.statusCode(), null);
      }
    } catch (IOException silent) {
      throw unavailable(silent.toString(), silent);
    } catch (InterruptedException early) {
      Thread.currentThread().interrupt();
      throw unavailable("interrupted", early);
    }
  }

  private JsonObject read(HttpResponse<String> answer) {
    boolean done = answer.statusCode() / 100 == 2;
    if (done && answer.body().isEmpty()) {
      return JsonObject.EMPTY;
    }
    JsonValue body;
    try {
      body = JsonValue.parse(answer.body());
    } catch (ContextureException foreign) {
      throw unavailable("it answered " + answer.statusCode() + " without JSON", foreign);
    }
    if (!(body instanceof JsonObject read)) {
      throw unavailable("it answered " + answer.statusCode() + " without an object", null);
    }
    if (!done) {
      throw refused(read, answer.statusCode());
    }
    return read;
  }

  private ContextureException refused(JsonObject problem, int status) {
    String code = problem.string("code").orElse("");
    String detail = problem.string("detail").orElse("");
    for (ErrorCode known : ErrorCode.values()) {
      if (known.wireName().equals(code)) {
        return new ContextureException(known, detail, details(problem), null);
      }
    }
    boolean forbidden = status == UNAUTHENTICATED || status == FORBIDDEN;
    return forbidden
        ? new ContextureException(ErrorCode.FORBIDDEN, detail, details(problem), null)
        : unavailable("it answered " + status + " " + code + ": " + detail, null);
  }

  private static Map<String, Object> details(JsonObject problem) {
    Map<String, Object> details = new LinkedHashMap<>();
    for (Map.Entry<String, JsonValue> member : problem.members().entrySet()) {
      if (PLAIN.contains(member.getKey())) {
        continue;
      }
      if (member.getValue() instanceof JsonString text) {
        details.put(member.getKey(), text.value());
      } else if (member.getValue() instanceof JsonNumber number && number.asLong().isPresent()) {
        details.put(member.getKey(), number.asLong().getAsLong());
      }
    }
    return details;
  }

  private ContextureException unavailable(String why, @Nullable Exception cause) {
    return new ContextureException(
        ErrorCode.STORE_UNAVAILABLE,
        "the server at "
            + address
            + " has the store open, but did not answer: "
            + why
            + "; contexture doctor looks for the cause",
        Map.of("server", address),
        cause);
  }

  @Override
  public void close() {
    client.close();
    if (own != null) {
      own.close();
    }
  }
}
