package dev.contexture.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.block.Scope;
import dev.contexture.engine.memory.BlockSpec;
import dev.contexture.memory.schema.MemoryBlockType;
import dev.contexture.seeds.TestSeed;
import dev.contexture.server.TestServer.Got;
import dev.contexture.server.keys.Grant;
import dev.contexture.server.keys.KeyFile;
import dev.contexture.server.keys.KeyRing;
import dev.contexture.server.keys.KeyRole;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The Model Context Protocol behind keys: who may call, for whom, and what sessions are. */
@Timeout(300)
class ServerMcpTest {
  private static final Scope ACME = Scope.of("acme", "shop");
  static final String OPEN =
      "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":"
          + "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},\"clientInfo\":{}}}";
  private static final String LIST = "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/list\"}";

  @TempDir Path directory;
  private final Random random = TestSeed.random(1);
  private KeyFile file;
  private TestServer served;
  private String writer;

  @BeforeEach
  void start() {
    file = new KeyFile(directory.resolve("keys.json"));
    writer = key(Grant.of(ACME, KeyRole.WRITER));
    served =
        new TestServer(
            directory.resolve("data"), ServerOptions.local("test").withKeys(KeyRing.of(file)));
  }

  @AfterEach
  void stop() {
    served.close();
  }

  private String key(Grant grant) {
    return file.add(grant, random, Instant.EPOCH).key();
  }

  private Got send(String key, String method, String query, String session, @Nullable String body) {
    List<String> headers = new ArrayList<>(List.of("Authorization", "Bearer " + key));
    if (!session.isEmpty()) {
      headers.addAll(List.of("Mcp-Session-Id", session));
    }
    return served.send(method, "/mcp" + query, body, headers.toArray(String[]::new));
  }

  private String open(String key, String query) {
    Got opened = send(key, "POST", query, "", OPEN);
    assertThat(opened.status()).as(opened.text()).isEqualTo(200);
    return opened.raw().headers().firstValue("Mcp-Session-Id").orElseThrow();
  }

  private Got call(String key, String query, String session, String tool, String arguments) {
    return send(
        key,
        "POST",
        query,
        session,
        "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"tools/call\",\"params\":{\"name\":\""
            + tool
            + "\",\"arguments\":"
            + arguments
            + "}}");
  }

  @Test
  void needsAKey() {
    assertThat(served.send("POST", "/mcp", OPEN).status()).isEqualTo(401);
    assertThat(served.send("GET", "/mcp", null).status()).isEqualTo(401);
    assertThat(served.send("DELETE", "/mcp", null).status()).isEqualTo(401);
    assertThat(send("wrong", "POST", "", "", OPEN).status()).isEqualTo(401);
  }

  @Test
  void answersTheKeysProjectOnly() {
    String session = open(writer, "?user=u1");
    Got made =
        call(writer, "?user=u1", session, "remember", "{\"content\":\"the harbour is closed\"}");
    assertThat(made.text()).contains("\"isError\":false");
    assertThat(served.engine().memory(ACME).forUser("u1").listArchival("default", null, 9))
        .hasSize(1);
    assertThat(
            served
                .send(
                    "POST", "/mcp", OPEN, "Authorization", "Bearer " + writer, "X-Tenant", "other")
                .code())
        .isEqualTo("forbidden");
  }

  @Test
  void aSessionIsForWhoeverBeganIt() {
    String session = open(writer, "?user=u1");
    assertThat(send(writer, "POST", "?user=u1", session, LIST).text()).contains("memory_list");
    String other = key(Grant.of(ACME, KeyRole.WRITER));
    for (Got refused :
        List.of(
            send(other, "POST", "?user=u1", session, LIST),
            send(writer, "POST", "?user=u2", session, LIST),
            send(writer, "POST", "", session, LIST),
            send(writer, "POST", "?user=u1&agent=x", session, LIST),
            send(writer, "POST", "?user=u1&profile=graph", session, LIST),
            send(other, "GET", "?user=u1", session, null),
            send(other, "DELETE", "?user=u1", session, null),
            send(writer, "POST", "?user=u1", "mcp_nope", LIST))) {
      assertThat(refused.status()).isEqualTo(404);
    }
    assertThat(send(writer, "POST", "?user=u1", "", LIST).status()).isEqualTo(400);
    assertThat(send(writer, "DELETE", "?user=u1", session, null).status()).isEqualTo(204);
    assertThat(send(writer, "POST", "?user=u1", session, LIST).status()).isEqualTo(404);
  }

  @Test
  void holdsBoundKeysToTheirUserAndAgent() {
    String bound = key(Grant.of(ACME, KeyRole.WRITER).withUser("u1").withAgent("atlas"));
    assertThat(send(bound, "POST", "?user=u2", "", OPEN).code()).isEqualTo("forbidden");
    assertThat(send(bound, "POST", "?agent=other", "", OPEN).code()).isEqualTo("forbidden");
    assertThat(send(bound, "POST", "?user=*", "", OPEN).status()).isIn(400, 403);
    String session = open(bound, "");
    assertThat(call(bound, "", session, "remember", "{\"content\":\"x\"}").text())
        .contains("\"isError\":false");
    assertThat(served.engine().memory(ACME).forUser("u1").listArchival("atlas", null, 9))
        .hasSize(1);
    served
        .engine()
        .memory(ACME)
        .createBlock("atlas", BlockSpec.of("rules", MemoryBlockType.WORKING));
    assertThat(call(bound, "", session, "memory_delete", "{\"label\":\"rules\"}").text())
        .contains("forbidden: ", "\"isError\":true");
  }

  @Test
  void offersReadersWhatReads() {
    String reader = key(Grant.of(ACME, KeyRole.READER));
    String session = open(reader, "");
    assertThat(send(reader, "POST", "", session, LIST).text())
        .contains("memory_read")
        .doesNotContain("memory_append");
    assertThat(call(reader, "", session, "remember", "{\"content\":\"x\"}").text())
        .contains("\"error\"", "there is no tool remember");
    assertThat(served.engine().memory(ACME).listArchival("default", null, 9)).isEmpty();
  }

  @Test
  void refusesWhatIsNoMessage() {
    String session = open(writer, "");
    assertThat(send(writer, "POST", "", session, "{").code()).isEqualTo("malformed_json");
    assertThat(send(writer, "POST", "", session, "{\"frob\":1}").code()).isEqualTo("unknown_field");
    assertThat(send(writer, "POST", "?profile=x", "", OPEN).code()).isEqualTo("invalid_argument");
    assertThat(send(writer, "POST", "?max_result=3", "", OPEN).code())
        .isEqualTo("invalid_argument");
    assertThat(send(writer, "POST", "?max_result=99999999", "", OPEN).code())
        .isEqualTo("invalid_argument");
    Got version =
        served.send(
            "POST",
            "/mcp",
            OPEN,
            "Authorization",
            "Bearer " + writer,
            "MCP-Protocol-Version",
            "1999-01-01");
    assertThat(version.code()).isEqualTo("invalid_argument");
    Got page =
        served.send(
            "GET", "/mcp", null, "Authorization", "Bearer " + writer, "Origin", "http://evil.test");
    assertThat(page.code()).isEqualTo("forbidden");
    assertThat(
            send(
                    writer,
                    "POST",
                    "",
                    session,
                    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}")
                .status())
        .isEqualTo(202);
  }

  @Test
  void endsTheOldestSessionOfAKeyThatHasTooMany() {
    List<String> sessions = new ArrayList<>();
    for (int i = 0; i <= ServerLimits.MCP_SESSIONS_PER_KEY; i++) {
      sessions.add(open(writer, ""));
    }
    assertThat(send(writer, "POST", "", sessions.getFirst(), LIST).status()).isEqualTo(404);
    assertThat(send(writer, "POST", "", sessions.get(1), LIST).status()).isEqualTo(200);
    assertThat(send(writer, "POST", "", sessions.getLast(), LIST).status()).isEqualTo(200);
  }

  @Test
  void tellsOfChangesUntilTheKeyIsRevoked() throws Exception {
    KeyFile.Made made = file.add(Grant.of(ACME, KeyRole.WRITER), random, Instant.EPOCH);
    String session = open(made.key(), "");
    String uri = "contexture://agents/default/blocks/notes";
    send(
        made.key(),
        "POST",
        "",
        session,
        "{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"resources/subscribe\",\"params\":{\"uri\":\""
            + uri
            + "\"}}");
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpRequest request =
          HttpRequest.newBuilder(URI.create(served.server().address() + "/mcp"))
              .timeout(Duration.ofMinutes(2))
              .header("Authorization", "Bearer " + made.key())
              .header("Mcp-Session-Id", session)
              .build();
      HttpResponse<java.io.InputStream> stream =
          client.send(request, HttpResponse.BodyHandlers.ofInputStream());
      assertThat(stream.statusCode()).isEqualTo(200);
      served
          .engine()
          .memory(ACME)
          .createBlock("default", BlockSpec.of("notes", MemoryBlockType.WORKING));
      try (BufferedReader lines =
          new BufferedReader(new InputStreamReader(stream.body(), StandardCharsets.UTF_8))) {
        String line = lines.readLine();
        while (!line.startsWith("data: ")) {
          line = lines.readLine();
        }
        assertThat(line).contains("notifications/resources/updated", uri);
        file.revoke(made.stored().id(), Instant.EPOCH);
        while (line != null) {
          line = lines.readLine(); // ends by itself
        }
      }
    }
    assertThat(send(made.key(), "POST", "", session, LIST).status()).isEqualTo(401);
  }
}
