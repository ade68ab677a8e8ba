package dev.contexture.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.contexture.ContextRequest;
import dev.contexture.StepAnswer;
import dev.contexture.TurnStep;
import dev.contexture.block.Block;
import dev.contexture.block.BlockType;
import dev.contexture.block.CallId;
import dev.contexture.block.TurnId;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.event.Change;
import dev.contexture.prompt.ContextConfig;
import dev.contexture.prompt.ModelContextLimits;
import dev.contexture.request.ToolDef;
import dev.contexture.timeline.TurnStatus;
import dev.contexture.turn.CallResult;
import dev.contexture.turn.Finish;
import dev.contexture.turn.Reply;
import dev.contexture.turn.StepRecord;
import dev.contexture.turn.ToolAnswer;
import dev.contexture.turn.TurnStart;
import dev.contexture.turn.WaitingPolicy;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Steps of a loop: everything that one brings is one commit, and the request follows. */
class TurnStepTest extends RecordedTurn {
  private static final TurnId T2 = TurnId.of("t2");
  private static final ToolAnswer RAIN = ToolAnswer.text("4 degrees, rain");
  private static final List<ToolDef> TOOLS =
      List.of(new ToolDef("read", "Reads.", "{\"type\":\"object\"}"));

  @BeforeEach
  void closeTheFirst() {
    turn.finish("First.");
  }

  private static TurnStep asking() {
    return new TurnStep().request(null, "claude-opus-5", request -> request.tools(TOOLS));
  }

  private static TurnStep begin() {
    return asking().turn(TurnStart.prompt("Weather?").id(T2));
  }

  @Test
  void aWholeTurnNeedsOneStepForEachCallOfTheModelAndOneMore() {
    long version = chat.version();
    StepAnswer first = chat.step(begin());
    assertThat(first.step().turn()).isEqualTo(T2);
    assertThat(first.step().version()).isEqualTo(version + 1).isEqualTo(chat.version());
    ContextRequest request = first.request().orElseThrow();
    assertThat(request.body()).contains("Weather?");

    StepAnswer second =
        chat.step(
            asking()
                .answer(request.id(), CLAUDE, lookUp(), false)
                .result(CallResult.ofProviderCall("toolu_1", RAIN))
                .result(CallResult.ofCall(1, ToolAnswer.text("12:00"))));
    assertThat(chat.version()).isEqualTo(version + 2).isEqualTo(second.step().version());
    assertThat(second.step().reply().map(Reply::calls).orElseThrow()).hasSize(2);
    assertThat(second.step().results()).hasSize(2).noneMatch(result -> result.late());
    assertThat(second.request().orElseThrow().body()).contains("4 degrees, rain", "12:00");

    StepAnswer third =
        chat.step(
            new TurnStep()
                .answer(second.request().orElseThrow().id(), CLAUDE, done("Rain."), false)
                .finish(Finish.recorded()));
    assertThat(chat.version()).isEqualTo(version + 3);
    assertThat(third.step().closure().orElseThrow().status()).isEqualTo(TurnStatus.COMPLETE);
    restart();
    assertThat(chat.turnLog(T2).answer()).contains("Rain.");
    assertThat(chat.timeline().activeTurn()).isEmpty();
  }

  @Test
  void blocksAreInTheSameCommitAndRepeatedWithIt() {
    long version = chat.version();
    TurnStep step =
        new TurnStep()
            .id("s1")
            .turn(TurnStart.prompt("Weather?").id(T2))
            .blocks(List.of(Block.builder(BlockType.of("host.event")).hidden(null).text("{}")));
    chat.step(step);
    assertThat(chat.version()).isEqualTo(version + 1);
    assertThat(chat.step(step).repeated()).isTrue();
    assertThat(
            chat.turnLog(T2).blocks().stream()
                .filter(stored -> stored.block().type().equals(BlockType.of("host.event"))))
        .hasSize(1);
    TurnStep other =
        new TurnStep()
            .id("s1")
            .turn(TurnStart.prompt("Weather?").id(T2))
            .blocks(List.of(Block.builder(BlockType.of("host.event")).text("other")));
    assertThatThrownBy(() -> chat.step(other))
        .isInstanceOfSatisfying(
            ContextureException.class,
            refused -> assertThat(refused.code()).isEqualTo(ErrorCode.ID_CONFLICT));
  }

  @Test
  void isReadBackAsItWasWritten() {
    chat.step(begin());
    chat.step(
        asking()
            .answer("r2", CLAUDE, lookUp(), false)
            .result(CallResult.of(ID1, RAIN))
            .result(CallResult.of(ID2, RAIN)));
    String before = chat.openTurn().request("claude-opus-5").tools(TOOLS).build().body();
    restart();
    assertThat(chat.openTurn().request("claude-opus-5").tools(TOOLS).build().body())
        .isEqualTo(before);
  }

  @Test
  void storesNothingIfAnythingIsRefused() {
    chat.step(begin());
    long version = chat.version();
    long blocks = chat.turnLog(T2).blocks().size();
    refused(
        ErrorCode.UNKNOWN_CALL,
        () ->
            chat.step(
                asking()
                    .answer("r2", CLAUDE, lookUp(), false)
                    .result(CallResult.ofCall(0, RAIN))
                    .result(CallResult.ofCall(2, RAIN))));
    refused(
        ErrorCode.CALLS_WAITING,
        () ->
            chat.step(
                asking().answer("r2", CLAUDE, lookUp(), false).result(CallResult.ofCall(0, RAIN))));
    refused(
        ErrorCode.UNKNOWN_CALL,
        () ->
            chat.step(
                new TurnStep()
                    .finish(Finish.with("x"))
                    .result(CallResult.of(CallId.of("other"), RAIN))));
    assertThat(chat.version()).isEqualTo(version);
    assertThat(chat.turnLog(T2).blocks()).hasSize((int) blocks);
    assertThat(chat.timeline().activeTurn()).contains(T2);
    restart();
    assertThat(chat.version()).isEqualTo(version);
    assertThat(chat.openTurn().waitingCalls()).isEmpty();
  }

  @Test
  void mayLeaveCallsToTheNextStep() {
    chat.step(begin());
    chat.step(
        new TurnStep().answer("r2", CLAUDE, lookUp(), false).result(CallResult.ofCall(0, RAIN)));
    assertThat(chat.openTurn().waitingCalls()).hasSize(1);
    StepAnswer next = chat.step(asking().waiting(WaitingPolicy.CANCEL));
    assertThat(next.request().orElseThrow().body()).contains("cancelled: ");
  }

  @Test
  void canBeSentAgain() {
    StepAnswer first = chat.step(begin().id("s1"));
    StepRecord second =
        chat.step(
                asking()
                    .id("s2")
                    .answer(first.request().orElseThrow().id(), CLAUDE, lookUp(), false)
                    .result(CallResult.ofCall(0, RAIN))
                    .result(CallResult.ofCall(1, RAIN)))
            .step();
    long version = chat.version();
    restart();
    StepAnswer again =
        chat.step(
            asking()
                .id("s2")
                .answer(first.request().orElseThrow().id(), CLAUDE, lookUp(), false)
                .result(CallResult.ofCall(0, RAIN))
                .result(CallResult.ofCall(1, RAIN)));
    assertThat(again.repeated()).isTrue();
    assertThat(again.step()).isEqualTo(second);
    assertThat(chat.version()).isEqualTo(version);
    refused(
        ErrorCode.ID_CONFLICT, () -> chat.step(asking().id("s2").result(CallResult.of(ID1, RAIN))));
    StepAnswer end = chat.step(new TurnStep().id("s3").finish(Finish.with("Rain.")));
    assertThat(chat.step(new TurnStep().id("s3").finish(Finish.with("Rain."))).step())
        .isEqualTo(end.step());
  }

  @Test
  void tellsWhyTheRequestCannotBeBuiltThoughTheRestIsStored() {
    ModelContextLimits tiny = new ModelContextLimits(60, 20, 20, 20);
    StepAnswer answer =
        chat.step(
            new TurnStep()
                .turn(TurnStart.prompt("word ".repeat(400)).id(T2))
                .request(
                    null,
                    "claude-opus-5",
                    request -> request.config(ContextConfig.DEFAULT.withLimits(tiny))));
    assertThat(answer.request()).isEmpty();
    assertThat(answer.requestProblem().orElseThrow().code()).isEqualTo(ErrorCode.BUDGET_TOO_SMALL);
    assertThat(chat.timeline().activeTurn()).contains(T2);
  }

  @Test
  void isToldAsOneChange() {
    List<Change> told = new java.util.concurrent.CopyOnWriteArrayList<>();
    var subscription = engine.changes().subscribe(told::add);
    chat.step(
        new TurnStep().turn(TurnStart.prompt("Weather?").id(T2)).finish(Finish.with("Rain.")));
    subscription.close();
    assertThat(told).hasSize(1);
    assertThat(told.getFirst().note().toJson())
        .contains("\"type\":\"step\"", "\"status\":\"open\"", "\"status\":\"complete\"");
    assertThat(told.getFirst().lastSeq() - told.getFirst().firstSeq()).isEqualTo(2);
  }

  @Test
  void closesTheTurnThatItSupersedes() {
    chat.step(begin());
    chat.step(
        new TurnStep()
            .turn(TurnStart.prompt("other").supersede(TurnStart.Supersede.INTERRUPT))
            .finish(Finish.with("Yes.")));
    assertThat(chat.turnLog(T2).turn().status()).isEqualTo(TurnStatus.INTERRUPTED);
    restart();
    assertThat(chat.timeline().activeTurn()).isEmpty();
    assertThat(chat.turns(null, 9)).hasSize(3);
  }

  @Test
  void refusesARequestBehindTheEndAndNothingAtAll() {
    refused(ErrorCode.INVALID_ARGUMENT, () -> chat.step(begin().finish(Finish.with("x"))));
    refused(ErrorCode.INVALID_ARGUMENT, () -> chat.step(new TurnStep()));
    assertThat(chat.turns(null, 9)).hasSize(1);
  }

  @Test
  void takesLateResultsToo() {
    chat.step(begin());
    chat.step(new TurnStep().answer("r2", CLAUDE, lookUp(), false).finish(Finish.with("Not now.")));
    StepAnswer late = chat.step(new TurnStep().result(CallResult.of(ID1, RAIN)));
    assertThat(late.step().results().getFirst().late()).isTrue();
  }
}
