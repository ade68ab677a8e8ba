package dev.contexture.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.ContextRequest;
import dev.contexture.block.Block;
import dev.contexture.block.BlockType;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.model.AnswerOutcome;
import dev.contexture.model.Repair;
import dev.contexture.model.ReplyText;
import dev.contexture.model.RequestRule;
import dev.contexture.model.Stop;
import dev.contexture.turn.Reply;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Answers in the middle of which a model pauses: it goes on from there, and not for ever. */
class PausedAnswerTest extends RecordedTurn {
  private static final String SEARCH =
      "{\"type\":\"server_tool_use\",\"id\":\"srvtoolu_1\",\"name\":\"web_search\","
          + "\"input\":{\"query\":\"oslo\"}}";
  private static final String FOUND =
      "{\"type\":\"web_search_tool_result\",\"tool_use_id\":\"srvtoolu_1\",\"content\":[]}";

  private static String text(String text) {
    return "{\"type\":\"text\",\"text\":\"" + text + "\"}";
  }

  private static String message(String stop, String... content) {
    return "{\"id\":\"msg_1\",\"type\":\"message\",\"role\":\"assistant\",\"model\":\"claude-opus-5\","
               + "\"content\":["
        + String.join(",", content)
        + "],\"stop_reason\":\""
        + stop
        + "\",\"usage\":{\"input_tokens\":1,\"output_tokens\":1}}";
  }

  private ContextRequest request() {
    return turn.request("claude-opus-5").agent("atlas").includeAnnounce(true).build();
  }

  private static JsonArray messagesOf(ContextRequest request) {
    return ((JsonObject) JsonValue.parse(request.body())).array("messages").orElseThrow();
  }

  @Test
  void ofAToolOfTheProviderAreSentBackAsTheyAre() {
    turn.announce(List.of(Block.builder(BlockType.ANNOUNCE).text("remember the budget")));
    Reply paused = turn.record(request(), message("pause_turn", text("I look it up."), SEARCH));
    assertThat(paused.outcome()).isEqualTo(AnswerOutcome.PAUSED);
    assertThat(paused.done()).isFalse();
    ContextRequest next = request();
    assertThat(messagesOf(next).items().getLast().toJson())
        .isEqualTo(
            "{\"role\":\"assistant\",\"content\":[" + text("I look it up.") + "," + SEARCH + "]}");
    assertThat(next.request().repairs()).isEmpty();
    Reply whole = turn.record(next, message("end_turn", FOUND, text("4 degrees.")));
    turn.finish(whole);
    turn = chat.startTurn("and now?");
    ContextRequest later = request();
    assertThat(later.body())
        .contains(text("I look it up.") + "," + SEARCH + "," + FOUND + "," + text("4 degrees."))
        .doesNotContain("[conversation continues]");
  }

  @Test
  void thatNobodyGoesOnFromAreToldWithoutTheCall() {
    turn.record(request(), message("pause_turn", text("I look it up."), SEARCH));
    turn.interrupt("no time");
    turn = chat.startTurn("leave it");
    ContextRequest next = request();
    assertThat(next.body())
        .contains("[web_search: no result recorded]")
        .doesNotContain("server_tool_use");
    assertThat(next.request().repairs()).extracting(Repair::rule).containsExactly(RequestRule.V42);
  }

  @Test
  void thatSayNothingEndTheLoop() {
    Reply reply = turn.record(request(), message("pause_turn"));
    assertThat(reply.outcome()).isEqualTo(AnswerOutcome.EMPTY);
    assertThat(reply.done()).isTrue();
    assertThat(reply.stop()).isEqualTo("pause");
    restart();
    assertThat(Reply.read(reply.keep())).isEqualTo(reply);
  }

  @Test
  void areTakenOnlySoManyTimesInARow() {
    for (int i = 1; i < Reply.MAX_PAUSES; i++) {
      assertThat(pause(i).done()).isFalse();
    }
    Reply last = pause(Reply.MAX_PAUSES);
    assertThat(last.outcome()).isEqualTo(AnswerOutcome.TRUNCATED);
    assertThat(last.done()).isTrue();
    assertThat(pause(Reply.MAX_PAUSES)).isEqualTo(last);
    turn.record("calls", CLAUDE, lookUp(), false);
    turn.answer(turn.waitingCalls().getFirst(), "ok");
    turn.answer(turn.waitingCalls().getFirst(), "ok");
    assertThat(pause(Reply.MAX_PAUSES + 1).done()).as("after something else").isFalse();
  }

  private Reply pause(int number) {
    List<ReplyText> said = List.of(new ReplyText(0, "Step " + number + "."));
    return turn.record("p" + number, CLAUDE, answer(said, List.of(), List.of(), Stop.PAUSE), false);
  }
}
