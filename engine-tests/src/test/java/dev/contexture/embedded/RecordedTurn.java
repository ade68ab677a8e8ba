package dev.contexture.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.contexture.ContextBrowser;
import dev.contexture.Contexture;
import dev.contexture.Turn;
import dev.contexture.block.Block;
import dev.contexture.block.BlockType;
import dev.contexture.block.CallId;
import dev.contexture.block.Scope;
import dev.contexture.block.TurnId;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.model.ModelRef;
import dev.contexture.model.ReplyCall;
import dev.contexture.model.ReplyOpaque;
import dev.contexture.model.ReplyText;
import dev.contexture.model.Stop;
import dev.contexture.render.Message;
import dev.contexture.render.RenderOptions;
import dev.contexture.store.StoredBlock;
import dev.contexture.turn.ResultPart;
import dev.contexture.turn.TurnStart;
import dev.contexture.view.Dialect;
import dev.contexture.view.Reader;
import java.nio.file.Path;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A stored turn whose answers are recorded, as in V11. */
abstract class RecordedTurn {
  static final Scope.OfConversation SCOPE = Scope.of("acme", "shop").user("u42").conversation("c1");
  static final ModelRef CLAUDE = new ModelRef("anthropic", "claude-opus-5");
  static final TurnId T1 = TurnId.of("t1");
  static final String THINKING =
      "{\"type\":\"thinking\",\"thinking\":\"Hm.\",\"signature\":\"c2ln\"}";
  static final ReplyOpaque THOUGHT = new ReplyOpaque(0, "thinking", THINKING);
  static final ReplyText SAID = new ReplyText(1, "Let me look.");
  static final ReplyCall CALL1 = new ReplyCall(2, "toolu_1", "read", "{\"p\": 1}");
  static final ReplyCall CALL2 = new ReplyCall(3, "toolu_2", "read", "{\"p\": 2}");
  static final CallId ID1 = new CallId("tc_toolu_1");
  static final CallId ID2 = new CallId("tc_toolu_2");

  @TempDir Path directory;
  Contexture engine;
  ContextBrowser chat;
  Turn turn;

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

  void restart() {
    engine.close();
    engine = Contexture.open(directory);
    chat = engine.browser(SCOPE);
    turn = chat.turn(T1);
  }

  static final List<String> V11_TYPES =
      List.of("model.opaque", "react.notes", "react.tool.call", "react.tool.call");

  static dev.contexture.model.ModelAnswer lookUp() {
    return answer(List.of(SAID), List.of(CALL1, CALL2), List.of(THOUGHT), Stop.TOOL_USE);
  }

  static dev.contexture.model.ModelAnswer done(String text) {
    return answer(List.of(new ReplyText(0, text)), List.of(), List.of(), Stop.END);
  }

  static dev.contexture.model.ModelAnswer answer(
      List<ReplyText> texts, List<ReplyCall> calls, List<ReplyOpaque> opaque, Stop stop) {
    return new dev.contexture.model.ModelAnswer(
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

  void answerAll() {
    turn.record("r1", CLAUDE, lookUp(), false);
    turn.answer(ID1, List.of(new ResultPart.Text("ok")), false);
    turn.answer(ID2, List.of(new ResultPart.Text("boom")), true);
  }

  /** The blocks of the turn behind its header and prompt. */
  List<Block> recorded() {
    return chat.turnLog(T1).blocks().stream().skip(2).map(StoredBlock::block).toList();
  }

  Block ofType(BlockType type) {
    return recorded().stream().filter(block -> block.type().equals(type)).findFirst().orElseThrow();
  }

  List<Message> messages() {
    RenderOptions options =
        RenderOptions.defaults().withDialect(Dialect.NATIVE).withReader(Reader.of(CLAUDE));
    return chat.render(options).messages();
  }

  static void refused(ErrorCode code, ThrowingCallable call) {
    assertThatExceptionOfType(ContextureException.class)
        .isThrownBy(call)
        .satisfies(e -> assertThat(e.code()).isEqualTo(code));
  }
}
