package dev.contexture.server;

import static dev.contexture.server.TestServer.C;
import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.block.Scope;
import dev.contexture.seeds.TestSeed;
import dev.contexture.server.TestServer.Got;
import dev.contexture.server.http.Route;
import dev.contexture.server.keys.Grant;
import dev.contexture.server.keys.KeyFile;
import dev.contexture.server.keys.KeyRing;
import dev.contexture.server.keys.KeyRole;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who may what, with keys (H-2). */
class ServerKeysTest {
  private static final String ADMIN = "the-key-of-the-host-0123456789abcdef";
  private static final Scope ACME = Scope.of("acme", "shop");
  private static final String A = "/v1/agents/atlas";
  private static final String SECRET = "zebra";

  @TempDir Path directory;
  private final Random random = TestSeed.random(1);
  private KeyFile file;
  private TestServer served;

  @BeforeEach
  void start() {
    file = new KeyFile(directory.resolve("keys.json"));
    served =
        new TestServer(
            directory.resolve("data"),
            ServerOptions.local("test").withKeys(KeyRing.withAdmin(ADMIN, file)));
  }

  @AfterEach
  void stop() {
    served.close();
  }

  private String key(KeyRole role, @Nullable String user, @Nullable String agent) {
    Grant grant = Grant.of(ACME, role).withUser(user).withAgent(agent);
    return file.add(grant, random, Instant.EPOCH).key();
  }

  private void refused(Got got, int status, String code) {
    String what = got.raw().request().method() + " " + got.raw().uri() + ": " + got.text();
    assertThat(got.status()).as(what).isEqualTo(status);
    assertThat(got.contentType()).as(what).isEqualTo("application/problem+json");
    assertThat(got.code()).as(what).isEqualTo(code);
    assertThat(got.text()).as(what).doesNotContain(SECRET);
  }

  private Got ok(String key, String method, String path, @Nullable String body) {
    Got got = served.as(key, method, path, body);
    assertThat(got.status()).as(method + " " + path + ": " + got.text()).isBetween(200, 299);
    return got;
  }

  /** A conversation of u1 with atlas, in which a word is said that nobody else may find. */
  private void talk(String key, String conversation, String agent) {
    String path = "/v1/users/u1/conversations/" + conversation;
    ok(
        key,
        "POST",
        path + "/turns",
        "{\"prompt\":\"" + SECRET + "\",\"turn_id\":\"t1\",\"agent\":\"" + agent + "\"}");
  }

  @Nested
  class Keys {
    @Test
    void areNeededForEverythingButTheStaticPages() {
      for (Route route : served.server().routes()) {
        String path = ServerRoutesTest.filled(route.path());
        String method = route.method().name();
        if (route.role() == null) {
          assertThat(served.send(method, path, null).status()).as(path).isEqualTo(200);
          continue;
        }
        Got missing = served.send(method, path, "{}");
        refused(missing, 401, "unauthenticated");
        assertThat(missing.raw().headers().firstValue("WWW-Authenticate")).contains("Bearer");
        refused(served.as("cx_0123456789abcdef_wrong", method, path, "{}"), 401, "unauthenticated");
      }
      assertThat(
              served.server().routes().stream()
                  .filter(route -> route.role() == null)
                  .map(Route::path))
          .as("what everybody may see")
          .containsExactlyInAnyOrderElementsOf(
              Set.of("/", "/healthz", "/readyz", "/api", "/openapi.json"));
      refused(served.get("/v1/nope"), 401, "unauthenticated");
      refused(served.send("POST", "/healthz/x", "{}"), 401, "unauthenticated");
      assertThat(served.send("HEAD", C, null).status()).isEqualTo(401);
      refused(served.send("GET", C, null, "Authorization", ADMIN), 401, "unauthenticated");
      refused(served.send("GET", C, null, "Authorization", "Basic eDp5"), 401, "unauthenticated");
      refused(served.get(C + "?key=" + ADMIN), 401, "unauthenticated");
    }

    @Test
    void areRefusedOnceTheyAreRevoked() {
      KeyFile.Made made = file.add(Grant.of(ACME, KeyRole.READER), random, Instant.EPOCH);
      ok(made.key(), "GET", "/v1/models", null);
      file.revoke(made.stored().id(), Instant.EPOCH);
      refused(served.as(made.key(), "GET", "/v1/models", null), 401, "unauthenticated");
    }

    @Test
    void decideTenantAndProject() {
      String writer = key(KeyRole.WRITER, null, null);
      talk(writer, "c1", "atlas");
      ok(writer, "GET", C, null);
      String bearer = "Bearer " + writer;
      assertThat(
              served
                  .send(
                      "GET",
                      C,
                      null,
                      "Authorization",
                      bearer,
                      "X-Tenant",
                      "acme",
                      "X-Project",
                      "shop")
                  .status())
          .isEqualTo(200);
      for (Route route : served.server().routes()) {
        if (route.role() == null) {
          continue;
        }
        String path = ServerRoutesTest.filled(route.path());
        String method = route.method().name();
        refused(
            served.send(method, path, "{}", "Authorization", bearer, "X-Tenant", "other"),
            403,
            "forbidden");
        refused(
            served.send(method, path, "{}", "Authorization", bearer, "X-Project", "other"),
            403,
            "forbidden");
      }
      assertThat(served.as(ADMIN, "GET", C, null).status())
          .as("the host's own default")
          .isEqualTo(404);
      assertThat(
              served
                  .send(
                      "GET",
                      C,
                      null,
                      "Authorization",
                      "Bearer " + ADMIN,
                      "X-Tenant",
                      "acme",
                      "X-Project",
                      "shop")
                  .status())
          .isEqualTo(200);
    }
  }

  @Nested
  class Roles {
    @Test
    void letReadersReadOnly() {
      String writer = key(KeyRole.WRITER, null, null);
      talk(writer, "c1", "atlas");
      String reader = key(KeyRole.READER, null, null);
      Set<String> harmless =
          Set.of("/render", "/search", "/v1/validate", "/v1/simulate", "/rules/check", "/mcp");
      Set<String> forAdmins = Set.of("/v1/search", "/v1/audit", "/metrics");
      for (Route route : served.server().routes()) {
        String path = ServerRoutesTest.filled(route.path());
        String method = route.method().name();
        boolean reads =
            ((route.method() == Route.Method.GET && !path.endsWith("/consents"))
                    || harmless.stream().anyMatch(path::endsWith))
                && !forAdmins.contains(path);
        if (path.endsWith("/events")) {
          continue; // a stream does not end by itself
        }
        Got got = served.as(reader, method, path, "{}");
        if (reads && !path.endsWith("/render")) {
          assertThat(got.status()).as(method + " " + path).isNotIn(401, 403);
        } else {
          refused(got, 403, "forbidden");
        }
      }
      ok(reader, "POST", C + "/render", "{\"read_only\":true}");
      refused(served.as(reader, "POST", C + "/render", "{\"read_only\":false}"), 403, "forbidden");
      Got told = served.as(reader, "DELETE", C, null);
      assertThat(told.string("required")).isEqualTo("writer");
      assertThat(told.string("actual")).isEqualTo("reader");
    }

    @Test
    void keepSearchOfEverythingForAdmins() {
      String search = "{\"query\":\"" + SECRET + "\"}";
      refused(
          served.as(key(KeyRole.WRITER, null, null), "POST", "/v1/search", search),
          403,
          "forbidden");
      ok(key(KeyRole.ADMIN, null, null), "POST", "/v1/search", search);
      refused(
          served.as(key(KeyRole.ADMIN, "u1", null), "POST", "/v1/search", search),
          403,
          "forbidden");
      refused(
          served.as(key(KeyRole.ADMIN, null, "atlas"), "POST", "/v1/search", search),
          403,
          "forbidden");
    }

    @Test
    void decideWhoMayActForOthers() {
      String writer = key(KeyRole.WRITER, null, null);
      String block = "{\"label\":\"L\",\"block_type\":\"core\",\"content\":\"x\"}";
      ok(writer, "POST", A + "/blocks", block.replace("L", "own"));
      assertThat(actor(writer, "agent:atlas", block.replace("L", "same")).status()).isEqualTo(201);
      for (String other : List.of("agent:other", "human:u1", "system")) {
        refused(actor(writer, other, block), 403, "forbidden");
      }
      String admin = key(KeyRole.ADMIN, null, null);
      assertThat(actor(admin, "human:u1", block.replace("L", "h")).status()).isEqualTo(201);
      assertThat(actor(admin, "system", block.replace("L", "s")).status()).isEqualTo(201);
      refused(actor(key(KeyRole.ADMIN, null, "atlas"), "agent:other", block), 403, "forbidden");
      refused(actor(key(KeyRole.ADMIN, "u2", null), "human:u1", block), 403, "forbidden");
      refused(served.as(writer, "GET", A + "/consents", null), 403, "forbidden");
      ok(admin, "GET", A + "/consents", null);
    }

    private Got actor(String key, String actor, String body) {
      return served.send(
          "POST", A + "/blocks", body, "Authorization", "Bearer " + key, "X-Actor", actor);
    }
  }

  @Nested
  class Bindings {
    @Test
    void keepUsersApart() {
      talk(key(KeyRole.WRITER, null, null), "c1", "atlas");
      for (KeyRole role : KeyRole.values()) {
        String other = key(role, "u2", null);
        for (Route route : served.server().routes()) {
          if (route.path().contains("{user}")) {
            String path = ServerRoutesTest.filled(route.path());
            refused(served.as(other, route.method().name(), path, "{}"), 403, "forbidden");
          }
        }
        String query = "{\"query\":\"" + SECRET + "\"";
        refused(
            served.as(other, "POST", A + "/search", query + ",\"user\":\"u1\"}"), 403, "forbidden");
        Got own = ok(other, "POST", A + "/search", query + "}");
        assertThat(own.json().array("hits").orElseThrow().items()).isEmpty();
        if (role != KeyRole.READER) {
          String params = "{\"params\":{\"query\":\"" + SECRET + "\"}";
          refused(
              served.as(other, "POST", A + "/tools/search", params + ",\"user\":\"u1\"}"),
              403,
              "forbidden");
          assertThat(ok(other, "POST", A + "/tools/search", params + "}").text())
              .contains("\"success\":true", "\"hits\":[]");
        }
      }
      Got found =
          ok(
              key(KeyRole.READER, "u1", null),
              "POST",
              A + "/search",
              "{\"query\":\"" + SECRET + "\"}");
      assertThat(found.json().array("hits").orElseThrow().items())
          .as("found by its user")
          .hasSize(1);
    }

    @Test
    void keepAgentsApart() {
      String writer = key(KeyRole.WRITER, null, null);
      talk(writer, "c1", "atlas");
      ok(
          writer,
          "POST",
          A + "/blocks",
          "{\"label\":\"l\",\"block_type\":\"core\",\"content\":\"" + SECRET + "\"}");
      for (KeyRole role : KeyRole.values()) {
        String other = key(role, null, "hermes");
        for (Route route : served.server().routes()) {
          if (route.path().startsWith("/v1/agents/{agent}")) {
            String path = ServerRoutesTest.filled(route.path());
            refused(served.as(other, route.method().name(), path, "{}"), 403, "forbidden");
          }
        }
        refused(served.as(other, "GET", C, null), 404, "not_found");
        refused(served.as(other, "GET", C + "/events", null), 404, "not_found");
        refused(served.as(other, "GET", C + "/turns/t1", null), 404, "not_found");
        refused(served.as(other, "POST", C + "/render", "{\"read_only\":true}"), 404, "not_found");
        refused(
            served.as(other, "POST", "/v1/users/u1/search", "{\"query\":\"x\"}"), 403, "forbidden");
        assertThat(ok(other, "GET", "/v1/users/u1/conversations", null).text())
            .doesNotContain("c1");
        assertThat(ok(other, "GET", "/v1/agents", null).text()).doesNotContain("atlas");
      }
    }

    /** Neither filters nor typing errors nor pages tell a bound key of anything but its own. */
    @Test
    void holdForFiltersPagesAndTypingErrors() {
      String writer = key(KeyRole.WRITER, null, null);
      talk(writer, "c1", "atlas");
      String entry = "{\"content\":\"" + SECRET + "\",\"metadata\":{\"topic\":\"" + SECRET + "\"}}";
      ok(writer, "POST", A + "/archival", entry);
      ok(writer, "POST", "/v1/agents/hermes/archival", "{\"content\":\"grey\"}");
      String hermes = key(KeyRole.READER, null, "hermes");
      String user = key(KeyRole.READER, "u2", null);
      for (String asking :
          List.of(
              "\"query\":\"zebar\"",
              "\"query\":\"zebra\",\"metadata\":{\"topic\":\"zebra\"}",
              "\"query\":\"zebra\",\"content\":\"full\",\"min_similarity\":-1")) {
        Got own = ok(hermes, "POST", "/v1/agents/hermes/search", "{" + asking + "}");
        assertThat(own.json().array("hits").orElseThrow().items()).isEmpty();
        assertThat(own.text()).doesNotContain("typos");
        String messages = "{\"content_types\":[\"messages\"]," + asking + "}";
        Got others = ok(user, "POST", A + "/search", messages);
        assertThat(others.json().array("hits").orElseThrow().items()).isEmpty();
        assertThat(others.text()).doesNotContain("typos");
        assertThat(ok(writer, "POST", A + "/search", messages).text())
            .as("it can be found at all")
            .contains("\"type\":\"message\"");
      }
      Got listed = ok(hermes, "GET", "/v1/agents/hermes/archival", null);
      assertThat(listed.json().array("entries").orElseThrow().items()).hasSize(1);
      assertThat(listed.text()).doesNotContain(SECRET);
      refused(served.as(hermes, "GET", A + "/archival", null), 403, "forbidden");
    }

    @Test
    void nameTheTurnsOfTheirAgent() {
      String hermes = key(KeyRole.WRITER, null, "hermes");
      String turns = "/v1/users/u1/conversations/c2/turns";
      refused(
          served.as(hermes, "POST", turns, "{\"prompt\":\"x\",\"agent\":\"atlas\"}"),
          403,
          "forbidden");
      ok(hermes, "POST", turns, "{\"prompt\":\"x\",\"turn_id\":\"t1\"}");
      assertThat(ok(hermes, "GET", turns + "/t1", null).string("agent")).isEqualTo("hermes");
      refused(
          served.as(
              hermes,
              "POST",
              "/v1/users/u1/conversations/c2/request",
              "{\"provider\":\"anthropic\",\"model\":\"claude-opus-5\",\"agent\":\"atlas\"}"),
          403,
          "forbidden");
      assertThat(ok(hermes, "GET", "/v1/users/u1/conversations", null).text()).contains("c2");
    }

    @Test
    void leaveSharedBlocksReachable() {
      String writer = key(KeyRole.WRITER, null, null);
      ok(writer, "PUT", "/v1/agents/hermes", "{}");
      ok(
          writer,
          "POST",
          A + "/blocks",
          "{\"label\":\"plan\",\"block_type\":\"core\",\"content\":\"shared text\"}");
      ok(
          writer,
          "POST",
          A + "/blocks/plan/shares",
          "{\"agent\":\"hermes\",\"permission\":\"read_write\"}");
      String hermes = key(KeyRole.WRITER, null, "hermes");
      assertThat(ok(hermes, "GET", "/v1/agents/hermes/blocks/plan?owner=atlas", null).text())
          .contains("shared text");
      ok(
          hermes,
          "POST",
          "/v1/agents/hermes/blocks/plan/ops",
          "{\"owner\":\"atlas\",\"ops\":[{\"op\":\"append_text\",\"text\":\"!\"}]}");
    }
  }

  /** Walks everything that can be read with the key of another tenant. */
  @Test
  void nothingOfAnotherTenantIsEverReturned() {
    String writer = key(KeyRole.ADMIN, null, null);
    talk(writer, "c1", "atlas");
    ok(
        writer,
        "POST",
        A + "/blocks",
        "{\"label\":\"x1\",\"block_type\":\"core\",\"content\":\"" + SECRET + "\"}");
    ok(writer, "POST", A + "/archival", "{\"content\":\"" + SECRET + "\"}");
    for (Scope other : List.of(Scope.of("evil", "shop"), Scope.of("acme", "evil"))) {
      String key = file.add(Grant.of(other, KeyRole.ADMIN), random, Instant.EPOCH).key();
      for (Route route : served.server().routes()) {
        String path = ServerRoutesTest.filled(route.path()).replace("/agents/x1", "/agents/atlas");
        boolean ends = !Set.of(A + "/events", "/v1/events").contains(path);
        boolean told = !Set.of("/v1/caller", "/openapi.json", "/api").contains(path);
        if (route.method() == Route.Method.GET && ends && told) {
          Got got = served.as(key, "GET", path, null);
          assertThat(got.text())
              .as(path)
              .doesNotContain(SECRET, "acme", "conversation_id", "created_at");
        }
      }
      for (String search : List.of(A + "/search", "/v1/users/u1/search", "/v1/search")) {
        assertThat(ok(key, "POST", search, "{\"query\":\"" + SECRET + "\"}").text())
            .contains("\"hits\":[]");
      }
    }
    assertThat(ok(writer, "POST", "/v1/search", "{\"query\":\"" + SECRET + "\"}").text())
        .as("it can be found at all")
        .contains("\"type\":\"message\"", "\"type\":\"block\"", "\"type\":\"archival\"");
  }
}
