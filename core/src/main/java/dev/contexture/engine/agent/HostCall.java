package dev.contexture.engine.agent;

import dev.contexture.block.Block;
import dev.contexture.block.CallId;
import dev.contexture.block.TurnId;
import dev.contexture.engine.memory.ConsentWait;
import dev.contexture.engine.session.Session;
import dev.contexture.engine.turn.AnswerRecorder;
import dev.contexture.engine.turn.BlockAppender;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.store.StoredBlock;
import dev.contexture.timeline.TimelineEntry;
import dev.contexture.turn.AppendResult;
import dev.contexture.turn.ToolAnswer;
import dev.contexture.turn.ToolCall;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Function;

/** A call of a built-in tool that the host brings, not a recorded answer. */
final class HostCall {
  private final Session chat;
  private final ToolCall call;

  HostCall(Session chat, ToolCall call) {
    this.chat = chat;
    this.call = call;
  }

  List<StoredBlock> perform(Function<ToolCall, ToolAnswer> tool) {
    TurnId turn = chat.openTurn();
    List<StoredBlock> round = round(turn);
    if (round.isEmpty()) {
      List<Block.Builder> blocks = new ArrayList<>();
      blocks.add(call.block(turn, JsonObject.EMPTY));
      blocks.addAll(run(tool, turn).blocks(turn, call.id()));
      return stored(
          chat.locked(
              () -> new BlockAppender(chat, turn).contribute(blocks, true, OptionalLong.empty())));
    }
    requireSame(round.getFirst());
    boolean answered = round.stream().anyMatch(stored -> stored.block().type().isResult());
    return answered ? contributed(round) : stored(answered(turn, run(tool, turn)));
  }

  private AppendResult answered(TurnId turn, ToolAnswer answer) {
    return chat.locked(
        () -> new AnswerRecorder(chat, turn).answer(call.id(), answer.parts(), answer.error()));
  }

  /**
   * Runs the tool for a turn. If that waits for approval while the turn ends, nothing is written.
   *
   * @throws ContextureException {@code turn_closed} if the turn is no longer open after it
   */
  private ToolAnswer run(Function<ToolCall, ToolAnswer> tool, TurnId turn) {
    ToolAnswer answer =
        ConsentWait.unless(
            () -> isOpen(turn) ? null : "the turn has ended meanwhile", () -> tool.apply(call));
    if (!isOpen(turn)) {
      throw new ContextureException(
          ErrorCode.TURN_CLOSED,
          "turn " + turn.value() + " ended while " + call.tool() + " ran; start another turn",
          Map.of("turn_id", turn.value()),
          null);
    }
    return answer;
  }

  private boolean isOpen(TurnId turn) {
    return chat.timeline().activeTurn().filter(turn::equals).isPresent();
  }

  /** The newest call of this id in the turn with what belongs to it; empty if there is none. */
  private List<StoredBlock> round(TurnId turn) {
    List<StoredBlock> round = new ArrayList<>();
    for (StoredBlock stored : chat.services().store().turnBlocks(chat.scope(), turn)) {
      boolean ours =
          TimelineEntry.of(stored.block()).callId().filter(call.id()::equals).isPresent();
      if (ours && stored.block().type().isCall()) {
        round.clear();
        round.add(stored);
      } else if (ours && !round.isEmpty()) {
        round.add(stored);
      }
    }
    return round;
  }

  private void requireSame(StoredBlock first) {
    TimelineEntry entry = TimelineEntry.of(first.block());
    JsonValue params = entry.jsonObject().flatMap(json -> json.find("params")).orElse(null);
    boolean same =
        entry.ownToolId().filter(call.tool()::equals).isPresent() && call.params().equals(params);
    if (!same) {
      CallId id = call.id();
      throw ContextureException.invalid(
          ErrorCode.ID_CONFLICT, "tool_call_id", id, "the same call again, or an unused id");
    }
  }

  /** Without the call, where an answer of a model brought it. */
  private static List<StoredBlock> contributed(List<StoredBlock> round) {
    boolean recorded = TimelineEntry.of(round.getFirst().block()).answerId().isPresent();
    return recorded ? round.subList(1, round.size()) : round;
  }

  private List<StoredBlock> stored(AppendResult done) {
    long first = done.seqs().getFirst().orElseThrow();
    long last = done.seqs().getLast().orElseThrow();
    return chat.services().store().readRange(chat.scope(), first, last, done.seqs().size());
  }
}
