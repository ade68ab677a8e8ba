package dev.contexture.server;

import static dev.contexture.server.TestServer.C;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.contexture.block.Scope;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.seeds.TestSeed;
import dev.contexture.server.TestServer.Got;
import dev.contexture.server.audit.AuditLog;
import dev.contexture.server.http.Route;
import dev.contexture.server.keys.Grant;
import dev.contexture.server.keys.KeyFile;
import dev.contexture.server.keys.KeyRing;
import dev.contexture.server.keys.KeyRole;
import dev.contexture.server.keys.KeyTerms;
import dev.contexture.server.operation.AuditTrail;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who administered, and erased. */
class ServerAuditTest {
  private static final String HOST = "the-key-of-the-host-0123456789abcdef";

  @TempDir Path directory;
  private final Random random = TestSeed.random(1);
  private KeyFile keys;
  private Path log;
  private TestServer served;

  @BeforeEach
  void start() {
    keys = new KeyFile(directory.resolve("keys.json"));
    log = directory.resolve("audit.jsonl");
    served =
        new TestServer(
            directory.resolve("data"),
            ServerOptions.local("test")
                .withKeys(KeyRing.withAdmin(HOST, keys))
                .withDuties(ServerDuties.NONE.withAudit(new AuditLog(log))));
  }

  @AfterEach
  void stop() {
    served.close();
  }

  private KeyFile.Made key(String project, KeyRole role, String name) {
    Grant grant = Grant.of(Scope.of("acme", project), role);
    return keys.add(grant, KeyTerms.NONE.withName(name), random, Instant.EPOCH);
  }

  private List<JsonObject> lines() throws IOException {
    return Files.readAllLines(log).stream()
        .map(line -> (JsonObject) JsonValue.parse(line))
        .toList();
  }

  @Test
  void tellsWhoDidWhatToWhatAndWhatCameOfIt() throws IOException {
    KeyFile.Made writer = key("shop", KeyRole.WRITER, "the agent");
    String turn = "{\"prompt\":\"zebra\",\"turn_id\":\"t1\",\"agent\":\"atlas\"}";
    assertThat(served.as(writer.key(), "POST", C + "/turns", turn).status()).isEqualTo(201);
    assertThat(served.as(writer.key(), "GET", C, null).status()).isEqualTo(200);
    Got erased = served.as(writer.key(), "DELETE", C, null);
    assertThat(erased.status()).isIn(204, 202);
    Got refused = served.as(writer.key(), "DELETE", "/v1/users/u1", null);
    assertThat(refused.status()).isEqualTo(403);
    List<JsonObject> entries = lines();
    assertThat(entries)
        .extracting(entry -> entry.string("action").orElseThrow())
        .containsExactly(
            "key added",
            "DELETE /v1/users/{user}/conversations/{conversation}",
            "DELETE /v1/users/{user}");
    JsonObject told = entries.get(1);
    assertThat(told.string("key")).contains(writer.stored().id());
    assertThat(told.string("key_name")).contains("the agent");
    assertThat(told.string("tenant")).contains("acme");
    assertThat(told.string("project")).contains("shop");
    assertThat(told.string("request")).isEqualTo(erased.raw().headers().firstValue("X-Request-Id"));
    assertThat(told.object("target").orElseThrow().toJson())
        .isEqualTo("{\"conversation\":\"c1\",\"user\":\"u1\"}");
    assertThat(told.string("outcome")).contains("done");
    assertThat(entries.get(2).string("outcome")).contains("refused");
    assertThat(entries.get(2).string("code")).contains("forbidden");
    assertThat(Files.readString(log))
        .doesNotContain("zebra", writer.key(), writer.stored().sha256(), HOST);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(log)))
        .isEqualTo("rw-------");
  }

  /** A route for writers has them too: an archive says who wrote what. */
  @Test
  void tellsOfArchivesThatWereTakenIn() throws IOException {
    String admin = key("shop", KeyRole.ADMIN, "ann").key();
    String writer = key("shop", KeyRole.WRITER, "the agent").key();
    String start = "{\"prompt\":\"zebra\",\"turn_id\":\"t1\"}";
    served.as(admin, "POST", C + "/turns", start);
    String file =
        JsonObject.of(
                "file", JsonValue.of(served.as(admin, "GET", "/v1/users/u1/export", null).text()))
            .toJson();
    assertThat(served.as(admin, "POST", "/v1/users/u1/import", file).status()).isEqualTo(201);
    assertThat(served.as(writer, "POST", "/v1/users/u1/import", file).status()).isEqualTo(403);
    String chat = "{\"file\":\"[{\\\"role\\\":\\\"user\\\",\\\"content\\\":\\\"a\\\"}]\"}";
    assertThat(served.as(writer, "POST", "/v1/users/u1/import", chat).status()).isEqualTo(201);
    assertThat(lines())
        .filteredOn(entry -> entry.string("action").orElseThrow().startsWith("POST"))
        .extracting(
            entry -> entry.string("action").orElseThrow(),
            entry -> entry.string("outcome").orElseThrow())
        .containsExactly(
            tuple("POST /v1/users/{user}/import", "done"),
            tuple("POST /v1/users/{user}/import", "refused"));
  }

  @Test
  void showsAdministratorsTheirProjectAndTheHostAll() {
    KeyFile.Made shop = key("shop", KeyRole.ADMIN, "ann");
    KeyFile.Made other = key("other", KeyRole.ADMIN, "bob");
    KeyFile.Made reader = key("shop", KeyRole.READER, "eve");
    served.as(shop.key(), "DELETE", "/v1/users/u1", null);
    served.as(other.key(), "DELETE", "/v1/users/u2", null);
    String all = served.as(HOST, "GET", "/v1/audit", null).text();
    assertThat(all).contains("\"u1\"", "\"u2\"", "\"ann\"", "\"bob\"");
    String own = served.as(shop.key(), "GET", "/v1/audit?limit=100", null).text();
    assertThat(own).contains("\"u1\"", "\"ann\"", "\"eve\"").doesNotContain("\"u2\"", "\"bob\"");
    String named =
        served
            .send(
                "GET",
                "/v1/audit",
                null,
                "Authorization",
                "Bearer " + HOST,
                "X-Tenant",
                "acme",
                "X-Project",
                "other")
            .text();
    assertThat(named).contains("\"u2\"").doesNotContain("\"u1\"");
    assertThat(served.as(reader.key(), "GET", "/v1/audit", null).status()).isEqualTo(403);
    assertThat(served.as(HOST, "GET", "/v1/audit?to=2001-01-01T00:00:00Z", null).text())
        .isEqualTo("{\"entries\":[]}");
    assertThat(served.as(HOST, "GET", "/v1/audit?limit=1", null).text())
        .contains("\"u2\"")
        .doesNotContain("\"u1\"");
  }

  @Test
  void tellsOfKeysThatWereRevokedAndRemoved() throws IOException {
    KeyFile.Made made = key("shop", KeyRole.READER, "eve");
    served.as(made.key(), "GET", "/v1/models", null);
    keys.revoke(made.stored().id(), Instant.EPOCH);
    served.as(made.key(), "GET", "/v1/models", null);
    keys.remove(made.stored().id());
    served.as(made.key(), "GET", "/v1/models", null);
    assertThat(lines())
        .extracting(entry -> entry.string("action").orElseThrow())
        .containsExactly("key added", "key revoked", "key removed");
  }

  @Test
  void tellsOfEveryRouteForAdministratorsAndEveryErasure() {
    Set<String> leaveNothingBehind =
        Set.of(
            "DELETE /mcp",
            "DELETE " + C_TEMPLATE + "/announce",
            "DELETE " + C_TEMPLATE + "/pins",
            "DELETE /v1/agents/{agent}/blocks/{label}/shares/{with}",
            "DELETE /v1/agents/{agent}/template");
    for (Route route : served.server().routes()) {
      boolean erases =
          route.method() == Route.Method.DELETE && !leaveNothingBehind.contains(route.title());
      boolean administers =
          route.role() == KeyRole.ADMIN
              && !Set.of("GET /metrics", "GET /v1/audit").contains(route.title());
      assertThat(AuditTrail.tells(route)).as(route.title()).isEqualTo(erases || administers);
    }
  }

  private static final String C_TEMPLATE = Route.CONVERSATION;

  @Test
  void showsMetricsToAdministratorsUnlessTheyAreOpen() {
    assertThat(served.get("/metrics").status()).isEqualTo(401);
    String reader = key("shop", KeyRole.READER, "eve").key();
    assertThat(served.as(reader, "GET", "/metrics", null).code()).isEqualTo("forbidden");
    assertThat(served.as(HOST, "GET", "/metrics", null).status()).isEqualTo(200);
    ServerOptions open =
        ServerOptions.local("test")
            .withKeys(KeyRing.withAdmin(HOST, null))
            .withDuties(ServerDuties.NONE.withOpenMetrics(true));
    try (TestServer other = new TestServer(directory.resolve("other"), open)) {
      assertThat(other.get("/metrics").status()).isEqualTo(200);
      assertThat(other.get("/v1/users").status()).isEqualTo(401);
    }
  }
}
