package dev.contexture.adk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.adk.agents.BaseAgent;
import com.google.adk.agents.LlmAgent;
import com.google.adk.agents.ParallelAgent;
import com.google.adk.agents.RunConfig;
import com.google.adk.agents.SequentialAgent;
import com.google.adk.events.Event;
import com.google.adk.models.BaseLlm;
import com.google.adk.models.BaseLlmConnection;
import com.google.adk.models.LlmRequest;
import com.google.adk.models.LlmResponse;
import com.google.adk.runner.Runner;
import com.google.adk.sessions.InMemorySessionService;
import com.google.adk.tools.BaseTool;
import com.google.adk.tools.FunctionTool;
import com.google.adk.tools.ToolContext;
import com.google.genai.types.Content;
import com.google.genai.types.GenerateContentResponseUsageMetadata;
import com.google.genai.types.Part;
import dev.contexture.ContextBrowser;
import dev.contexture.Contexture;
import dev.contexture.block.Scope;
import dev.contexture.store.StoredTurn;
import dev.contexture.timeline.TurnStatus;
import io.reactivex.rxjava3.core.Completable;
import io.reactivex.rxjava3.core.Flowable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs that do not go the usual way. */
class ContexturePluginTest {
  private static final RunConfig MAKES_SESSIONS =
      RunConfig.builder().autoCreateSession(true).build();

  @TempDir Path directory;

  private Contexture engine;
  private AdkContext context;
  private ContextBrowser chat;

  @BeforeEach
  void open() {
    engine = Contexture.open(directory);
    context = AdkContext.builder(engine, "acme").model("gemini-3.7-flash").build();
    chat = engine.browser(Scope.of("acme", "shop").user("ann").conversation("s1"));
  }

  @AfterEach
  void close() {
    engine.close();
  }

  private List<Event> run(BaseAgent agent, String text) {
    return run(agent, text, MAKES_SESSIONS);
  }

  private List<Event> run(BaseAgent agent, String text, RunConfig config) {
    return runner(agent)
        .runAsync("ann", "s1", Content.fromParts(Part.fromText(text)), config)
        .toList()
        .blockingGet();
  }

  private Runner runner(BaseAgent agent) {
    return Runner.builder()
        .agent(agent)
        .appName("shop")
        .sessionService(context.sessions())
        .plugins(context.plugin())
        .build();
  }

  private static LlmAgent.Builder agent(String name, ScriptedLlm model) {
    return LlmAgent.builder().name(name).model(model).instruction("Be brief.");
  }

  private static ScriptedLlm says(String text) {
    return new ScriptedLlm(request -> List.of(Part.fromText(text)));
  }

  private static List<String> texts(LlmRequest request) {
    return request.contents().stream().map(ShopRuns::text).toList();
  }

  @Test
  void anErrorOfTheModelEndsTheTurnAndTheNextRunGoesOn() {
    AtomicInteger calls = new AtomicInteger();
    ScriptedLlm model =
        new ScriptedLlm(
            request -> {
              if (calls.getAndIncrement() == 0) {
                throw new IllegalStateException("overloaded");
              }
              return List.of(Part.fromText("Fine."));
            });
    LlmAgent agent = agent("atlas", model).build();
    assertThatThrownBy(() -> run(agent, "Fail please")).hasMessageContaining("overloaded");
    run(agent, "And now?");
    assertThat(String.join("\n", texts(model.sent.getLast()))).contains("Fail please", "And now?");
    List<StoredTurn> turns = chat.turns(null, 10);
    assertThat(turns.getLast().status()).isEqualTo(TurnStatus.COMPLETE);
    assertThat(chat.timeline().activeTurn()).isEmpty();
  }

  @Test
  void anAnswerThatArrivesInPiecesIsKeptOnce() {
    List<LlmRequest> sent = new ArrayList<>();
    LlmAgent agent =
        LlmAgent.builder()
            .name("atlas")
            .model(pieces(sent))
            .tools(FunctionTool.create(ShopRuns.Shop.class, "order"))
            .build();
    RunConfig streams =
        RunConfig.builder()
            .autoCreateSession(true)
            .streamingMode(RunConfig.StreamingMode.SSE)
            .build();
    for (String prompt : List.of("Where is O-1?", "And now?")) {
      List<Event> events = run(agent, prompt, streams);
      assertThat(events).filteredOn(event -> event.partial().orElse(false)).isNotEmpty();
    }
    assertThat(sent).hasSize(4);
    assertThat(sent.getLast().contents().stream().map(ShopRuns::text))
        .containsExactly("Where is O-1?", "", "", "It is sent.", "And now?", "", "");
    assertThat(ShopRuns.orphans(sent.getLast().contents())).isZero();
    assertThat(chat.turns(null, 10)).allMatch(turn -> turn.status() == TurnStatus.COMPLETE);
    assertThat(chat.requests().list(null, 10))
        .hasSize(4)
        .allMatch(row -> row.record().object("usage").isPresent())
        .allMatch(row -> row.record().toJson().contains("\"total_input\":100"));
  }

  @Test
  void aRunThatIsStoppedIsInterruptedByTheNextMessage() {
    BaseLlm endless =
        new BaseLlm("gemini-3.7-flash") {
          @Override
          public Flowable<LlmResponse> generateContent(LlmRequest request, boolean stream) {
            return Flowable.just(piece(Part.fromText("It is"), true).build())
                .concatWith(Flowable.never());
          }

          @Override
          public BaseLlmConnection connect(LlmRequest request) {
            throw new UnsupportedOperationException("live");
          }
        };
    RunConfig streams =
        RunConfig.builder()
            .autoCreateSession(true)
            .streamingMode(RunConfig.StreamingMode.SSE)
            .build();
    runner(LlmAgent.builder().name("atlas").model(endless).build())
        .runAsync("ann", "s1", Content.fromParts(Part.fromText("Stop me")), streams)
        .take(1)
        .blockingSubscribe();
    ScriptedLlm model = says("Fine.");
    run(agent("atlas", model).build(), "And now?");
    assertThat(String.join("\n", texts(model.sent.getLast()))).contains("Stop me", "And now?");
    assertThat(chat.turns(null, 10).stream().skip(1)) // the first one made the session
        .extracting(StoredTurn::status)
        .containsExactly(TurnStatus.INTERRUPTED, TurnStatus.COMPLETE);
  }

  /** Asks for an order, then tells of it, in pieces and then as a whole. */
  private static BaseLlm pieces(List<LlmRequest> sent) {
    return new BaseLlm("gemini-3.7-flash") {
      @Override
      public Flowable<LlmResponse> generateContent(LlmRequest request, boolean stream) {
        sent.add(request);
        GenerateContentResponseUsageMetadata usage =
            GenerateContentResponseUsageMetadata.builder()
                .promptTokenCount(100)
                .candidatesTokenCount(5)
                .build();
        return ScriptedLlm.begins(request)
            ? Flowable.just(
                piece(ScriptedLlm.call(null, "order", Map.of("number", "O-1"), "s"), false)
                    .usageMetadata(usage)
                    .build())
            : Flowable.just(
                piece(Part.fromText("It is"), true).build(),
                piece(Part.fromText(" sent."), true).build(),
                piece(Part.fromText("It is sent."), false).usageMetadata(usage).build());
      }

      @Override
      public BaseLlmConnection connect(LlmRequest request) {
        throw new UnsupportedOperationException("live");
      }
    };
  }

  private static LlmResponse.Builder piece(Part part, boolean partial) {
    return LlmResponse.builder()
        .content(Content.builder().role("model").parts(part).build())
        .partial(partial);
  }

  @Test
  void anAgentWithoutHistoryGetsNone() {
    ScriptedLlm model = says("Yes.");
    run(agent("atlas", says("Hello.")).build(), "First");
    LlmAgent alone = agent("atlas", model).includeContents(LlmAgent.IncludeContents.NONE).build();
    run(alone, "Second");
    assertThat(texts(model.sent.getLast())).containsExactly("Second");
    assertThat(chat.timeline().activeTurn()).isEmpty();
  }

  @Test
  void runsOverOtherSessionsAreLeftAlone() {
    ScriptedLlm model = says("Yes.");
    Runner runner =
        Runner.builder()
            .agent(agent("atlas", model).build())
            .appName("shop")
            .sessionService(new InMemorySessionService())
            .plugins(context.plugin())
            .build();
    runner
        .runAsync("ann", "s1", Content.fromParts(Part.fromText("Hi")), MAKES_SESSIONS)
        .blockingSubscribe();
    assertThat(texts(model.sent.getLast())).containsExactly("Hi");
    assertThat(chat.head()).isEmpty();
  }

  @Test
  void branchesOfAParallelAgentAreKeptAndSeenAfterwards() {
    ParallelAgent both =
        ParallelAgent.builder()
            .name("both")
            .subAgents(List.of(caller("one"), caller("two")))
            .build();
    List<Event> events = run(both, "Where are my orders?");
    assertThat(events).hasSize(6);

    ScriptedLlm model = says("That is all.");
    run(agent("atlas", model).build(), "Anything else?");
    List<Content> contents = model.sent.getLast().contents();
    assertThat(ShopRuns.orphans(contents)).as(contents.toString()).isZero();
    assertThat(String.join("\n", ShopRuns.prefix(model.sent.getLast())))
        .contains("one is done.", "two is done.", ShopRuns.result("O-one"));
  }

  /** Calls once, whatever it is shown: in ADK 1.0.0 branches do not wait for what is stored. */
  private static LlmAgent caller(String name) {
    AtomicBoolean begins = new AtomicBoolean(true);
    ScriptedLlm model =
        new ScriptedLlm(
            request ->
                List.of(
                    begins.getAndSet(false)
                        ? ScriptedLlm.call(null, "order", Map.of("number", "O-" + name), name)
                        : Part.fromText(name + " is done.")));
    return agent(name, model).tools(FunctionTool.create(ShopRuns.Shop.class, "order")).build();
  }

  private static BaseTool loads() {
    return new BaseTool("loads", "Loads a file") {
      @Override
      public Completable processLlmRequest(LlmRequest.Builder request, ToolContext unused) {
        List<Content> contents = new ArrayList<>(request.build().contents());
        contents.add(Content.fromParts(Part.fromText("File a.txt: tea")));
        request.contents(contents);
        return Completable.complete();
      }
    };
  }

  @Test
  void whatAToolPutsBehindTheConversationIsSent() {
    ScriptedLlm model = says("I see it.");
    run(agent("atlas", model).tools(loads()).build(), "Look at the file");
    assertThat(texts(model.sent.getLast())).containsExactly("Look at the file", "File a.txt: tea");
  }

  /** Agents after a transfer get what others said in ADK's words. */
  @Test
  void whatAToolPutsBehindWordsOfAnotherAgentIsSent() {
    ScriptedLlm model = says("I see it.");
    LlmAgent first = agent("first", says("Ask the other one.")).build();
    LlmAgent second = agent("second", model).tools(loads()).build();
    run(
        SequentialAgent.builder().name("both").subAgents(List.of(first, second)).build(),
        "Look at the file");
    assertThat(texts(model.sent.getLast()).getLast()).isEqualTo("File a.txt: tea");
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(1, TimeUnit.MINUTES)).isTrue();
    } catch (InterruptedException stopped) {
      throw new AssertionError(stopped);
    }
  }

  @Test
  void aRunThatANewerOneSupersedesDoesNotMixIntoIt() {
    run(agent("atlas", says("Hello.")).build(), "Hi");
    CountDownLatch asked = new CountDownLatch(1);
    CountDownLatch secondAsked = new CountDownLatch(1);
    ScriptedLlm late =
        new ScriptedLlm(
            request -> {
              asked.countDown();
              await(secondAsked);
              return List.of(Part.fromText("late answer"));
            });
    CompletableFuture<List<Event>> first =
        CompletableFuture.supplyAsync(
            () -> run(agent("atlas", late).build(), "First"), Thread::startVirtualThread);
    await(asked);
    ScriptedLlm model =
        new ScriptedLlm(
            request -> {
              secondAsked.countDown();
              assertThat(first.orTimeout(1, TimeUnit.MINUTES).join()).hasSize(1);
              return List.of(Part.fromText("second answer"));
            });
    run(agent("atlas", model).build(), "Second");

    List<StoredTurn> turns = chat.turns(null, 10);
    assertThat(turns.get(turns.size() - 2).status()).isEqualTo(TurnStatus.INTERRUPTED);
    assertThat(turns.getLast().status()).isEqualTo(TurnStatus.COMPLETE);
    assertThat(context.sessions().listEvents("shop", "ann", "s1").blockingGet().events())
        .extracting(event -> ShopRuns.text(event.content().orElseThrow()))
        .containsExactly("Hi", "Hello.", "First", "Second", "late answer", "second answer");
    ScriptedLlm next = says("Third.");
    run(agent("atlas", next).build(), "And?");
    assertThat(texts(next.sent.getLast()))
        .contains("First\nSecond", "second answer")
        .doesNotContain("late answer");
  }

  @Test
  void aSupersededRunAsksNoModelAgain() {
    run(agent("atlas", says("Hello.")).build(), "Hi");
    CountDownLatch called = new CountDownLatch(1);
    CountDownLatch superseded = new CountDownLatch(1);
    ScriptedLlm late =
        new ScriptedLlm(
            request -> {
              called.countDown();
              await(superseded);
              return List.of(ScriptedLlm.call(null, "order", Map.of("number", "O-1"), "s"));
            });
    LlmAgent caller =
        agent("atlas", late).tools(FunctionTool.create(ShopRuns.Shop.class, "order")).build();
    CompletableFuture<List<Event>> first =
        CompletableFuture.supplyAsync(() -> run(caller, "First"), Thread::startVirtualThread);
    await(called);
    ScriptedLlm model =
        new ScriptedLlm(
            request -> {
              superseded.countDown();
              assertThatThrownBy(() -> first.orTimeout(1, TimeUnit.MINUTES).join())
                  .hasStackTraceContaining("newer message");
              return List.of(Part.fromText("second answer"));
            });
    run(agent("atlas", model).build(), "Second");
    assertThat(late.sent).hasSize(1);
    assertThat(chat.turns(null, 10).getLast().status()).isEqualTo(TurnStatus.COMPLETE);
    ScriptedLlm next = says("Third.");
    run(agent("atlas", next).build(), "And?");
    assertThat(ShopRuns.orphans(next.sent.getLast().contents())).isZero();
  }

  @Test
  void aTurnThatACrashLeftOpenStaysInContextAndTheNextRunGoesOn() {
    ScriptedLlm dying =
        new ScriptedLlm(
            request -> {
              engine.close();
              throw new IllegalStateException("the process dies");
            });
    assertThatThrownBy(() -> run(agent("atlas", dying).build(), "Where is O-1?"))
        .hasStackTraceContaining("the process dies");
    open();
    assertThat(chat.timeline().activeTurn()).isPresent();
    ScriptedLlm model = says("Here.");
    run(agent("atlas", model).build(), "Still there?");
    assertThat(texts(model.sent.getLast())).containsExactly("Where is O-1?\nStill there?");
    assertThat(chat.turns(null, 10))
        .extracting(StoredTurn::status)
        .endsWith(TurnStatus.INTERRUPTED, TurnStatus.COMPLETE);
  }
}
