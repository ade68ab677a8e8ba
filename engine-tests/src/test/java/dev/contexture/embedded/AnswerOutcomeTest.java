package dev.contexture.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.ContextRequest;
import dev.contexture.compaction.CompactionHooks;
import dev.contexture.compaction.CompactionReport;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.model.AnswerOutcome;
import dev.contexture.model.ReplyText;
import dev.contexture.model.Stop;
import dev.contexture.turn.Finish;
import dev.contexture.turn.Reply;
import dev.contexture.turn.TurnStart;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What an answer means for the loop, and what becomes of what it said. */
class AnswerOutcomeTest extends RecordedTurn {
  private Reply said(String text, Stop stop) {
    return said("r1", text, stop);
  }

  private Reply said(String id, String text, Stop stop) {
    List<ReplyText> texts = text.isEmpty() ? List.of() : List.of(new ReplyText(0, text));
    return turn.record(id, CLAUDE, answer(texts, List.of(), List.of(), stop), false);
  }

  @ParameterizedTest
  @CsvSource({
    "END,Yes.,ANSWERED,true",
    "END,'',EMPTY,true",
    "TOOL_USE,Yes.,ANSWERED,true",
    "MAX_TOKENS,Half,TRUNCATED,true",
    "MAX_TOKENS,'',TRUNCATED,true",
    "REFUSAL,No.,REFUSED,true",
    "CONTENT_FILTER,No.,REFUSED,true",
    "CONTEXT_LIMIT,Half,CONTEXT_LIMIT,true",
    "PAUSE,Wait.,PAUSED,false",
    "OTHER,Yes.,ANSWERED,true",
    "OTHER,'',EMPTY,true"
  })
  void endsTheLoopUnlessTheModelAsksForSomething(
      Stop stop, String text, AnswerOutcome outcome, boolean done) {
    Reply reply = said(text, stop);
    assertThat(reply.outcome()).isEqualTo(outcome);
    assertThat(reply.done()).isEqualTo(done);
    assertThat(reply.write().string("outcome")).contains(outcome.wireName());
    assertThat(reply.write().find("done")).contains(JsonValue.of(done));
  }

  @ParameterizedTest
  @EnumSource(Stop.class)
  void wholeCallsCountWhateverTheStopSays(Stop stop) {
    Reply reply =
        turn.record("r1", CLAUDE, answer(List.of(SAID), List.of(CALL1), List.of(), stop), false);
    assertThat(reply.outcome()).isEqualTo(AnswerOutcome.CALLS);
    assertThat(reply.done()).isFalse();
  }

  @Test
  void aRepeatHasTheSameOutcome() {
    Reply first = said("Half", Stop.MAX_TOKENS);
    restart();
    assertThat(said("Half", Stop.MAX_TOKENS)).isEqualTo(first);
  }

  @Test
  void isReadFromAReplyThatWasStoredWithoutIt() {
    JsonObject old =
        (JsonObject)
            JsonValue.parse(
                "{\"text\":\"No.\",\"calls\":[],\"stop\":\"refusal\",\"done\":false,\"version\":3}");
    assertThat(Reply.read(old).outcome()).isEqualTo(AnswerOutcome.REFUSED);
    assertThat(Reply.read(old).done()).isTrue();
  }

  @ParameterizedTest
  @EnumSource(
      value = Stop.class,
      names = {"MAX_TOKENS", "REFUSAL", "CONTENT_FILTER", "CONTEXT_LIMIT", "END", "PAUSE"})
  void whatWasSaidIsInTheNextRequestOfTheTurn(Stop stop) {
    said("This is how far I came.", stop);
    restart();
    String body = turn.request("claude-opus-5").build().body();
    assertThat(body).contains("This is how far I came.");
    assertThat(turn.request("claude-opus-5").build().body()).isEqualTo(body);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "openai_chat | {'choices':[{'message':{'role':'assistant','content':null,"
            + "'refusal':'I must not.'},'finish_reason':'stop'}]}",
        "openai_responses | {'id':'r','status':'completed','output':[{'type':'message','id':'m',"
            + "'role':'assistant','status':'completed',"
            + "'content':[{'type':'refusal','refusal':'I must not.'}]}]}"
      },
      quoteCharacter = '"')
  void aRefusalIsInTheTimelineAndInLaterRequests(String provider, String body) {
    ContextRequest request = turn.request(provider, "gpt-5.6-terra").build();
    Reply reply = turn.record(request, body.replace('\'', '"'));
    assertThat(reply.outcome()).isEqualTo(AnswerOutcome.REFUSED);
    assertThat(reply.text()).isEqualTo("I must not.");
    turn.finish(reply);
    assertThat(chat.turnLog(T1).answer()).contains("I must not.");
    chat.startTurn("why?");
    for (String other : List.of("openai_chat", "openai_responses")) {
      assertThat(chat.openTurn().request(other, "gpt-5.6-terra").build().body())
          .containsOnlyOnce("I must not.");
    }
    assertThat(chat.openTurn().request("claude-opus-5").build().body())
        .containsOnlyOnce("I must not.");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "openai_chat | gpt-5.6-terra | {'choices':[{'message':{'content':'Half','tool_calls':"
            + "[{'id':'c1','type':'function','function':{'name':'read','arguments':'{`p`: 1'}}]},"
            + "'finish_reason':'length'},{'index':1,'message':{'content':'Another.'}}]} | c1",
        "gemini | gemini-3.5-flash | {'candidates':[{'content':{'parts':[{'text':'Half'}]},"
            + "'finishReason':'MAX_TOKENS'},{'content':{'parts':[{'text':'Another.'}]}}]} |"
      },
      quoteCharacter = '"')
  void halfCallsAndFurtherAnswersAreNamed(
      String provider, String model, String body, @Nullable String half) {
    ContextRequest request = turn.request(provider, model).build();
    Reply reply = turn.record(request, body.replace('\'', '"').replace("`", "\\\""));
    assertThat(reply.text()).isEqualTo("Half");
    assertThat(reply.calls()).isEmpty();
    List<String> expected = new ArrayList<>();
    if (half != null) {
      expected.add(half + " cut_off");
    }
    expected.add("extra_choice extra_choice");
    assertThat(reply.dropped())
        .allMatch(left -> left.tokens() > 0)
        .extracting(left -> left.id() + " " + left.reason().wireName())
        .isEqualTo(expected);
    assertThat(reply.write().array("dropped").orElseThrow().size()).isEqualTo(expected.size());
    assertThat(Reply.read(reply.keep())).isEqualTo(reply);
    assertThat(turn.request(provider, model).build().body()).doesNotContain("Another.");
  }

  @Test
  void whatWasCutIsTheAnswerOfATurnThatIsFinished() {
    Reply reply = said("This is how far I came.", Stop.MAX_TOKENS);
    restart();
    turn.finish(reply);
    assertThat(chat.turnLog(T1).answer()).contains("This is how far I came.");
    chat.startTurn("and then?");
    assertThat(chat.openTurn().request("claude-opus-5").build().body())
        .contains("This is how far I came.");
  }

  @Test
  void aRequestThatIsRefusedLeavesTheAnswer() {
    turn.record("r0", CLAUDE, lookUp(), false);
    said("r1", "Meanwhile.", Stop.END);
    refused(
        dev.contexture.error.ErrorCode.CALLS_WAITING, () -> turn.request("claude-opus-5").build());
    turn.finish(Finish.recorded());
    assertThat(chat.turnLog(T1).answer()).contains("Meanwhile.");
  }

  @Test
  void aFullWindowLeadsToOneForcedCompaction() {
    turn.finish("First.");
    for (int i = 2; i < 9; i++) {
      turn = chat.startTurn(TurnStart.prompt("question " + i + " " + "word ".repeat(300)));
      turn.finish("answer " + i);
    }
    turn = chat.startTurn(TurnStart.prompt("last"));
    ContextRequest whole = turn.request("claude-opus-5").build();
    assertThat(chat.summaries()).isEmpty();

    said("Half", Stop.CONTEXT_LIMIT);
    turn = chat.openTurn();
    ContextRequest shorter = turn.request("claude-opus-5").build();
    assertThat(chat.summaries()).hasSize(1);
    assertThat(shorter.estimate().tokens()).isLessThan(whole.estimate().tokens());
    assertThat(shorter.body()).contains("Half", "last");

    turn.request("claude-opus-5").build();
    assertThat(chat.summaries()).hasSize(1);
  }

  @Test
  void aFullWindowIsRememberedOverARestart() {
    turn.finish("First.");
    for (int i = 2; i < 9; i++) {
      chat.startTurn(TurnStart.prompt("question " + i + " " + "word ".repeat(300))).finish("ok");
    }
    turn = chat.startTurn(TurnStart.prompt("last"));
    said("Half", Stop.CONTEXT_LIMIT);
    engine.close();
    open0();
    chat.openTurn().request("claude-opus-5").build();
    assertThat(chat.summaries()).hasSize(1);
  }

  private void open0() {
    engine = dev.contexture.Contexture.open(directory);
    chat = engine.browser(SCOPE);
  }

  @Test
  void compactsWhenARequestAsksForIt() {
    turn.finish("First.");
    for (int i = 2; i < 9; i++) {
      chat.startTurn(TurnStart.prompt("question " + i + " " + "word ".repeat(300))).finish("ok");
    }
    turn = chat.startTurn(TurnStart.prompt("last"));
    turn.request("claude-opus-5").agent("atlas").build();
    assertThat(chat.summaries()).isEmpty();
    turn.request("claude-opus-5").agent("atlas").forceCompaction(true).build();
    assertThat(chat.summaries()).hasSize(1);
  }

  @Test
  void hooksAndListenersHearOfACompactionBeforeIt() {
    turn.finish("First.");
    for (int i = 2; i < 9; i++) {
      chat.startTurn(TurnStart.prompt("question " + i + " " + "word ".repeat(300))).finish("ok");
    }
    turn = chat.startTurn(TurnStart.prompt("last"));
    List<String> heard = new ArrayList<>();
    CompactionHooks hooks =
        new CompactionHooks() {
          @Override
          public void onBeforeCompaction(CompactionReport report) {
            heard.add("before " + chat.summaries().size());
          }

          @Override
          public void onAfterCompaction(CompactionReport report) {
            heard.add("after " + chat.summaries().size());
          }
        };
    var subscription =
        engine.changes().subscribe(change -> heard.add(change.note().string("type").orElse("")));
    turn.request("claude-opus-5").compactionHooks(hooks).forceCompaction(true).build();
    subscription.close();
    assertThat(heard).startsWith("before 0", "compacting", "compaction", "after 1");
  }
}
