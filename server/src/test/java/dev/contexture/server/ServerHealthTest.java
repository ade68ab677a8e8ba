package dev.contexture.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.Contexture;
import dev.contexture.block.Scope;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.seeds.TestSeed;
import dev.contexture.server.keys.Grant;
import dev.contexture.server.keys.KeyFile;
import dev.contexture.server.keys.KeyRing;
import dev.contexture.server.keys.KeyRole;
import dev.contexture.store.Store;
import dev.contexture.store.sqlite.InMemoryStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code /healthz} and {@code /readyz} over HTTP. */
class ServerHealthTest {
  private static final String SECRET = "/secret/contexture.db";

  @TempDir Path directory;

  @Test
  void isWellAndReady() {
    try (TestServer served = new TestServer(directory)) {
      JsonObject health = served.get("/healthz").json();
      assertThat(health.string("status")).contains("ok");
      assertThat(health.array("reasons").orElseThrow().items()).isEmpty();
      assertThat(served.get("/readyz").text()).isEqualTo("{\"status\":\"ready\"}");
    }
  }

  @Test
  void saysThatTheKeyFileIsRefused() throws Exception {
    Path keys = directory.resolve("keys.json");
    KeyFile file = new KeyFile(keys);
    file.add(Grant.of(Scope.of("acme", "shop"), KeyRole.READER), TestSeed.random(1), Instant.EPOCH);
    ServerOptions options = ServerOptions.local("test").withKeys(KeyRing.of(file));
    try (TestServer served = new TestServer(directory.resolve("data"), options)) {
      Files.setPosixFilePermissions(keys, PosixFilePermissions.fromString("rw-rw-rw-"));
      TestServer.Got ready = served.get("/readyz");
      assertThat(ready.status()).isEqualTo(503);
      assertThat(ready.text())
          .contains("\"code\":\"key_file_refused\"")
          .doesNotContain(directory.toString());
      assertThat(served.get("/healthz").text())
          .contains("\"status\":\"degraded\"", "\"code\":\"key_file_refused\"");
    }
  }

  @Test
  void saysThatTheStoreIsFullWithoutAKeyAndWithoutItsName() throws Exception {
    ContextureException full =
        new ContextureException(
            ErrorCode.STORE_FULL, "no room left for " + SECRET, Map.of("file", SECRET), null);
    ServerOptions options =
        ServerOptions.local("test")
            .withPort(0)
            .withLog(line -> {}, false)
            .withKeys(KeyRing.withAdmin("k".repeat(43), null));
    try (Contexture engine =
            Contexture.builder(unwritable(new InMemoryStore(), full)).exclusive(true).build();
        ContextureServer server = ContextureServer.start(engine, options);
        HttpClient client = HttpClient.newHttpClient()) {
      HttpResponse<String> health = get(client, server, "/healthz");
      assertThat(health.statusCode()).as("the process answers").isEqualTo(200);
      assertThat(health.body())
          .contains("\"status\":\"degraded\"", "\"code\":\"store_full\"")
          .doesNotContain(SECRET);
      HttpResponse<String> ready = get(client, server, "/readyz");
      assertThat(ready.statusCode()).isEqualTo(503);
      assertThat(ready.headers().firstValue("Retry-After")).contains("1");
      assertThat(ready.headers().firstValue("Content-Type")).contains("application/problem+json");
      JsonObject problem = (JsonObject) JsonValue.parse(ready.body());
      assertThat(problem.string("code")).contains("not_ready");
      assertThat(problem.array("reasons").orElseThrow().items()).hasSize(1);
      assertThat(ready.body()).contains("store_full").doesNotContain(SECRET);
    }
  }

  @Test
  void answersWhileTheDatabaseFileIsAway() throws Exception {
    Path database = directory.resolve("contexture.db");
    Path aside = directory.resolveSibling("aside-" + directory.getFileName());
    try (TestServer served = new TestServer(directory)) {
      served.post(TestServer.C + "/turns", "{\"turn_id\":\"t1\",\"prompt\":\"hi\"}");
      Files.move(database, aside);
      var health = served.get("/healthz");
      while (health.status() == 200 && health.text().contains("\"status\":\"ok\"")) {
        Thread.onSpinWait(); // it looks once a second at the most
        health = served.get("/healthz");
      }
      assertThat(health.status()).as("the process answers").isEqualTo(200);
      assertThat(health.text())
          .contains("\"status\":\"degraded\"", "store_unavailable")
          .doesNotContain(directory.toString());
      Files.move(aside, database);
    }
  }

  private static HttpResponse<String> get(HttpClient client, ContextureServer server, String path)
      throws Exception {
    HttpRequest request = HttpRequest.newBuilder(URI.create(server.address() + path)).build();
    return client.send(request, HttpResponse.BodyHandlers.ofString());
  }

  /** A store that says that it cannot be written. */
  private static Store unwritable(Store store, ContextureException why) {
    return (Store)
        Proxy.newProxyInstance(
            Store.class.getClassLoader(),
            new Class<?>[] {Store.class},
            (unused, method, arguments) -> {
              if (method.getName().equals("writeProblem")) {
                return Optional.of(why);
              }
              try {
                return method.invoke(store, arguments);
              } catch (InvocationTargetException thrown) {
                throw thrown.getTargetException();
              }
            });
  }
}
