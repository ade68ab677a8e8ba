package dev.contexture.langchain4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.contexture.ContextBrowser;
import dev.contexture.Contexture;
import dev.contexture.block.Block;
import dev.contexture.block.Scope;
import dev.contexture.store.RequestRow;
import dev.contexture.store.StoredBlock;
import dev.contexture.store.StoredTurn;
import dev.contexture.timeline.TurnStatus;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.service.AiServices;
import dev.langchain4j.service.MemoryId;
import dev.langchain4j.service.TokenStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Answers that arrive in pieces, through the loop of AiServices. */
class LangChainStreamTest {
  private static final Scope SCOPE = Scope.of("acme", "shop");
  private static final String ID = "ann/c1";

  @TempDir Path directory;
  private Contexture engine;
  private LangChainContext context;
  private final ScriptedStreamModel model = new ScriptedStreamModel(LangChainStreamTest::answer);

  /** What users write. */
  interface Assistant {
    @dev.langchain4j.service.SystemMessage("You are Atlas, who answers for a shop. Be brief.")
    TokenStream chat(@MemoryId Object id, @dev.langchain4j.service.UserMessage String text);
  }

  private static AiMessage answer(ChatRequest request) {
    return ScriptedChatModel.begins(request)
        ? ScriptedChatModel.thinking(
            "look", ScriptedChatModel.call(null, "order", "{\"number\": \"O-1\"}"))
        : ScriptedChatModel.thinking("tell").toBuilder().text("It is sent.").build();
  }

  @BeforeEach
  void open() {
    engine = Contexture.open(directory);
    context = LangChainContext.builder(engine, SCOPE).model("claude-opus-5").build();
  }

  @AfterEach
  void close() {
    engine.close();
  }

  private Assistant assistant() {
    return context
        .wire(
            AiServices.builder(Assistant.class)
                .streamingChatModel(model)
                .tools(new ShopTalk.Shop()))
        .build();
  }

  private static String say(Assistant assistant, String text) {
    CompletableFuture<String> whole = new CompletableFuture<>();
    StringBuilder pieces = new StringBuilder();
    assistant
        .chat(ID, text)
        .onPartialResponse(pieces::append)
        .onCompleteResponse(unused -> whole.complete(pieces.toString()))
        .onError(whole::completeExceptionally)
        .start();
    return whole.orTimeout(1, TimeUnit.MINUTES).join();
  }

  private ContextBrowser chat() {
    return engine.browser(SCOPE.user("ann").conversation("c1"));
  }

  private List<StoredTurn> turns() {
    return chat().turns(null, 10);
  }

  private List<String> texts(int turn) {
    return chat().turnLog(turns().get(turn).turn()).blocks().stream()
        .map(StoredBlock::block)
        .map(Block::text)
        .flatMap(Optional::stream)
        .toList();
  }

  @Test
  void aStreamIsKeptAsAWholeAnswerIs() {
    Assistant assistant = assistant();
    for (int turn = 0; turn < 3; turn++) {
      assertThat(say(assistant, "Where is O-1?")).isEqualTo("It is sent.");
      assertThat(texts(turn))
          .contains("Where is O-1?", ShopTalk.result("O-1"), "It is sent.")
          .anyMatch(text -> text.contains("signed look"));
    }
    assertThat(turns()).hasSize(3).allMatch(turn -> turn.status() == TurnStatus.COMPLETE);
    assertThat(model.sent).hasSize(6);
    for (int i = 1; i < model.sent.size(); i++) {
      List<String> before = ShopTalk.texts(model.sent.get(i - 1).messages());
      assertThat(ShopTalk.texts(model.sent.get(i).messages()).subList(0, before.size()))
          .isEqualTo(before);
    }
    List<RequestRow> rows = chat().requests().list(null, 10);
    assertThat(rows)
        .hasSize(6)
        .allMatch(row -> row.record().object("usage").isPresent())
        .anyMatch(row -> row.record().toJson().contains("\"total_input\":1001"));
  }

  @Test
  void aStreamThatBreaksInterruptsItsTurnAndTheNextOneGoesOn() {
    Assistant assistant = assistant();
    say(assistant, "Where is O-1?");
    model.breakBehind(3, false);
    assertThatThrownBy(() -> say(assistant, "And now?"))
        .hasStackTraceContaining("the connection broke");
    assertThat(turns().getLast().status()).isEqualTo(TurnStatus.INTERRUPTED);
    assertThat(say(assistant, "Still there?")).isEqualTo("It is sent.");
    assertThat(String.join("\n", ShopTalk.texts(model.sent.getLast().messages())))
        .contains("And now?", "Still there?");
  }

  @Test
  void aCallThatWasRefusedLeavesNothingBehind() {
    Assistant assistant = assistant();
    CountDownLatch arriving = new CountDownLatch(1);
    CountDownLatch refused = new CountDownLatch(1);
    CompletableFuture<Void> broken = new CompletableFuture<>();
    model.breakBehind(3, false);
    assistant
        .chat(ID, "First")
        .onPartialResponse(
            unused -> {
              arriving.countDown();
              await(refused);
            })
        .onCompleteResponse(unused -> {})
        .onError(unused -> broken.complete(null))
        .start();
    await(arriving);
    assertThatThrownBy(() -> say(assistant, "Second"))
        .hasStackTraceContaining("is being worked on");
    refused.countDown();
    broken.orTimeout(1, TimeUnit.MINUTES).join();
    assertThat(turns().getFirst().status()).isEqualTo(TurnStatus.INTERRUPTED);
    assertThat(say(assistant, "Third")).isEqualTo("It is sent.");
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(1, TimeUnit.MINUTES)).isTrue();
    } catch (InterruptedException stopped) {
      throw new AssertionError(stopped);
    }
  }

  /** LangChain4j calls nobody when a stream is cancelled. */
  @Test
  void aStreamThatTheApplicationCancelledIsEndedByIt() {
    Assistant assistant = assistant();
    say(assistant, "Where is O-1?");
    CountDownLatch heard = new CountDownLatch(5);
    model.breakBehind(5, true);
    assistant
        .chat(ID, "And now?")
        .onPartialResponse(unused -> heard.countDown())
        .onCompleteResponse(unused -> {})
        .ignoreErrors()
        .start();
    await(heard);

    assertThatThrownBy(() -> say(assistant, "Too early"))
        .hasStackTraceContaining("is being worked on");
    context.memory(ID).cancel("It is");
    assertThat(turns().getLast().status()).isEqualTo(TurnStatus.INTERRUPTED);
    assertThat(texts(1)).contains("It is");
    context.memory(ID).cancel("again"); // nothing is open any more

    assertThat(say(assistant, "Go on.")).isEqualTo("It is sent.");
    assertThat(String.join("\n", ShopTalk.texts(model.sent.getLast().messages())))
        .contains("And now?", "model: {}It is\n", "Go on.")
        .doesNotContain("again");
    assertThat(turns()).hasSize(3);
  }

  private TokenStream stream(String text) {
    return assistant()
        .chat(ID, text)
        .onPartialResponse(unused -> {})
        .onCompleteResponse(unused -> {});
  }

  /** The transformer runs where LangChain4j tells no listener of a failure. */
  @Test
  void aRequestThatCannotBeMadeInterruptsItsTurnAndTheNextOneGoesOn() {
    context =
        LangChainContext.builder(engine, SCOPE).model("claude-opus-5").maxTokens(6_000).build();
    TokenStream tooLong = stream("I like wool. ".repeat(2_000)).onError(unused -> {});
    assertThatThrownBy(tooLong::start).hasStackTraceContaining("raise max_tokens");
    assertThat(turns().getLast().status()).isEqualTo(TurnStatus.INTERRUPTED);
    assertThat(model.sent).isEmpty();
    assertThat(say(assistant(), "And now?")).isEqualTo("It is sent.");
    assertThat(turns()).hasSize(2);
  }

  @Test
  void aStreamThatNobodyStartedIsEndedByTheApplication() {
    stream("First").onError(unused -> {});
    assertThatThrownBy(() -> say(assistant(), "Too early"))
        .hasStackTraceContaining("is being worked on");
    context.memory(ID).cancel("");
    assertThat(say(assistant(), "Second")).isEqualTo("It is sent.");
    assertThat(turns())
        .extracting(StoredTurn::status)
        .containsExactly(TurnStatus.INTERRUPTED, TurnStatus.COMPLETE);
  }

  /** LangChain4j tells no listener of an error that the application ignores. */
  @Test
  void aStreamWhoseErrorsAreIgnoredIsEndedByTheApplication() {
    say(assistant(), "Where is O-1?");
    CountDownLatch heard = new CountDownLatch(3);
    model.breakBehind(3, false);
    assistant()
        .chat(ID, "And now?")
        .onPartialResponse(unused -> heard.countDown())
        .onCompleteResponse(unused -> {})
        .ignoreErrors()
        .start();
    await(heard);
    context.memory(ID).cancel("It ");
    assertThat(turns().getLast().status()).isEqualTo(TurnStatus.INTERRUPTED);
    assertThat(say(assistant(), "Go on.")).isEqualTo("It is sent.");
  }

  /** A process that dies leaves its turn open; the next one goes on where it stopped. */
  @Test
  void aTurnThatACrashLeftOpenStaysInContextAndTheNextOneGoesOn() {
    say(assistant(), "Where is O-1?");
    stream("And O-2?").onError(unused -> {});
    assertThat(turns().getLast().status()).isEqualTo(TurnStatus.OPEN);
    close();
    open();
    assertThat(say(assistant(), "Still there?")).isEqualTo("It is sent.");
    assertThat(turns())
        .extracting(StoredTurn::status)
        .containsExactly(TurnStatus.COMPLETE, TurnStatus.INTERRUPTED, TurnStatus.COMPLETE);
    assertThat(String.join("\n", ShopTalk.texts(model.sent.getLast().messages())))
        .contains("Where is O-1?", "And O-2?", "Still there?");
  }
}
