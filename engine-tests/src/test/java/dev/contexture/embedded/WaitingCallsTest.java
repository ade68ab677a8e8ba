package dev.contexture.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.contexture.ContextRequest;
import dev.contexture.Turn;
import dev.contexture.block.Binary;
import dev.contexture.block.Block;
import dev.contexture.block.BlockType;
import dev.contexture.block.TurnId;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.request.ToolDef;
import dev.contexture.turn.AppendResult;
import dev.contexture.turn.Finish;
import dev.contexture.turn.ResultPart;
import dev.contexture.turn.TurnClosure;
import dev.contexture.turn.TurnStart;
import dev.contexture.turn.WaitingPolicy;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Calls that have no result, and results that come when nobody waits for them any more. */
class WaitingCallsTest extends RecordedTurn {
  private static final List<ResultPart> RAIN = List.of(new ResultPart.Text("4 degrees, rain"));

  private ContextRequest build(WaitingPolicy policy) {
    return turn.request("claude-opus-5").tools(tools()).waiting(policy).build();
  }

  private static List<ToolDef> tools() {
    return List.of(new ToolDef("read", "Reads.", "{\"type\":\"object\"}"));
  }

  private String body(Turn of) {
    return of.request("claude-opus-5").tools(tools()).build().body();
  }

  @Nested
  class ARequest {
    @Test
    void isRefusedWithTheIdsOfTheCallsThatWait() {
      turn.record("r1", CLAUDE, lookUp(), false);
      turn.answer(ID1, RAIN, false);
      long version = chat.version();
      assertThatExceptionOfType(ContextureException.class)
          .isThrownBy(() -> build(WaitingPolicy.REFUSE))
          .satisfies(
              refusal -> {
                assertThat(refusal.code()).isEqualTo(ErrorCode.CALLS_WAITING);
                assertThat(refusal.details()).containsEntry("waiting", List.of("tc_toolu_2"));
              });
      assertThat(chat.version()).isEqualTo(version);
      turn.answer(ID2, RAIN, false);
      assertThat(build(WaitingPolicy.REFUSE).body()).contains("toolu_1", "toolu_2");
    }

    @Test
    void mayCancelThem() {
      turn.record("r1", CLAUDE, lookUp(), false);
      turn.answer(ID1, RAIN, false);
      ContextRequest request = build(WaitingPolicy.CANCEL);
      assertThat(request.body())
          .contains("4 degrees, rain", "cancelled: no result came before the next request");
      assertThat(request.metadata().warnings())
          .filteredOn(warning -> warning.code().equals("calls_cancelled"))
          .singleElement()
          .satisfies(warning -> assertThat(warning.message()).endsWith(": tc_toolu_2"));
      assertThat(turn.waitingCalls()).isEmpty();
    }

    @Test
    void mayLeaveTheExchangeOut() {
      turn.record("r1", CLAUDE, lookUp(), false);
      turn.answer(ID1, RAIN, false);
      ContextRequest without = build(WaitingPolicy.OMIT);
      assertThat(without.body()).doesNotContain("toolu_1", "4 degrees, rain");
      assertThat(without.metadata().toJson().find("dropped").orElseThrow().toJson())
          .contains("pending_call");
      assertThat(turn.waitingCalls()).hasSize(1);
      turn.answer(ID2, RAIN, false);
      assertThat(build(WaitingPolicy.REFUSE).body()).contains("toolu_1", "4 degrees, rain");
    }
  }

  @Nested
  class AFinish {
    @Test
    void answersThemAsCancelledAndNamesThem() {
      turn.record("r1", CLAUDE, lookUp(), false);
      turn.answer(ID1, RAIN, false);
      TurnClosure closed = turn.finish("Enough.");
      assertThat(closed.cancelled()).containsExactly(ID2);
      restart();
      assertThat(turn.finish("Enough.")).isEqualTo(closed);
      Turn next = chat.startTurn("go on");
      assertThat(body(next)).contains("cancelled: the turn was finished", "Enough.");
    }

    @Test
    void namesNoneIfNoneWaits() {
      assertThat(turn.finish("Enough.").cancelled()).isEmpty();
    }

    @Test
    void isToldByAnInterruptionToo() {
      turn.record("r1", CLAUDE, lookUp(), false);
      assertThat(turn.interrupt("stop").cancelled()).containsExactly(ID1, ID2);
    }
  }

  @Nested
  class ALateResult {
    @Test
    void isToldInTheNextTurn() {
      turn.record("r1", CLAUDE, lookUp(), false);
      turn.finish("Later.");
      restart();
      AppendResult late = turn.answer(ID1, RAIN, false);
      assertThat(late.late()).isTrue();
      restart();
      assertThat(turn.answer(ID1, RAIN, false)).isEqualTo(late);
      Turn next = chat.startTurn("and now?");
      assertThat(body(next))
          .contains("[LATE RESULT]", "call tc_toolu_1 of read in turn " + T1, "4 degrees, rain");
    }

    @Test
    void isToldInTheOpenTurn() {
      turn.record("r1", CLAUDE, lookUp(), false);
      turn.finish("Later.");
      Turn next = chat.startTurn("and now?");
      String before = body(next);
      assertThat(turn.answer(ID1, RAIN, true).late()).isTrue();
      assertThat(body(next))
          .contains("call tc_toolu_1 of read in turn " + T1 + ", which failed:")
          .doesNotContain("no result recorded");
      assertThat(before).doesNotContain("4 degrees, rain");
    }

    @Test
    void isToldWhenTheEngineHadAnsweredTheCallAsCancelled() {
      turn.record("r1", CLAUDE, lookUp(), false);
      build(WaitingPolicy.CANCEL);
      assertThat(turn.answer(ID2, RAIN, false).late()).isTrue();
      assertThat(body(turn)).contains("call tc_toolu_2 of read in turn " + T1, "4 degrees, rain");
    }

    @Test
    void isToldThoughItsTurnIsLeftOut() {
      turn.record("r1", CLAUDE, lookUp(), false);
      turn.abort("never mind");
      assertThat(turn.answer(ID1, RAIN, false).late()).isTrue();
      restart();
      Turn next = chat.startTurn(TurnStart.prompt("and now?").id(TurnId.of("t2")));
      assertThat(body(next)).contains("call tc_toolu_1 of read in turn " + T1, "4 degrees, rain");
      assertThat(chat.startTurn(TurnStart.prompt("and now?").id(TurnId.of("t2"))).resumed())
          .isTrue();
    }

    @Test
    void mayBeBinary() {
      turn.record("r1", CLAUDE, lookUp(), false);
      turn.finish("Later.");
      Binary image = Binary.of(new byte[] {1, 2, 3});
      assertThat(turn.answer(ID1, List.of(new ResultPart.Data("image/png", image)), false).late())
          .isTrue();
      assertThat(body(chat.startTurn("and now?"))).contains("AQID", "call tc_toolu_1");
    }

    @Test
    void isRefusedIfTheCallHasAResult() {
      turn.record("r1", CLAUDE, lookUp(), false);
      turn.answer(ID1, RAIN, false);
      turn.finish("Later.");
      assertThat(turn.answer(ID1, RAIN, false).late()).isFalse();
      refused(
          ErrorCode.ALREADY_ANSWERED,
          () -> turn.answer(ID1, List.of(new ResultPart.Text("other")), false));
      turn.answer(ID2, RAIN, false);
      refused(
          ErrorCode.ALREADY_ANSWERED,
          () -> turn.answer(ID2, List.of(new ResultPart.Text("other")), false));
    }

    @Test
    void isRefusedIfThereIsNoSuchCall() {
      turn.finish(Finish.recorded());
      refused(ErrorCode.UNKNOWN_CALL, () -> turn.answer(ID1, RAIN, false));
    }

    @Test
    void isABlockOfItsOwnType() {
      turn.record("r1", CLAUDE, lookUp(), false);
      turn.finish("Later.");
      turn.answer(ID1, RAIN, false);
      Block late = ofType(BlockType.TOOL_LATE_RESULT);
      assertThat(late.meta().string("late_call")).contains("tc_toolu_1");
      assertThat(late.meta().string("late_turn")).contains(T1.value());
    }
  }
}
