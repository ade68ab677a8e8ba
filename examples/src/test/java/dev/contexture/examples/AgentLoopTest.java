package dev.contexture.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.contexture.ContextBrowser;
import dev.contexture.ContextRequest;
import dev.contexture.Contexture;
import dev.contexture.Turn;
import dev.contexture.TurnRun;
import dev.contexture.block.Scope;
import dev.contexture.block.TurnId;
import dev.contexture.engine.agent.AgentTools;
import dev.contexture.engine.memory.MemoryStore;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonText;
import dev.contexture.json.JsonValue;
import dev.contexture.model.AnswerException;
import dev.contexture.request.ToolDef;
import dev.contexture.store.StoredTurn;
import dev.contexture.timeline.TurnStatus;
import dev.contexture.turn.Reply;
import dev.contexture.turn.ToolAnswer;
import dev.contexture.turn.ToolCall;
import dev.contexture.turn.TurnLog;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The loop that people write, against a scripted provider. */
class AgentLoopTest {
  private static final String CLAUDE = "claude-opus-5";
  private static final String GPT = "gpt-5.6-terra";
  private static final String PATH = "/v1/ask";
  private static final List<ToolDef> TOOLS =
      List.of(tool("get_weather", "city"), tool("get_time", "city", "utc_offset"));
  private static final String CLAUDE_DONE =
      """
      {"id":"msg_2","type":"message","role":"assistant","model":"claude-opus-5",
       "content":[{"type":"text","text":"4 C, and it is 13:00."}],"stop_reason":"end_turn",
       "usage":{"input_tokens":9,"output_tokens":8}}\
      """;
  private static final String GPT_DONE =
      """
      {"id":"chatcmpl-10","object":"chat.completion","created":1,"model":"gpt-5.6-terra",
       "choices":[{"index":0,"message":{"role":"assistant","content":"4 C, and it is 13:00."},
       "finish_reason":"stop"}],"usage":{"prompt_tokens":9,"completion_tokens":8}}\
      """;
  private static final String OVERLOADED =
      "{\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"Overloaded\"}}";
  private static final String TOO_LONG =
      "{\"type\":\"error\",\"error\":{\"type\":\"invalid_request_error\","
          + "\"message\":\"prompt is too long: 200001 tokens > 200000 maximum\"}}";

  @TempDir Path directory;
  private final List<String> ran = new ArrayList<>();
  private ScriptedModel model;
  private Contexture engine;
  private ContextBrowser chat;

  @BeforeEach
  void start() {
    model = ScriptedModel.start(PATH);
    open();
  }

  private void open() {
    engine = Contexture.open(directory);
    chat = engine.browser(Scope.of("acme", "shop").user("u42").conversation("c1"));
  }

  @AfterEach
  void stop() {
    engine.close();
    model.close();
  }

  @Test
  void answersAfterParallelToolCalls() throws Exception {
    model.answers(ScriptedModel.golden("anthropic-answer.json")).answers(CLAUDE_DONE);
    assertThat(loop(CLAUDE, false).ask("Weather and time in Oslo?"))
        .isEqualTo("4 C, and it is 13:00.");
    assertThat(ran)
        .containsExactly(
            "get_weather {\"city\":\"Oslo\"}", "get_time {\"city\":\"Oslo\",\"utc_offset\":1.0}");
    hasTheGoldenPartsAndResults(model.requests().getLast());
    TurnLog log = lastTurn();
    assertThat(log.turn().status()).isEqualTo(TurnStatus.COMPLETE);
    assertThat(log.answer()).contains("4 C, and it is 13:00.");
  }

  @Test
  void keepsTheNextTurnOnTopOfTheFirst() throws Exception {
    model.answers(ScriptedModel.golden("anthropic-answer.json")).answers(CLAUDE_DONE);
    loop(CLAUDE, false).ask("Weather and time in Oslo?");
    engine.close();
    open();
    model.answers(CLAUDE_DONE);
    loop(CLAUDE, false).ask("Say it again.");
    String body = model.requests().getLast();
    hasTheGoldenPartsAndResults(body);
    assertThat(body).contains("4 C, and it is 13:00.", "Say it again.");
  }

  @Test
  void asksAnOverloadedModelAgain() throws Exception {
    model.fails(529, OVERLOADED).fails(529, OVERLOADED).answers(CLAUDE_DONE);
    loop(CLAUDE, false).ask("Hello?");
    assertThat(model.requests()).hasSize(3).containsOnly(model.requests().getFirst());
    assertThat(lastTurn().answer()).isPresent();
  }

  @Test
  void readsAStream() throws Exception {
    model
        .streams(events(ScriptedModel.golden("anthropic-stream.json")))
        .fails(529, OVERLOADED)
        .streams(textStream("4 C, ", "and it is 13:00."));
    assertThat(loop(CLAUDE, true).ask("Weather and time in Oslo?"))
        .isEqualTo("4 C, and it is 13:00.");
    assertThat(model.requests()).allSatisfy(body -> assertThat(body).contains("\"stream\":true"));
    assertThat(ran).hasSize(2);
    hasTheGoldenPartsAndResults(model.requests().getLast());
  }

  @Test
  void tellsAContextLimitErrorFromOthers() {
    for (boolean stream : List.of(false, true)) {
      model.fails(400, TOO_LONG);
      assertThatExceptionOfType(AnswerException.class)
          .isThrownBy(() -> loop(CLAUDE, stream).ask("Long story?"))
          .satisfies(
              e -> {
                assertThat(e.code()).isEqualTo(ErrorCode.ANSWER_ERROR);
                assertThat(e.errorCode()).contains("invalid_request_error");
                assertThat(e.errorMessage())
                    .hasValueSatisfying(m -> assertThat(m).contains("too long"));
              });
      assertThat(lastTurn().turn().status()).isEqualTo(TurnStatus.INTERRUPTED);
    }
  }

  @Test
  void goesOnInAnotherProcessInTheMiddleOfATurn() throws Exception {
    model.answers(ScriptedModel.golden("anthropic-answer.json")).answers(CLAUDE_DONE);
    Turn turn = chat.startTurn("Weather and time in Oslo?"); // and the process ends: no close
    ContextRequest request = turn.request(CLAUDE).tools(TOOLS).build();
    Reply reply = turn.record(request, client(false).post(request.body()));
    turn.answer(reply.calls().getFirst(), "result of get_weather");
    engine.close();
    open();

    assertThat(chat.openTurn().waitingCalls()).containsExactly(reply.calls().getLast());
    assertThat(loop(CLAUDE, false).resume()).isEqualTo("4 C, and it is 13:00.");
    assertThat(ran).hasSize(1).allSatisfy(call -> assertThat(call).startsWith("get_time"));
    hasTheGoldenPartsAndResults(model.requests().getLast());
    assertThat(lastTurn().turn().turn()).isEqualTo(turn.id());
    assertThat(lastTurn().turn().status()).isEqualTo(TurnStatus.COMPLETE);
  }

  @Test
  void tellsTheModelWhatFailedInWordsThatAreMeantForIt() throws Exception {
    model.answers(ScriptedModel.golden("anthropic-answer.json")).answers(CLAUDE_DONE);
    TurnRun.ToolRunner broken =
        call -> {
          if (call.tool().equals("get_time")) {
            return ToolAnswer.failed("the clock is being repaired");
          }
          throw new IOException("no route to db.internal:5432");
        };
    new AgentLoop(chat, client(false), CLAUDE, TOOLS, broken).ask("Weather and time in Oslo?");
    assertThat(model.requests().getLast())
        .contains("the tool failed", "the clock is being repaired", "\"is_error\":true")
        .doesNotContain("db.internal");
  }

  @Test
  void remembersWithTheBuiltInTools() throws Exception { // M-120
    AgentTools memory = engine.agentTools(chat, "atlas");
    model
        .answers(calling("block", "{\"op\":\"create\",\"label\":\"user\",\"description\":\"who\"}"))
        .answers(
            calling("block_edit", "{\"op\":\"append\",\"label\":\"user\",\"content\":\"Ann\"}"))
        .answers(calling("block_edit", "{\"op\":\"undo\",\"label\":\"nobody\"}"))
        .answers(CLAUDE_DONE);
    new AgentLoop(chat, client(false), CLAUDE, memory.definitions(), memory::run).ask("I am Ann.");
    MemoryStore hers = engine.memory(chat.scope().owner().scope()).forUser(chat.scope().user());
    assertThat(hers.getRenderedContent("atlas", "user")).contains("Ann");
    assertThat(model.requests().getFirst()).contains("\"name\":\"block_edit\"", "react_read");
    assertThat(model.requests().getLast())
        .contains("created block user", "block_not_found", "\"is_error\":true");
  }

  private static String calling(String tool, String input) {
    return """
    {"id":"msg_%s","type":"message","role":"assistant","model":"claude-opus-5",
     "content":[{"type":"tool_use","id":"toolu_%s","name":"%s","input":%s}],
     "stop_reason":"tool_use","usage":{"input_tokens":9,"output_tokens":8}}\
    """
        .formatted(
            Integer.toHexString(input.hashCode()),
            Integer.toHexString(input.hashCode()),
            tool,
            input);
  }

  @Test
  void speaksToOpenAiTheSame() throws Exception {
    model.answers(ScriptedModel.golden("chat-answer.json")).answers(GPT_DONE);
    assertThat(loop(GPT, false).ask("Weather and time in Oslo?"))
        .isEqualTo("4 C, and it is 13:00.");
    String next = model.requests().getLast();
    String golden = ScriptedModel.golden("chat-answer.json");
    String choices = JsonText.member(golden, "choices").orElseThrow();
    String said = JsonText.member(JsonText.items(choices).getFirst(), "message").orElseThrow();
    JsonObject sent = message(next, "assistant");
    JsonObject received = (JsonObject) JsonValue.parse(said);
    assertThat(sent.find("tool_calls")).isEqualTo(received.find("tool_calls"));
    assertThat(next)
        .containsSubsequence(
            "Checking both.", "call_a1", "call_b2", "result of get_weather", "result of get_time");
  }

  /** The second request holds what the provider said, byte for byte, and both results (P-83). */
  private static void hasTheGoldenPartsAndResults(String body) {
    String golden = ScriptedModel.golden("anthropic-answer.json");
    for (String part : JsonText.items(JsonText.member(golden, "content").orElseThrow())) {
      assertThat(body).contains(JsonText.minify(part));
    }
    assertThat(body)
        .containsSubsequence(
            "\"tool_use_id\":\"toolu_01A\"",
            "result of get_weather",
            "\"tool_use_id\":\"toolu_01B\"",
            "result of get_time");
  }

  private static JsonObject message(String body, String role) {
    return ((JsonObject) JsonValue.parse(body))
        .array("messages").orElseThrow().items().stream()
            .map(JsonObject.class::cast)
            .filter(message -> message.string("role").orElse("").equals(role))
            .findFirst()
            .orElseThrow();
  }

  private AgentLoop loop(String model, boolean stream) {
    return new AgentLoop(chat, client(stream), model, TOOLS, this::runTool);
  }

  private ToolAnswer runTool(ToolCall call) {
    ran.add(call.tool() + " " + call.arguments());
    return ToolAnswer.text("result of " + call.tool());
  }

  private ModelClient client(boolean stream) {
    return new ModelClient(
        model.uri(PATH), Map.of("x-api-key", "none"), stream, Duration.ofMillis(1));
  }

  private TurnLog lastTurn() {
    List<TurnId> ids = chat.turns(null, 100).stream().map(StoredTurn::turn).toList();
    return chat.turnLog(ids.getLast());
  }

  private static ToolDef tool(String name, String... params) {
    StringBuilder properties = new StringBuilder();
    for (String param : params) {
      properties.append(properties.isEmpty() ? "" : ",").append("\"" + param + "\":{}");
    }
    return new ToolDef(
        name, "Looks it up.", "{\"type\":\"object\",\"properties\":{" + properties + "}}");
  }

  /** The events of a golden stream as the wire carries them. */
  private static String events(String golden) {
    StringBuilder wire = new StringBuilder();
    for (JsonValue event : ((JsonArray) JsonValue.parse(golden)).items()) {
      String type = ((JsonObject) event).string("type").orElseThrow();
      wire.append("event: " + type + "\n").append("data: " + event.toJson() + "\n\n");
    }
    return wire.toString();
  }

  private static String textStream(String... pieces) {
    StringBuilder list = new StringBuilder();
    list.append("[{\"type\":\"message_start\",\"message\":{\"id\":\"msg_3\",\"type\":\"message\",");
    list.append("\"role\":\"assistant\",\"model\":\"claude-opus-5\",\"content\":[],");
    list.append("\"usage\":{\"input_tokens\":9,\"output_tokens\":1}}},");
    list.append("{\"type\":\"content_block_start\",\"index\":0,");
    list.append("\"content_block\":{\"type\":\"text\",\"text\":\"\"}},");
    for (String piece : pieces) {
      list.append("{\"type\":\"content_block_delta\",\"index\":0,\"delta\":");
      list.append("{\"type\":\"text_delta\",\"text\":" + new JsonString(piece).toJson() + "}},");
    }
    list.append("{\"type\":\"content_block_stop\",\"index\":0},");
    list.append("{\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\"},");
    list.append("\"usage\":{\"output_tokens\":8}},{\"type\":\"message_stop\"}]");
    return events(list.toString());
  }
}
