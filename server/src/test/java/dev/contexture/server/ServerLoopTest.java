package dev.contexture.server;

import static dev.contexture.server.TestServer.C;
import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.server.TestServer.Got;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The loop around a model over HTTP: outcomes, calls that wait, results that are late. */
class ServerLoopTest {
  private static final String ASK = "{\"provider\":\"anthropic\",\"model\":\"claude-opus-5\"";
  private static final String CALLS =
      "{\"type\":\"tool_use\",\"id\":\"toolu_1\",\"name\":\"read\",\"input\":{}},"
          + "{\"type\":\"tool_use\",\"id\":\"toolu_2\",\"name\":\"read\",\"input\":{}}";

  @TempDir Path directory;
  private TestServer served;

  @BeforeEach
  void start() {
    served = new TestServer(directory);
    served.post(C + "/turns", "{\"prompt\":\"go\",\"turn_id\":\"t1\"}");
  }

  @AfterEach
  void stop() {
    served.close();
  }

  @ParameterizedTest
  @CsvSource({
    "end_turn,answered,true",
    "max_tokens,truncated,true",
    "refusal,refused,true",
    "model_context_window_exceeded,context_limit,true",
    "pause_turn,paused,false",
    "something_new,answered,true"
  })
  void saysWhatAnAnswerMeans(String stop, String outcome, boolean done) {
    Got reply = said(stop, "{\"type\":\"text\",\"text\":\"So far.\"}");
    assertThat(reply.string("outcome")).isEqualTo(outcome);
    assertThat(reply.json().find("done")).contains(JsonValue.of(done));
    assertThat(request("").text()).contains("So far.");
  }

  @Test
  void showsAnAnswerInTheTimelineAtOnce() {
    said("max_tokens", "{\"type\":\"text\",\"text\":\"First half.\"}");
    Got added =
        served.post(
            C + "/blocks",
            "{\"blocks\":[{\"type\":\"user.prompt\",\"author\":\"user\",\"text\":\"Go on.\"}]}");
    assertThat(added.status()).as(added.text()).isEqualTo(201);
    assertThat(served.get(C + "/timeline").text()).containsSubsequence("First half.", "Go on.");
    assertThat(request("").text()).containsSubsequence("First half.", "Go on.");
  }

  @Test
  void listsAnAnswerThatAFinishReplaces() {
    said("end_turn", "{\"type\":\"text\",\"text\":\"A draft.\"}");
    served.post(C + "/turns/t1/finish", "{\"completion\":\"The answer.\"}");
    served.post(C + "/turns", "{\"prompt\":\"more\",\"turn_id\":\"t2\"}");
    Got next = request("");
    assertThat(next.json().object("request").orElseThrow().toJson())
        .contains("The answer.")
        .doesNotContain("A draft.");
    assertThat(
            next.json().object("metadata").flatMap(m -> m.array("dropped")).orElseThrow().toJson())
        .contains("\"id\":\"ar:t1.assistant.completion\",\"reason\":\"replaced\"");
  }

  @Test
  void endsTheLoopOfAModelThatPausesAndSaysNothing() {
    Got reply = said("pause_turn", "");
    assertThat(reply.string("outcome")).isEqualTo("empty");
    assertThat(reply.json().find("done")).contains(JsonValue.of(true));
  }

  @Test
  void namesWhatIsNotKeptOfAnAnswer() {
    Got reply =
        served.post(
            C + "/responses",
            "{\"provider\":\"openai_chat\",\"model\":\"gpt-5.6-terra\",\"response\":{\"choices\":["
                + "{\"message\":{\"content\":\"One.\"},\"finish_reason\":\"stop\"},"
                + "{\"message\":{\"content\":\"Two.\"}}]}}");
    assertThat(reply.json().array("dropped").orElseThrow().toJson())
        .contains("\"kind\":\"answer\"", "\"reason\":\"extra_choice\"", "\"tokens\":");
  }

  @Test
  void refusesARequestWhileCallsWait() {
    said("tool_use", CALLS);
    result("tc_toolu_1", "");
    Got refused = request("");
    assertThat(refused.status()).isEqualTo(409);
    assertThat(refused.code()).isEqualTo("calls_waiting");
    assertThat(refused.json().find("waiting").map(JsonValue::toJson)).contains("[\"tc_toolu_2\"]");
    assertThat(request(",\"waiting\":\"omit\"").text()).doesNotContain("toolu_1\"");
    assertThat(request(",\"waiting\":\"later\"").code()).isEqualTo("invalid_argument");
    assertThat(request(",\"waiting\":\"cancel\"").text()).contains("cancelled: ", "toolu_1");
    Got late = result("tc_toolu_2", "");
    assertThat(late.status()).isEqualTo(201);
    assertThat(late.json().isTrue("late")).isTrue();
    assertThat(request("").text()).contains("call tc_toolu_2 of read in turn t1");
  }

  @Test
  void namesTheCallsThatAFinishCancels() {
    said("tool_use", CALLS);
    result("tc_toolu_1", "");
    Got finished = served.post(C + "/turns/t1/finish", "{\"completion\":\"Enough.\"}");
    assertThat(finished.json().find("cancelled").map(JsonValue::toJson))
        .contains("[\"tc_toolu_2\"]");
    assertThat(served.post(C + "/turns/t1/finish", "{\"completion\":\"Enough.\"}").text())
        .isEqualTo(finished.text());
    served.post(C + "/turns", "{\"prompt\":\"more\",\"turn_id\":\"t2\"}");
    said("tool_use", CALLS);
    result("tc_toolu_1", "");
    result("tc_toolu_2", "");
    Got late = result("tc_toolu_2", ",\"turn_id\":\"t1\"");
    assertThat(late.json().isTrue("late")).isTrue();
    assertThat(request("").text()).contains("call tc_toolu_2 of read in turn t1");
  }

  @Test
  void compactsWhenAsked() {
    for (int i = 0; i < 6; i++) {
      served.post(C + "/turns/t1/finish", "{\"completion\":\"ok\"}");
      served.post(
          C + "/turns",
          "{\"supersede\":\"interrupt\",\"prompt\":\"n" + i + " " + "word ".repeat(300) + "\"}");
    }
    assertThat(compression(request(""))).contains("\"summary_id\":null");
    assertThat(compression(request(",\"force_compaction\":true"))).contains("\"summary_id\":\"su");
  }

  private static String compression(Got got) {
    JsonObject metadata = got.json().object("metadata").orElseThrow();
    return metadata.find("compression").map(JsonValue::toJson).orElse("");
  }

  private Got said(String stop, String content) {
    String answer =
        "{\"id\":\"m\",\"type\":\"message\",\"role\":\"assistant\",\"model\":\"claude-opus-5\","
            + "\"stop_reason\":\""
            + stop
            + "\",\"content\":["
            + content
            + "],\"usage\":{\"input_tokens\":9,\"output_tokens\":5}}";
    Got got = served.post(C + "/responses", ASK + ",\"response\":" + answer + "}");
    assertThat(got.status()).as(got.text()).isEqualTo(201);
    return got;
  }

  private Got request(String more) {
    return served.post(
        C + "/request",
        ASK
            + ",\"tools\":[{\"name\":\"read\",\"input_schema\":{\"type\":\"object\"}}]"
            + more
            + "}");
  }

  private Got result(String call, String more) {
    return served.post(
        C + "/results", "{\"tool_call_id\":\"" + call + "\",\"content\":\"rain\"" + more + "}");
  }
}
