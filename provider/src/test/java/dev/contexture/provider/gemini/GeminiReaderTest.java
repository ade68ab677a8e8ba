package dev.contexture.provider.gemini;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.contexture.model.AnswerException;
import dev.contexture.model.Cut;
import dev.contexture.model.ModelAnswer;
import dev.contexture.model.ReplyCall;
import dev.contexture.model.ReplyOpaque;
import dev.contexture.model.ReplyText;
import dev.contexture.model.Stop;
import dev.contexture.model.Usage;
import dev.contexture.model.WireFinding;
import dev.contexture.provider.wire.Answers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** P-74 to P-81 for Gemini. */
class GeminiReaderTest {
  private static String candidate(String parts, String reason) {
    return "{\"candidates\":[{\"content\":{\"role\":\"model\",\"parts\":["
        + parts
        + "]},\"finishReason\":\""
        + reason
        + "\"}]}";
  }

  @ParameterizedTest
  @CsvSource({
    "STOP, END",
    "MAX_TOKENS, MAX_TOKENS",
    "SAFETY, CONTENT_FILTER",
    "SPII, CONTENT_FILTER",
    "IMAGE_RECITATION, CONTENT_FILTER",
    "MALFORMED_FUNCTION_CALL, OTHER"
  })
  void knowsWhyItEnded(String reason, Stop stop) {
    ModelAnswer reply = Answers.gemini(candidate("{\"text\":\"a\"}", reason));
    assertThat(reply.stop()).isEqualTo(stop);
    assertThat(reply.stopText()).contains(reason);
  }

  @Test
  void readsABlockedPrompt() {
    ModelAnswer reply = Answers.gemini("{\"promptFeedback\":{\"blockReason\":\"SAFETY\"}}");
    assertThat(reply.stop()).isEqualTo(Stop.CONTENT_FILTER);
    assertThat(reply.stopText()).contains("SAFETY");
  }

  /** P-9, P-76: without an id, or with more members, the part itself goes back. */
  @Test
  void keepsCallsAsTheyCameWhereTheNeutralFormSaysLess() {
    ModelAnswer reply =
        Answers.gemini(
            candidate("{\"functionCall\": {\"name\": \"f\", \"args\": {\"a\": 1.0}}}", "STOP"));
    assertThat(reply.calls()).containsExactly(new ReplyCall(0, null, "f", "{\"a\":1.0}"));
    assertThat(reply.opaque())
        .containsExactly(
            new ReplyOpaque(
                0, "functionCall", "{\"functionCall\":{\"name\":\"f\",\"args\":{\"a\":1.0}}}"));
    assertThat(reply.stop()).isEqualTo(Stop.TOOL_USE);
  }

  /** V04: a signature makes an empty text worth sending. */
  @Test
  void keepsABlankTextForItsSignature() {
    ModelAnswer reply =
        Answers.gemini(
            candidate("{\"text\":\"\",\"thoughtSignature\":\"s\"},{\"text\":\"\"}", "STOP"));
    assertThat(reply.opaque()).extracting(ReplyOpaque::kind).containsExactly("text", "blank");
  }

  @Test
  void namesOtherPartsByTheirData() {
    ModelAnswer reply =
        Answers.gemini(
            candidate(
                "{\"thoughtSignature\":\"s\",\"inlineData\":{\"mimeType\":\"image/png\","
                    + "\"data\":\"AA==\"}}",
                "STOP"));
    assertThat(reply.opaque()).extracting(ReplyOpaque::kind).containsExactly("inlineData");
  }

  /** P-78. */
  @Test
  void countsToolPromptsAndThoughts() {
    ModelAnswer reply =
        Answers.gemini(
            "{\"candidates\":[],\"usageMetadata\":{\"promptTokenCount\":10,"
                + "\"toolUsePromptTokenCount\":5,\"cachedContentTokenCount\":4,"
                + "\"candidatesTokenCount\":2,\"thoughtsTokenCount\":3}}");
    assertThat(reply.usage()).contains(new Usage(4, 0, 0, 0, 11, 5));
    ModelAnswer negative =
        Answers.gemini(
            "{\"candidates\":[],\"usageMetadata\":{\"promptTokenCount\":1,"
                + "\"cachedContentTokenCount\":4}}");
    assertThat(negative.findings()).extracting(WireFinding::code).containsExactly("usage_negative");
  }

  @Test
  void refusesWhatIsNoAnswer() {
    assertThatThrownBy(() -> Answers.gemini("{}")).isInstanceOf(AnswerException.class);
    assertThatThrownBy(() -> Answers.gemini("{\"candidates\":{}}"))
        .isInstanceOf(AnswerException.class);
    assertThatThrownBy(() -> Answers.gemini(candidate("{\"functionCall\":{}}", "STOP")))
        .isInstanceOf(AnswerException.class)
        .hasMessageContaining("name");
    assertThatThrownBy(
            () ->
                Answers.gemini("{\"error\":{\"code\":429,\"message\":\"quota\",\"status\":\"X\"}}"))
        .isInstanceOf(AnswerException.class)
        .hasMessageContaining("quota");
  }

  @Test
  void joinsOnlyPlainNeighbours() {
    String wire =
        chunk("{\"text\":\"a\"}")
            + chunk("{\"text\":\"b\"}")
            + chunk("{\"text\":\"c\",\"thoughtSignature\":\"s\"}")
            + chunk("{\"text\":\"d\"}")
            + "data: {\"candidates\":[{\"finishReason\":\"STOP\"}]}\n\n"
            + "data: {\"usageMetadata\":{\"promptTokenCount\":3}}\n\n";
    ModelAnswer reply = Answers.geminiStream(wire);
    assertThat(reply.texts())
        .containsExactly(new ReplyText(0, "ab"), new ReplyText(1, "c"), new ReplyText(2, "d"));
    assertThat(reply.cut()).isEmpty();
    assertThat(reply.usage().orElseThrow().totalInput()).isEqualTo(3);
  }

  private static String chunk(String parts) {
    return "data: {\"candidates\":[{\"content\":{\"parts\":[" + parts + "]}}]}\n\n";
  }

  @Test
  void isCutWithoutAFinishReason() {
    ModelAnswer reply =
        Answers.geminiStream(
            chunk("{\"text\":\"a\"}") + chunk("{\"text\":\"hm\",\"thought\":true}"));
    assertThat(reply.cut()).contains(Cut.DISCONNECTED);
    assertThat(reply.text()).isEqualTo("a");
    assertThat(reply.opaque()).extracting(ReplyOpaque::kind).containsExactly("partial:thought");
    ModelAnswer failed =
        Answers.geminiStream(
            chunk("{\"text\":\"a\"}") + "data: {\"error\":{\"code\":503,\"message\":\"no\"}}\n\n");
    assertThat(failed.cut().orElseThrow().code()).contains("503");
  }
}
