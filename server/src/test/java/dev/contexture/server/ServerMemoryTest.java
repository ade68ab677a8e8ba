package dev.contexture.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The memory routes and the actor rule (H-2, H-3, H-7). */
@Timeout(300)
class ServerMemoryTest {
  private static final String A = "/v1/agents/atlas";
  private static final String NOTES = A + "/blocks/notes";

  @TempDir Path directory;
  private TestServer served;

  @BeforeEach
  void start() {
    served = new TestServer(directory);
  }

  @AfterEach
  void stop() {
    served.close();
  }

  private TestServer.Got as(String actor, String method, String path, @Nullable String body) {
    return served.send(method, path, body, "X-Actor", actor);
  }

  private TestServer.Got create(String more) {
    return served.post(
        A + "/blocks", "{\"label\":\"notes\",\"block_type\":\"working\"" + more + "}");
  }

  private static void refused(TestServer.Got got, int status, String code) {
    assertThat(got.text()).contains("\"code\":\"" + code + "\"");
    assertThat(got.status()).isEqualTo(status);
    assertThat(got.contentType()).startsWith("application/problem+json");
  }

  @Test
  void anAgentExistsFromItsFirstUse() {
    refused(served.get(A), 404, "not_found");
    create("");
    assertThat(served.get(A).string("name")).isEmpty();
    assertThat(served.send("PUT", A, "{\"name\":\"Atlas\"}").string("name")).isEqualTo("Atlas");
    assertThat(served.get(A).string("name")).isEqualTo("Atlas");
    assertThat(served.get("/v1/agents").text()).contains("\"agent\":\"atlas\"");
  }

  @Test
  void aBlockIsMadeReadChangedAndDeleted() {
    TestServer.Got made = create(",\"content\":\"hello\",\"description\":\"d\"");
    assertThat(made.status()).isEqualTo(201);
    assertThat(made.number("version")).isEqualTo(1);
    assertThat(made.string("id")).startsWith("mem_");
    refused(create(""), 409, "label_taken");
    refused(create(",\"oops\":1"), 400, "unknown_field");
    TestServer.Got got = served.get(NOTES);
    assertThat(got.string("rendered")).isEqualTo("hello");
    assertThat(got.string("value")).isEqualTo("hello");
    assertThat(got.string("permission")).isEqualTo("read_write");
    assertThat(served.get(NOTES + "?at=0").string("rendered")).isEmpty();
    refused(served.get(NOTES + "?at=9"), 400, "invalid_argument");
    assertThat(served.get(A + "/blocks?type=working").text()).contains("\"label\":\"notes\"");
    assertThat(served.get(A + "/blocks?type=core").text()).doesNotContain("notes");
    assertThat(served.send("PATCH", NOTES, "{\"pinned\":true}").text()).contains("\"pinned\":true");
    TestServer.Got denied = served.send("PATCH", NOTES, "{\"permission\":\"admin\"}");
    refused(denied, 403, "permission_denied");
    assertThat(denied.string("required")).isEqualTo("Admin");
    refused(served.send("DELETE", NOTES, null), 403, "permission_denied");
    as("human:ann", "PATCH", NOTES, "{\"permission\":\"admin\",\"char_limit\":10}");
    refused(
        served.post(NOTES + "/ops", "{\"ops\":[{\"op\":\"append\",\"content\":\"too long\"}]}"),
        422,
        "limit_exceeded");
    assertThat(served.send("DELETE", NOTES, null).status()).isEqualTo(204);
    assertThat(served.send("DELETE", NOTES, null).status()).isEqualTo(204);
    refused(served.get(NOTES), 404, "not_found");
    refused(served.post(NOTES + "/undo", ""), 404, "not_found");
    assertThat(create("").status()).isEqualTo(201);
  }

  @Test
  void operationsAreOneCommitOrNone() {
    create(",\"content\":\"buy milk\"");
    TestServer.Got edited =
        served.post(
            NOTES + "/ops",
            "{\"ops\":[{\"op\":\"replace_text\",\"find\":\"milk\",\"replace\":\"tea\"},"
                + "{\"op\":\"append\",\"content\":\"!\"}],\"message\":\"why\"}");
    assertThat(edited.number("version")).isEqualTo(2);
    assertThat(edited.json().array("results").orElseThrow())
        .isEqualTo(JsonValue.parse("[{\"replaced\":true},{}]"));
    assertThat(served.get(NOTES).string("rendered")).isEqualTo("buy tea!");
    TestServer.Got failed =
        served.post(
            NOTES + "/ops",
            "{\"ops\":[{\"op\":\"append\",\"content\":\"?\"},"
                + "{\"op\":\"push_item\",\"value\":1}]}");
    refused(failed, 400, "wrong_schema");
    assertThat(served.get(NOTES).string("rendered")).isEqualTo("buy tea!");
    assertThat(
            served
                .post(
                    NOTES + "/ops",
                    "{\"ops\":[{\"op\":\"set_text\",\"text\":\"buy oat milk\"}],"
                        + "\"base_version\":1}")
                .status())
        .isEqualTo(200);
    TestServer.Got undone = served.post(NOTES + "/undo", "");
    assertThat(undone.text())
        .isEqualTo("{\"done\":true,\"undo_depth\":2,\"redo_depth\":1,\"version\":4}");
    assertThat(served.post(NOTES + "/redo", "").number("version")).isEqualTo(5);
    JsonArray versions = served.get(NOTES + "/history").json().array("versions").orElseThrow();
    assertThat(versions.items()).hasSize(5);
    JsonObject second = (JsonObject) versions.items().get(1);
    assertThat(second.string("actor")).contains("agent:atlas");
    assertThat(second.string("operation")).contains("replaceText, append");
    assertThat(second.string("message")).contains("why");
    assertThat(served.get(NOTES + "/history?after=4&limit=1").text()).contains("\"version\":5");
  }

  @Test
  void theActorDecides() { // H-2
    create(",\"permission\":\"read_only\",\"content\":\"x\"");
    String append = "{\"ops\":[{\"op\":\"append\",\"content\":\"y\"}]}";
    refused(served.post(NOTES + "/ops", append), 403, "permission_denied");
    refused(as("human:ann", "POST", NOTES + "/ops", append), 403, "permission_denied");
    refused(as("agent:bert", "POST", NOTES + "/ops", append), 403, "access_denied");
    refused(as("agent:bert", "GET", NOTES, null), 404, "not_found");
    refused(as("nobody", "POST", NOTES + "/ops", append), 400, "invalid_argument");
    assertThat(as("system", "POST", NOTES + "/ops", append).number("version")).isEqualTo(2);
    as("system", "PATCH", NOTES, "{\"permission\":\"human\"}");
    refused(served.post(NOTES + "/ops", append), 403, "consent_denied");
    assertThat(served.get(A + "/consents").text()).isEqualTo("{\"consents\":[]}");
    refused(as("agent:atlas", "GET", A + "/consents", null), 403, "access_denied");
    refused(
        as("human:ann", "POST", A + "/consents/con_x", "{\"decision\":\"grant\"}"),
        404,
        "not_found");
    refused(served.post(A + "/consents/con_x", "{\"decision\":\"grant\"}"), 403, "access_denied");
    TestServer.Got other =
        served.send("GET", NOTES, null, "X-Tenant", "other", "X-Project", "local");
    refused(other, 404, "not_found");
  }

  @Test
  void blocksAreShared() {
    create(",\"content\":\"x\"");
    served.send("PUT", "/v1/agents/bert", "{}");
    String shares = NOTES + "/shares";
    assertThat(served.post(shares, "{\"agent\":\"bert\",\"permission\":\"append\"}").status())
        .isEqualTo(200);
    assertThat(served.get("/v1/agents/bert/shared").text())
        .contains("\"owner\":\"atlas\"", "\"permission\":\"append\"", "\"pinned\":true");
    assertThat(served.get(shares).text())
        .contains("\"shares\":[{\"agent\":\"bert\",\"permission\":\"append\"}]");
    String theirs = "/v1/agents/bert/blocks/notes";
    refused(served.get(theirs + "/shares"), 404, "not_found"); // for its owner to know
    assertThat(served.get(theirs + "?owner=atlas").string("rendered")).isEqualTo("x");
    assertThat(served.get(theirs).string("owner")).isEqualTo("atlas"); // M-72: bert has no other
    String append = "{\"owner\":\"atlas\",\"ops\":[{\"op\":\"append\",\"content\":\"y\"}]}";
    assertThat(served.post(theirs + "/ops", append).number("version")).isEqualTo(2);
    refused(
        served.post(
            theirs + "/ops",
            "{\"owner\":\"atlas\",\"ops\":[{\"op\":\"set_text\",\"text\":\"z\"}]}"),
        403,
        "permission_denied");
    assertThat(served.send("DELETE", shares + "/bert", null).status()).isEqualTo(204);
    assertThat(served.get(shares).text()).contains("\"shares\":[]");
    refused(served.post(theirs + "/ops", append), 404, "not_found");
  }

  @Test
  void aRecipientSeesItsOwnLevelAndIsToldWhatItMayNotDo() { // M-16, M-69, M-70
    create(",\"content\":\"x\",\"permission\":\"admin\"");
    String shares = NOTES + "/shares";
    String phantom = "{\"agent\":\"phantom\",\"permission\":\"append\"}";
    refused(served.post(shares, phantom), 404, "not_found");
    served.send("PUT", "/v1/agents/bert", "{}");
    served.post(shares, "{\"agent\":\"bert\",\"permission\":\"read_only\"}");
    for (String theirs : List.of("notes", "atlas%2Fnotes")) {
      String block = "/v1/agents/bert/blocks/" + theirs;
      TestServer.Got seen = served.get(block);
      assertThat(seen.text()).contains("\"permission\":\"read_only\"", "\"pinned\":true");
      TestServer.Got kept = served.send("DELETE", block, null);
      refused(kept, 403, "permission_denied");
      assertThat(kept.text()).contains("atlas");
      refused(served.send("PATCH", block, "{\"description\":\"mine\"}"), 403, "permission_denied");
      assertThat(served.send("PATCH", block, "{\"pinned\":false}").text())
          .contains("\"pinned\":false", "\"permission\":\"read_only\"");
      assertThat(served.get(block).text()).contains("\"pinned\":false");
      served.send("PATCH", block, "{\"pinned\":true}");
    }
    assertThat(served.get(NOTES).text()).contains("\"permission\":\"admin\"", "\"pinned\":false");
    served.post(shares, "{\"agent\":\"bert\",\"permission\":\"admin\"}");
    assertThat(served.send("DELETE", "/v1/agents/bert/blocks/notes", null).status())
        .isEqualTo(204); // for all
    refused(served.get(NOTES), 404, "not_found");
    assertThat(served.send("DELETE", NOTES, null).status()).isEqualTo(204); // it was gone
  }

  @Test
  void undoTakesBackTheStepsOfItsAuthor() { // M-65
    create(",\"content\":\"agent,\"");
    as(
        "human:pat",
        "POST",
        NOTES + "/ops",
        "{\"ops\":[{\"op\":\"append\",\"content\":\"person,\"}]}");
    assertThat(served.post(NOTES + "/undo", "{}").text())
        .contains("\"done\":true", "\"undo_depth\":0", "\"redo_depth\":1");
    assertThat(served.get(NOTES).string("rendered")).isEqualTo("person,");
    assertThat(served.post(NOTES + "/undo", "").text()).contains("\"done\":false");
    assertThat(served.post(NOTES + "/undo", "{\"author\":\"human:pat\"}").text())
        .contains("\"done\":true", "\"undo_depth\":0", "\"redo_depth\":1");
    assertThat(served.get(NOTES).string("rendered")).isEmpty();
    served.post(NOTES + "/redo", "{\"author\":\"agent:atlas\"}");
    assertThat(served.get(NOTES).string("rendered")).isEqualTo("agent,");
    as("human:pat", "POST", NOTES + "/redo", "{}"); // the newest undo of anybody
    assertThat(served.get(NOTES).string("rendered")).contains("agent,", "person,");
    refused(served.post(NOTES + "/undo", "{\"author\":\"nobody\"}"), 400, "invalid_argument");
  }

  @Test
  void anItemThatOthersChangedIsSaidToBeLeftAlone() { // M-128
    create(",\"schema\":{\"kind\":\"list\"},\"content\":[\"a\",\"b\"]");
    served.post(NOTES + "/ops", "{\"ops\":[{\"op\":\"set_item\",\"index\":0,\"value\":\"A\"}]}");
    TestServer.Got stale =
        served.post(
            NOTES + "/ops",
            "{\"base_version\":1,\"ops\":[{\"op\":\"delete_item\",\"index\":0},"
                + "{\"op\":\"set_item\",\"index\":1,\"value\":\"B\"}]}");
    assertThat(stale.text())
        .contains("\"results\":[{\"applied\":false,\"reason\":\"item_changed\"},{}]");
    assertThat(served.get(NOTES).text()).contains("\"value\":[\"A\",\"B\"]");
  }

  @Test
  void archivalEntriesAreKept() {
    TestServer.Got made =
        served.post(A + "/archival", "{\"content\":\"fact\",\"metadata\":{\"n\":1.10}}");
    assertThat(made.status()).isEqualTo(201);
    String entry = A + "/archival/" + made.string("id");
    assertThat(served.get(entry).text()).contains("\"content\":\"fact\"", "\"n\":1.10");
    refused(served.get("/v1/agents/bert/archival/" + made.string("id")), 404, "not_found");
    assertThat(
            served.send("DELETE", "/v1/agents/bert/archival/" + made.string("id"), null).status())
        .isEqualTo(204);
    assertThat(served.get(entry).status()).isEqualTo(200);
    assertThat(served.send("DELETE", entry, null).status()).isEqualTo(204);
    refused(served.get(entry), 404, "not_found");
    refused(served.post(A + "/archival", "{\"content\":\" \"}"), 400, "invalid_argument");
  }

  @Test
  void changesAreStreamedAndResumed() throws Exception {
    create(",\"content\":\"x\"");
    try (HttpClient client = HttpClient.newHttpClient()) {
      Iterator<String> lines = follow(client, A + "/events").iterator();
      assertThat(next(lines)).contains("\"type\":\"created\"");
      served.post(NOTES + "/ops", "{\"ops\":[{\"op\":\"append\",\"content\":\"y\"}]}");
      served.post("/v1/agents/bert/blocks", "{\"label\":\"b\",\"block_type\":\"working\"}");
      served.post(NOTES + "/undo", "");
      assertThat(next(lines)).contains("\"type\":\"changed\"", "\"version\":2");
      assertThat(next(lines)).contains("\"type\":\"undone\"", "\"version\":3");
      Iterator<String> resumed = follow(client, A + "/events?after=1").iterator();
      assertThat(next(resumed)).contains("\"type\":\"changed\"");
      client.shutdownNow();
    }
  }

  private Stream<String> follow(HttpClient client, String path) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(served.server().address() + path)).build();
    return client.send(request, HttpResponse.BodyHandlers.ofLines()).body();
  }

  private static String next(Iterator<String> lines) {
    while (true) {
      String line = lines.next();
      if (line.startsWith("data: ")) {
        return line;
      }
    }
  }
}
