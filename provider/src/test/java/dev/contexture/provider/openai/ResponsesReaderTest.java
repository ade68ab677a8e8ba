package dev.contexture.provider.openai;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.contexture.json.JsonValue;
import dev.contexture.model.AnswerException;
import dev.contexture.model.ModelAnswer;
import dev.contexture.model.ReplyOpaque;
import dev.contexture.model.ReplyText;
import dev.contexture.model.Stop;
import dev.contexture.provider.Golden;
import dev.contexture.provider.wire.Answers;
import java.util.List;
import org.junit.jupiter.api.Test;

/** P-74 to P-81 for OpenAI Responses. */
class ResponsesReaderTest {
  private static ModelAnswer read(String status, String items) {
    return Answers.responses("{\"id\":\"r\"," + status + ",\"output\":[" + items + "]}");
  }

  private static final String COMPLETED = "\"status\":\"completed\"";
  private static final String REFUSAL =
      "{\"type\":\"message\",\"content\":[{\"type\":\"refusal\",\"refusal\":\"no\"}]}";

  @Test
  void joinsTheTextsOfAMessage() {
    ModelAnswer reply =
        read(
            COMPLETED,
            "{\"type\":\"message\",\"content\":[{\"type\":\"output_text\",\"text\":\"a\"},"
                + "{\"type\":\"output_text\",\"text\":\"b\"}]}");
    assertThat(reply.texts()).containsExactly(new ReplyText(0, "ab"));
    assertThat(reply.stop()).isEqualTo(Stop.END);
  }

  @Test
  void knowsARefusalByItsContent() {
    ModelAnswer reply = read(COMPLETED, REFUSAL);
    assertThat(reply.stop()).isEqualTo(Stop.REFUSAL);
    assertThat(reply.texts()).containsExactly(new ReplyText(0, "no"));
    assertThat(reply.opaque()).extracting(ReplyOpaque::kind).containsExactly("message");
  }

  @Test
  void keepsABlankMessageAsBlank() {
    ModelAnswer reply =
        read(
            COMPLETED,
            "{\"type\":\"message\",\"content\":[{\"type\":\"output_text\",\"text\":\" \"}]}");
    assertThat(reply.opaque()).extracting(ReplyOpaque::kind).containsExactly("blank");
    assertThat(reply.texts()).isEmpty();
  }

  @Test
  void tellsWhyItIsIncomplete() {
    String reason = "\"status\":\"incomplete\",\"incomplete_details\":{\"reason\":\"%s\"}";
    assertThat(read(reason.replace("%s", "max_output_tokens"), "").stop())
        .isEqualTo(Stop.MAX_TOKENS);
    assertThat(read(reason.replace("%s", "content_filter"), "").stop())
        .isEqualTo(Stop.CONTENT_FILTER);
    ModelAnswer other = read(reason.replace("%s", "novelty"), "");
    assertThat(other.stop()).isEqualTo(Stop.OTHER);
    assertThat(other.stopText()).contains("incomplete novelty");
  }

  /** P-80: a call that the limit cut is never executed. */
  @Test
  void makesACallThatTheLimitCutPartial() {
    ModelAnswer reply =
        read(
            "\"status\":\"incomplete\",\"incomplete_details\":{\"reason\":\"max_output_tokens\"}",
            "{\"type\":\"function_call\",\"call_id\":\"c\",\"name\":\"f\",\"arguments\":\"{\\\"a\"}");
    assertThat(reply.calls()).isEmpty();
    assertThat(reply.opaque())
        .extracting(ReplyOpaque::kind)
        .containsExactly("partial:function_call");
  }

  @Test
  void refusesWhatIsNoAnswer() {
    assertThatThrownBy(() -> Answers.responses("{\"status\":\"completed\"}"))
        .isInstanceOf(AnswerException.class)
        .hasMessageContaining("/output");
    assertThatThrownBy(
            () -> read(COMPLETED, "{\"type\":\"function_call\",\"call_id\":\"c\",\"name\":\"\"}"))
        .isInstanceOf(AnswerException.class);
    assertThatThrownBy(
            () ->
                Answers.responses(
                    "{\"status\":\"failed\",\"error\":{\"code\":\"server_error\","
                        + "\"message\":\"oops\"},\"output\":[]}"))
        .isInstanceOf(AnswerException.class)
        .hasMessageContaining("oops");
    assertThatThrownBy(() -> Answers.responses("{\"status\":\"failed\",\"output\":[]}"))
        .isInstanceOf(AnswerException.class);
  }

  @Test
  void keepsWhatHadEndedWhenTheStreamIsCut() {
    List<JsonValue> events = Golden.events("responses-stream.json");
    int secondCall = events.size() - 4; // inside the arguments of the last call
    ModelAnswer reply = Answers.responsesStream(Golden.wire(events.subList(0, secondCall), "\n"));
    assertThat(reply.cut()).isPresent();
    assertThat(reply.calls()).hasSize(1);
    assertThat(reply.opaque().getLast().kind()).isEqualTo("partial:function_call");
    assertThat(reply.opaque().getLast().json()).contains("\"arguments\":\"{\\\"city\\\"");
    assertThat(reply.id()).contains("resp_7");
  }

  @Test
  void countsTextThatIsOpenWhenTheStreamFails() {
    List<JsonValue> events = Golden.events("responses-stream.json");
    String wire =
        Golden.wire(events.subList(0, 7), "\n")
            + "data: {\"type\":\"error\",\"code\":\"overloaded\",\"message\":\"later\"}\n\n";
    ModelAnswer reply = Answers.responsesStream(wire);
    assertThat(reply.text()).isEqualTo("Checking ");
    assertThat(reply.cut().orElseThrow().code()).contains("overloaded");
  }

  /** P-79: done items stand in for those that the ended response lacks. */
  @Test
  void takesDoneItemsWhereTheEndHasNone() {
    List<JsonValue> events = Golden.events("responses-stream.json");
    String end = "data: {\"type\":\"response.completed\",\"response\":{\"id\":\"resp_7\",";
    String wire =
        Golden.wire(events.subList(0, events.size() - 1), "\n")
            + end
            + "\"status\":\"completed\",\"output\":[]}}\n\n";
    ModelAnswer reply = Answers.responsesStream(wire);
    assertThat(reply.calls()).hasSize(2);
    assertThat(reply.stop()).isEqualTo(Stop.TOOL_USE);
  }

  @Test
  void refusesADeltaForAnItemThatIsNotOpen() {
    assertThatThrownBy(
            () ->
                Answers.responsesStream(
                    "data: {\"type\":\"response.output_text.delta\",\"output_index\":0,"
                        + "\"delta\":\"x\"}\n\n"))
        .isInstanceOf(AnswerException.class)
        .hasMessageContaining("open");
  }
}
