package dev.contexture.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.contexture.block.Binary;
import dev.contexture.block.Block;
import dev.contexture.block.BlockPath;
import dev.contexture.block.BlockType;
import dev.contexture.block.CallId;
import dev.contexture.block.Scope;
import dev.contexture.block.TurnId;
import dev.contexture.engine.Contexture;
import dev.contexture.engine.conversation.ContextBrowser;
import dev.contexture.engine.conversation.ContextRequest;
import dev.contexture.engine.conversation.Contributed;
import dev.contexture.engine.conversation.Finish;
import dev.contexture.engine.conversation.Reply;
import dev.contexture.engine.conversation.ResultPart;
import dev.contexture.engine.conversation.ToolCall;
import dev.contexture.engine.conversation.Turn;
import dev.contexture.engine.conversation.TurnStart;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.model.Cut;
import dev.contexture.model.ModelRef;
import dev.contexture.model.ReplyCall;
import dev.contexture.model.ReplyOpaque;
import dev.contexture.model.ReplyText;
import dev.contexture.model.Stop;
import dev.contexture.model.Usage;
import dev.contexture.render.Message;
import dev.contexture.render.RenderOptions;
import dev.contexture.request.ToolDef;
import dev.contexture.store.StoredBlock;
import dev.contexture.timeline.TurnStatus;
import dev.contexture.view.Dialect;
import dev.contexture.view.Part;
import dev.contexture.view.Reader;
import dev.contexture.view.Role;
import java.nio.file.Path;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Recording answers and results: V11, T-106 to T-110. */
class RecordingTest {
  private static final Scope.OfConversation SCOPE =
      Scope.of("acme", "shop").user("u42").conversation("c1");
  private static final ModelRef CLAUDE = new ModelRef("anthropic", "claude-opus-5");
  private static final TurnId T1 = TurnId.of("t1");
  private static final String THINKING =
      "{\"type\":\"thinking\",\"thinking\":\"Hm.\",\"signature\":\"c2ln\"}";
  private static final ReplyOpaque THOUGHT = new ReplyOpaque(0, "thinking", THINKING);
  private static final ReplyText SAID = new ReplyText(1, "Let me look.");
  private static final ReplyCall CALL1 = new ReplyCall(2, "toolu_1", "read", "{\"p\": 1}");
  private static final ReplyCall CALL2 = new ReplyCall(3, "toolu_2", "read", "{\"p\": 2}");
  private static final CallId ID1 = new CallId("tc_toolu_1");
  private static final CallId ID2 = new CallId("tc_toolu_2");

  @TempDir Path directory;
  private Contexture engine;
  private ContextBrowser chat;
  private Turn turn;

  @BeforeEach
  void open() {
    engine = Contexture.open(directory);
    chat = engine.browser(SCOPE);
    turn = chat.startTurn(TurnStart.prompt("go").id(T1));
  }

  @AfterEach
  void close() {
    engine.close();
  }

  private void restart() {
    engine.close();
    engine = Contexture.open(directory);
    chat = engine.browser(SCOPE);
    turn = chat.turn(T1);
  }

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
      assertThat(messages.get(messages.size() - 2).role()).isEqualTo(Role.ASSISTANT);
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
    void ofAPendingAnswerStoreNothing() {
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
      dev.contexture.model.Reply cut =
          new dev.contexture.model.Reply(
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
    void keepsTextAsAPendingAnswer() {
      // T-108, T-109
      Reply reply = turn.record("r1", CLAUDE, done("Half of it"), true);
      assertThat(reply.done()).isFalse();
      assertThat(reply.stop()).isEqualTo("cancelled");
      turn.interrupt("stop");
      Block completion = ofType(BlockType.ASSISTANT_COMPLETION);
      assertThat(completion.text()).contains("Half of it");
      assertThat(completion.meta().isTrue("partial")).isTrue();
    }
  }

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
      dev.contexture.model.Reply thought =
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
      Contributed two = turn.answer(ID2, parts, false);
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
      Contributed first = turn.answer(call, "ok");
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

    private dev.contexture.model.Reply costly(Usage usage) {
      return new dev.contexture.model.Reply(
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

  private static final List<String> V11_TYPES =
      List.of("model.opaque", "react.notes", "react.tool.call", "react.tool.call");

  private static dev.contexture.model.Reply lookUp() {
    return answer(List.of(SAID), List.of(CALL1, CALL2), List.of(THOUGHT), Stop.TOOL_USE);
  }

  private static dev.contexture.model.Reply done(String text) {
    return answer(List.of(new ReplyText(0, text)), List.of(), List.of(), Stop.END);
  }

  private static dev.contexture.model.Reply answer(
      List<ReplyText> texts, List<ReplyCall> calls, List<ReplyOpaque> opaque, Stop stop) {
    return new dev.contexture.model.Reply(
        "anthropic",
        "claude-opus-5",
        "msg_1",
        texts,
        calls,
        opaque,
        stop,
        null,
        null,
        null,
        List.of());
  }

  private void answerAll() {
    turn.record("r1", CLAUDE, lookUp(), false);
    turn.answer(ID1, List.of(new ResultPart.Text("ok")), false);
    turn.answer(ID2, List.of(new ResultPart.Text("boom")), true);
  }

  /** The blocks of the turn behind its header and prompt. */
  private List<Block> recorded() {
    return chat.turnLog(T1).blocks().stream().skip(2).map(StoredBlock::block).toList();
  }

  private Block ofType(BlockType type) {
    return recorded().stream().filter(block -> block.type().equals(type)).findFirst().orElseThrow();
  }

  private List<Message> messages() {
    RenderOptions options =
        RenderOptions.defaults().withDialect(Dialect.NATIVE).withReader(Reader.of(CLAUDE));
    return chat.render(options).messages();
  }

  private static void refused(ErrorCode code, ThrowingCallable call) {
    assertThatExceptionOfType(ContextureException.class)
        .isThrownBy(call)
        .satisfies(e -> assertThat(e.code()).isEqualTo(code));
  }
}
