package dev.contexture.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.ContextRequest;
import dev.contexture.StepAnswer;
import dev.contexture.TurnStep;
import dev.contexture.block.Author;
import dev.contexture.block.Binary;
import dev.contexture.block.Block;
import dev.contexture.block.BlockPath;
import dev.contexture.block.BlockType;
import dev.contexture.block.CallId;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.model.Repair;
import dev.contexture.model.ReplyCall;
import dev.contexture.model.ReplyOpaque;
import dev.contexture.model.ReplyText;
import dev.contexture.model.Stop;
import dev.contexture.prompt.Omission;
import dev.contexture.render.RenderOptions;
import dev.contexture.timeline.TurnStatus;
import dev.contexture.turn.AppendResult;
import dev.contexture.turn.CallResult;
import dev.contexture.turn.Finish;
import dev.contexture.turn.Reply;
import dev.contexture.turn.ResultPart;
import dev.contexture.turn.ToolAnswer;
import dev.contexture.turn.ToolCall;
import dev.contexture.turn.WaitingPolicy;
import dev.contexture.view.Part;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The place of answers in their turn, and results of calls: V11, T-108, T-110, T-116. */
class RecordedAnswerTest extends RecordedTurn {
  @Nested
  class WithoutCalls {
    @Test
    void isInTheTimelineAtOnce() {
      // V11, T-108, T-89
      answerAll();
      Reply reply = turn.record("r2", CLAUDE, done("Done."), false);
      assertThat(reply.done()).isTrue();
      assertThat(reply.calls()).isEmpty();
      Block said = recorded().getLast();
      assertThat(said.type()).isEqualTo(BlockType.ASSISTANT_COMPLETION);
      assertThat(said.text()).contains("Done.");
      assertThat(said.meta().string("answer_id")).contains("r2");
      assertThat(chat.render(RenderOptions.defaults()).text()).contains("Done.");
      restart();
      turn.finish(reply);
      assertThat(completions()).containsExactly("Done.");
      assertThat(chat.turnLog(T1).answer()).contains("Done.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"claude-opus-5", "gpt-5.6-terra", "gemini-3.5-flash"})
    void standsBeforeWhatCameBehindIt(String model) {
      turn.request(model).build();
      turn.record("r2", CLAUDE, done("First answer."), false);
      turn.contribute(
          Block.builder(BlockType.USER_PROMPT).author(Author.USER).text("Second question."));
      List<String> first = entries(turn.request(model).build().body());
      assertThat(String.join("", first)).containsSubsequence("First answer.", "Second question.");
      turn.record("r3", CLAUDE, done("Second answer."), false);
      turn.contribute(
          Block.builder(BlockType.USER_PROMPT).author(Author.USER).text("Third question."));
      List<String> second = entries(turn.request(model).build().body());
      assertThat(second.subList(0, first.size())).isEqualTo(first);
      turn.finish("Third answer.");
      assertThat(completions()).containsExactly("First answer.", "Second answer.", "Third answer.");
      chat.startTurn("next");
      String next = chat.openTurn().request(model).build().body();
      assertThat(next).containsSubsequence(completions());
    }

    @ParameterizedTest
    @ValueSource(strings = {"claude-opus-5", "gpt-5.6-terra", "gemini-3.5-flash"})
    void isFollowedByTheSameWordsOfTheUserInEveryLaterRequest(String model) {
      turn.record("r1", CLAUDE, truncated("First half"), false);
      ContextRequest first = turn.request(model).build();
      List<String> sent = entries(first.body());
      assertThat(entries(turn.request(model).build().body())).isEqualTo(sent);
      restart();
      turn.record("r2", CLAUDE, truncated("Second half"), false);
      ContextRequest second = turn.request(model).build();
      List<String> sentThen = entries(second.body());
      turn.contribute(Block.builder(BlockType.USER_PROMPT).author(Author.USER).text("Go on."));
      ContextRequest third = turn.request(model).build();
      if (model.startsWith("gpt")) { // which takes the assistant's word as the last one
        assertThat(third.body()).doesNotContain("[conversation continues]");
        return;
      }
      assertThat(sent.getLast()).contains("[conversation continues]");
      assertThat(sentThen).startsWith(sent.toArray(String[]::new));
      assertThat(String.join(",", entries(third.body())))
          .startsWith(String.join(",", sentThen).replaceFirst("\\]\\}$", ""));
      assertThat(second.prefix().wireName()).isEqualTo("extends");
      assertThat(third.prefix().wireName()).isEqualTo("extends");
    }

    private static dev.contexture.model.ModelAnswer truncated(String text) {
      return answer(List.of(new ReplyText(0, text)), List.of(), List.of(), Stop.MAX_TOKENS);
    }

    @Test
    void standsBeforeAResultThatIsLate() {
      turn.record("r1", CLAUDE, lookUp(), false);
      turn.request("claude-opus-5").waiting(WaitingPolicy.CANCEL).build();
      turn.record("r2", CLAUDE, done("Without it."), false);
      turn.answer(ID1, List.of(new ResultPart.Text("42 at last")), false);
      assertThat(turn.request("claude-opus-5").build().body())
          .containsSubsequence("Without it.", "42 at last");
    }

    @Test
    void isNotSaidAgainByAFinishThatRepeatsIt() {
      turn.record("r2", CLAUDE, done("Done."), false);
      turn.contribute(Block.builder(BlockType.REACT_NOTE).text("since"));
      turn.request("claude-opus-5").build();
      turn.finish("Done.");
      assertThat(completions()).containsExactly("Done.");
      turn.finish(Finish.recorded());
      turn.finish("Done.");
      refused(ErrorCode.ID_CONFLICT, () -> turn.finish("Other."));
    }

    @Test
    void keepsTheSourcesThatAFinishNames() {
      Reply reply = turn.record("r2", CLAUDE, done("Done."), false);
      turn.finish(new Finish(reply.text(), List.of(3L, 4L), List.of(), null, null, null));
      assertThat(completions()).containsExactly("Done.");
      assertThat(chat.turnLog(T1).sourcesUsed()).containsExactly(3L, 4L);
    }

    @Test
    void standsBehindItsOpaqueParts() {
      // T-108
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
    void isLeftOutAndListedIfAnotherAnswerIsGiven() {
      // T-108
      turn.record("r2", CLAUDE, done("Draft."), false);
      turn.finish("Final.");
      assertThat(completions()).containsExactly("Draft.", "Final.");
      assertThat(chat.turnLog(T1).answer()).contains("Final.");
      assertThat(chat.render(RenderOptions.defaults()).text())
          .contains("Final.")
          .doesNotContain("Draft.");
      restart();
      chat.startTurn("next");
      ContextRequest next = chat.openTurn().request("claude-opus-5").build();
      assertThat(next.body()).contains("Final.").doesNotContain("Draft.");
      assertThat(next.metadata().dropped())
          .filteredOn(omission -> omission.reason() == Omission.Reason.REPLACED)
          .singleElement()
          .satisfies(
              omission -> {
                assertThat(omission.id()).isEqualTo("ar:t1.assistant.completion");
                assertThat(omission.tokens()).isPositive();
              });
    }

    @Test
    void staysIfARequestHasShownItBeforeAnotherAnswerIsGiven() {
      turn.record("r2", CLAUDE, done("Half."), false);
      turn.request("claude-opus-5").build();
      turn.finish("Whole.");
      chat.startTurn("next");
      assertThat(chat.openTurn().request("claude-opus-5").build().body())
          .containsSubsequence("Half.", "Whole.");
    }

    @Test
    void isNotShownAgainByAnUnhideIfAnotherAnswerWasGiven() {
      turn.record("r2", CLAUDE, done("Draft."), false);
      turn.finish("Final.");
      chat.unhide(BlockPath.completion(T1));
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
    void staysTheAnswerOfATurnThatIsInterrupted() {
      // T-108, T-116
      turn.record("r2", CLAUDE, done("Done."), false);
      turn.interrupt("stop");
      assertThat(completions()).containsExactly("Done.");
      assertThat(ofType(BlockType.ASSISTANT_COMPLETION).meta().string("answer_id")).contains("r2");
    }

    @Test
    void standsBeforeTheAnswerThatIsRecordedNext() {
      // T-108
      turn.record("r1", CLAUDE, done("Almost."), false);
      restart();
      turn.record("r2", CLAUDE, lookUp(), false);
      assertThat(recorded())
          .extracting(block -> block.type().name())
          .containsExactly(
              "assistant.completion",
              "model.opaque",
              "react.notes",
              "react.tool.call",
              "react.tool.call");
      assertThat(recorded().getFirst().meta().string("answer_id")).contains("r1");
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

    @ParameterizedTest
    @ValueSource(strings = {"finish", "interrupt", "request", "answer"})
    void thatAnOlderStoreKeptApartGetsItsPlace(String next) throws SQLException {
      turn.record("r1", CLAUDE, done(""), false);
      engine.close();
      keepApart("{\"answer_id\":\"r1\",\"text\":\"Kept.\",\"opaque\":[],\"meta\":{}}");
      restart();
      switch (next) {
        case "finish" -> turn.finish(Finish.recorded());
        case "interrupt" -> turn.interrupt("stop");
        case "request" ->
            assertThat(turn.request("claude-opus-5").build().body()).contains("Kept.");
        default -> turn.record("r2", CLAUDE, done("Next."), false);
      }
      assertThat(completions().getFirst()).isEqualTo("Kept.");
    }

    private void keepApart(String answer) throws SQLException {
      try (Connection store =
              DriverManager.getConnection("jdbc:sqlite:" + directory.resolve("contexture.db"));
          PreparedStatement row =
              store.prepareStatement("UPDATE kept SET body = ?, stamp = ? WHERE kind = 2")) {
        row.setString(1, answer);
        row.setLong(2, stamp(T1.value(), answer));
        assertThat(row.executeUpdate()).isOne();
      }
    }

    /** Format 1 and the checksum of a row, as the store writes them. */
    private static long stamp(String... texts) {
      CRC32C crc = new CRC32C();
      for (String text : texts) {
        crc.update(text.getBytes(StandardCharsets.UTF_8));
        crc.update(0xff);
      }
      return 1L << 32 | crc.getValue();
    }

    private List<String> completions() {
      return recorded().stream()
          .filter(block -> block.type().equals(BlockType.ASSISTANT_COMPLETION))
          .map(block -> block.text().orElseThrow())
          .toList();
    }

    /** The messages or items of a body, without cache marks and the sign of a lost signature. */
    private static List<String> entries(String body) {
      JsonObject json = (JsonObject) JsonValue.parse(body);
      return Stream.of("messages", "input", "contents")
          .flatMap(key -> json.array(key).stream())
          .flatMap(array -> array.items().stream())
          .map(JsonValue::toJson)
          .map(item -> item.replaceAll(",\"cache_control\":\\{[^}]*\\}", ""))
          .map(item -> item.replaceAll(",\"thoughtSignature\":\"[^\"]*\"", ""))
          .toList();
    }
  }

  @Nested
  class DoubledIds {
    private final ReplyCall again = new ReplyCall(3, "toolu_1", "read", "{\"p\": 2}");

    @ParameterizedTest
    @ValueSource(strings = {"claude-opus-5", "gpt-5.6-terra", "gemini-3.5-flash"})
    void areToldApartSoThatBothResultsReachTheModel(String model) {
      turn.request(model).build();
      Reply reply =
          turn.record(
              "r1", CLAUDE, answer(List.of(), List.of(CALL1, again), List.of(), Stop.END), false);
      assertThat(reply.calls()).extracting(ToolCall::id).doesNotHaveDuplicates();
      turn.answer(reply.calls().get(1), "second result");
      turn.answer(reply.calls().get(0), "first result");
      ContextRequest request = turn.request(model).build();
      assertThat(request.body())
          .contains("toolu_1_2")
          .containsSubsequence("first result", "second result");
      assertThat(request.request().repairs())
          .extracting(Repair::reason)
          .filteredOn(reason -> reason.contains("toolu_1"))
          .containsExactly("the id toolu_1 is taken, it is now toolu_1_2");
      turn.record("r2", CLAUDE, done("Both."), false);
      turn.finish(Finish.recorded());
      chat.startTurn("next");
      List<String> sent = WithoutCalls.entries(request.body());
      assertThat(WithoutCalls.entries(chat.openTurn().request(model).build().body()))
          .startsWith(sent.toArray(String[]::new));
    }

    @Test
    void ofAStepTakeTheirResultsInOrder() {
      StepAnswer answer =
          chat.step(
              new TurnStep()
                  .answer(
                      "r1",
                      CLAUDE,
                      answer(List.of(), List.of(CALL1, again), List.of(), Stop.END),
                      false)
                  .result(CallResult.ofProviderCall("toolu_1", ToolAnswer.text("first result")))
                  .result(CallResult.ofProviderCall("toolu_1", ToolAnswer.text("second result"))));
      assertThat(answer.step().results()).hasSize(2);
      assertThat(turn.waitingCalls()).isEmpty();
      assertThat(messages().getLast().parts())
          .extracting(part -> ((Part.ToolResult) part).content())
          .containsExactly(
              List.of(new Part.Text("first result")), List.of(new Part.Text("second result")));
    }

    @Test
    void ofAStepRefuseOneResultTooMany() {
      refused(
          ErrorCode.ALREADY_ANSWERED,
          () ->
              chat.step(
                  new TurnStep()
                      .answer("r1", CLAUDE, lookUp(), false)
                      .result(CallResult.ofProviderCall("toolu_1", ToolAnswer.text("first")))
                      .result(CallResult.ofProviderCall("toolu_1", ToolAnswer.text("second")))));
      assertThat(recorded()).isEmpty();
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
