package dev.contexture.provider.openai;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.contexture.error.ErrorCode;
import dev.contexture.model.AnswerException;
import dev.contexture.model.Cut;
import dev.contexture.model.ModelAnswer;
import dev.contexture.model.ReplyCall;
import dev.contexture.model.ReplyOpaque;
import dev.contexture.model.ReplyText;
import dev.contexture.model.Stop;
import dev.contexture.model.Usage;
import dev.contexture.provider.wire.Answers;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ChatReaderTest {
  private static ModelAnswer message(String members, String finish) {
    return Answers.chat(
        "{\"choices\": [{\"message\": {\"role\": \"assistant\", "
            + members
            + "}, \"finish_reason\": \""
            + finish
            + "\"}], \"usage\": {}}");
  }

  private static String chunk(String delta, String finish) {
    String reason = finish.isEmpty() ? "null" : "\"" + finish + "\"";
    return "data: {\"id\":\"c\",\"choices\":[{\"index\":0,\"delta\":"
        + delta
        + ",\"finish_reason\":"
        + reason
        + "}]}\n\n";
  }

  private static final String DONE = "data: [DONE]\n\n";

  @Nested
  class Parts {
    /** P-74: the order of the members does not matter, that of the rule does. */
    @Test
    void ordersReasoningTextRefusalCallsAndTheRest() {
      ModelAnswer reply =
          message(
              """
              "audio": {"id": "a"}, "tool_calls": [
                {"id": "c1", "type": "custom", "custom": {"name": "x", "input": "y"}},
                {"id": "c2", "type": "function", "function": {"name": "f", "arguments": "{}"}}],
              "refusal": "no", "content": "yes", "annotations": [], "reasoning_content": "hm"\
              """,
              "tool_calls");

      assertThat(reply.texts()).containsExactly(new ReplyText(1, "yes"), new ReplyText(2, "no"));
      assertThat(reply.calls()).containsExactly(new ReplyCall(4, "c2", "f", "{}"));
      assertThat(reply.opaque())
          .containsExactly(
              new ReplyOpaque(0, "reasoning_content", "{\"reasoning_content\":\"hm\"}"),
              new ReplyOpaque(2, "refusal", "{\"refusal\":\"no\"}"),
              new ReplyOpaque(
                  3,
                  "custom",
                  "{\"id\":\"c1\",\"type\":\"custom\","
                      + "\"custom\":{\"name\":\"x\",\"input\":\"y\"}}"),
              new ReplyOpaque(5, "audio", "{\"audio\":{\"id\":\"a\"}}"));
    }

    /** P-76: what a neutral call cannot carry, the stored form of its arguments included. */
    @Test
    void keepsTheVerbatimFormOfOddCalls() {
      ModelAnswer reply =
          message(
              """
              "content": "x\\n", "tool_calls": [
                {"id": "c1", "type": "function", "function": {"name": "f", "arguments": "{} "}},
                {"id": "c2", "type": "function", "function": {"name": "f", "arguments": "oops"}},
                {"id": "c3", "type": "function", "function": {"name": "f", "arguments": "{}"},
                 "extra_content": {"google": {"thought_signature": "s"}}},
                {"id": "c4", "type": "function", "function": {"name": "f", "arguments": "{}"}}]\
              """,
              "tool_calls");

      assertThat(reply.opaque()).extracting(ReplyOpaque::order).containsExactly(0, 1, 2, 3);
      assertThat(reply.opaque().get(0))
          .isEqualTo(new ReplyOpaque(0, "content", "{\"content\":\"x\\n\"}"));
      assertThat(reply.opaque().get(2).json())
          .isEqualTo(
              "{\"id\":\"c2\",\"type\":\"function\","
                  + "\"function\":{\"name\":\"f\",\"arguments\":\"oops\"}}");
      assertThat(reply.calls())
          .extracting(ReplyCall::arguments)
          .containsExactly("{} ", "oops", "{}", "{}");
    }

    @Test
    void readsContentGivenAsTypedParts() {
      ModelAnswer reply =
          message(
              "\"content\": [{\"type\": \"thinking\", \"thinking\": []},"
                  + " {\"type\": \"text\", \"text\": \"hi\"}]",
              "stop");
      assertThat(reply.text()).isEqualTo("hi");
      assertThat(reply.opaque()).extracting(ReplyOpaque::kind).containsExactly("content");
    }

    @Test
    void keepsBlankContentAside() {
      ModelAnswer reply = message("\"content\": \" \"", "stop");
      assertThat(reply.texts()).isEmpty();
      assertThat(reply.opaque())
          .containsExactly(new ReplyOpaque(0, "blank", "{\"content\":\" \"}"));
    }

    @Test
    void findsFurtherChoices() {
      ModelAnswer reply =
          Answers.chat(
              "{\"choices\":[{\"message\":{\"content\":\"a\"}},{\"message\":{\"content\":\"b\"}}],"
                  + "\"usage\":{}}");
      assertThat(reply.text()).isEqualTo("a");
      assertThat(reply.findings())
          .extracting(finding -> finding.code())
          .containsExactly("choices_extra");
    }
  }

  /** P-77. */
  @ParameterizedTest
  @CsvSource({
    "stop,END",
    "tool_calls,TOOL_USE",
    "length,MAX_TOKENS",
    "content_filter,CONTENT_FILTER",
    "weary,OTHER"
  })
  void mapsEveryStopWord(String word, Stop stop) {
    assertThat(message("\"content\": \"x\"", word).stop()).isEqualTo(stop);
    assertThat(message("\"content\": \"x\"", word).stopText()).contains(word);
  }

  @Test
  void callsAnEndThatOnlyDeclinesARefusal() {
    assertThat(message("\"content\": null, \"refusal\": \"no\"", "stop").stop())
        .isEqualTo(Stop.REFUSAL);
    assertThat(message("\"content\": \"x\", \"refusal\": \"no\"", "stop").stop())
        .isEqualTo(Stop.END);
  }

  /** P-80: the limit cut the arguments. */
  @Test
  void turnsACallThatTheLimitCutIntoAPartialPart() {
    String call =
        "{\"id\":\"c\",\"type\":\"function\",\"function\":{\"name\":\"f\",\"arguments\":\"{\"}}";
    ModelAnswer reply = message("\"tool_calls\": [" + call + "]", "length");
    assertThat(reply.calls()).isEmpty();
    assertThat(reply.opaque()).containsExactly(new ReplyOpaque(0, "partial:function", call));
  }

  /** P-78: a count below zero is zero, and worth a finding. */
  @Test
  void countsUsage() {
    ModelAnswer reply =
        Answers.chat(
            "{\"choices\":[{\"message\":{\"content\":\"a\"}}],\"usage\":{\"prompt_tokens\":5,"
                + "\"completion_tokens\":2,\"prompt_tokens_details\":{\"cached_tokens\":7}}}");
    assertThat(reply.usage()).contains(new Usage(7, 0, 0, 0, 0, 2));
    assertThat(reply.findings())
        .extracting(finding -> finding.code())
        .containsExactly("usage_negative");
  }

  /** P-81. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{} | /choices",
        "{\"choices\":[]} | /choices/0/message",
        "{\"choices\":[{}]} | /choices/0/message",
        "{\"choices\":[{\"message\":{\"tool_calls\":1}}]} | /choices/0/message/tool_calls",
        "{\"choices\":[{\"message\":{\"tool_calls\":[1]}}]} | /choices/0/message/tool_calls/0",
        "{\"choices\":[{\"message\":{\"tool_calls\":[{\"function\":{\"name\":\"f\"}}]}}]}"
            + " | /choices/0/message/tool_calls/0/id",
        "{\"choices\":[{\"message\":{\"tool_calls\":[{\"id\":\"c\",\"function\":{}}]}}]}"
            + " | /choices/0/message/tool_calls/0/function/name"
      })
  void namesThePlaceOfWhatIsMalformed(String answer, String pointer) {
    assertThatExceptionOfType(AnswerException.class)
        .isThrownBy(() -> Answers.chat(answer))
        .satisfies(
            failure -> {
              assertThat(failure.code()).isEqualTo(ErrorCode.ANSWER_MALFORMED);
              assertThat(failure.pointer()).contains(pointer);
            });
  }

  @Test
  void passesOnTheProvidersError() {
    assertThatExceptionOfType(AnswerException.class)
        .isThrownBy(
            () ->
                Answers.chat(
                    "{\"error\":{\"message\":\"too long\",\"type\":\"invalid_request_error\","
                        + "\"param\":\"messages\",\"code\":\"context_length_exceeded\"}}"))
        .satisfies(
            failure -> {
              assertThat(failure.code()).isEqualTo(ErrorCode.ANSWER_ERROR);
              assertThat(failure.errorCode()).contains("context_length_exceeded");
              assertThat(failure.errorMessage()).contains("too long");
            });
  }

  @Nested
  class Streams {
    @Test
    void setsNamesOnceAndMergesByIndex() {
      String first =
          "{\"tool_calls\":[{\"index\":0,\"id\":\"c1\",\"type\":\"function\","
              + "\"function\":{\"name\":\"f\",\"arguments\":\"{\"}}]}";
      String again =
          "{\"tool_calls\":[{\"index\":0,\"id\":\"c1\",\"type\":\"function\","
              + "\"function\":{\"name\":\"f\",\"arguments\":\"}\"}}]}";
      ModelAnswer reply =
          Answers.chatStream(chunk(first, "") + chunk(again, "") + chunk("{}", "stop") + DONE);
      assertThat(reply.calls()).containsExactly(new ReplyCall(0, "c1", "f", "{}"));
      assertThat(reply.opaque()).isEmpty();
      assertThat(reply.stop()).isEqualTo(Stop.TOOL_USE);
    }

    /** P-80: the last call had not ended; open text counts, open reasoning does not. */
    @Test
    void keepsWhatHadEndedWhenTheStreamIsCut() {
      String call =
          "{\"tool_calls\":[{\"index\":0,\"id\":\"c1\",\"type\":\"function\","
              + "\"function\":{\"name\":\"f\",\"arguments\":\"{}\"}}]}";
      ModelAnswer inCall = Answers.chatStream(chunk("{\"content\":\"a\"}", "") + chunk(call, ""));
      assertThat(inCall.text()).isEqualTo("a");
      assertThat(inCall.calls()).isEmpty();
      assertThat(inCall.opaque()).extracting(ReplyOpaque::kind).containsExactly("partial:function");
      assertThat(inCall.cut()).contains(Cut.DISCONNECTED);

      ModelAnswer afterCall = Answers.chatStream(chunk(call, "") + chunk("{}", "tool_calls"));
      assertThat(afterCall.calls()).hasSize(1);
      assertThat(afterCall.stop()).isEqualTo(Stop.OTHER);

      ModelAnswer inReasoning = Answers.chatStream(chunk("{\"reasoning_content\":\"hm\"}", ""));
      assertThat(inReasoning.opaque())
          .extracting(ReplyOpaque::kind)
          .containsExactly("partial:reasoning_content");
    }

    @Test
    void keepsWhatWasSaidBeforeAnError() {
      ModelAnswer reply =
          Answers.chatStream(
              chunk("{\"content\":\"a\"}", "")
                  + "data: {\"error\":{\"message\":\"busy\",\"code\":503}}\n\n");
      assertThat(reply.text()).isEqualTo("a");
      assertThat(reply.cut()).contains(Cut.error("503", "busy"));
    }

    @Test
    void refusesADeltaForACallThatHasEnded() {
      String zero = "{\"tool_calls\":[{\"index\":0,\"id\":\"a\",\"function\":{\"name\":\"f\"}}]}";
      String one = "{\"tool_calls\":[{\"index\":1,\"id\":\"b\",\"function\":{\"name\":\"f\"}}]}";
      assertThatExceptionOfType(AnswerException.class)
          .isThrownBy(() -> Answers.chatStream(chunk(zero, "") + chunk(one, "") + chunk(zero, "")))
          .satisfies(failure -> assertThat(failure.partial().orElseThrow().calls()).hasSize(1));
    }

    @Test
    void refusesAnEndWithoutAnyChoice() {
      assertThatExceptionOfType(AnswerException.class)
          .isThrownBy(() -> Answers.chatStream(DONE))
          .matches(failure -> failure.code() == ErrorCode.ANSWER_MALFORMED);
    }
  }
}
