package dev.contexture.provider.anthropic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.contexture.error.ErrorCode;
import dev.contexture.model.AnswerException;
import dev.contexture.model.AnswerOutcome;
import dev.contexture.model.Cut;
import dev.contexture.model.ModelAnswer;
import dev.contexture.model.ReplyCall;
import dev.contexture.model.ReplyOpaque;
import dev.contexture.model.ReplyText;
import dev.contexture.model.Stop;
import dev.contexture.model.Usage;
import dev.contexture.provider.wire.Answers;
import dev.contexture.provider.wire.answer.AnswerReader;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AnthropicReaderTest {
  private static ModelAnswer content(String parts) {
    return Answers.anthropic(
        "{\"content\": [" + parts + "], \"stop_reason\": \"end_turn\", \"usage\": {}}");
  }

  private static String event(String json) {
    return "data: " + json + "\n\n";
  }

  private static final String START =
      event("{\"type\":\"message_start\",\"message\":{\"id\":\"m\",\"content\":[]}}");

  @Nested
  class Parts {
    /** P-76: citations and caller are not in the neutral form, nor is a line break at the end. */
    @Test
    void keepsTheVerbatimFormOfWhatTheNeutralPartCannotCarry() {
      ModelAnswer reply =
          content(
              """
              {"type": "text", "text": "a", "citations": [ {"cited_text": "\\u0041 b"} ]},
              {"type": "text", "text": "b", "citations": null},
              {"type": "text", "text": "c\\n"},
              {"type": "tool_use", "id": "t1", "name": "f", "input": {"x" : 1.50},
               "caller": {"type": "direct"}},
              {"type": "tool_use", "id": "t2", "name": "f", "input": {}}\
              """);

      assertThat(reply.texts())
          .containsExactly(new ReplyText(0, "a"), new ReplyText(1, "b"), new ReplyText(2, "c\n"));
      assertThat(reply.calls())
          .containsExactly(
              new ReplyCall(3, "t1", "f", "{\"x\":1.50}"), new ReplyCall(4, "t2", "f", "{}"));
      assertThat(reply.opaque())
          .containsExactly(
              new ReplyOpaque(
                  0,
                  "text",
                  "{\"type\":\"text\",\"text\":\"a\","
                      + "\"citations\":[{\"cited_text\":\"\\u0041 b\"}]}"),
              new ReplyOpaque(2, "text", "{\"type\":\"text\",\"text\":\"c\\n\"}"),
              new ReplyOpaque(
                  3,
                  "tool_use",
                  "{\"type\":\"tool_use\",\"id\":\"t1\",\"name\":\"f\",\"input\":{\"x\":1.50},"
                      + "\"caller\":{\"type\":\"direct\"}}"));
    }

    /** P-74: unknown types are kept, blank text is never sent again. */
    @Test
    void keepsEveryOtherPart() {
      ModelAnswer reply =
          content(
              """
              {"type": "redacted_thinking", "data": "x y"}, {"type": "text", "text": " \\n"},
              {"type": "brand_new", "a": {"b": [1, 2]}}\
              """);

      assertThat(reply.texts()).isEmpty();
      assertThat(reply.opaque())
          .containsExactly(
              new ReplyOpaque(
                  0, "redacted_thinking", "{\"type\":\"redacted_thinking\",\"data\":\"x y\"}"),
              new ReplyOpaque(1, "blank", "{\"type\":\"text\",\"text\":\" \\n\"}"),
              new ReplyOpaque(2, "brand_new", "{\"type\":\"brand_new\",\"a\":{\"b\":[1,2]}}"));
      assertThat(reply.opaque().get(1).sendable()).isFalse();
    }
  }

  @Nested
  class StopWords {
    /** P-77. */
    @ParameterizedTest
    @CsvSource({
      "end_turn,END",
      "stop_sequence,END",
      "tool_use,TOOL_USE",
      "max_tokens,MAX_TOKENS",
      "model_context_window_exceeded,CONTEXT_LIMIT",
      "refusal,REFUSAL",
      "pause_turn,PAUSE",
      "compaction,PAUSE",
      "tired,OTHER"
    })
    void mapsEveryWord(String word, Stop stop) {
      ModelAnswer reply = Answers.anthropic("{\"content\":[],\"stop_reason\":\"" + word + "\"}");
      assertThat(reply.stop()).isEqualTo(stop);
      assertThat(reply.stopText()).contains(word);
    }

    @Test
    void keepsTheDetails() {
      ModelAnswer reply =
          Answers.anthropic(
              "{\"content\":[],\"stop_reason\":\"refusal\",\"stop_details\":{\"category\":\"x\"}}");
      assertThat(reply.stopText()).contains("refusal {\"category\":\"x\"}");
    }

    @Test
    void saysToolUseWhenAnEndHasCalls() {
      ModelAnswer reply =
          content("{\"type\":\"tool_use\",\"id\":\"t\",\"name\":\"f\",\"input\":{}}");
      assertThat(reply.stop()).isEqualTo(Stop.TOOL_USE);
      assertThat(reply.outcome()).isEqualTo(AnswerOutcome.CALLS);
    }
  }

  /** P-78: without the split all writes are of unknown life; without usage there is a finding. */
  @Test
  void countsUsage() {
    ModelAnswer reply =
        Answers.anthropic(
            "{\"content\":[],\"usage\":{\"input_tokens\":5,\"cache_creation_input_tokens\":7,"
                + "\"cache_read_input_tokens\":null,\"output_tokens\":3}}");
    assertThat(reply.usage()).contains(new Usage(0, 0, 0, 7, 5, 3));

    ModelAnswer without = Answers.anthropic("{\"content\":[]}");
    assertThat(without.usage()).isEmpty();
    assertThat(without.findings()).extracting(f -> f.code()).containsExactly("usage_missing");
  }

  @Nested
  class Refused {
    /** P-81. */
    @ParameterizedTest
    @CsvSource(
        delimiter = '|',
        value = {
          "<html> | ''",
          "[] | ''",
          "{} | /content",
          "{\"content\":\"x\"} | /content",
          "{\"content\":[1]} | ''",
          "{\"content\":[{}]} | /content/0/type",
          "{\"content\":[{\"type\":\"text\"}]} | /content/0/text",
          "{\"content\":[{\"type\":\"tool_use\",\"name\":\"f\"}]} | /content/0/id",
          "{\"content\":[{\"type\":\"tool_use\",\"id\":\"t\",\"name\":1}]} | /content/0/name"
        })
    void namesThePlaceOfWhatIsMalformed(String answer, String pointer) {
      assertThatExceptionOfType(AnswerException.class)
          .isThrownBy(() -> Answers.anthropic(answer))
          .satisfies(
              failure -> {
                assertThat(failure.code()).isEqualTo(ErrorCode.ANSWER_MALFORMED);
                assertThat(failure.provider()).isEqualTo("anthropic");
                assertThat(failure.pointer()).contains(pointer);
                assertThat(failure.expected()).isPresent();
                assertThat(failure.found()).isPresent();
              });
    }

    @Test
    void passesOnTheProvidersError() {
      assertThatExceptionOfType(AnswerException.class)
          .isThrownBy(
              () ->
                  Answers.anthropic(
                      "{\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\","
                          + "\"message\":\"Overloaded\"},\"request_id\":\"r\"}"))
          .satisfies(
              failure -> {
                assertThat(failure.code()).isEqualTo(ErrorCode.ANSWER_ERROR);
                assertThat(failure.errorCode()).contains("overloaded_error");
                assertThat(failure.errorMessage()).contains("Overloaded");
              });
    }

    @Test
    void refusesWhatIsTooLargeOrTooDeep() {
      String deep = "{\"content\":" + "[".repeat(64) + "]".repeat(64) + "}";
      assertThatExceptionOfType(AnswerException.class)
          .isThrownBy(() -> Answers.anthropic(deep))
          .matches(failure -> failure.code() == ErrorCode.ANSWER_TOO_LARGE);
      assertThatExceptionOfType(AnswerException.class)
          .isThrownBy(
              () ->
                  new AnthropicFormat()
                      .reader()
                      .read(new byte[AnswerReader.MAX_ANSWER_BYTES + 1], Answers.CLAUDE))
          .matches(failure -> failure.code() == ErrorCode.ANSWER_TOO_LARGE);
    }

    @Test
    void refusesBytesThatAreNoUtf8() {
      byte[] bytes = {'{', (byte) 0xff, '}'};
      assertThatExceptionOfType(AnswerException.class)
          .isThrownBy(() -> new AnthropicFormat().reader().read(bytes, Answers.CLAUDE));
    }
  }

  @Nested
  class Streams {
    @Test
    void mergesCitationsAndDeltasOfUnknownTypes() {
      ModelAnswer reply =
          Answers.anthropicStream(
              START
                  + event(
                      "{\"type\":\"content_block_start\",\"index\":0,\"content_block\":"
                          + "{\"type\":\"text\",\"text\":\"\",\"citations\":[]}}")
                  + event(
                      "{\"type\":\"content_block_delta\",\"index\":0,\"delta\":"
                          + "{\"type\":\"citations_delta\",\"citation\":{\"a\":1}}}")
                  + event(
                      "{\"type\":\"content_block_delta\",\"index\":0,\"delta\":"
                          + "{\"type\":\"text_delta\",\"text\":\"hi\"}}")
                  + event("{\"type\":\"content_block_stop\",\"index\":0}")
                  + event(
                      "{\"type\":\"content_block_start\",\"index\":1,\"content_block\":"
                          + "{\"type\":\"compaction\",\"content\":\"\"}}")
                  + event(
                      "{\"type\":\"content_block_delta\",\"index\":1,\"delta\":"
                          + "{\"type\":\"compaction_delta\",\"content\":\"sum\"}}")
                  + event("{\"type\":\"content_block_stop\",\"index\":1}")
                  + event("{\"type\":\"news\"}")
                  + event("{\"type\":\"message_stop\"}"));

      assertThat(reply.opaque())
          .containsExactly(
              new ReplyOpaque(
                  0, "text", "{\"type\":\"text\",\"text\":\"hi\",\"citations\":[{\"a\":1}]}"),
              new ReplyOpaque(1, "compaction", "{\"type\":\"compaction\",\"content\":\"sum\"}"));
      assertThat(reply.findings())
          .extracting(finding -> finding.code())
          .containsExactly("event_unknown", "usage_missing");
    }

    /** P-80: the limit cut the arguments, so the call must not run. */
    @Test
    void turnsACallThatTheLimitCutIntoAPartialPart() {
      ModelAnswer reply = Answers.anthropicStream(callWithStop("max_tokens", "{\\\"a\\\": [1,"));
      assertThat(reply.calls()).isEmpty();
      assertThat(reply.opaque())
          .containsExactly(
              new ReplyOpaque(
                  0,
                  "partial:tool_use",
                  "{\"type\":\"tool_use\",\"id\":\"t\",\"name\":\"f\","
                      + "\"input\":\"{\\\"a\\\": [1,\"}"));
      assertThat(reply.stop()).isEqualTo(Stop.MAX_TOKENS);
    }

    @Test
    void keepsArgumentsThatAreNoJsonAsTheyCame() {
      ModelAnswer reply = Answers.anthropicStream(callWithStop("tool_use", "{\\\"a\\\": [1,"));
      assertThat(reply.calls()).containsExactly(new ReplyCall(0, "t", "f", "{\"a\": [1,"));
    }

    private String callWithStop(String stop, String partialJson) {
      return START
          + event(
              "{\"type\":\"content_block_start\",\"index\":0,\"content_block\":"
                  + "{\"type\":\"tool_use\",\"id\":\"t\",\"name\":\"f\",\"input\":{}}}")
          + event(
              "{\"type\":\"content_block_delta\",\"index\":0,\"delta\":"
                  + "{\"type\":\"input_json_delta\",\"partial_json\":\""
                  + partialJson
                  + "\"}}")
          + event("{\"type\":\"content_block_stop\",\"index\":0}")
          + event("{\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"" + stop + "\"}}")
          + event("{\"type\":\"message_stop\"}");
    }

    /** P-80: an error in the middle is a cut, with the provider's words. */
    @Test
    void keepsWhatWasSaidBeforeAnErrorEvent() {
      ModelAnswer reply =
          Answers.anthropicStream(
              START
                  + event(
                      "{\"type\":\"content_block_start\",\"index\":0,\"content_block\":"
                          + "{\"type\":\"text\",\"text\":\"so\"}}")
                  + event(
                      "{\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\","
                          + "\"message\":\"busy\"}}"));
      assertThat(reply.text()).isEqualTo("so");
      assertThat(reply.cut()).contains(Cut.error("overloaded_error", "busy"));
      assertThat(reply.stop()).isEqualTo(Stop.OTHER);
    }

    @ParameterizedTest
    @ValueSource(
        strings = {
          "{\"type\":\"content_block_delta\",\"index\":0,"
              + "\"delta\":{\"type\":\"text_delta\",\"text\":\"x\"}}",
          "{\"type\":\"content_block_stop\",\"index\":0}",
          "{\"type\":\"content_block_stop\"}",
          "{\"type\":\"message_start\"}",
          "{",
          "nonsense"
        })
    void refusesADeltaWithoutItsPartAndGivesWhatItHad(String data) {
      assertThatExceptionOfType(AnswerException.class)
          .isThrownBy(() -> Answers.anthropicStream(START + event(data)))
          .satisfies(
              failure -> {
                assertThat(failure.code()).isEqualTo(ErrorCode.ANSWER_MALFORMED);
                assertThat(failure.partial().orElseThrow().id()).contains("m");
              });
    }

    @Test
    void refusesAnEventThatIsTooLarge() {
      String huge = "data: " + "x".repeat(AnswerReader.MAX_EVENT_BYTES + 1);
      assertThatExceptionOfType(AnswerException.class)
          .isThrownBy(() -> Answers.anthropicStream(huge))
          .matches(failure -> failure.code() == ErrorCode.ANSWER_TOO_LARGE);
    }

    @Test
    void joinsDataLinesAndSkipsCommentsAndOtherFields() {
      ModelAnswer reply =
          Answers.anthropicStream(
              "\ufeff: hello\nretry: 5\nid\ndata: {\"type\":\"message_start\",\ndata:\"message\":"
                  + "{\"id\":\"m2\"}}\n\n"
                  + event("{\"type\":\"message_stop\"}"));
      assertThat(reply.id()).contains("m2");
      assertThat(reply.cut()).isEmpty();
    }
  }
}
