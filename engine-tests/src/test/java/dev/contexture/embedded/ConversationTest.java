package dev.contexture.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.contexture.ContextBrowser;
import dev.contexture.Contexture;
import dev.contexture.Turn;
import dev.contexture.block.Binary;
import dev.contexture.block.Block;
import dev.contexture.block.BlockPath;
import dev.contexture.block.BlockType;
import dev.contexture.block.Scope;
import dev.contexture.block.TurnId;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.render.RenderOptions;
import dev.contexture.timeline.PoolSource;
import dev.contexture.timeline.TurnStatus;
import dev.contexture.turn.AppendResult;
import dev.contexture.turn.Attachment;
import dev.contexture.turn.Finish;
import dev.contexture.turn.TurnClosure;
import dev.contexture.turn.TurnStart;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConversationTest {
  private static final Scope.OfConversation SCOPE =
      Scope.of("acme", "shop").user("u42").conversation("c1");

  @TempDir Path directory;
  private Contexture engine;
  private ContextBrowser chat;

  @BeforeEach
  void open() {
    engine = Contexture.open(directory);
    chat = engine.browser(SCOPE);
  }

  @AfterEach
  void close() {
    engine.close();
  }

  private void restart() {
    engine.close();
    open();
  }

  @Nested
  class StartTurn {
    @Test
    void writesHeaderPromptAndAttachmentsInOrder() {
      // T-83
      TurnStart start =
          TurnStart.prompt("Look at this.")
              .attach(Attachment.binary("a.png", "image/png", Binary.of(new byte[] {1, 2})))
              .attach(Attachment.text("b.txt", "text/plain", "hello"));
      Turn turn = chat.startTurn(start);
      assertThat(turn.newConversation()).isTrue();
      assertThat(types(turn.id()))
          .containsExactly(
              "turn.header",
              "user.prompt",
              "user.attachment.meta",
              "user.attachment",
              "user.attachment.meta",
              "user.attachment.text");
    }

    @Test
    void makesNoBlockOfABlankPrompt() {
      assertThat(types(chat.startTurn(" ").id())).containsExactly("turn.header");
    }

    @Test
    void isTheSameTurnWhenRepeated() {
      TurnId id = TurnId.of("t1");
      chat.startTurn(TurnStart.prompt("hi").id(id));
      long version = chat.version();
      restart();
      Turn again = chat.startTurn(TurnStart.prompt("hi").id(id));
      assertThat(again.resumed()).isTrue();
      assertThat(chat.startTurn(TurnStart.resume(id)).id()).isEqualTo(id);
      assertThat(chat.version()).isEqualTo(version);
      refused(ErrorCode.ID_CONFLICT, () -> chat.startTurn(TurnStart.prompt("other").id(id)));
    }

    @Test
    void refusesASecondTurnWhileOneIsWorkedOn() {
      // T-91
      chat.startTurn("one");
      refused(ErrorCode.TURN_IN_PROGRESS, () -> chat.startTurn("two"));
    }

    @Test
    void supersedesByInterruptOrAbort() {
      Turn one = chat.startTurn("one");
      Turn two = chat.startTurn(TurnStart.prompt("two").supersede(TurnStart.Supersede.INTERRUPT));
      assertThat(status(one.id())).isEqualTo(TurnStatus.INTERRUPTED);
      chat.startTurn(TurnStart.prompt("three").supersede(TurnStart.Supersede.ABORT));
      assertThat(status(two.id())).isEqualTo(TurnStatus.ABORTED);
      assertThat(text()).contains("one", "three").doesNotContain("two");
    }

    @Test
    void excludesWhatADeadProcessLeftOpen() {
      // T-91, T-24: the lease of an earlier process is dead at once
      Turn left = chat.startTurn("left alone");
      left.contribute(note("work"));
      restart();
      chat.startTurn("next");
      assertThat(status(left.id())).isEqualTo(TurnStatus.INCOMPLETE);
      assertThat(text()).doesNotContain("left alone");
      assertThat(chat.turnLog(left.id()).userText()).isEqualTo("left alone");
    }

    @Test
    void protectsATurnThatThisProcessGoesOnWith() {
      // T-91: whoever resumes a turn works on it
      TurnId id = chat.startTurn("left alone").id();
      restart();
      chat.startTurn(TurnStart.resume(id));
      refused(ErrorCode.TURN_IN_PROGRESS, () -> chat.startTurn("next"));
      restart();
      chat.openTurn();
      refused(ErrorCode.TURN_IN_PROGRESS, () -> chat.startTurn("next"));
    }

    @Test
    void interruptsItInsteadIfAskedTo() {
      Turn left = chat.startTurn("left alone");
      restart();
      chat.startTurn(TurnStart.prompt("next").onIncomplete(TurnStart.OnIncomplete.INTERRUPT));
      assertThat(status(left.id())).isEqualTo(TurnStatus.INTERRUPTED);
      assertThat(text()).contains("left alone");
    }
  }

  @Nested
  class Contribute {
    @Test
    void isDurableAndInOrder() {
      Turn turn = chat.startTurn("go");
      AppendResult done = turn.contribute(note("a"), note("b"));
      assertThat(done.seqs()).containsExactly(OptionalLong.of(3), OptionalLong.of(4));
      restart();
      assertThat(text()).containsSubsequence("go", "a", "b");
    }

    @Test
    void storesNothingOfABatchWithOneBadBlock() {
      // T-85, T-100
      Turn turn = chat.startTurn("go");
      long version = chat.version();
      Block.Builder other = note("b").turn(TurnId.of("t9"));
      assertThatExceptionOfType(ContextureException.class)
          .isThrownBy(() -> turn.contribute(note("a"), other))
          .satisfies(e -> assertThat(e.field()).contains("blocks[1].turn_id"));
      assertThat(chat.version()).isEqualTo(version);
    }

    @Test
    void takesAnIdOnce() {
      // T-111
      Turn turn = chat.startTurn("go");
      AppendResult first = turn.contribute(note("a").id("k1"));
      AppendResult mixed = turn.contribute(note("a").id("k1"), note("b").id("k2"));
      assertThat(mixed.seqs()).containsExactly(first.seqs().getFirst(), OptionalLong.of(4));
      refused(ErrorCode.ID_CONFLICT, () -> turn.contribute(note("other").id("k1")));
      turn.finish("done");
      assertThat(turn.contribute(note("a").id("k1")).seqs()).isEqualTo(first.seqs());
      refused(ErrorCode.TURN_CLOSED, () -> turn.contribute(note("new")));
    }

    @Test
    void refusesAnotherVersionThanExpected() {
      // T-98
      Turn turn = chat.startTurn("go");
      refused(
          ErrorCode.VERSION_CONFLICT,
          () -> turn.contribute(List.of(note("a")), true, OptionalLong.of(99)));
      long version = chat.version();
      AppendResult done = turn.contribute(List.of(note("a")), true, OptionalLong.of(version));
      assertThat(done.version()).isEqualTo(version + 1);
    }

    @Test
    void showsWhatIsNotPersistedOnlyWhileTheTurnIsOpen() {
      // T-85
      Turn turn = chat.startTurn("go");
      turn.contribute(List.of(note("for now")), false, OptionalLong.empty());
      turn.contribute(note("after"));
      restart();
      assertThat(text()).containsSubsequence("for now", "after");
      chat.openTurn().finish("done");
      assertThat(text()).contains("after").doesNotContain("for now");
      restart();
      assertThat(text()).doesNotContain("for now");
    }

    @Test
    void takesAnIdOnceThatIsNotPersisted() {
      // T-85, T-111
      Turn turn = chat.startTurn("go");
      List<Block.Builder> block = List.of(note("for now").id("k1"));
      turn.contribute(block, false, OptionalLong.empty());
      restart();
      long version = chat.version();
      AppendResult again = chat.openTurn().contribute(block, false, OptionalLong.empty());
      assertThat(again.seqs()).containsExactly(OptionalLong.empty());
      assertThat(chat.version()).isEqualTo(version);
    }

    @Test
    void keepsAHiddenBlockHidden() {
      // T-6, T-19, T-50
      Turn turn = chat.startTurn("go");
      BlockPath path = BlockPath.artifact(turn.id(), "react.note");
      turn.contribute(note("secret").path(path).hidden("gone"));
      restart();
      assertThat(text()).contains("gone").doesNotContain("secret");
      assertThat(chat.unhide(path)).isEqualTo(1);
      restart();
      assertThat(text()).contains("secret");
    }
  }

  @Nested
  class Close {
    @Test
    void finishesOnce() {
      // T-89
      Turn turn = chat.startTurn("go");
      turn.announce(List.of(Block.builder(BlockType.ANNOUNCE).text("state: 1")));
      Finish finish =
          new Finish(
              "4 C",
              List.of(1L),
              List.of("And Bergen?"),
              JsonObject.of("k", JsonValue.of(1)),
              "ok",
              null);
      TurnClosure first = turn.finish(finish);
      assertThat(turn.finish(finish)).isEqualTo(first);
      assertThat(types(turn.id()))
          .containsExactly(
              "turn.header",
              "user.prompt",
              "announce",
              "assistant.completion",
              "stage.suggested_followups",
              "react.state",
              "react.exit");
      assertThat(chat.turnLog(turn.id()).followups()).containsExactly("And Bergen?");
      assertThat(chat.turnLog(turn.id()).sourcesUsed()).containsExactly(1L);
      refused(ErrorCode.TURN_CLOSED, () -> turn.interrupt("late"));
    }

    @Test
    void interruptsWhenAHandleIsClosedUnfinished() {
      // T-116
      TurnId id;
      try (Turn turn = chat.startTurn("go")) {
        id = turn.id();
        turn.contribute(call("tc_1"), call("tc_2"));
      }
      assertThat(status(id)).isEqualTo(TurnStatus.INTERRUPTED);
      assertThat(chat.turnLog(id).blocks())
          .filteredOn(b -> b.block().type().isResult())
          .allSatisfy(
              b -> {
                assertThat(b.block().text()).contains("cancelled: closed");
                assertThat(b.block().isError()).isTrue();
              })
          .hasSize(2);
    }

    @Test
    void abortLeavesTheWindowAsItWas() {
      // T-90
      chat.startTurn("kept").finish("yes");
      String before = text();
      Turn turn = chat.startTurn("dropped");
      turn.abort("no");
      assertThat(text()).isEqualTo(before);
      assertThat(turn.abort("no").status()).isEqualTo(TurnStatus.ABORTED);
      refused(ErrorCode.ID_CONFLICT, () -> turn.abort("for another reason"));
    }
  }

  @Nested
  class Beside {
    @Test
    void keepsSourcesWithTheirNumbers() {
      // T-93, T-94
      chat.startTurn("go");
      chat.mergeSources(
          List.of(source("https://a.example/x", "short"), source("https://b.example", "b")));
      chat.setSourcesPool(List.of(source("https://b.example/", "b")));
      restart();
      List<PoolSource> rows =
          chat.mergeSources(List.of(source("HTTPS://a.example/x#frag", "a longer text")));
      assertThat(rows).extracting(PoolSource::sid).containsExactly(1L, 2L);
      assertThat(rows.getFirst().text()).isEqualTo("a longer text");
      assertThat(chat.mergeSources(List.of(source("https://c.example", "c"))))
          .extracting(PoolSource::sid)
          .containsExactly(1L, 2L, 3L);
    }

    @Test
    void keepsTheFirstTitleUnlessReplaced() {
      // T-92
      chat.startTurn("go");
      assertThat(chat.setTitle("first", false)).isEqualTo("first");
      assertThat(chat.setTitle("second", false)).isEqualTo("first");
      assertThat(chat.setTitle("third", true)).isEqualTo("third");
      restart();
      assertThat(chat.title()).contains("third");
      refused(ErrorCode.TITLE_TOO_LONG, () -> chat.setTitle("x".repeat(201), true));
    }

    @Test
    void takesFeedbackWithoutChangingTheTurn() {
      // T-87
      Turn one = chat.startTurn("go");
      one.finish("yes");
      List<String> before = types(one.id());
      chat.feedback(one.id(), "user", "ok", "good", 1);
      chat.feedback(one.id(), "user", "not_ok", "no, bad", 1);
      chat.feedback(one.id(), "machine", "neutral", "weak", 0.69);
      chat.feedback(one.id(), "machine", "ok", "sure", 0.7);
      assertThat(chat.turnLog(one.id()).turn().feedback()).hasSize(2);
      chat.feedback(one.id(), "user", null, "", 1);
      assertThat(chat.turnLog(one.id()).turn().feedback()).hasSize(1);
      assertThat(types(one.id())).isEqualTo(before);
      Turn two = chat.startTurn("next");
      chat.feedback(one.id(), "user", "ok", "after all", 1);
      assertThat(types(two.id())).contains("stage.feedback");
    }

    @Test
    void erasesATurnAndTheConversation() {
      Turn one = chat.startTurn("first words");
      one.finish("yes");
      chat.startTurn("second words").finish("no");
      chat.eraseTurn(one.id());
      assertThat(text()).contains("second words").doesNotContain("first words");
      assertThat(chat.erase()).isTrue();
      assertThat(chat.head()).isEmpty();
      assertThat(text()).isEmpty();
    }

    @Test
    void resolvesPathsAlsoOfClosedTurns() {
      Turn one = chat.startTurn("go");
      one.finish("yes");
      assertThat(chat.resolve(BlockPath.completion(one.id()), false))
          .hasValueSatisfying(a -> assertThat(a.text()).contains("yes"));
      Turn two = chat.startTurn("no");
      two.abort("no");
      assertThat(chat.resolve(BlockPath.userPrompt(two.id()), false)).isEmpty();
      assertThat(chat.resolve(BlockPath.userPrompt(two.id()), true)).isPresent();
    }
  }

  private static Block.Builder note(String text) {
    return Block.builder(BlockType.REACT_NOTE).text(text);
  }

  private static Block.Builder call(String id) {
    return Block.builder(BlockType.REACT_TOOL_CALL)
        .toolCallId(id)
        .text("{\"tool_id\":\"t\",\"params\":{}}");
  }

  private static PoolSource source(String url, String text) {
    return PoolSource.read(JsonObject.builder().put("url", url).put("text", text).build());
  }

  private List<String> types(TurnId turn) {
    return chat.turnLog(turn).blocks().stream().map(b -> b.block().type().name()).toList();
  }

  private TurnStatus status(TurnId turn) {
    return chat.turnLog(turn).turn().status();
  }

  private String text() {
    return chat.render(RenderOptions.defaults()).text();
  }

  private static void refused(ErrorCode code, ThrowingCallable call) {
    assertThatExceptionOfType(ContextureException.class)
        .isThrownBy(call)
        .satisfies(e -> assertThat(e.code()).isEqualTo(code));
  }
}
