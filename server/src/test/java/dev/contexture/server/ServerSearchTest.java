package dev.contexture.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Search over HTTP (H-7). */
class ServerSearchTest {
  @TempDir Path directory;
  private TestServer server;

  @BeforeEach
  void start() {
    server = new TestServer(directory);
    server.post(
        TestServer.C + "/turns",
        "{\"prompt\":\"Where is the lighthouse?\",\"agent\":\"atlas\",\"turn_id\":\"t1\"}");
    server.post(TestServer.C + "/turns/t1/finish", "{\"completion\":\"On the cliff.\"}");
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private static List<JsonValue> hits(TestServer.Got got) {
    assertThat(got.status()).as(got.text()).isEqualTo(200);
    return got.json().array("hits").map(JsonArray::items).orElseThrow();
  }

  @Test
  void findsForAgentUserAndProject() {
    for (String route : List.of("/v1/agents/atlas/search", "/v1/users/u1/search", "/v1/search")) {
      TestServer.Got got = server.post(route, "{\"query\":\"lighthouses\"}");
      JsonObject hit = (JsonObject) hits(got).getFirst();
      assertThat(hit.string("content")).contains("Where is the lighthouse?");
      assertThat(hit.string("type")).contains("message");
      assertThat(hit.string("role")).contains("user");
      assertThat(hit.object("why").orElseThrow().has("bm25")).isTrue();
      assertThat(got.string("mode_used")).isEqualTo("fts");
    }
    assertThat(hits(server.post("/v1/agents/other/search", "{\"query\":\"lighthouse\"}")))
        .isEmpty();
    assertThat(hits(server.post("/v1/users/u2/search", "{\"query\":\"lighthouse\"}"))).isEmpty();
  }

  /** Otherwise everybody who may name a tenant fills the disk with empty indexes. */
  @Test
  void makesNoIndexOfAProjectWithoutContent() throws java.io.IOException {
    hits(server.post("/v1/search", "{\"query\":\"lighthouse\"}"));
    for (int i = 0; i < 5; i++) {
      TestServer.Got got =
          server.send("POST", "/v1/search", "{\"query\":\"x\"}", "X-Tenant", "nobody" + i);
      assertThat(hits(got)).isEmpty();
    }
    try (java.util.stream.Stream<Path> files = java.nio.file.Files.walk(directory)) {
      assertThat(files.map(Path::toString)).noneMatch(name -> name.contains("nobody"));
    }
  }

  /** H-1: the number of changes that are not indexed yet. */
  @Test
  void healthShowsHowFarTheIndexLags() {
    hits(server.post("/v1/search", "{\"query\":\"lighthouse\"}")); // waits for the index
    assertThat(server.get("/healthz").text()).contains("\"index_lag\":0");
  }

  @Test
  void reportsFallbacks() {
    TestServer.Got got =
        server.post("/v1/search", "{\"query\":\"lighthouse\",\"mode\":\"vector\"}");
    assertThat(got.text()).contains("\"code\":\"no_embedder\"").contains("\"mode_used\":\"fts\"");
  }

  @Test
  void buildsTheIndexAnew() {
    TestServer.Got got = server.post("/v1/reindex", "{}");
    assertThat(got.status()).isEqualTo(200);
    assertThat(got.json().keys()).containsExactly("entries", "lag");
    assertThat(hits(server.post("/v1/search", "{\"query\":\"lighthouse\"}"))).isNotEmpty();
  }

  @Test
  void refusesWhatIsNotAllowed() {
    assertThat(server.post("/v1/search", "{}").code()).isEqualTo("field_required");
    assertThat(server.post("/v1/search", "{\"query\":\"x\",\"limit\":0}").code())
        .isEqualTo("invalid_argument");
    assertThat(server.post("/v1/search", "{\"query\":\"x\",\"limit\":1001}").code())
        .isEqualTo("limit_exceeded");
    assertThat(server.post("/v1/search", "{\"query\":\"x\",\"mode\":\"magic\"}").code())
        .isEqualTo("invalid_argument");
    assertThat(server.post("/v1/search", "{\"query\":\"x\",\"quer\":1}").code())
        .isEqualTo("unknown_field");
    assertThat(server.post("/v1/search", "{\"query\":\"(\",\"raw\":true}").code())
        .isEqualTo("invalid_argument");
    assertThat(server.post("/v1/users/u1/search", "{\"query\":\"x\",\"user\":\"u2\"}").code())
        .isEqualTo("invalid_argument");
  }
}
