package dev.contexture.server;

import static dev.contexture.server.TestServer.C;
import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.server.TestServer.Got;
import dev.contexture.server.http.Route;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Attacks on a server without keys: names, hosts, pages, and content that pretends to be more. */
class ServerSecurityTest {
  private static final String A = "/v1/agents/atlas";

  @TempDir Path directory;
  private TestServer served;

  @BeforeEach
  void start() {
    served = new TestServer(directory.resolve("data"));
  }

  @AfterEach
  void stop() {
    served.close();
  }

  private Set<String> files() throws IOException {
    try (Stream<Path> all = Files.list(directory)) {
      return all.map(path -> path.getFileName().toString()).collect(Collectors.toSet());
    }
  }

  @Test
  void leavesNoFolderByNames() throws IOException {
    for (String name :
        List.of(
            "..",
            "%2e%2e",
            ".%2e",
            "%2E%2E",
            "%2f",
            "..%2fx",
            "a%2fb",
            "..%5cx",
            "%00",
            "a%00",
            "%252e%252e",
            "%c0%ae%c0%ae",
            "%0d%0aX-Evil:%201",
            "a;b",
            "%20",
            "%ff")) {
      for (String target :
          List.of(
              "/v1/users/" + name + "/conversations/c1/turns",
              "/v1/users/u1/conversations/" + name + "/turns",
              "/v1/agents/" + name + "/blocks",
              A + "/blocks/" + name + "/ops")) {
        String body = "{\"prompt\":\"x\"}";
        String got = Raw.ask(served, Raw.post(target, body.length()) + body);
        assertThat(got).as(target).containsPattern("^HTTP/1\\.1 4[0-9]{2} ");
        assertThat(got).as(target).contains("application/problem+json").doesNotContain("\nX-Evil:");
        String read = Raw.ask(served, Raw.get(target.replaceFirst("/ops$", ""), "localhost"));
        assertThat(read).as(target).containsPattern("^HTTP/1\\.1 4[0-9]{2} ");
      }
    }
    for (String tenant : List.of("..", ".", "a/b", "a\\b", "x".repeat(129))) {
      Got got = served.send("POST", C + "/turns", "{\"prompt\":\"x\"}", "X-Tenant", tenant);
      assertThat(got.code()).as(tenant).isEqualTo("invalid_scope");
    }
    for (String target : List.of("/../keys.json", "/%2e%2e/keys.json", "/api/../../etc/passwd")) {
      assertThat(Raw.ask(served, Raw.get(target, "localhost")))
          .as(target)
          .containsPattern("^HTTP/1\\.1 4[0-9]{2} ");
    }
    assertThat(files()).containsExactly("data");
  }

  @Test
  void answersToLoopbackNamesOnly() throws IOException {
    for (String host :
        List.of("localhost", "LOCALHOST:1", "127.0.0.1", "127.1.2.3:99", "[::1]", "[::1]:8321")) {
      assertThat(Raw.ask(served, Raw.get("/v1/models", host))).as(host).startsWith("HTTP/1.1 200");
    }
    for (String host :
        List.of(
            "evil.example",
            "127.0.0.1.evil.example",
            "localhost.evil.example",
            "localhost.",
            "evil.example:127.0.0.1",
            "localhost@evil.example",
            "[::1].evil.example",
            "[::ffff:127.0.0.1]",
            "127.0.0.256",
            "2130706433",
            "0.0.0.0",
            "::1",
            "")) {
      String got = Raw.ask(served, Raw.get("/v1/models", host));
      assertThat(got).as(host).containsPattern("^HTTP/1\\.1 40[03] ");
      assertThat(got).as(host).contains("application/problem+json").doesNotContain("claude");
    }
    String absolute = Raw.get("http://evil.example/v1/models", "localhost");
    assertThat(Raw.ask(served, absolute)).containsPattern("^HTTP/1\\.1 40[03] ");
    assertThat(Raw.ask(served, "GET /v1/models HTTP/1.0\r\n\r\n"))
        .containsPattern("^HTTP/1\\.[01] 40[03] ");
  }

  @Test
  void takesWritesFromNoForeignPageAndTellsNoneAnything() {
    int port = served.server().port();
    for (String origin :
        List.of(
            "null",
            "http://evil.example",
            "http://localhost:" + (port + 1),
            "http://localhost:" + port,
            "https://127.0.0.1:" + port,
            "http://127.0.0.1:" + port + ".evil.example",
            "http://127.0.0.1",
            "nonsense")) {
      for (Route route : served.server().routes()) {
        String method = route.method().name();
        String path = ServerRoutesTest.filled(route.path());
        if (route.method() != Route.Method.GET) {
          Got got = served.send(method, path, "{}", "Origin", origin);
          assertThat(got.status()).as(origin + " " + route.title()).isEqualTo(403);
          assertThat(got.code()).isEqualTo("forbidden");
        }
      }
      Got read = served.send("GET", "/v1/models", null, "Origin", origin);
      Got asked =
          served.send(
              "OPTIONS",
              C + "/turns",
              null,
              "Origin",
              origin,
              "Access-Control-Request-Method",
              "POST");
      for (Got got : List.of(read, asked)) {
        assertThat(got.raw().headers().map().keySet())
            .noneMatch(
                name -> name.toLowerCase(java.util.Locale.ROOT).startsWith("access-control"));
        assertThat(got.raw().headers().firstValue("X-Content-Type-Options")).contains("nosniff");
      }
    }
    assertThat(served.get(C).status()).isEqualTo(404);
  }

  @Test
  void keepsContentFromPretendingToBeMore() throws IOException {
    for (String label : List.of("<b>", "a\nb", "a/b", "", "x".repeat(300), "\u0000")) {
      String json = dev.contexture.json.JsonValue.of(label).toJson();
      Got got =
          served.post(
              A + "/blocks", "{\"label\":" + json + ",\"block_type\":\"core\",\"content\":\"x\"}");
      assertThat(got.status()).as(json).isEqualTo(400);
    }
    String evil =
        "</script><script>alert(1)</script>\\u0000\\r\\nevent: forged\\r\\ndata: {}\\r\\n\\r\\n";
    served.post(C + "/turns", "{\"prompt\":\"" + evil + "\",\"turn_id\":\"t1\"}");
    served.post(
        A + "/blocks",
        "{\"label\":\"l\",\"block_type\":\"core\",\"description\":\""
            + evil
            + "\",\"content\":\""
            + evil
            + "\"}");
    for (String path : List.of("/", "/api", "/metrics")) {
      assertThat(served.get(path).text()).doesNotContain("alert(1)");
    }
    for (String path : List.of(C + "/timeline", A + "/blocks/l", A + "/prompt")) {
      assertThat(served.get(path).contentType()).as(path).isEqualTo("application/json");
    }
    try (Raw raw = new Raw(served)) {
      raw.say(Raw.get(C + "/events", "localhost"));
      String first = raw.until("\"turn_id\":\"t1\"") + raw.until("event: turn");
      assertThat(first.lines().filter(line -> line.equals("event: forged"))).isEmpty();
      assertThat(first).contains("alert(1)");
    }
  }
}
