package dev.contexture.springai;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.contexture.ContextBrowser;
import dev.contexture.Contexture;
import dev.contexture.block.Block;
import dev.contexture.block.Scope;
import dev.contexture.store.StoredBlock;
import dev.contexture.store.StoredTurn;
import dev.contexture.timeline.TurnStatus;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.client.ChatClientAttributes;
import org.springframework.ai.chat.memory.ChatMemory;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.messages.ToolResponseMessage;
import org.springframework.ai.chat.messages.UserMessage;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import reactor.core.Disposable;

/** Answers of odd forms, and turns that end otherwise than with one. */
class SpringAiTurnTest {
  private static final Scope SCOPE = Scope.of("acme", "shop");

  @TempDir Path directory;
  private Contexture engine;
  private SpringAiContext context;

  @BeforeEach
  void open() {
    engine = Contexture.open(directory);
    context = SpringAiContext.builder(engine, SCOPE).model("claude-opus-5").build();
  }

  @AfterEach
  void close() {
    engine.close();
  }

  private ContextBrowser chat() {
    return engine.browser(SCOPE.user("ann").conversation("c1"));
  }

  private List<String> texts(int turn) {
    StoredTurn stored = chat().turns(null, 100).get(turn);
    return chat().turnLog(stored.turn()).blocks().stream()
        .map(StoredBlock::block)
        .map(Block::text)
        .flatMap(Optional::stream)
        .toList();
  }

  private TurnStatus status(int turn) {
    return chat().turns(null, 100).get(turn).status();
  }

  private ChatClient client(SpringScript model) {
    return context.wire(ChatClient.builder(model)).build();
  }

  private static ChatClient.ChatClientRequestSpec ask(ChatClient client, String text) {
    return client.prompt(text).advisors(a -> a.param(ChatMemory.CONVERSATION_ID, "ann/c1"));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anApplicationMayRunToolsItself(boolean stream) {
    SpringScript model =
        new SpringScript(
            prompt ->
                SpringScript.begins(prompt)
                    ? List.of(SpringScript.calling(SpringScript.call("k", "order", "{}")))
                    : List.of(new AssistantMessage("Done.")));
    ChatClient client = client(model);
    ChatClient.ChatClientRequestSpec asked =
        ask(client, "Where is O-1?")
            .advisors(
                a ->
                    a.param(
                        ChatClientAttributes.TOOL_CALLING_ADVISOR_AUTO_REGISTER.getKey(), false));
    List<ChatResponse> pieces =
        stream
            ? requireNonNull(
                asked.stream().chatResponse().collectList().block(Duration.ofMinutes(1)))
            : List.of(requireNonNull(asked.call().chatResponse()));
    AssistantMessage calls =
        pieces.stream()
            .filter(ChatResponse::hasToolCalls)
            .map(piece -> requireNonNull(piece.getResult()).getOutput())
            .findFirst()
            .orElseThrow();
    assertThat(calls.getToolCalls()).hasSize(1);
    assertThat(status(0)).isEqualTo(TurnStatus.OPEN);

    Message result =
        ToolResponseMessage.builder()
            .responses(List.of(new ToolResponseMessage.ToolResponse("k", "order", "sent")))
            .build();
    ChatClient.ChatClientRequestSpec answered =
        client
            .prompt()
            .messages(new UserMessage("Where is O-1?"), calls, result)
            .advisors(a -> a.param(ChatMemory.CONVERSATION_ID, "ann/c1"));
    String said =
        stream
            ? String.join(
                "",
                requireNonNull(
                    answered.stream().content().collectList().block(Duration.ofMinutes(1))))
            : answered.call().content();
    assertThat(said).isEqualTo("Done.");
    assertThat(status(0)).isEqualTo(TurnStatus.COMPLETE);
    assertThat(chat().turns(null, 10)).hasSize(1);
  }

  /** Holds the opening of a turn until it is told to go on. */
  private record Gate(CountDownLatch reached, CountDownLatch goesOn) {
    Gate() {
      this(new CountDownLatch(1), new CountDownLatch(1));
    }

    Scope.OfConversation pass(Object unused) {
      reached.countDown();
      await(goesOn);
      return SCOPE.user("ann").conversation("c1");
    }
  }

  private static void await(CountDownLatch latch) {
    boolean interrupted = false;
    for (boolean waiting = true; waiting; ) {
      try {
        assertThat(latch.await(1, TimeUnit.MINUTES)).isTrue();
        waiting = false;
      } catch (InterruptedException stopped) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void aStreamThatIsCancelledWhileItsTurnOpensLeavesNoneOpen() {
    Gate gate = new Gate();
    context = SpringAiContext.builder(engine, SCOPE).model("claude-opus-5").ids(gate::pass).build();
    SpringScript model = SpringScript.saying("Late.");
    Disposable listening = ask(client(model), "Anybody?").stream().content().subscribe();
    await(gate.reached());
    listening.dispose();
    gate.goesOn().countDown();
    long deadline = System.nanoTime() + Duration.ofMinutes(1).toNanos();
    while ((chat().turns(null, 10).isEmpty() || status(0) == TurnStatus.OPEN)
        && System.nanoTime() < deadline) {
      Thread.onSpinWait();
    }
    assertThat(status(0)).isEqualTo(TurnStatus.INTERRUPTED);
    assertThat(model.sent).isEmpty();
    assertThat(ask(client(SpringScript.saying("Yes.")), "Still?").call().content())
        .isEqualTo("Yes.");
  }

  @Test
  void whoStopsAStreamMayAskAtOnce() {
    ChatClient client = client(SpringScript.saying("It rains in Oslo and will rain tomorrow."));
    for (int turn = 0; turn < 40; turn += 2) {
      String heard =
          String.join(
              "",
              requireNonNull(
                  ask(client, "Weather?").stream()
                      .content()
                      .take(8)
                      .collectList()
                      .block(Duration.ofMinutes(1))));
      assertThat(heard).isEqualTo("It rains");
      assertThat(ask(client, "And now?").call().content()).startsWith("It rains in Oslo");
      assertThat(status(turn)).isEqualTo(TurnStatus.INTERRUPTED);
      assertThat(texts(turn)).anyMatch(text -> text.startsWith("It rains"));
    }
  }

  /** As the client of OpenAI gives them if it is asked for several. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void ofSeveralAnswersTheFirstIsKept(boolean stream) {
    SpringScript model =
        new SpringScript(
            prompt ->
                List.of(
                    AssistantMessage.builder()
                        .content("Wool.")
                        .properties(Map.of("index", 0))
                        .build(),
                    AssistantMessage.builder()
                        .content("Cotton.")
                        .properties(Map.of("index", 1))
                        .build()));
    ChatClient.ChatClientRequestSpec asked = ask(client(model), "Which?");
    if (stream) {
      asked.stream().content().blockLast(Duration.ofMinutes(1));
    } else {
      asked.call().content();
    }
    assertThat(texts(0)).contains("Wool.").noneMatch(text -> text.contains("Cotton"));
  }

  /** As DeepSeek's client has it: reasoning in a field of a message of its own. */
  static final class DeepMessage extends AssistantMessage {
    private final String reasoning;

    DeepMessage(String text, String reasoning) {
      super(text, Map.of(), List.of(), List.of());
      this.reasoning = reasoning;
    }

    public String getReasoningContent() {
      return reasoning;
    }
  }

  @Test
  void reasoningInAFieldOfTheMessageIsKept() {
    SpringScript model = new SpringScript(prompt -> List.of(new DeepMessage("Wool.", "Hm, wool")));
    ask(client(model), "Which?").call().content();
    ask(client(model), "Sure?").call().content();
    assertThat(model.last().get(1).getMetadata()).containsEntry(SpringShop.REASONING, "Hm, wool");
  }

  @Test
  void reasoningThatArrivesInPiecesIsKeptWhole() {
    AnswerCollector collector = AnswerCollector.ofStream();
    for (String piece : List.of("Hm, ", "wool is ", "warm.", "")) {
      AssistantMessage said =
          AssistantMessage.builder()
              .content("")
              .properties(Map.of(SpringShop.REASONING, piece))
              .build();
      collector.add(new ChatResponse(List.of(new Generation(said))));
    }
    collector.add(new ChatResponse(List.of(new Generation(new DeepMessage("Wool.", " Yes.")))));
    assertThat(collector.answer("m", false).opaque().getFirst().json())
        .contains("\"Hm, wool is warm. Yes.\"");
  }

  @Test
  void aTurnThatACrashLeftOpenStaysInContextAndTheNextOneGoesOn() {
    SpringScript dying =
        new SpringScript(
            prompt -> {
              engine.close();
              throw new IllegalStateException("the process dies");
            });
    assertThatThrownBy(() -> ask(client(dying), "Where is O-1?").call().content())
        .hasStackTraceContaining("the process dies");
    open();
    assertThat(status(0)).isEqualTo(TurnStatus.OPEN);
    SpringScript model = SpringScript.saying("Here.");
    assertThat(ask(client(model), "Still there?").call().content()).isEqualTo("Here.");
    assertThat(status(0)).isEqualTo(TurnStatus.INTERRUPTED);
    assertThat(status(1)).isEqualTo(TurnStatus.COMPLETE);
    assertThat(String.join("\n", SpringShop.texts(model.last())))
        .contains("Where is O-1?", "Still there?");
  }
}
