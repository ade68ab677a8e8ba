package dev.contexture.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.contexture.ContextBrowser;
import dev.contexture.ContextRequest;
import dev.contexture.Contexture;
import dev.contexture.Turn;
import dev.contexture.block.Scope;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.model.AnswerException;
import dev.contexture.model.AnswerOutcome;
import dev.contexture.request.ToolDef;
import dev.contexture.turn.Reply;
import dev.contexture.turn.ToolAnswer;
import dev.contexture.turn.ToolCall;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Runs the Java of {@code README.md}, which has to stand in this file word for word, with every
 * reason that a provider has to stop: it ends.
 */
class ReadmeLoopTest {
  private static final Pattern JAVA = Pattern.compile("(?s)```java\\n(.*?)```");

  @TempDir Path directory;
  private final FakeHttp http = new FakeHttp();
  private final List<ToolDef> tools =
      List.of(new ToolDef("get_weather", "The weather", "{\"type\":\"object\"}"));

  /** Stands for the provider: gives what the script says, and nothing beyond. */
  private static final class FakeHttp {
    private final Queue<String> script = new ArrayDeque<>();
    private final List<String> bodies = new ArrayList<>();

    String post(String body) throws IOException {
      bodies.add(body);
      String next = script.poll();
      if (next == null) {
        throw new IllegalStateException("the loop asked once too often");
      }
      if (next.startsWith("!")) {
        throw new IOException(next.substring(1));
      }
      return next;
    }
  }

  private static String run(ToolCall call) {
    return "4 degrees for " + call.tool();
  }

  @Test
  void theReadmeShowsWhatIsRunHere() throws IOException {
    Path root = Path.of(Objects.requireNonNull(System.getProperty("contexture.root")));
    String self =
        flat(
            Files.readString(
                root.resolve(
                    "examples/src/test/java/dev/contexture/examples/ReadmeLoopTest.java")));
    Matcher block = JAVA.matcher(Files.readString(root.resolve("README.md")));
    List<String> blocks = new ArrayList<>();
    while (block.find()) {
      blocks.add(flat(block.group(1).replace("Path.of(\"data\")", "directory")));
    }
    assertThat(blocks).hasSize(2).allSatisfy(java -> assertThat(self).contains(java));
  }

  private static String flat(String java) {
    return java.replaceAll("\\s+", " ").strip();
  }

  private void runOfTheReadme() throws Exception {
    try (Contexture cx = Contexture.open(directory)) {
      ContextBrowser chat = cx.browser(Scope.of("acme", "shop").user("u42").conversation("c1"));
      try (Turn turn = chat.startTurn("Weather in Oslo?")) { // closed without finish = interrupted
        Reply reply =
            turn.run("claude-opus-5") // asks, records, runs tools, until the model is done
                .request(request -> request.agent("atlas").tools(tools))
                .tools(call -> ToolAnswer.text(run(call)))
                .post(body -> http.post(body));
        turn.finish(reply); // reply.outcome() says how it ended: answered, truncated, refused ...
      }
    }
    try (Contexture cx = Contexture.open(directory)) {
      ContextBrowser chat = cx.browser(Scope.of("acme", "shop").user("u42").conversation("c1"));
      assertThat(chat.timeline().activeTurn()).isEmpty();
    }
  }

  @Test
  void runsAsWritten() throws Exception {
    http.script.add(Talk.ANTHROPIC.calls());
    http.script.add(Talk.ANTHROPIC.says("refusal", "No."));
    runOfTheReadme();
    assertThat(http.script).isEmpty();
    assertThat(http.bodies.getLast()).contains("4 degrees for get_weather");
  }

  private Reply ownLoop(Turn turn, Talk talk) throws Exception {
    if (talk != Talk.ANTHROPIC) {
      return loop(turn, talk);
    }
    Reply reply;
    do {
      ContextRequest request = turn.request("claude-opus-5").agent("atlas").tools(tools).build();
      reply = turn.record(request, http.post(request.body())); // text, calls, thinking, usage
      for (ToolCall call : reply.calls()) {
        turn.answer(call, run(call)); // or turn.fail(call, error)
      }
    } while (!reply.done());
    return reply;
  }

  private Reply loop(Turn turn, Talk talk) throws Exception {
    Reply reply;
    do {
      ContextRequest request = turn.request(talk.provider, talk.model).tools(tools).build();
      reply = turn.record(request, http.post(request.body()));
      for (ToolCall call : reply.calls()) {
        turn.answer(call, run(call));
      }
    } while (!reply.done());
    return reply;
  }

  /** A provider's way to say things. */
  private enum Talk {
    ANTHROPIC("anthropic", "claude-opus-5"),
    CHAT("openai_chat", "gpt-5.6-terra"),
    RESPONSES("openai_responses", "gpt-5.6-terra"),
    GEMINI("gemini", "gemini-2.5-pro");

    private final String provider;
    private final String model;

    Talk(String provider, String model) {
      this.provider = provider;
      this.model = model;
    }

    String says(String stop, String text) {
      String quoted = "\"" + text + "\"";
      return switch (this) {
        case ANTHROPIC ->
            "{\"id\":\"m\",\"type\":\"message\",\"role\":\"assistant\",\"model\":\"x\",\"content\":["
                + (text.isEmpty() ? "" : "{\"type\":\"text\",\"text\":" + quoted + "}")
                + "],\"stop_reason\":\""
                + stop
                + "\",\"usage\":{\"input_tokens\":9,\"output_tokens\":8}}";
        case CHAT ->
            "{\"id\":\"c\",\"object\":\"chat.completion\",\"created\":1,\"model\":\"x\",\"choices\":"
                + "[{\"index\":0,\"message\":{\"role\":\"assistant\","
                + (stop.equals("refusal")
                    ? "\"content\":null,\"refusal\":" + quoted
                    : "\"content\":" + quoted)
                + "},\"finish_reason\":\""
                + (stop.equals("refusal") ? "stop" : stop)
                + "\"}],\"usage\":{\"prompt_tokens\":9,\"completion_tokens\":8}}";
        case RESPONSES -> response(stop, quoted);
        case GEMINI ->
            "{\"candidates\":[{\"content\":{\"role\":\"model\",\"parts\":["
                + (text.isEmpty() ? "" : "{\"text\":" + quoted + "}")
                + "]},\"finishReason\":\""
                + stop
                + "\"}],\"usageMetadata\":{\"promptTokenCount\":9,\"candidatesTokenCount\":8}}";
      };
    }

    private static String response(String stop, String quoted) {
      boolean whole = stop.equals("completed") || stop.equals("refusal");
      String part =
          stop.equals("refusal")
              ? "{\"type\":\"refusal\",\"refusal\":" + quoted + "}"
              : "{\"type\":\"output_text\",\"text\":" + quoted + "}";
      return "{\"id\":\"r\",\"status\":\""
          + (whole ? "completed" : "incomplete")
          + "\""
          + (whole ? "" : ",\"incomplete_details\":{\"reason\":\"" + stop + "\"}")
          + ",\"output\":[{\"type\":\"message\",\"id\":\"msg_1\",\"role\":\"assistant\","
          + "\"content\":["
          + part
          + "]}],\"usage\":{\"input_tokens\":9,\"output_tokens\":5}}";
    }

    String calls() {
      return switch (this) {
        case ANTHROPIC ->
            "{\"id\":\"m\",\"type\":\"message\",\"role\":\"assistant\",\"model\":\"x\",\"content\":["
                + "{\"type\":\"tool_use\",\"id\":\"toolu_1\",\"name\":\"get_weather\",\"input\":{}}],"
                + "\"stop_reason\":\"tool_use\",\"usage\":{\"input_tokens\":9,\"output_tokens\":8}}";
        case CHAT ->
            "{\"id\":\"c\",\"object\":\"chat.completion\",\"created\":1,\"model\":\"x\",\"choices\":"
                + "[{\"index\":0,\"message\":{\"role\":\"assistant\",\"content\":null,\"tool_calls\":"
                + "[{\"id\":\"call_1\",\"type\":\"function\",\"function\":{\"name\":\"get_weather\","
                + "\"arguments\":\"{}\"}}]},\"finish_reason\":\"tool_calls\"}],"
                + "\"usage\":{\"prompt_tokens\":9,\"completion_tokens\":8}}";
        case RESPONSES ->
            "{\"id\":\"r\",\"status\":\"completed\",\"output\":[{\"type\":\"function_call\",\"id\":"
                + "\"fc_1\",\"call_id\":\"call_1\",\"name\":\"get_weather\",\"arguments\":\"{}\"}],"
                + "\"usage\":{\"input_tokens\":9,\"output_tokens\":5}}";
        case GEMINI ->
            "{\"candidates\":[{\"content\":{\"role\":\"model\",\"parts\":[{\"functionCall\":{\"name\":"
                + "\"get_weather\",\"args\":{}}}]},\"finishReason\":\"STOP\"}],\"usageMetadata\":"
                + "{\"promptTokenCount\":9,\"candidatesTokenCount\":8}}";
      };
    }

    String end() {
      return switch (this) {
        case ANTHROPIC -> "end_turn";
        case CHAT -> "stop";
        case RESPONSES -> "completed";
        case GEMINI -> "STOP";
      };
    }
  }

  static Stream<Arguments> everyStop() {
    return Stream.of(
            all(Talk.ANTHROPIC, AnswerOutcome.ANSWERED, "end_turn", "stop_sequence", "new_one"),
            all(Talk.ANTHROPIC, AnswerOutcome.TRUNCATED, "max_tokens"),
            all(Talk.ANTHROPIC, AnswerOutcome.REFUSED, "refusal"),
            all(Talk.ANTHROPIC, AnswerOutcome.PAUSED, "pause_turn", "compaction"),
            all(Talk.ANTHROPIC, AnswerOutcome.CONTEXT_LIMIT, "model_context_window_exceeded"),
            all(Talk.CHAT, AnswerOutcome.ANSWERED, "stop", "new_one"),
            all(Talk.CHAT, AnswerOutcome.TRUNCATED, "length"),
            all(Talk.CHAT, AnswerOutcome.REFUSED, "content_filter", "refusal"),
            all(Talk.RESPONSES, AnswerOutcome.ANSWERED, "completed", "new_one"),
            all(Talk.RESPONSES, AnswerOutcome.TRUNCATED, "max_output_tokens"),
            all(Talk.RESPONSES, AnswerOutcome.REFUSED, "content_filter", "refusal"),
            all(Talk.GEMINI, AnswerOutcome.ANSWERED, "STOP", "OTHER", "LANGUAGE"),
            all(Talk.GEMINI, AnswerOutcome.TRUNCATED, "MAX_TOKENS"),
            all(
                Talk.GEMINI,
                AnswerOutcome.REFUSED,
                "SAFETY",
                "RECITATION",
                "BLOCKLIST",
                "PROHIBITED_CONTENT",
                "SPII",
                "IMAGE_SAFETY"))
        .flatMap(stops -> stops);
  }

  private static Stream<Arguments> all(Talk talk, AnswerOutcome outcome, String... stops) {
    return Stream.of(stops).map(stop -> Arguments.of(talk, stop, outcome));
  }

  @ParameterizedTest
  @MethodSource("everyStop")
  void ends(Talk talk, String stop, AnswerOutcome outcome) throws Exception {
    boolean goesOn = outcome == AnswerOutcome.PAUSED;
    boolean again = outcome == AnswerOutcome.CONTEXT_LIMIT;
    try (Contexture cx = Contexture.open(directory)) {
      ContextBrowser chat = cx.browser(Scope.of("acme", "shop").user("u42").conversation("c1"));
      try (Turn turn = chat.startTurn("Weather in Oslo?")) {
        http.script.add(talk.calls());
        http.script.add(talk.says(stop, "So far."));
        if (goesOn) {
          http.script.add(talk.says(talk.end(), "And that is all."));
        }
        Reply reply = ownLoop(turn, talk);
        assertThat(reply.outcome()).isEqualTo(goesOn ? AnswerOutcome.ANSWERED : outcome);
        assertThat(http.script).isEmpty();
        turn.finish(reply);
      }
      try (Turn turn = chat.startTurn("And tomorrow?")) {
        http.script.add(talk.calls());
        http.script.add(talk.says(stop, "So far."));
        if (goesOn || again) {
          http.script.add(talk.says(talk.end(), "And that is all."));
        }
        Reply reply =
            turn.run(talk.provider, talk.model)
                .request(request -> request.tools(tools))
                .tools(call -> ToolAnswer.text(run(call)))
                .post(http::post);
        assertThat(reply.outcome()).isEqualTo(goesOn || again ? AnswerOutcome.ANSWERED : outcome);
        assertThat(http.script).isEmpty();
        turn.finish(reply);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("providers")
  void endsOnEmptyAnswers(Talk talk) throws Exception {
    try (Contexture cx = Contexture.open(directory)) {
      ContextBrowser chat = cx.browser(Scope.of("acme", "shop").user("u42").conversation("c1"));
      try (Turn turn = chat.startTurn("Weather in Oslo?")) {
        http.script.add(talk.says(talk.end(), ""));
        assertThat(ownLoop(turn, talk).outcome()).isEqualTo(AnswerOutcome.EMPTY);
      }
    }
  }

  static Stream<Talk> providers() {
    return Stream.of(Talk.values());
  }

  @Test
  void asksOnceMoreWithLessWhenTheProviderRefusesTheLength() throws Exception {
    try (Contexture cx = Contexture.open(directory)) {
      ContextBrowser chat = filled(cx);
      try (Turn turn = chat.startTurn("Weather in Oslo?")) {
        http.script.add("!400: prompt is too long: 200001 tokens > 200000 maximum");
        http.script.add(Talk.ANTHROPIC.says("end_turn", "Rain."));
        Reply reply = turn.run("claude-opus-5").post(http::post);
        assertThat(reply.text()).isEqualTo("Rain.");
        assertThat(http.bodies.getLast()).hasSizeLessThan(http.bodies.getFirst().length());
        assertThat(chat.summaries()).hasSize(1);

        String tooLong =
            "{\"type\":\"error\",\"error\":{\"type\":\"invalid_request_error\","
                + "\"message\":\"prompt is too long: 200001 tokens > 200000 maximum\"}}";
        http.script.add(tooLong);
        http.script.add(tooLong);
        assertThatExceptionOfType(AnswerException.class)
            .isThrownBy(() -> turn.run("claude-opus-5").post(http::post));
        assertThat(http.script).isEmpty();
      }
    }
  }

  @Test
  void compactsOnceWhenTheWindowIsFull() throws Exception {
    try (Contexture cx = Contexture.open(directory)) {
      ContextBrowser chat = filled(cx);
      try (Turn turn = chat.startTurn("Weather in Oslo?")) {
        http.script.add(Talk.ANTHROPIC.says("model_context_window_exceeded", "Half"));
        http.script.add(Talk.ANTHROPIC.says("model_context_window_exceeded", "Half again"));
        Reply reply = turn.run("claude-opus-5").post(http::post);
        assertThat(reply.outcome()).isEqualTo(AnswerOutcome.CONTEXT_LIMIT);
        assertThat(http.script).isEmpty();
        assertThat(chat.summaries()).hasSize(1);
        assertThat(http.bodies.getLast()).contains("Half");
      }
    }
  }

  private static ContextBrowser filled(Contexture cx) {
    ContextBrowser chat = cx.browser(Scope.of("acme", "shop").user("u42").conversation("c1"));
    for (int i = 0; i < 8; i++) {
      chat.startTurn("question " + i + " " + "word ".repeat(300)).finish("answer " + i);
    }
    return chat;
  }

  @Test
  void endsAtTheMostCallsOfTheModel() {
    try (Contexture cx = Contexture.open(directory)) {
      ContextBrowser chat = cx.browser(Scope.of("acme", "shop").user("u42").conversation("c1"));
      try (Turn turn = chat.startTurn("Weather in Oslo?")) {
        for (int i = 0; i < 3; i++) {
          http.script.add(Talk.GEMINI.calls());
        }
        assertThatExceptionOfType(ContextureException.class)
            .isThrownBy(
                () ->
                    turn.run("gemini", "gemini-2.5-pro")
                        .request(request -> request.tools(tools))
                        .maxModelCalls(3)
                        .post(http::post))
            .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.LIMIT_EXCEEDED));
        assertThat(turn.waitingCalls()).isEmpty();
        assertThat(http.bodies.getLast()).contains("there is no tool get_weather");
      }
    }
  }
}
