package dev.contexture.server;

import static dev.contexture.server.TestServer.C;
import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.server.TestServer.Got;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Steps over HTTP: one commit and the next request; several results; a provider's stream. */
class ServerStepTest {
  private static final String MODEL = "\"provider\":\"anthropic\",\"model\":\"claude-opus-5\"";
  private static final String ASK =
      "\"request\":{"
          + MODEL
          + ",\"tools\":[{\"name\":\"read\",\"input_schema\":{\"type\":\"object\"}}]}";
  private static final String CALLS =
      "{\"type\":\"tool_use\",\"id\":\"toolu_1\",\"name\":\"read\",\"input\":{}},"
          + "{\"type\":\"tool_use\",\"id\":\"toolu_2\",\"name\":\"read\",\"input\":{}}";
  private static final String RESULTS =
      "\"results\":[{\"provider_call_id\":\"toolu_1\",\"content\":\"rain\"},"
          + "{\"index\":1,\"content\":[{\"type\":\"text\",\"text\":\"snow\"}],\"is_error\":true}]";
  private static final String STREAM =
      C + "/responses?provider=anthropic&model=claude-opus-5&request_id=";

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

  private static String response(String stop, String content) {
    return "\"response\":{"
        + MODEL
        + ",\"response\":{\"id\":\"m\",\"type\":\"message\",\"role\":\"assistant\",\"model\":\"x\","
        + "\"stop_reason\":\""
        + stop
        + "\",\"content\":["
        + content
        + "],\"usage\":{\"input_tokens\":9,\"output_tokens\":5}}}";
  }

  private static String text(String text) {
    return "{\"type\":\"text\",\"text\":\"" + text + "\"}";
  }

  private Got step(String... members) {
    return served.post(C + "/step", "{" + String.join(",", members) + "}");
  }

  private Got begin() {
    Got got = step("\"turn\":{\"prompt\":\"go\",\"turn_id\":\"t1\"}", ASK);
    assertThat(got.status()).as(got.text()).isEqualTo(200);
    return got;
  }

  @Test
  void isOneCommitAndTheNextRequest() {
    Got first = begin();
    assertThat(first.json().keys())
        .startsWith("turn_id", "version", "turn", "request_id", "request", "metadata");
    assertThat(first.number("version")).isEqualTo(1);
    assertThat(first.json().object("turn").orElseThrow().keys())
        .containsExactly("turn_id", "version", "blocks", "new_conversation", "omitted_turns");

    Got second = step(response("tool_use", CALLS), RESULTS, "\"finish\":{}", ASK);
    assertThat(second.number("version")).isEqualTo(2);
    JsonObject reply = second.json().object("reply").orElseThrow();
    assertThat(reply.string("outcome")).contains("calls");
    assertThat(second.json().array("results").orElseThrow().items()).hasSize(2);
    assertThat(second.json().has("status")).isFalse();
    assertThat(second.json().object("request").orElseThrow().toJson()).contains("rain", "snow");

    Got third = step(response("end_turn", text("Done.")), "\"finish\":{}", ASK);
    assertThat(third.string("status")).isEqualTo("complete");
    assertThat(third.json().has("request")).isFalse();
    assertThat(served.get(C + "/artifact?path=ar:t1.assistant.completion").string("text"))
        .isEqualTo("Done.");
  }

  @Test
  void asksOnceMoreAfterAFullWindow() {
    begin();
    Got full = step(response("model_context_window_exceeded", text("Half")), "\"finish\":{}", ASK);
    assertThat(full.json().has("status")).isFalse();
    assertThat(full.json().object("reply").orElseThrow().isTrue("done")).isTrue();
    assertThat(full.json().object("request").orElseThrow().toJson()).contains("Half");
  }

  @Test
  void storesNothingIfAPartIsRefused() {
    begin();
    long version = served.get(C).number("version");
    Got waiting = step(response("tool_use", CALLS), ASK);
    assertThat(waiting.code()).isEqualTo("calls_waiting");
    assertThat(waiting.json().find("waiting").map(JsonValue::toJson))
        .contains("[\"tc_toolu_1\",\"tc_toolu_2\"]");
    Got unknown =
        step(
            response("tool_use", CALLS),
            "\"results\":[{\"index\":0,\"content\":\"x\"},{\"index\":2,\"content\":\"x\"}]");
    assertThat(unknown.code()).isEqualTo("unknown_call");
    assertThat(unknown.string("field")).isEqualTo("results[1].index");
    assertThat(step("\"turn\":{\"promt\":\"x\"}").string("field")).isEqualTo("turn.promt");
    assertThat(step("\"response\":{" + MODEL + "}").string("field")).isEqualTo("response.response");
    assertThat(step("\"finish\":{}", ASK).code()).isEqualTo("invalid_argument");
    assertThat(step().code()).isEqualTo("invalid_argument");
    assertThat(step("\"step\":1").code()).isEqualTo("unknown_field");
    assertThat(served.get(C).number("version")).isEqualTo(version);
  }

  @Test
  void canBeSentAgain() {
    Got first = step("\"step_id\":\"s1\"", "\"turn\":{\"prompt\":\"go\",\"turn_id\":\"t1\"}", ASK);
    Got second =
        step("\"step_id\":\"s2\"", response("tool_use", CALLS), RESULTS, "\"finish\":{}", ASK);
    assertThat(second.status()).as(second.text()).isEqualTo(200);
    served.restart();
    Got again =
        step("\"step_id\":\"s2\"", response("tool_use", CALLS), RESULTS, "\"finish\":{}", ASK);
    assertThat(again.json()).isEqualTo(second.json());
    assertThat(
            step("\"step_id\":\"s1\"", "\"turn\":{\"prompt\":\"go\",\"turn_id\":\"t1\"}", ASK)
                .json())
        .isEqualTo(first.json());
    assertThat(step("\"step_id\":\"s2\"", "\"finish\":{}").code()).isEqualTo("id_conflict");
    assertThat(served.get(C + "/requests").json().array("requests").orElseThrow().items())
        .hasSize(2)
        .noneSatisfy(row -> assertThat(((JsonObject) row).has("step")).isTrue());
  }

  @Test
  void tellsWhyTheRequestCannotBeBuilt() {
    Got got =
        step(
            "\"turn\":{\"prompt\":\"" + "word ".repeat(300) + "\"}",
            "\"request\":{"
                + MODEL
                + ",\"config\":{\"max_tokens\":60,\"memory_tokens\":20,\"history_tokens\":20,"
                + "\"reserved_response_tokens\":20}}");
    assertThat(got.status()).isEqualTo(200);
    JsonObject problem = got.json().object("request_problem").orElseThrow();
    assertThat(problem.string("code")).contains("budget_too_small");
    assertThat(served.get(C).json().string("open_turn")).contains(got.string("turn_id"));
  }

  @Test
  void takesSeveralResultsAllOrNone() {
    begin();
    step(response("tool_use", CALLS));
    Got none =
        served.post(
            C + "/results",
            "{\"results\":[{\"tool_call_id\":\"tc_toolu_1\",\"content\":\"a\"},"
                + "{\"tool_call_id\":\"tc_other\",\"content\":\"b\"}]}");
    assertThat(none.code()).isEqualTo("unknown_call");
    Got both =
        served.post(
            C + "/results",
            "{\"results\":[{\"tool_call_id\":\"tc_toolu_1\",\"content\":\"a\"},"
                + "{\"tool_call_id\":\"tc_toolu_2\",\"content\":\"b\"}]}");
    assertThat(both.status()).as(both.text()).isEqualTo(201);
    JsonArray results = both.json().array("results").orElseThrow();
    assertThat(results.items()).hasSize(2);
    assertThat(served.post(C + "/results", "{\"results\":[]}").code())
        .isEqualTo("invalid_argument");
    assertThat(served.post(C + "/results", "{\"tool_call_id\":\"tc_1\",\"results\":[]}").code())
        .isEqualTo("invalid_argument");
  }

  /** A stream with a text and two calls, as the wire carries it. */
  private static String events() {
    String block = "{\"type\":\"content_block_start\",\"index\":";
    String delta =
        "{\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",";
    String stop = "{\"type\":\"content_block_stop\",\"index\":";
    String call =
        ",\"content_block\":{\"type\":\"tool_use\",\"name\":\"read\",\"input\":{},\"id\":";
    return Stream.of(
            "{\"type\":\"message_start\",\"message\":{\"id\":\"m\",\"type\":\"message\",\"role\":"
                + "\"assistant\",\"model\":\"x\",\"content\":[],\"usage\":{\"input_tokens\":9}}}",
            block + "0,\"content_block\":{\"type\":\"text\",\"text\":\"\"}}",
            delta + "\"text\":\"Checking \"}}",
            delta + "\"text\":\"both.\"}}",
            stop + "0}",
            block + "1" + call + "\"toolu_1\"}}",
            stop + "1}",
            block + "2" + call + "\"toolu_2\"}}",
            stop + "2}",
            "{\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"tool_use\"},"
                + "\"usage\":{\"output_tokens\":8}}",
            "{\"type\":\"message_stop\"}")
        .map(event -> "data: " + event + "\n\n")
        .collect(Collectors.joining());
  }

  @Test
  void takesAStreamAsItComes() {
    Got first = begin();
    Got got =
        served.send(
            "POST",
            STREAM + first.string("request_id"),
            events(),
            "Content-Type",
            "text/event-stream");
    assertThat(got.status()).as(got.text()).isEqualTo(201);
    assertThat(got.string("outcome")).isEqualTo("calls");
    assertThat(got.json().array("calls").orElseThrow().items()).hasSize(2);
    assertThat(
            served
                .send(
                    "POST",
                    STREAM + first.string("request_id"),
                    events(),
                    "Content-Type",
                    "text/event-stream")
                .text())
        .isEqualTo(got.text());
  }

  @Test
  void keepsAStreamThatBreaksAsPartial() {
    Got first = begin();
    String cut = events().substring(0, events().indexOf("both.") - 9);
    Got got =
        served.send(
            "POST", STREAM + first.string("request_id"), cut, "Content-Type", "text/event-stream");
    assertThat(got.status()).as(got.text()).isEqualTo(201);
    assertThat(got.string("stop")).isEqualTo("cancelled");
    assertThat(got.string("outcome")).isEqualTo("truncated");
  }

  @Test
  void keepsAStreamWhoseSenderGoesAway() throws IOException {
    Got first = begin();
    String wire = events();
    int end = wire.indexOf("data: {\"type\":\"content_block_stop");
    byte[] sent = wire.substring(0, end).getBytes(StandardCharsets.UTF_8);
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), served.server().port())) {
      OutputStream out = socket.getOutputStream();
      out.write(
          ("POST "
                  + STREAM
                  + first.string("request_id")
                  + " HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: text/event-stream\r\n"
                  + "Content-Length: "
                  + (sent.length + 1000)
                  + "\r\n\r\n")
              .getBytes(StandardCharsets.US_ASCII));
      out.write(sent);
      out.flush();
      socket.shutdownOutput();
      InputStream in = socket.getInputStream();
      in.readAllBytes();
    }
    Got next = served.post(C + "/request", "{" + MODEL + "}");
    assertThat(next.text()).contains("Checking both.");
  }

  private Got stream(Got first, String body) {
    return served.send(
        "POST", STREAM + first.string("request_id"), body, "Content-Type", "text/event-stream");
  }

  @Test
  void refusesWhatIsNoStreamAndKeepsTheRequestOpen() {
    Got first = begin();
    for (String body : List.of("", "<html>Bad gateway</html>", "[{\"type\":\"message\"}]")) {
      Got got = stream(first, body);
      assertThat(got.status()).as(got.text()).isEqualTo(400);
      assertThat(got.code()).isEqualTo("answer_malformed");
    }
    String error =
        "{\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"Busy\"}}";
    Got failed = stream(first, "event: error\ndata: " + error + "\n\n");
    assertThat(failed.code()).isEqualTo("answer_error");
    assertThat(failed.text()).contains("overloaded_error");
    assertThat(stream(first, events()).string("outcome")).isEqualTo("calls");
  }

  @Test
  void keepsWhatAStreamSaidBeforeAnEventThatCannotBeRead() {
    Got first = begin();
    String wire = events();
    int end = wire.indexOf("data: {\"type\":\"content_block_stop");
    Got got = stream(first, wire.substring(0, end) + "data: {oops\n\n" + wire.substring(end));
    assertThat(got.status()).as(got.text()).isEqualTo(201);
    assertThat(got.string("outcome")).isEqualTo("truncated");
    assertThat(got.string("text")).isEqualTo("Checking both.");
  }

  @Test
  void checksTheRequestBeforeAnythingIsStored() {
    begin();
    long version = served.get(C).number("version");
    String calls = response("tool_use", CALLS);
    Got unknown = step(calls, RESULTS, "\"request\":{" + MODEL + ",\"tool\":[]}");
    assertThat(unknown.code()).isEqualTo("unknown_field");
    assertThat(unknown.string("field")).isEqualTo("request.tool");
    Got policy = step(calls, RESULTS, "\"request\":{" + MODEL + ",\"waiting\":\"drop\"}");
    assertThat(policy.string("field")).isEqualTo("request.waiting");
    Got model = step(calls, RESULTS, "\"request\":{\"provider\":\"nobody\",\"model\":\"x\"}");
    assertThat(model.status()).as(model.text()).isEqualTo(400);
    assertThat(served.get(C).number("version")).isEqualTo(version);
  }

  @Test
  void buildsOneRequestForOneStepSentManyTimesAtOnce() throws Exception {
    begin();
    Callable<Got> same =
        () -> step("\"step_id\":\"s2\"", response("tool_use", CALLS), RESULTS, ASK);
    try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
      List<Future<Got>> answers = threads.invokeAll(Collections.nCopies(8, same));
      JsonObject first = answers.getFirst().get().json();
      for (Future<Got> answer : answers) {
        assertThat(answer.get().json()).isEqualTo(first);
      }
    }
    assertThat(served.get(C + "/requests").json().array("requests").orElseThrow().items())
        .hasSize(2);
  }

  @Test
  void refusesAStreamWithoutItsNames() {
    begin();
    assertThat(
            served
                .send("POST", C + "/responses", "", "Content-Type", "text/event-stream")
                .string("field"))
        .isEqualTo("provider");
    assertThat(served.post(STREAM + "x", "{" + MODEL + ",\"response\":{}}").code())
        .isEqualTo("invalid_argument");
  }
}
