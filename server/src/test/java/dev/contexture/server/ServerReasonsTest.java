package dev.contexture.server;

import static dev.contexture.server.TestServer.C;
import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.server.TestServer.Got;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Why something is in a request, and why something is not; and what another choice would cost. */
@Timeout(300)
class ServerReasonsTest {
  private static final String AGENT = "/v1/agents/atlas";

  @TempDir Path directory;
  private TestServer served;

  @BeforeEach
  void talk() {
    served = new TestServer(directory);
    for (int i = 1; i <= 6; i++) {
      turn("t" + i);
    }
  }

  @AfterEach
  void close() {
    served.close();
  }

  private void turn(String id) {
    String words = (id + "word ").repeat(60);
    served.post(C + "/turns", "{\"turn_id\":\"" + id + "\",\"prompt\":\"ask " + words + "\"}");
    served.post(C + "/turns/" + id + "/finish", "{\"completion\":\"answer " + words + "\"}");
  }

  private String request(String turn) {
    served.post(C + "/turns", "{\"turn_id\":\"" + turn + "\",\"prompt\":\"now\"}");
    Got built =
        served.post(
            C + "/request",
            "{\"provider\":\"anthropic\",\"model\":\"claude-opus-5\",\"agent\":\"atlas\","
                + "\"base_instructions\":\"Be brief.\",\"tools\":[{\"name\":\"look\","
                + "\"description\":\"Looks.\",\"input_schema\":{\"type\":\"object\"}}]}");
    assertThat(built.status()).as(built.text()).isEqualTo(200);
    return C + "/requests/" + built.string("request_id");
  }

  private Got why(String request, String path) {
    return served.get(request + "/why?path=" + URLEncoder.encode(path, StandardCharsets.UTF_8));
  }

  private void expect(String request, String path, String status, String reason) {
    Got why = why(request, path);
    assertThat(why.status()).as(why.text()).isEqualTo(200);
    assertThat(List.of(why.string("status"), why.string("reason")))
        .as(path + ": " + why.text())
        .containsExactly(status, reason);
  }

  @Test
  void everyPartHasItsReason() {
    served.post(C + "/pins", "{\"path\":\"ar:t1.user.prompt\"}");
    served.post(C + "/compact", "{}");
    Got all = served.get(request("t7") + "/why");
    JsonArray parts = all.json().array("parts").orElseThrow();
    List<String> reasons =
        parts.items().stream()
            .map(part -> ((JsonObject) part).string("reason").orElse(""))
            .toList();
    assertThat(reasons).startsWith("tools", "instructions", "summary");
    assertThat(reasons).contains("pinned", "current_turn").doesNotContain("");
    assertThat(reasons.indexOf("summary")).isLessThan(reasons.indexOf("pinned"));
    assertThat(all.json().object("limits")).isPresent();
  }

  @Test
  void partsTellWhereTheMarksStandAndTheRecordHowItWasProved() {
    String request = request("t7");
    JsonObject record = served.get(request).json();
    long marked =
        served.get(request + "/why").json().array("parts").orElseThrow().items().stream()
            .filter(part -> ((JsonObject) part).isTrue("mark"))
            .count();
    assertThat(marked).isPositive();
    assertThat(record.array("marks").orElseThrow().items()).hasSize((int) marked);
    assertThat(record.string("proof")).contains("repair");
  }

  @Test
  void aPathIsThereOrTheReasonIsToldWhyNot() {
    served.post(C + "/pins", "{\"path\":\"ar:t2.user.prompt\"}");
    served.post(C + "/compact", "{}");
    turn("t7");
    served.post(C + "/hide", "{\"path\":\"ar:t7.user.prompt\",\"replacement\":\"\"}");
    served.post(C + "/turns", "{\"turn_id\":\"t8\",\"prompt\":\"no\"}");
    served.post(C + "/turns/t8/abort", "{\"reason\":\"wrong\"}");
    String request = request("t9");
    expect(request, "ar:t1.user.prompt", "summarized", "summarized");
    expect(request, "ar:t2.user.prompt", "sent", "pinned");
    expect(request, "ar:t7.user.prompt", "not_sent", "hidden");
    expect(request, "ar:t7.assistant.completion", "sent", "history");
    expect(request, "ar:t8.user.prompt", "not_sent", "incomplete_turn");
    expect(request, "t8", "not_sent", "incomplete_turn");
    expect(request, "ar:t9.user.prompt", "sent", "current_turn");
    expect(request, "ar:nope.user.prompt", "unknown", "not_found");
    assertThat(why(request, "ar:t1.user.prompt").json().object("summary").orElseThrow().toJson())
        .contains("\"cut_seq\"", "su:");
    assertThat(why(request, "ar:t7.user.prompt").string("advice")).isEqualTo("unhide its path");
  }

  @Test
  void theAnswerIsThatOfTheTimeOfTheRequest() {
    String request = request("t7");
    served.post(C + "/turns/t7/finish", "{\"completion\":\"then\"}");
    served.post(C + "/hide", "{\"path\":\"ar:t5.user.prompt\"}");
    String compacted = served.post(C + "/compact", "{}").string("summary_id");
    expect(request, "ar:t1.user.prompt", "sent", "history");
    expect(request, "ar:t5.user.prompt", "sent", "history");
    expect(request, "ar:t7.assistant.completion", "not_sent", "later");
    Got summaries = served.get(C + "/summaries/" + compacted);
    expect(request, summaries.string("path"), "not_sent", "later");
  }

  @Test
  void memoryIsToldOfByItsLabel() {
    served.send("PUT", AGENT, "{\"description\":\"helps\"}");
    served.post(
        AGENT + "/blocks",
        "{\"label\":\"persona\",\"block_type\":\"core\",\"content\":\"I am Atlas.\"}");
    String request = request("t7");
    expect(request, "persona", "sent", "memory");
    expect(request, "nothing_like_it", "unknown", "not_found");
    assertThat(served.get(request + "/why").json().array("memory").orElseThrow().toJson())
        .contains("persona");
  }

  @Test
  void aRequestThatIsNotThereHasNoReasons() {
    request("t7");
    assertThat(served.get(C + "/requests/req_none/why").code()).isEqualTo("not_found");
  }

  @Test
  void anotherChoiceIsSimulatedForTheSameRequests() {
    assertThat(served.get(C + "/simulation").text()).contains("\"actual\":null");
    request("t7");
    served.post(C + "/turns/t7/interrupt", "{\"reason\":\"stop\"}");
    request("t8");
    Got actual = served.get(C + "/simulation");
    assertThat(actual.json().array("request_ids").orElseThrow().items()).hasSize(2);
    assertThat(actual.json().object("actual").orElseThrow().array("requests").orElseThrow().items())
        .hasSize(2);
    Got other = served.get(C + "/simulation?what_if=ttl%3D1h&limit=1");
    assertThat(other.json().object("what_if").orElseThrow().object("total")).isPresent();
    assertThat(other.json().array("request_ids").orElseThrow().items()).hasSize(1);
    Got refused = served.get(C + "/simulation?what_if=ttl%3D2h");
    assertThat(refused.code()).isEqualTo("invalid_argument");
    assertThat(refused.string("detail")).contains("provider=PROVIDER/MODEL");
  }

  @Test
  void aSearchIsAnAddressToo() {
    String asked = "{\"query\":\"t3word\",\"user\":\"*\",\"limit\":3}";
    Got posted = served.post("/v1/search", asked);
    Got linked = served.get("/v1/search?query=t3word&user=*&limit=3");
    assertThat(linked.json().array("hits")).isEqualTo(posted.json().array("hits"));
    assertThat(linked.text()).contains("\"type\":\"message\"");
    assertThat(served.get("/v1/search?query=t3word&content_types=blocks").text())
        .contains("\"hits\":[]");
    assertThat(served.get("/v1/search").code()).isEqualTo("field_required");
    assertThat(served.get("/v1/search?query=x&roles=a,b&mode=none").string("detail"))
        .contains("mode is 'none'");
    assertThat(served.get("/v1/choices").text()).contains("\"search_mode\":[", "\"read_only\"");
  }
}
