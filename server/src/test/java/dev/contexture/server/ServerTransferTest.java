package dev.contexture.server;

import static dev.contexture.server.TestServer.C;
import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.block.Scope;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.seeds.TestSeed;
import dev.contexture.server.TestServer.Got;
import dev.contexture.server.keys.Grant;
import dev.contexture.server.keys.KeyFile;
import dev.contexture.server.keys.KeyRing;
import dev.contexture.server.keys.KeyRole;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files over HTTP: what comes in and goes out, and whose key reaches what. */
class ServerTransferTest {
  private static final Scope ACME = Scope.of("acme", "shop");
  private static final String CHAT =
      "[{\"role\":\"user\",\"content\":\"Where is the ferry?\"},"
          + "{\"role\":\"assistant\",\"content\":\"In Ystad.\"}]";
  private static final String U1 = "/v1/users/u1";

  @TempDir Path directory;
  private final Random random = TestSeed.random(1);
  private KeyFile file;
  private TestServer served;
  private String admin;

  @BeforeEach
  void start() {
    file = new KeyFile(directory.resolve("keys.json"));
    admin = make(KeyRole.ADMIN, grant -> grant);
    served =
        new TestServer(
            directory.resolve("data"), ServerOptions.local("test").withKeys(KeyRing.of(file)));
    post(201, admin, U1 + "/import", take(CHAT, "c1", "atlas"));
    post(201, admin, "/v1/users/u2/import", take(CHAT, "c2", "hermes"));
  }

  @AfterEach
  void stop() {
    served.close();
  }

  private String make(KeyRole role, UnaryOperator<Grant> bound) {
    return file.add(bound.apply(Grant.of(ACME, role)), random, Instant.EPOCH).key();
  }

  private static String take(String text, String conversation, String agent) {
    return JsonObject.builder()
        .put("file", text)
        .put("conversation", conversation)
        .put("agent", agent)
        .build()
        .toJson();
  }

  private Got post(int status, String key, String path, String body) {
    Got got = served.as(key, "POST", path, body);
    assertThat(got.status()).as(path + ": " + got.text()).isEqualTo(status);
    return got;
  }

  private int status(String key, String path) {
    return served.as(key, "GET", path, null).status();
  }

  private static String whole(String archive) {
    return JsonObject.of("file", JsonValue.of(archive)).toJson();
  }

  @Test
  void whatGoesOutComesInWhereItIsMissing() {
    Got archive = served.as(admin, "GET", U1 + "/export", null);
    assertThat(archive.contentType()).startsWith("application/x-ndjson");
    assertThat(archive.text()).endsWith("\"}\n").contains("{\"line\":{\"type\":\"end\"");
    assertThat(post(201, admin, U1 + "/import", whole(archive.text())).number("unchanged"))
        .isEqualTo(1);
    served.as(admin, "DELETE", C, null);
    assertThat(post(201, admin, U1 + "/import", whole(archive.text())).number("turns"))
        .isEqualTo(1);
    assertThat(served.as(admin, "GET", C + "/export?format=markdown", null).text())
        .contains("**Assistant**\n\nIn Ystad.");
    Got agents = served.as(admin, "GET", C + "/turns", null);
    assertThat(agents.text()).contains("\"agent\":\"atlas\"");
  }

  @Test
  void keysReachTheirOwnUserAndAgentOnly() {
    String ofUser = make(KeyRole.ADMIN, grant -> grant.withUser("u1"));
    String ofAgent = make(KeyRole.ADMIN, grant -> grant.withAgent("atlas"));
    assertThat(status(ofUser, U1 + "/export")).isEqualTo(200);
    assertThat(status(ofUser, "/v1/users/u2/export")).isEqualTo(403);
    assertThat(status(ofUser, "/v1/agents/atlas/export")).isEqualTo(403);
    assertThat(status(ofAgent, U1 + "/export")).isEqualTo(403);
    assertThat(status(ofAgent, C + "/export")).isEqualTo(403);
    assertThat(status(ofAgent, C + "/export?format=markdown")).isEqualTo(200);
    assertThat(status(ofAgent, C.replace("u1", "u2").replace("c1", "c2") + "/export"))
        .isEqualTo(404);
    post(403, ofAgent, U1 + "/import", take(CHAT, "c3", "hermes"));
    post(404, ofAgent, "/v1/users/u2/import", take(CHAT, "c2", "atlas"));
    post(403, ofUser, "/v1/users/u2/import", take(CHAT, "c3", "atlas"));
  }

  /** An archive says who wrote what, so that whoever takes it in may act as anybody. */
  @Test
  void archivesNeedAnAdminAndHoldNothingOfOthers() {
    String writer = make(KeyRole.WRITER, grant -> grant);
    String reader = make(KeyRole.READER, grant -> grant);
    String mine = served.as(reader, "GET", U1 + "/export", null).text();
    post(403, writer, U1 + "/import", whole(mine));
    post(403, reader, U1 + "/import", take(CHAT, "c3", "atlas"));
    Got others = post(403, admin, "/v1/users/u2/import", whole(mine));
    assertThat(others.text()).contains("of another user");
    post(403, admin, "/v1/agents/atlas/import", whole(mine));
  }

  @Test
  void refusesWhatItDoesNotKnow() {
    for (String text :
        List.of("", "{}", "[]", "nothing", "[{\"role\":\"user\"}]", "{\"line\":1}")) {
      Got refused = post(400, admin, U1 + "/import", whole(text));
      assertThat(refused.code()).as(text).isIn("import_malformed", "malformed_json");
    }
    assertThat(post(400, admin, U1 + "/import", whole("{\"a\":1}")).text())
        .contains("langchain4j", "claude_code", "mcp_memory");
    assertThat(status(admin, C + "/export?format=zip")).isEqualTo(400);
    assertThat(status(admin, "/v1/users/nobody/export")).isEqualTo(404);
    assertThat(status(admin, "/v1/agents/nobody/export")).isEqualTo(404);
  }

  private Got sent(String key, String path, String archive) {
    return served.send(
        "POST",
        path,
        archive,
        "Authorization",
        "Bearer " + key,
        "Content-Type",
        "application/x-ndjson");
  }

  /** An archive is not held as a body is, so that it may be larger. */
  @Test
  void takesArchivesThatAreLargerThanABody() {
    served.close();
    ServerLimits small = ServerLimits.DEFAULT.withBodies(8 << 10, 1 << 20);
    served =
        new TestServer(
            directory.resolve("data"),
            ServerOptions.local("test").withKeys(KeyRing.of(file)).withLimits(small));
    String long7k = "ferry ".repeat(1_200);
    for (int i = 1; i <= 4; i++) {
      post(
          201, admin, U1 + "/import", take(CHAT.replace("In Ystad.", long7k), "long" + i, "atlas"));
    }
    String archive = served.as(admin, "GET", U1 + "/export", null).text();
    assertThat(archive.length()).isGreaterThan(16 << 10);
    assertThat(post(413, admin, U1 + "/import", whole(archive)).code()).isEqualTo("body_too_large");
    served.as(admin, "DELETE", "/v1/users/u1", null);
    Got broken = sent(admin, U1 + "/import", archive.replaceFirst("ferry", "fairy"));
    assertThat(broken.code()).isEqualTo("import_malformed");
    assertThat(status(admin, U1 + "/export")).isEqualTo(404);
    Got taken = sent(admin, U1 + "/import", archive);
    assertThat(taken.status()).as(taken.text()).isEqualTo(201);
    assertThat(taken.number("conversations")).isEqualTo(5);
    assertThat(sent(admin, U1 + "/import", archive).number("unchanged")).isEqualTo(5);
    assertThat(sent(admin, "/v1/users/u2/import", archive).status()).isEqualTo(403);
    assertThat(sent(admin, "/v1/agents/atlas/import", archive).status()).isEqualTo(403);
    String writer = make(KeyRole.WRITER, grant -> grant);
    assertThat(sent(writer, U1 + "/import", archive).status()).isEqualTo(403);
  }

  /** Of what is not held as a body, one conversation at a time is. */
  @Test
  void refusesAConversationThatHasNoRoom() {
    String large = CHAT.replace("In Ystad.", "ferry ".repeat(4_000));
    post(201, admin, U1 + "/import", take(large, "large", "atlas"));
    String archive = served.as(admin, "GET", U1 + "/export", null).text();
    served.close();
    ServerLimits small = ServerLimits.DEFAULT.withBodies(1 << 10, 2 << 10);
    served =
        new TestServer(
            directory.resolve("other"),
            ServerOptions.local("test").withKeys(KeyRing.of(file)).withLimits(small));
    Got refused = sent(admin, U1 + "/import", archive);
    assertThat(refused.status()).as(refused.text()).isEqualTo(422);
    assertThat(refused.code()).isEqualTo("limit_exceeded");
    assertThat(status(admin, U1 + "/export")).isEqualTo(404);
  }
}
