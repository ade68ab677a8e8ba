package dev.contexture.provider.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.json.JsonText;
import dev.contexture.json.JsonValue;
import dev.contexture.model.AnswerOutcome;
import dev.contexture.model.AnswerStream;
import dev.contexture.model.Cut;
import dev.contexture.model.ModelAnswer;
import dev.contexture.model.ModelRef;
import dev.contexture.model.ReplyCall;
import dev.contexture.model.ReplyOpaque;
import dev.contexture.model.ReplyText;
import dev.contexture.model.Stop;
import dev.contexture.model.Usage;
import dev.contexture.provider.Golden;
import dev.contexture.provider.anthropic.AnthropicFormat;
import dev.contexture.provider.gemini.GeminiFormat;
import dev.contexture.provider.openai.ChatFormat;
import dev.contexture.provider.openai.ResponsesFormat;
import dev.contexture.provider.wire.answer.AnswerReader;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The golden answers and streams of P-84. */
class GoldenAnswersTest {
  private static final ModelAnswer CLAUDE_REPLY =
      new ModelAnswer(
          "anthropic",
          "claude-opus-5",
          "msg_01Q",
          List.of(new ReplyText(1, "Checking both.")),
          List.of(
              new ReplyCall(2, "toolu_01A", "get_weather", "{\"city\":\"Oslo\"}"),
              new ReplyCall(3, "toolu_01B", "get_time", "{\"city\":\"Oslo\",\"utc_offset\":1.0}")),
          List.of(
              new ReplyOpaque(
                  0,
                  "thinking",
                  "{\"type\":\"thinking\",\"thinking\":\"Two look-ups.\","
                      + "\"signature\":\"EqQBCkYI\"}")),
          Stop.TOOL_USE,
          "tool_use",
          new Usage(2100, 300, 0, 0, 12, 88),
          null,
          List.of());

  private static final ModelAnswer GPT_REPLY =
      new ModelAnswer(
          "openai",
          "gpt-5.6-terra",
          "chatcmpl-9",
          List.of(new ReplyText(0, "Checking both.")),
          List.of(
              new ReplyCall(1, "call_a1", "get_weather", "{\"city\":\"Oslo\"}"),
              new ReplyCall(2, "call_b2", "get_time", "{\"city\": \"Oslo\", \"utc_offset\": 1.0}")),
          List.of(),
          Stop.TOOL_USE,
          "tool_calls",
          new Usage(2100, 0, 0, 300, 12, 88),
          null,
          List.of());

  private static final ModelAnswer RESPONSES_REPLY =
      new ModelAnswer(
          "openai",
          "gpt-5.6-terra",
          "resp_7",
          List.of(new ReplyText(1, "Checking both.")),
          List.of(
              new ReplyCall(2, "call_a1", "get_weather", "{\"city\":\"Oslo\"}"),
              new ReplyCall(3, "call_b2", "get_time", "{\"city\": \"Oslo\", \"utc_offset\": 1.0}")),
          List.of(
              new ReplyOpaque(0, "reasoning", item(0)),
              new ReplyOpaque(1, "message", item(1)),
              new ReplyOpaque(2, "function_call", item(2)),
              new ReplyOpaque(3, "function_call", item(3))),
          Stop.TOOL_USE,
          "completed",
          new Usage(2100, 0, 0, 300, 12, 88),
          null,
          List.of());

  private static final ModelAnswer GEMINI_REPLY =
      new ModelAnswer(
          "gemini",
          "gemini-3.5-flash",
          "r9",
          List.of(new ReplyText(1, "Checking both.")),
          List.of(
              new ReplyCall(2, "g7k2", "get_weather", "{\"city\":\"Oslo\"}"),
              new ReplyCall(3, "g7k3", "get_time", "{\"city\":\"Oslo\",\"utc_offset\":1.0}")),
          List.of(
              new ReplyOpaque(0, "thought", "{\"text\":\"Two look-ups.\",\"thought\":true}"),
              new ReplyOpaque(
                  2,
                  "functionCall",
                  "{\"functionCall\":{\"id\":\"g7k2\",\"name\":\"get_weather\","
                      + "\"args\":{\"city\":\"Oslo\"}},\"thoughtSignature\":\"CsQBAdHt\"}")),
          Stop.TOOL_USE,
          "STOP",
          new Usage(2100, 0, 0, 0, 312, 88),
          null,
          List.of());

  private static String item(int index) {
    String output = JsonText.member(Golden.text("responses-answer.json"), "output").orElseThrow();
    return JsonText.minify(JsonText.items(output).get(index));
  }

  private static String wire(String stream, String lineEnd) {
    return Golden.wire(Golden.events(stream), lineEnd);
  }

  @Test
  void readsTheGoldenAnswersOfResponsesAndGemini() {
    assertThat(Answers.responses(Golden.text("responses-answer.json"))).isEqualTo(RESPONSES_REPLY);
    assertThat(Answers.gemini(Golden.text("gemini-answer.json"))).isEqualTo(GEMINI_REPLY);
  }

  /** Every line end, every split into two reads, and a cut anywhere (P-79, P-80). */
  @Test
  void readsTheStreamsOfResponsesAndGemini() {
    for (String lineEnd : List.of("\n", "\r\n", "\r")) {
      assertThat(Answers.responsesStream(wire("responses-stream.json", lineEnd)))
          .isEqualTo(RESPONSES_REPLY);
      assertThat(Answers.geminiStream(wire("gemini-stream.json", lineEnd))).isEqualTo(GEMINI_REPLY);
    }
    String responses = wire("responses-stream.json", "\r\n");
    String gemini = wire("gemini-stream.json", "\r\n");
    everySplit(new ResponsesFormat().reader(), Answers.GPT, responses, RESPONSES_REPLY);
    everySplit(new GeminiFormat().reader(), Answers.GEMINI, gemini, GEMINI_REPLY);
    byte[] cut = Answers.bytes(responses);
    for (int length = 0; length < cut.length; length++) {
      cutAt(new ResponsesFormat().reader().open(Answers.GPT), cut, length, RESPONSES_REPLY);
    }
    byte[] chunks = Answers.bytes(gemini);
    for (int length = 0; length < chunks.length; length++) {
      cutAt(new GeminiFormat().reader().open(Answers.GEMINI), chunks, length, GEMINI_REPLY);
    }
  }

  @Test
  void readsTheGoldenAnswers() {
    assertThat(Answers.anthropic(Golden.text("anthropic-answer.json"))).isEqualTo(CLAUDE_REPLY);
    assertThat(Answers.chat(Golden.text("chat-answer.json"))).isEqualTo(GPT_REPLY);
    assertThat(CLAUDE_REPLY.usage().orElseThrow().totalInput()).isEqualTo(2412);
    assertThat(GPT_REPLY.usage().orElseThrow().totalInput()).isEqualTo(2412);
  }

  @Test
  void readsTheGoldenStreamsWithEveryLineEnd() {
    for (String lineEnd : List.of("\n", "\r\n", "\r")) {
      assertThat(
              Answers.anthropicStream(Golden.wire(Golden.events("anthropic-stream.json"), lineEnd)))
          .isEqualTo(CLAUDE_REPLY);
      assertThat(Answers.chatStream(Golden.wire(Golden.events("chat-stream.json"), lineEnd)))
          .isEqualTo(GPT_REPLY);
    }
  }

  @Test
  void readsTheSameFromEverySplitIntoTwoReadsAndFromSingleBytes() {
    everySplit(
        new AnthropicFormat().reader(),
        Answers.CLAUDE,
        Golden.wire(Golden.events("anthropic-stream.json"), "\r\n"),
        CLAUDE_REPLY);
    everySplit(
        new ChatFormat().reader(),
        Answers.GPT,
        Golden.wire(Golden.events("chat-stream.json"), "\r\n"),
        GPT_REPLY);
  }

  private static void everySplit(
      AnswerReader reader, ModelRef model, String wire, ModelAnswer expected) {
    byte[] bytes = Answers.bytes(wire);
    for (int split = 0; split <= bytes.length; split++) {
      AnswerStream stream = reader.open(model);
      stream.accept(bytes, 0, split);
      stream.accept(bytes, split, bytes.length - split);
      assertThat(stream.end()).as("split at %d", split).isEqualTo(expected);
    }
    AnswerStream stream = reader.open(model);
    for (int i = 0; i < bytes.length; i++) {
      stream.accept(bytes, i, 1);
    }
    assertThat(stream.ended()).isTrue();
    assertThat(stream.end()).isEqualTo(expected);
  }

  @Test
  void keepsWhatHadEndedWhenTheStreamIsCut() {
    List<JsonValue> events = Golden.events("anthropic-stream.json");
    int lastStop = events.size() - 3;
    ModelAnswer reply = Answers.anthropicStream(Golden.wire(events.subList(0, lastStop), "\n"));

    assertThat(reply.calls()).containsExactly(CLAUDE_REPLY.calls().get(0));
    assertThat(reply.opaque().get(1))
        .isEqualTo(
            new ReplyOpaque(
                3,
                "partial:tool_use",
                "{\"type\":\"tool_use\",\"id\":\"toolu_01B\",\"name\":\"get_time\","
                    + "\"input\":\"{\\\"city\\\": \\\"Oslo\\\", \\\"utc_offset\\\": 1.0}\"}"));
    assertThat(reply.stop()).isEqualTo(Stop.OTHER);
    assertThat(reply.cut()).contains(Cut.DISCONNECTED);
    assertThat(reply.usage().orElseThrow().output()).isEqualTo(1);
  }

  /** P-80 for a cut at any byte: never an exception, never a call that was not whole. */
  @Test
  void readsAStreamThatIsCutAnywhere() {
    byte[] claude = Answers.bytes(Golden.wire(Golden.events("anthropic-stream.json"), "\n"));
    byte[] gpt = Answers.bytes(Golden.wire(Golden.events("chat-stream.json"), "\n"));
    for (int length = 0; length < claude.length; length++) {
      cutAt(new AnthropicFormat().reader().open(Answers.CLAUDE), claude, length, CLAUDE_REPLY);
    }
    for (int length = 0; length < gpt.length; length++) {
      cutAt(new ChatFormat().reader().open(Answers.GPT), gpt, length, GPT_REPLY);
    }
  }

  private static void cutAt(AnswerStream stream, byte[] bytes, int length, ModelAnswer whole) {
    stream.accept(bytes, 0, length);
    ModelAnswer reply = stream.end();
    assertThat(whole.calls()).containsAll(reply.calls());
    assertThat(whole.text()).startsWith(reply.text());
    if (reply.cut().isPresent()) {
      assertThat(reply.stop()).isEqualTo(Stop.OTHER);
      assertThat(reply.outcome())
          .isEqualTo(reply.calls().isEmpty() ? AnswerOutcome.TRUNCATED : AnswerOutcome.CALLS);
    } else {
      assertThat(reply.calls()).isEqualTo(whole.calls());
    }
  }
}
