package dev.contexture.server;

import static dev.contexture.server.TestServer.C;
import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.Contexture;
import dev.contexture.block.Scope;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.seeds.TestSeed;
import dev.contexture.server.TestServer.Got;
import dev.contexture.server.keys.Grant;
import dev.contexture.server.keys.KeyFile;
import dev.contexture.server.keys.KeyRing;
import dev.contexture.server.keys.KeyRole;
import dev.contexture.store.MemoryReader;
import dev.contexture.store.Store;
import dev.contexture.store.sqlite.InMemoryStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the log says, and what it never says. */
class ServerLogTest {
  private static final String SECRET = "xylophone";
  private static final String A = "/v1/agents/atlas";

  @TempDir Path directory;
  private final List<String> lines = new CopyOnWriteArrayList<>();

  private static JsonObject read(String line) {
    assertThat(line).doesNotContain("\n", "\r");
    return (JsonObject) JsonValue.parse(line);
  }

  @Test
  void hasOneLinePerRequest() {
    ServerOptions options = ServerOptions.local("test").withLog(lines::add, true);
    try (TestServer served = new TestServer(directory, options)) {
      Got got = served.post(C + "/turns", "{\"prompt\":\"x\"}");
      served.get("/v1/nope/" + SECRET);
      served.send("GET", C, null, "X-Tenant", "a b");
      assertThat(lines).hasSize(3);
      JsonObject first = read(lines.getFirst());
      assertThat(first.keys())
          .containsExactly(
              "ts", "event", "id", "method", "route", "status", "ms", "tenant", "project");
      assertThat(first.string("route"))
          .contains("/v1/users/{user}/conversations/{conversation}/turns");
      assertThat(first.find("status")).contains(JsonValue.of(201));
      assertThat(got.raw().headers().firstValue("X-Request-Id")).isEqualTo(first.string("id"));
      assertThat(read(lines.get(1)).string("route")).contains("none");
      assertThat(read(lines.get(2)).string("code")).contains("invalid_scope");
      assertThat(read(lines.get(2)).has("tenant")).isFalse();
    }
  }

  /** Says secrets wherever something can be said, and then looks for them. */
  @Test
  void neverHasContentOrKeys() {
    KeyFile file = new KeyFile(directory.resolve("keys.json"));
    KeyFile.Made made =
        file.add(
            Grant.of(Scope.of("acme", "shop"), KeyRole.ADMIN), TestSeed.random(1), Instant.EPOCH);
    ServerOptions options =
        ServerOptions.local("test").withLog(lines::add, true).withKeys(KeyRing.of(file));
    try (TestServer served = new TestServer(directory.resolve("data"), options)) {
      String key = made.key();
      String line = SECRET + "\\r\\n{\\\"event\\\":\\\"forged\\\"}";
      int asked = 0;
      for (String[] call :
          new String[][] {
            {"POST", C + "/turns", "{\"prompt\":\"" + line + "\",\"turn_id\":\"t1\"}"},
            {"PATCH", C, "{\"title\":\"" + line + "\"}"},
            {
              "POST",
              C + "/blocks",
              "{\"blocks\":[{\"text\":\"" + line + "\",\"" + SECRET + "\":1}]}"
            },
            {"POST", C + "/blocks", "{\"" + SECRET + "\":1}"},
            {"POST", C + "/turns", "{" + SECRET},
            {"GET", C + "?" + SECRET + "=1", null},
            {"GET", C + "/artifact?path=" + SECRET, null},
            {"GET", "/v1/users/" + SECRET + "/conversations", null},
            {
              "POST",
              A + "/blocks",
              "{\"label\":\"l\",\"block_type\":\"core\",\"content\":\"" + line + "\"}"
            },
            {"POST", A + "/search", "{\"query\":\"" + SECRET + "\"}"},
            {"POST", "/v1/search", "{\"query\":\"" + SECRET + "\",\"mode\":\"" + SECRET + "\"}"},
            {SECRET.toUpperCase(java.util.Locale.ROOT), "/", null},
          }) {
        served.as(key, call[0], call[1], call[2]);
        asked++;
      }
      served.as(key + "x", "GET", C, null);
      served.as(SECRET, "GET", C, null);
      assertThat(lines).hasSize(asked + 2);
    }
    String secret = made.key().substring(made.key().length() - 43);
    assertThat(lines)
        .allSatisfy(
            said -> {
              assertThat(read(said).string("event")).contains("request");
              assertThat(said.toLowerCase(java.util.Locale.ROOT)).doesNotContain(SECRET, "forged");
              assertThat(said).doesNotContain(secret);
            });
    assertThat(lines.getFirst()).as("which key it was").contains(made.stored().id());
  }

  @Test
  void hasTheIdOfWhatNobodyForesaw() throws Exception {
    for (Throwable thrown :
        List.of(new UnsupportedOperationException(SECRET), new StackOverflowError(SECRET))) {
      lines.clear();
      HttpResponse<String> got = ask(thrown, null);
      assertThat(got.statusCode()).isEqualTo(500);
      JsonObject problem = (JsonObject) JsonValue.parse(got.body());
      assertThat(problem.string("code")).contains("internal");
      assertThat(got.body()).doesNotContain(SECRET, "Exception", "Error");
      assertThat(lines).hasSize(1);
      JsonObject line = read(lines.getFirst());
      assertThat(line.string("failure")).isEqualTo(problem.string("id")).isPresent();
      assertThat(lines.getFirst())
          .contains(thrown.getClass().getName(), "at dev.contexture.")
          .doesNotContain(SECRET);
    }
  }

  /** Where the store is, and what the database says, is for who runs the server. */
  @Test
  void hasTheIdOfAFailureOfTheStoreThatCallersAreNotToldOf() throws Exception {
    ContextureException full =
        new ContextureException(
            ErrorCode.STORE_FULL,
            "no room left for /" + SECRET + "/contexture.db",
            Map.of("file", "/" + SECRET + "/contexture.db"),
            new IllegalStateException(SECRET));
    ContextureException unbuilt =
        new ContextureException(
            ErrorCode.BUILD_FAILED, "failed: " + full.getMessage(), Map.of("step", SECRET), full);
    for (ContextureException thrown : List.of(full, unbuilt)) {
      lines.clear();
      HttpResponse<String> got = ask(thrown, "k".repeat(43));
      assertThat(got.statusCode()).isEqualTo(thrown.code().httpStatus());
      assertThat(got.body()).doesNotContain(SECRET).contains("the store has no room left");
      JsonObject problem = (JsonObject) JsonValue.parse(got.body());
      assertThat(problem.string("code")).contains(thrown.code().wireName());
      assertThat(lines).hasSize(1);
      assertThat(read(lines.getFirst()).string("failure"))
          .isEqualTo(problem.string("id"))
          .isPresent();
    }
    assertThat(ask(full, null).body())
        .as("also without keys: models read it, too")
        .doesNotContain(SECRET)
        .contains("the store has no room left");
  }

  /** A tool's result goes to a model, which repeats it. */
  @Test
  void tellsModelsNothingOfWhatNobodyForesawOrTheStoreSaid() throws Exception {
    for (RuntimeException thrown :
        List.of(
            new UnsupportedOperationException(SECRET),
            new ContextureException(
                ErrorCode.STORE_UNAVAILABLE, SECRET, Map.of("file", SECRET), null))) {
      try (Contexture engine =
              Contexture.builder(forgetful(new InMemoryStore(), thrown)).exclusive(true).build();
          ContextureServer server =
              ContextureServer.start(
                  engine, ServerOptions.local("test").withPort(0).withLog(lines::add, false));
          HttpClient client = HttpClient.newHttpClient()) {
        HttpRequest request =
            HttpRequest.newBuilder(URI.create(server.address() + A + "/tools/block"))
                .POST(HttpRequest.BodyPublishers.ofString("{\"params\":{\"op\":\"list\"}}"))
                .build();
        HttpResponse<String> got = client.send(request, HttpResponse.BodyHandlers.ofString());
        assertThat(got.body()).doesNotContain(SECRET, "Exception").contains("\"code\":");
      }
    }
  }

  /**
   * Asks a server whose store fails.
   *
   * @param key null: the server has no keys
   */
  private HttpResponse<String> ask(Throwable thrown, @Nullable String key) throws Exception {
    ServerOptions options = ServerOptions.local("test").withPort(0).withLog(lines::add, false);
    if (key != null) {
      options = options.withKeys(KeyRing.withAdmin(key, null));
    }
    try (Contexture engine =
            Contexture.builder(failing(new InMemoryStore(), thrown)).exclusive(true).build();
        ContextureServer server = ContextureServer.start(engine, options);
        HttpClient client = HttpClient.newHttpClient()) {
      HttpRequest request =
          HttpRequest.newBuilder(URI.create(server.address() + C))
              .header("Authorization", "Bearer " + key)
              .header("X-Tenant", "acme")
              .header("X-Project", "shop")
              .build();
      return client.send(request, HttpResponse.BodyHandlers.ofString());
    }
  }

  /** A store whose reads fail with what a user said. */
  private static Store failing(Store store, Throwable with) {
    return (Store)
        Proxy.newProxyInstance(
            Store.class.getClassLoader(),
            new Class<?>[] {Store.class},
            (unused, method, arguments) -> {
              if (method.getName().equals("head")) {
                throw with;
              }
              try {
                return method.invoke(store, arguments);
              } catch (InvocationTargetException thrown) {
                throw thrown.getTargetException();
              }
            });
  }

  /** A store whose tables of memory fail. */
  private static Store forgetful(Store store, Throwable with) {
    Object tables =
        Proxy.newProxyInstance(
            Store.class.getClassLoader(),
            new Class<?>[] {MemoryReader.class},
            (unused, method, arguments) -> {
              throw with;
            });
    return (Store)
        Proxy.newProxyInstance(
            Store.class.getClassLoader(),
            new Class<?>[] {Store.class},
            (unused, method, arguments) -> {
              try {
                return method.getName().equals("memory") ? tables : method.invoke(store, arguments);
              } catch (InvocationTargetException thrown) {
                throw thrown.getTargetException();
              }
            });
  }
}
