package dev.contexture.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.block.Binary;
import dev.contexture.block.Block;
import dev.contexture.block.BlockType;
import dev.contexture.block.CallId;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.model.ReplyOpaque;
import dev.contexture.model.ReplyText;
import dev.contexture.model.Stop;
import dev.contexture.render.RenderOptions;
import dev.contexture.timeline.TurnStatus;
import dev.contexture.turn.AppendResult;
import dev.contexture.turn.Finish;
import dev.contexture.turn.Reply;
import dev.contexture.turn.ResultPart;
import dev.contexture.turn.ToolCall;
import dev.contexture.view.Part;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Answers that wait for the end of the turn, and results of calls: V11, T-108, T-110, T-116. */
class PendingAnswerTest extends RecordedTurn {
  @Nested
  class Pending {
    @Test
    void isNoBlockUntilTheTurnIsFinished() {
      // V11, T-108, T-89
      answerAll();
      long blocks = recorded().size();
      Reply reply = turn.record("r2", CLAUDE, done("Done."), false);
      assertThat(reply.done()).isTrue();
      assertThat(reply.calls()).isEmpty();
      assertThat(recorded()).hasSize((int) blocks);
      assertThat(chat.render(RenderOptions.defaults()).text()).doesNotContain("Done.");
      restart();
      turn.finish(reply);
      Block completion = ofType(BlockType.ASSISTANT_COMPLETION);
      assertThat(completion.text()).contains("Done.");
      assertThat(completion.meta().string("answer_id")).contains("r2");
      assertThat(completion.meta().has("partial")).isFalse();
    }

    @Test
    void standsBehindItsOpaqueParts() {
      // T-89
      dev.contexture.model.ModelAnswer thought =
          answer(List.of(new ReplyText(1, "Done.")), List.of(), List.of(THOUGHT), Stop.END);
      turn.record("r2", CLAUDE, thought, false);
      restart();
      turn.finish(Finish.recorded());
      assertThat(recorded())
          .extracting(block -> block.type().name())
          .containsExactly("model.opaque", "assistant.completion");
      assertThat(recorded().getFirst().text()).contains(THINKING);
    }

    @Test
    void isThinkingIfAnotherAnswerIsGiven() {
      // T-108
      turn.record("r2", CLAUDE, done("Draft."), false);
      turn.finish("Final.");
      assertThat(ofType(BlockType.REACT_THINKING).text()).contains("Draft.");
      assertThat(ofType(BlockType.ASSISTANT_COMPLETION).text()).contains("Final.");
      assertThat(chat.render(RenderOptions.defaults()).text()).doesNotContain("Draft.");
    }

    @Test
    void isNeverSentInsteadOfAnotherAnswer() {
      // P-83: a verbatim form goes only where what it stands for is shown
      String json = "{\"type\":\"text\",\"text\":\"Draft.\",\"citations\":[{}]}";
      dev.contexture.model.ModelAnswer cited =
          answer(
              List.of(new ReplyText(0, "Draft.")),
              List.of(),
              List.of(new ReplyOpaque(0, "text", json)),
              Stop.END);
      turn.record("r2", CLAUDE, cited, false);
      turn.finish("Final.");
      chat.startTurn("next");
      assertThat(messages().get(1).parts()).containsExactly(new Part.Text("Final."));
    }

    @Test
    void isPartialIfTheTurnClosesOtherwise() {
      // T-108, T-116
      turn.record("r2", CLAUDE, done("Done."), false);
      turn.interrupt("stop");
      Block completion = ofType(BlockType.ASSISTANT_COMPLETION);
      assertThat(completion.meta().isTrue("partial")).isTrue();
      assertThat(completion.meta().string("answer_id")).contains("r2");
    }

    @Test
    void becomesNotesIfAnotherAnswerIsRecorded() {
      // T-108
      turn.record("r1", CLAUDE, done("Almost."), false);
      restart();
      turn.record("r2", CLAUDE, lookUp(), false);
      assertThat(recorded())
          .extracting(block -> block.type().name())
          .containsExactly(
              "react.notes", "model.opaque", "react.notes", "react.tool.call", "react.tool.call");
      Block overtaken = recorded().getFirst();
      assertThat(overtaken.text()).contains("Almost.");
      assertThat(overtaken.toolCallId()).isEmpty();
      assertThat(overtaken.meta().string("answer_id")).contains("r1");
    }

    @Test
    void becomesNotesAtOnceIfTheModelPauses() {
      // T-108
      turn.record(
          "r1", CLAUDE, answer(List.of(SAID), List.of(), List.of(THOUGHT), Stop.PAUSE), false);
      assertThat(recorded())
          .extracting(block -> block.type().name())
          .containsExactly("model.opaque", "react.notes");
      turn.finish(Finish.recorded());
      assertThat(chat.turnLog(T1).answer()).isEmpty();
    }
  }

  @Nested
  class Results {
    @Test
    void areTextJsonOrParts() {
      // T-110
      Reply reply = turn.record("r1", CLAUDE, lookUp(), false);
      JsonObject json = JsonObject.of("t", JsonValue.of(4));
      turn.answer(reply.calls().getFirst(), json);
      Binary image = Binary.of(new byte[] {1, 2, 3});
      List<ResultPart> parts =
          List.of(new ResultPart.Text("see"), new ResultPart.Data("image/png", image));
      AppendResult two = turn.answer(ID2, parts, false);
      assertThat(two.seqs()).hasSize(2);
      restart();
      List<Block> results = recorded().stream().filter(b -> b.type().isResult()).toList();
      assertThat(results)
          .extracting(block -> block.path().orElseThrow().text())
          .containsExactly(
              "tc:t1.tc_toolu_1.result", "tc:t1.tc_toolu_2.result", "tc:t1.tc_toolu_2.result");
      assertThat(results.getFirst().mime()).isEqualTo("application/json");
      assertThat(results.getFirst().text()).contains("{\"t\":4}");
      assertThat(results.getLast().data()).contains(image);
      assertThat(results).noneMatch(Block::isError);
    }

    @Test
    void areTakenOnce() {
      // T-110
      Reply reply = turn.record("r1", CLAUDE, lookUp(), false);
      ToolCall call = reply.calls().getFirst();
      AppendResult first = turn.answer(call, "ok");
      restart();
      long version = chat.version();
      assertThat(turn.answer(call, "ok")).isEqualTo(first);
      refused(ErrorCode.ALREADY_ANSWERED, () -> turn.answer(call, "other"));
      refused(ErrorCode.ALREADY_ANSWERED, () -> turn.fail(call, "ok"));
      refused(
          ErrorCode.UNKNOWN_CALL,
          () -> turn.answer(new CallId("tc_none"), List.of(new ResultPart.Text("x")), false));
      assertThat(chat.version()).isEqualTo(version);
    }

    @Test
    void sayWhatFailed() {
      // T-110
      Reply reply = turn.record("r1", CLAUDE, lookUp(), false);
      turn.fail(reply.calls().getLast(), "boom");
      Block result = ofType(BlockType.REACT_TOOL_RESULT);
      assertThat(result.isError()).isTrue();
      assertThat(result.text()).contains("boom");
      assertThat(turn.waitingCalls()).containsExactly(reply.calls().getFirst());
    }

    @Test
    void areCancelledByAnInterrupt() {
      // V11, T-116
      turn.record("r1", CLAUDE, lookUp(), false);
      restart();
      turn.interrupt("stop");
      assertThat(chat.turnLog(T1).turn().status()).isEqualTo(TurnStatus.INTERRUPTED);
      chat.startTurn("next");
      List<Part.ToolResult> results =
          messages().stream()
              .flatMap(message -> message.parts().stream())
              .filter(Part.ToolResult.class::isInstance)
              .map(Part.ToolResult.class::cast)
              .toList();
      List<Part> cancelled = List.of(new Part.Text("cancelled: stop"));
      assertThat(results)
          .containsExactly(
              new Part.ToolResult(ID1, "toolu_1", true, cancelled),
              new Part.ToolResult(ID2, "toolu_2", true, cancelled));
    }
  }
}
