package dev.contexture.server;

import static dev.contexture.server.TestServer.C;
import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.Contexture;
import dev.contexture.block.Scope;
import dev.contexture.provider.BuiltInProviders;
import dev.contexture.provider.catalogue.ModelCatalogue;
import dev.contexture.seeds.TestSeed;
import dev.contexture.server.keys.Grant;
import dev.contexture.server.keys.KeyFile;
import dev.contexture.server.keys.KeyRing;
import dev.contexture.server.keys.KeyRole;
import dev.contexture.store.Store;
import dev.contexture.store.sqlite.InMemoryStore;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What requests read of the store where nobody else writes to it: what is loaded is not read. */
@Timeout(300)
class ServerReadsTest {
  /** That are no reads. */
  private static final Set<String> WRITES = Set.of("commit", "isShared", "putBinary");

  @TempDir Path directory;
  private final List<String> reads = new CopyOnWriteArrayList<>();
  private final Contexture engine =
      Contexture.builder(watched(new InMemoryStore()))
          .exclusive(true)
          .providers(BuiltInProviders.of(ModelCatalogue.shipped()))
          .build();

  @AfterEach
  void close() {
    engine.close();
  }

  /**
   * A store that notes what requests ask it; they run on virtual threads, and nothing else does.
   */
  private Store watched(Store store) {
    return (Store)
        Proxy.newProxyInstance(
            Store.class.getClassLoader(),
            new Class<?>[] {Store.class},
            (unused, method, arguments) -> {
              if (Thread.currentThread().isVirtual() && !WRITES.contains(method.getName())) {
                reads.add(method.getName());
              }
              try {
                return method.invoke(store, arguments);
              } catch (InvocationTargetException thrown) {
                throw thrown.getTargetException();
              }
            });
  }

  private ContextureServer start(ServerOptions options) {
    return ContextureServer.start(engine, options.withPort(0));
  }

  private static HttpRequest.Builder to(ContextureServer server, String path) {
    return HttpRequest.newBuilder(URI.create(server.address() + path));
  }

  private static void post(ContextureServer server, String path, String body, String... headers)
      throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpRequest.Builder request =
          to(server, path).POST(HttpRequest.BodyPublishers.ofString(body));
      if (headers.length > 0) {
        request.headers(headers);
      }
      HttpResponse<String> got = client.send(request.build(), HttpResponse.BodyHandlers.ofString());
      assertThat(got.statusCode()).as(path + ": " + got.body()).isBetween(200, 299);
    }
  }

  private static void turn(ContextureServer server, String id, String... headers) throws Exception {
    post(server, C + "/turns", "{\"turn_id\":\"%s\",\"prompt\":\"Hi\"}".formatted(id), headers);
    post(server, C + "/blocks", "{\"blocks\":[{\"text\":\"a\"}]}", headers);
    post(server, C + "/render", "{}", headers);
    post(server, C + "/turns/" + id + "/finish", "{\"completion\":\"done\"}", headers);
  }

  @Test
  void aTurnOfALoadedConversationIsNotReadBack() throws Exception {
    try (ContextureServer server = start(ServerOptions.local("test"))) {
      turn(server, "t1");
      reads.clear();
      turn(server, "t2");
      assertThat(reads).isEmpty();
    }
  }

  @Test
  void whoseConversationItIsIsAskedOnceForABoundKey() throws Exception {
    KeyFile file = new KeyFile(directory.resolve("keys.json"));
    Grant bound = Grant.of(Scope.of("acme", "shop"), KeyRole.WRITER).withAgent("atlas");
    String key = file.add(bound, TestSeed.random(1), Instant.EPOCH).key();
    String[] headers = {"Authorization", "Bearer " + key};
    try (ContextureServer server = start(ServerOptions.local("test").withKeys(KeyRing.of(file)))) {
      turn(server, "t1", headers);
      turn(server, "t2", headers);
      reads.clear();
      turn(server, "t3", headers);
      assertThat(reads).isEmpty();
    }
  }

  @Test
  void aQuietStreamReadsNothing() throws Exception {
    ServerOptions often = ServerOptions.local("test").withIdle(Duration.ofMillis(300));
    try (ContextureServer server = start(often)) {
      turn(server, "t1");
      assertQuiet(server, C + "/events?after=0");
      assertQuiet(server, "/v1/agents/atlas/events");
      assertQuiet(server, "/v1/events");
    }
  }

  /** Reads until the stream has said several times that it lives. */
  private void assertQuiet(ContextureServer server, String path) throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpResponse<java.io.InputStream> got =
          client.send(to(server, path).build(), HttpResponse.BodyHandlers.ofInputStream());
      assertThat(got.statusCode()).isEqualTo(200);
      try (BufferedReader lines =
          new BufferedReader(new InputStreamReader(got.body(), StandardCharsets.UTF_8))) {
        for (int alive = 0; alive < 4; ) {
          String line = lines.readLine();
          assertThat(line).as("the stream goes on").isNotNull();
          if (line.equals(": alive")) {
            alive++;
            if (alive == 1) {
              reads.clear(); // what was before is told
            }
          }
        }
      }
    }
    assertThat(reads).as(path).isEmpty();
  }
}
