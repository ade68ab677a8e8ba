package dev.contexture.provider.answer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.json.JsonValue;
import dev.contexture.model.AnswerStream;
import dev.contexture.model.Cut;
import dev.contexture.model.ModelRef;
import dev.contexture.model.Reply;
import dev.contexture.model.ReplyCall;
import dev.contexture.model.ReplyOpaque;
import dev.contexture.model.ReplyText;
import dev.contexture.model.Stop;
import dev.contexture.model.Usage;
import dev.contexture.provider.Golden;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The golden answers and streams of P-84. */
class GoldenAnswersTest {
  private static final Reply CLAUDE_REPLY =
      new Reply(
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

  private static final Reply GPT_REPLY =
      new Reply(
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
        AnswerReader.anthropicMessages(),
        Answers.CLAUDE,
        Golden.wire(Golden.events("anthropic-stream.json"), "\r\n"),
        CLAUDE_REPLY);
    everySplit(
        AnswerReader.openAiChat(),
        Answers.GPT,
        Golden.wire(Golden.events("chat-stream.json"), "\r\n"),
        GPT_REPLY);
  }

  private static void everySplit(AnswerReader reader, ModelRef model, String wire, Reply expected) {
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
    Reply reply = Answers.anthropicStream(Golden.wire(events.subList(0, lastStop), "\n"));

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
      cutAt(AnswerReader.anthropicMessages().open(Answers.CLAUDE), claude, length, CLAUDE_REPLY);
    }
    for (int length = 0; length < gpt.length; length++) {
      cutAt(AnswerReader.openAiChat().open(Answers.GPT), gpt, length, GPT_REPLY);
    }
  }

  private static void cutAt(AnswerStream stream, byte[] bytes, int length, Reply whole) {
    stream.accept(bytes, 0, length);
    Reply reply = stream.end();
    assertThat(whole.calls()).containsAll(reply.calls());
    assertThat(whole.text()).startsWith(reply.text());
    if (reply.cut().isPresent()) {
      assertThat(reply.stop()).isEqualTo(Stop.OTHER);
      assertThat(reply.done()).isFalse();
    } else {
      assertThat(reply.calls()).isEqualTo(whole.calls());
    }
  }
}
