package dev.contexture.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** H-8: settings of a turn, what is added to a request, and loading a context, over HTTP. */
class ServerSettingsTest {
  private static final String C = TestServer.C;
  private static final String REQUEST =
      "{\"provider\":\"anthropic\",\"model\":\"claude-opus-5\",\"agent\":\"atlas\","
          + "\"include_sources\":true";

  @TempDir Path directory;
  private TestServer served;

  @BeforeEach
  void open() {
    served = new TestServer(directory);
  }

  @AfterEach
  void stop() {
    served.close();
  }

  private void start(String id, String more) {
    TestServer.Got got =
        served.post(
            C + "/turns", "{\"prompt\":\"go " + id + "\",\"turn_id\":\"" + id + "\"" + more + "}");
    assertThat(got.status()).as(got.text()).isEqualTo(201);
  }

  private void finished(String id) {
    start(id, "");
    served.post(C + "/turns/" + id + "/finish", "{\"completion\":\"answer " + id + "\"}");
  }

  private JsonObject request(String more) {
    TestServer.Got got = served.post(C + "/request", REQUEST + more + "}");
    assertThat(got.status()).as(got.text()).isEqualTo(200);
    return got.json();
  }

  private static String body(JsonObject answer) {
    return answer.object("request").orElseThrow().toJson();
  }

  @Test
  void holdForTheCallsOfTheirTurn() {
    finished("t1");
    finished("t2");
    start(
        "t3",
        ",\"settings\":{\"max_tokens\":20000,\"limit\":1,\"adds\":{\"turn_headers\":false},"
            + "\"user_type\":\"privileged\",\"bundle_id\":\"b1\"}");
    JsonObject answer = request("");
    assertThat(body(answer)).contains("answer t2").doesNotContain("answer t1", "[TURN ");
    JsonObject metadata = answer.object("metadata").orElseThrow();
    assertThat(metadata.object("limits").orElseThrow().find("max_tokens").orElseThrow().toJson())
        .isEqualTo("20000");
    assertThat(metadata.array("dropped").orElseThrow().toJson())
        .contains("\"turn_limit\"", "\"t1\"");
    String other =
        body(
            request(
                ",\"limit\":2,\"adds\":{},\"config\":{\"max_tokens\":200000,\"history_tokens\":80000,"
                    + "\"memory_tokens\":12000,\"reserved_response_tokens\":8000}"));
    assertThat(other).contains("answer t1", "[TURN t2]");
    String rendered = served.post(C + "/render", "{}").text();
    assertThat(rendered).contains("answer t2").doesNotContain("answer t1", "[TURN ");
    assertThat(served.post(C + "/render", "{\"limit\":2}").text()).contains("answer t1");
    assertThat(served.get(C + "/turns/t3").json().object("settings").orElseThrow().toJson())
        .contains("\"user_type\":\"privileged\"", "\"bundle_id\":\"b1\"", "\"limit\":1");
  }

  @Test
  void whatIsAddedCanBeLeftOut() {
    start("t1", "");
    assertThat(body(request("")))
        .contains("agent with lasting memory", "[TURN t1]", "[SOURCES POOL] (0)");
    assertThat(
            body(
                request(
                    ",\"adds\":{\"default_instructions\":false,\"turn_headers\":false,"
                        + "\"activity\":false,\"empty_sources\":false}")))
        .contains("go t1")
        .doesNotContain("lasting memory", "[TURN ", "[SOURCES POOL]", "recent_activity");
  }

  @Test
  void refuseWhatTheyDoNotKnow() {
    for (String[] wrong :
        List.of(
            new String[] {"{\"max_token\":5}", "unknown_field", "settings.max_token"},
            new String[] {
              "{\"adds\":{\"headers\":true}}", "unknown_field", "settings.adds.headers"
            },
            new String[] {"{\"max_tokens\":0}", "invalid_config", "settings.max_tokens"},
            new String[] {
              "{\"on_incomplete\":\"drop\"}", "invalid_argument", "settings.on_incomplete"
            },
            new String[] {"{\"days\":0}", "invalid_config", "settings.days"})) {
      TestServer.Got got =
          served.post(C + "/turns", "{\"prompt\":\"go\",\"settings\":" + wrong[0] + "}");
      assertThat(got.status()).as(got.text()).isEqualTo(400);
      assertThat(got.code()).isEqualTo(wrong[1]);
      assertThat(got.string("field")).isEqualTo(wrong[2]);
    }
    assertThat(served.get(C).status()).as("nothing was begun").isEqualTo(404);
  }

  @Test
  void aContextIsLoadedInTwoParts() {
    finished("t1");
    finished("t2");
    start("t3", "");
    JsonObject loaded = served.get(C + "/context?limit=1").json();
    assertThat(loaded.find("omitted_turns").orElseThrow().toJson()).isEqualTo("1");
    JsonArray history = loaded.array("history_blocks").orElseThrow();
    assertThat(history.toJson()).contains("answer t2").doesNotContain("answer t1", "go t3");
    assertThat(loaded.array("current_turn_blocks").orElseThrow().toJson()).contains("go t3");
    assertThat(served.get(C + "/context?days=0").status()).isEqualTo(400);
    assertThat(served.get(C + "/context").json().array("history_blocks").orElseThrow().toJson())
        .contains("answer t1");
  }
}
