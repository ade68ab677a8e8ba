package dev.contexture.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.ContextRequest;
import dev.contexture.block.Block;
import dev.contexture.block.BlockPath;
import dev.contexture.block.BlockType;
import dev.contexture.block.CallId;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonValue;
import dev.contexture.model.AnswerOutcome;
import dev.contexture.model.Cut;
import dev.contexture.model.ReplyCall;
import dev.contexture.model.ReplyOpaque;
import dev.contexture.model.ReplyText;
import dev.contexture.model.Stop;
import dev.contexture.model.Usage;
import dev.contexture.render.Message;
import dev.contexture.request.ToolDef;
import dev.contexture.turn.Reply;
import dev.contexture.turn.ResultPart;
import dev.contexture.turn.ToolCall;
import dev.contexture.view.MessageRole;
import dev.contexture.view.Part;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Recording answers: V11, T-106, T-107, T-109. */
class RecordingTest extends RecordedTurn {
  @Nested
  class Answers {
    @Test
    void becomeBlocksInTheOrderOfTheirParts() {
      // V11, T-106, T-107
      Reply reply = turn.record("r1", CLAUDE, lookUp(), false);
      assertThat(reply.text()).isEqualTo("Let me look.");
      assertThat(reply.calls())
          .containsExactly(
              new ToolCall(ID1, "toolu_1", "read", "{\"p\": 1}"),
              new ToolCall(ID2, "toolu_2", "read", "{\"p\": 2}"));
      assertThat(reply.stop()).isEqualTo("tool_use");
      assertThat(reply.done()).isFalse();

      restart();
      List<Block> blocks = recorded();
      assertThat(blocks).extracting(block -> block.type().name()).isEqualTo(V11_TYPES);
      assertThat(blocks)
          .extracting(block -> block.meta().string("answer_id").orElse(""))
          .containsOnly("r1");
      for (int order = 0; order < blocks.size(); order++) {
        assertThat(blocks.get(order).meta().find("wire_order")).contains(JsonValue.of(order));
      }
      Block opaque = blocks.get(0);
      assertThat(opaque.text()).contains(THINKING);
      assertThat(opaque.toolCallId()).contains(ID1);
      assertThat(opaque.meta().string("provider")).contains("anthropic");
      assertThat(opaque.meta().string("model")).contains("claude-opus-5");
      assertThat(opaque.meta().string("kind")).contains("thinking");
      Block notes = blocks.get(1);
      assertThat(notes.path()).contains(BlockPath.parse("ar:t1.react.notes.tc_toolu_1"));
      assertThat(notes.text()).contains("Let me look.");
      assertThat(blocks.get(2).text())
          .contains("{\"tool_id\":\"read\",\"tool_call_id\":\"tc_toolu_1\",\"params\":{\"p\": 1}}");
      assertThat(blocks.get(2).meta().string("provider_call_id")).contains("toolu_1");
      assertThat(blocks.get(2).path()).contains(BlockPath.parse("tc:t1.tc_toolu_1.call"));
      assertThat(blocks.get(3).text())
          .contains("{\"tool_id\":\"read\",\"tool_call_id\":\"tc_toolu_2\",\"params\":{\"p\": 2}}");
    }

    @Test
    void areStoredAsOneContribute() {
      // T-106, T-98
      long before = chat.version();
      Reply reply = turn.record("r1", CLAUDE, lookUp(), false);
      assertThat(reply.version()).isEqualTo(before + 1);
      assertThat(chat.version()).isEqualTo(before + 1);
    }

    @Test
    void giveNotesAndOpaquePartsToTheNextCall() {
      // T-107: text behind the last call belongs to that one
      turn.record(
          "r1",
          CLAUDE,
          answer(
              List.of(new ReplyText(0, "a"), new ReplyText(2, "b"), new ReplyText(4, "c")),
              List.of(
                  new ReplyCall(1, "toolu_1", "read", "{}"),
                  new ReplyCall(3, "toolu_2", "read", "{}")),
              List.of(new ReplyOpaque(5, "thinking", THINKING)),
              Stop.TOOL_USE),
          false);
      assertThat(recorded())
          .extracting(block -> block.type().name() + " " + block.toolCallId().orElseThrow())
          .containsExactly(
              "react.notes tc_toolu_1",
              "react.tool.call tc_toolu_1",
              "react.notes tc_toolu_2",
              "react.tool.call tc_toolu_2",
              "react.notes tc_toolu_2",
              "model.opaque tc_toolu_2");
    }

    @Test
    void generateAnIdForACallWithoutOneOrWithOneThatWaits() {
      // T-107
      turn.record("r1", CLAUDE, lookUp(), false);
      Reply reply =
          turn.record(
              "r2",
              CLAUDE,
              answer(
                  List.of(),
                  List.of(
                      new ReplyCall(0, "toolu_1", "read", "{}"),
                      new ReplyCall(1, null, "read", "{}"),
                      new ReplyCall(2, "toolu_3", "read", "{}"),
                      new ReplyCall(3, "toolu_3", "read", "{}")),
                  List.of(),
                  Stop.TOOL_USE),
              false);
      assertThat(reply.calls())
          .extracting(ToolCall::id)
          .doesNotHaveDuplicates()
          .doesNotContain(ID1);
      assertThat(reply.calls().get(2).id()).isEqualTo(new CallId("tc_toolu_3"));
      assertThat(reply.calls())
          .extracting(ToolCall::providerCallId)
          .containsExactly("toolu_1", null, "toolu_3", "toolu_3");
    }

    @Test
    void keepArgumentsThatAreNoObject() {
      // T-107
      ReplyCall call = new ReplyCall(0, "toolu_1", "read", "{\"p\": ");
      turn.record("r1", CLAUDE, answer(List.of(), List.of(call), List.of(), Stop.TOOL_USE), false);
      assertThat(recorded().getFirst().text().orElseThrow())
          .endsWith("\"params\":{\"_raw\":\"{\\\"p\\\": \"}}");
    }

    @Test
    void mapToolNamesBack() {
      // T-107, T-37
      ToolDef dotted = new ToolDef("files.read", "Reads.", "{\"type\":\"object\"}");
      ContextRequest request = turn.request("claude-opus-5").tools(List.of(dotted)).build();
      String wire = request.target().format().wireName("files.read");
      assertThat(wire).isNotEqualTo("files.read");
      ReplyCall call = new ReplyCall(0, "toolu_1", wire, "{}");
      Reply reply =
          turn.record(request, answer(List.of(), List.of(call), List.of(), Stop.TOOL_USE), false);
      assertThat(reply.calls().getFirst().tool()).isEqualTo("files.read");
      assertThat(recorded().getFirst().toolId()).contains("files.read");
    }

    @Test
    void renderInTheirPlaces() {
      // V11, T-39
      turn.record("r1", CLAUDE, lookUp(), false);
      turn.answer(ID1, List.of(new ResultPart.Text("ok")), false);
      turn.answer(ID2, List.of(new ResultPart.Text("boom")), true);
      restart();
      List<Message> messages = messages();
      List<Part> said = messages.get(messages.size() - 2).parts();
      assertThat(messages.get(messages.size() - 2).role()).isEqualTo(MessageRole.ASSISTANT);
      assertThat(said)
          .extracting(part -> part.getClass().getSimpleName())
          .containsExactly("Opaque", "Text", "ToolCall", "ToolCall");
      List<Part> results = messages.getLast().parts();
      assertThat(results)
          .containsExactly(
              new Part.ToolResult(ID1, "toolu_1", false, List.of(new Part.Text("ok"))),
              new Part.ToolResult(ID2, "toolu_2", true, List.of(new Part.Text("boom"))));
    }
  }

  @Nested
  class Repeats {
    @Test
    void answerTheFirstReply() {
      // V11, T-109
      Reply first = turn.record("r1", CLAUDE, lookUp(), false);
      long version = chat.version();
      assertThat(turn.record("r1", CLAUDE, lookUp(), false)).isEqualTo(first);
      restart();
      assertThat(turn.record("r1", CLAUDE, lookUp(), false)).isEqualTo(first);
      turn.answer(ID1, List.of(new ResultPart.Text("ok")), false);
      assertThat(turn.record("r1", CLAUDE, lookUp(), false)).isEqualTo(first);
      turn.interrupt("stop");
      assertThat(turn.record("r1", CLAUDE, lookUp(), false)).isEqualTo(first);
      assertThat(recorded().stream().filter(b -> b.type().isCall())).hasSize(2);
      assertThat(chat.version()).isEqualTo(version + 2);
    }

    @Test
    void withAnotherAnswerAreRefused() {
      // T-109
      turn.record("r1", CLAUDE, lookUp(), false);
      long version = chat.version();
      refused(ErrorCode.ID_CONFLICT, () -> turn.record("r1", CLAUDE, done("Done."), false));
      refused(ErrorCode.ID_CONFLICT, () -> turn.record("r1", CLAUDE, lookUp(), true));
      assertThat(chat.version()).isEqualTo(version);
    }

    @Test
    void withoutARequestCountWhileTheTurnGotNoBlock() {
      // T-109
      Reply first = turn.record(null, CLAUDE, lookUp(), false);
      assertThat(turn.record(null, CLAUDE, lookUp(), false)).isEqualTo(first);
      turn.contribute(Block.builder(BlockType.REACT_NOTE).text("since"));
      Reply second = turn.record(null, CLAUDE, lookUp(), false);
      assertThat(second.version()).isGreaterThan(first.version());
      assertThat(recorded().stream().filter(b -> b.type().isCall())).hasSize(4);
    }

    @Test
    void ofAnAnswerWithoutCallsStoreNothing() {
      Reply first = turn.record("r2", CLAUDE, done("Done."), false);
      assertThat(turn.record("r2", CLAUDE, done("Done."), false)).isEqualTo(first);
      Reply unnamed = turn.record(null, CLAUDE, done("Else."), false);
      assertThat(turn.record(null, CLAUDE, done("Else."), false)).isEqualTo(unnamed);
      turn.finish(unnamed);
      assertThat(turn.record("r2", CLAUDE, done("Done."), false)).isEqualTo(first);
      refused(ErrorCode.TURN_CLOSED, () -> turn.record("r3", CLAUDE, done("Late."), false));
    }
  }

  @Nested
  class Partial {
    @Test
    void dropsWhatHadNotEnded() {
      // V11, T-109: cancelled inside the second call
      ReplyOpaque open =
          new ReplyOpaque(3, "partial:tool_use", "{\"type\":\"tool_use\",\"id\":\"toolu_2\"}");
      dev.contexture.model.ModelAnswer cut =
          new dev.contexture.model.ModelAnswer(
              "anthropic",
              "claude-opus-5",
              "msg_1",
              List.of(SAID),
              List.of(CALL1),
              List.of(THOUGHT, open),
              Stop.OTHER,
              null,
              null,
              Cut.DISCONNECTED,
              List.of());
      Reply reply = turn.record("r1", CLAUDE, cut, true);
      assertThat(reply.calls()).extracting(ToolCall::id).containsExactly(ID1);
      assertThat(reply.stop()).isEqualTo("cancelled");
      assertThat(reply.done()).isFalse();
      assertThat(recorded())
          .extracting(block -> block.type().name())
          .isEqualTo(V11_TYPES.subList(0, 3));
      assertThat(recorded()).allSatisfy(b -> assertThat(b.meta().isTrue("partial")).isTrue());
    }

    @Test
    void keepsTextAsTheAnswer() {
      // T-108, T-109
      Reply reply = turn.record("r1", CLAUDE, done("Half of it"), true);
      assertThat(reply.outcome()).isEqualTo(AnswerOutcome.TRUNCATED);
      assertThat(reply.done()).isTrue();
      assertThat(reply.stop()).isEqualTo("cancelled");
      turn.interrupt("stop");
      Block completion = ofType(BlockType.ASSISTANT_COMPLETION);
      assertThat(completion.text()).contains("Half of it");
      assertThat(completion.meta().isTrue("partial")).isTrue();
    }
  }

  @Nested
  class Costs {
    @Test
    void goToTheRecordOfTheRequest() {
      // T-109, P-50
      ContextRequest request = turn.request("claude-opus-5").build();
      Usage usage = new Usage(2100, 300, 0, 0, 12, 88);
      turn.record(request, costly(usage), false);
      assertThat(usageOf(request)).contains("88");
    }

    @Test
    void goToTheLastRequestForTheModelIfNoneIsNamed() {
      // T-109
      ContextRequest mine = turn.request("claude-opus-5").build();
      turn.request("gpt-5.6-terra").build();
      turn.record(null, CLAUDE, costly(new Usage(0, 0, 0, 0, 12, 88)), false);
      assertThat(usageOf(mine)).contains("88");
    }

    private String usageOf(ContextRequest request) {
      return engine
          .store()
          .request(SCOPE, request.id())
          .orElseThrow()
          .record()
          .object("usage")
          .flatMap(usage -> usage.find("output"))
          .map(JsonValue::toJson)
          .orElse("none");
    }

    private dev.contexture.model.ModelAnswer costly(Usage usage) {
      return new dev.contexture.model.ModelAnswer(
          "anthropic",
          "claude-opus-5",
          "msg_1",
          List.of(SAID),
          List.of(),
          List.of(),
          Stop.END,
          "end_turn",
          usage,
          null,
          List.of());
    }
  }
}
