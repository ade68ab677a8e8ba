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
      assertThat(hit.string("excerpt")).contains("Where is the lighthouse?");
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
    for (String[] bad :
        new String[][] {
          {"\"content\":\"all\"", "invalid_argument"},
          {"\"content\":1", "field_type"},
          {"\"min_similarity\":1.5", "invalid_argument"},
          {"\"min_similarity\":\"0\"", "field_type"},
          {"\"min_similarity\":1e999", "field_type"},
          {"\"metadata\":[]", "field_type"},
          {"\"metadata\":\"topic\"", "field_type"},
          {"\"metadata\":{\"a\":[" + "1,".repeat(32) + "1]}", "limit_exceeded"}
        }) {
      TestServer.Got got = server.post("/v1/search", "{\"query\":\"x\"," + bad[0] + "}");
      assertThat(got.code()).as(bad[0]).isEqualTo(bad[1]);
    }
    assertThat(server.post("/v1/users/u1/search", "{\"query\":\"x\",\"user\":\"u2\"}").code())
        .isEqualTo("invalid_argument");
  }

  private String archive(String agent, String content, String metadata) {
    String path = "/v1/agents/" + agent + "/archival";
    String body = "{\"content\":\"" + content + "\",\"metadata\":" + metadata + "}";
    return server.post(path, body).string("id");
  }

  /** A hit may have a mebibyte: only who asks for it gets it. */
  @Test
  void hitsHaveTheirContentOnlyIfAsked() {
    archive("atlas", "walrus " + "sleeps ".repeat(100), "{}");
    JsonObject brief =
        (JsonObject) hits(server.post("/v1/search", "{\"query\":\"walrus\"}")).getFirst();
    assertThat(brief.has("content")).isFalse();
    assertThat(brief.string("excerpt").orElseThrow()).contains("walrus").hasSizeLessThan(300);
    assertThat(brief.find("content_chars")).contains(JsonValue.of(707));
    String asking = "{\"query\":\"walrus\",\"content\":\"full\"}";
    JsonObject full = (JsonObject) hits(server.post("/v1/search", asking)).getFirst();
    assertThat(full.string("content").orElseThrow()).hasSize(707);
  }

  @Test
  void findsArchivalEntriesByTheirMetadata() {
    String zoo = archive("atlas", "the walrus swims", "{\"topic\":\"zoo\"}");
    archive("atlas", "the walrus sleeps", "{\"topic\":\"farm\"}");
    String asking =
        "{\"query\":\"walrus\",\"content_types\":[\"archival\"],\"metadata\":{\"topic\":\"zoo\"}}";
    assertThat(hits(server.post("/v1/agents/atlas/search", asking)))
        .extracting(hit -> ((JsonObject) hit).string("id").orElseThrow())
        .containsExactly(zoo);
    assertThat(hits(server.post("/v1/agents/hermes/search", asking))).isEmpty();
  }

  @Test
  void forgivesTypingErrorsAndSaysSo() {
    TestServer.Got got =
        server.post("/v1/agents/atlas/search", "{\"query\":\"ligthhouse\",\"min_similarity\":0.5}");
    JsonObject hit = (JsonObject) hits(got).getFirst();
    assertThat(hit.object("why").orElseThrow().object("typos").orElseThrow().toJson())
        .isEqualTo("{\"ligthhouse\":\"lighthouse\"}");
    assertThat(got.text()).contains("\"code\":\"typos_forgiven\"");
  }

  @Test
  void archivalEntriesAreListedInPages() {
    String path = "/v1/agents/atlas/archival";
    String first = archive("atlas", "one " + "x".repeat(300), "{\"topic\":\"zoo\"}");
    String second = archive("atlas", "two", "{\"topic\":\"farm\"}");
    String third = archive("atlas", "three", "{\"topic\":\"zoo\"}");
    archive("hermes", "of another agent", "{\"topic\":\"zoo\"}");
    TestServer.Got page = server.get(path + "?limit=2");
    assertThat(entries(page)).containsExactly(first, second);
    assertThat(page.text()).doesNotContain("\"content\":").contains("\"content_chars\":304");
    TestServer.Got rest = server.get(path + "?limit=2&cursor=" + page.string("next_cursor"));
    assertThat(entries(rest)).containsExactly(third);
    assertThat(rest.text()).contains("\"next_cursor\":null");
    assertThat(entries(server.get(path + "?metadata=%7B%22topic%22:%22zoo%22%7D")))
        .containsExactly(first, third);
    assertThat(server.get(path + "?content=full").text()).contains("\"content\":\"two\"");
    assertThat(entries(server.get("/v1/agents/nobody/archival"))).isEmpty();
    for (String bad :
        List.of("limit=0", "limit=x", "content=all", "metadata=%7B", "metadata=1", "pages=1")) {
      assertThat(server.get(path + "?" + bad).status()).as(bad).isEqualTo(400);
    }
    TestServer.Got foreign = server.send("GET", path, null, "X-Actor", "agent:hermes");
    assertThat(foreign.status()).isEqualTo(403);
    assertThat(foreign.code()).isEqualTo("access_denied");
  }

  private static List<String> entries(TestServer.Got got) {
    assertThat(got.status()).as(got.text()).isEqualTo(200);
    return got.json().array("entries").orElseThrow().items().stream()
        .map(entry -> ((JsonObject) entry).string("id").orElseThrow())
        .toList();
  }
}
