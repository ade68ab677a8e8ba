package dev.contexture.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.contexture.ContextBrowser;
import dev.contexture.Contexture;
import dev.contexture.Turn;
import dev.contexture.TurnStep;
import dev.contexture.block.Block;
import dev.contexture.block.BlockPath;
import dev.contexture.block.BlockType;
import dev.contexture.block.CallId;
import dev.contexture.block.Scope;
import dev.contexture.block.TurnId;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonObject;
import dev.contexture.model.ModelAnswer;
import dev.contexture.model.ModelRef;
import dev.contexture.model.ReplyCall;
import dev.contexture.model.ReplyText;
import dev.contexture.model.Stop;
import dev.contexture.provider.BuiltInProviders;
import dev.contexture.provider.catalogue.ModelCatalogue;
import dev.contexture.render.RenderOptions;
import dev.contexture.store.Store;
import dev.contexture.store.sqlite.InMemoryStore;
import dev.contexture.testkit.FakeClock;
import dev.contexture.testkit.Faults;
import dev.contexture.timeline.PoolSource;
import dev.contexture.turn.Finish;
import dev.contexture.turn.ResultPart;
import dev.contexture.turn.TurnStart;
import dev.contexture.turn.WaitingPolicy;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** A write that fails leaves the state before or after the whole operation (T-99). */
class EngineFaultTest {
  private static final Scope.OfConversation SCOPE =
      Scope.of("acme", "shop").user("u42").conversation("c1");
  private static final TurnId OLD = TurnId.of("t0");
  private static final TurnId OPEN = TurnId.of("t1");
  private static final ModelRef CLAUDE = new ModelRef("anthropic", "claude-opus-5");
  private static final BuiltInProviders PROVIDERS = BuiltInProviders.of(ModelCatalogue.shipped());

  /** What may go wrong: before the write landed, and behind it. */
  private static final List<String> POINTS = List.of("commit", "commit.done");

  private static Map<String, Consumer<ContextBrowser>> operations() {
    Map<String, Consumer<ContextBrowser>> all = new LinkedHashMap<>();
    all.put("contribute", chat -> chat.turn(OPEN).contribute(note("a").id("k1"), note("b")));
    all.put("announce", chat -> chat.turn(OPEN).announce(List.of(note("state"))));
    all.put("record", chat -> chat.turn(OPEN).record("r1", CLAUDE, calling(), false));
    all.put("recordPending", chat -> chat.turn(OPEN).record("r2", CLAUDE, saying(), false));
    all.put(
        "answer",
        chat ->
            chat.turn(OPEN).answer(new CallId("tc_1"), List.of(new ResultPart.Text("ok")), false));
    all.put("finish", chat -> chat.turn(OPEN).finish("done"));
    all.put("interrupt", chat -> chat.turn(OPEN).interrupt("stop"));
    all.put("abort", chat -> chat.turn(OPEN).abort("stop"));
    all.put("close", chat -> chat.turn(OPEN).close());
    all.put("clarify", chat -> chat.turn(OPEN).clarification(List.of("which?"), "ticket"));
    all.put("hide", chat -> chat.turn(OPEN).hide(BlockPath.userPrompt(OPEN), "gone"));
    all.put("title", chat -> chat.setTitle("title", true));
    all.put("sources", chat -> chat.mergeSources(List.of(source())));
    all.put("feedback", chat -> chat.feedback(OLD, "user", "ok", "good", 1));
    all.put(
        "request",
        chat -> chat.turn(OPEN).request("claude-opus-5").waiting(WaitingPolicy.OMIT).build());
    all.put(
        "step",
        chat ->
            chat.step(
                new TurnStep()
                    .id("s1")
                    .turn(
                        TurnStart.prompt("all")
                            .id(TurnId.of("t9"))
                            .supersede(TurnStart.Supersede.INTERRUPT))
                    .finish(Finish.with("or nothing"))));
    all.put(
        "supersede",
        chat ->
            chat.startTurn(
                TurnStart.prompt("next")
                    .id(TurnId.of("t2"))
                    .supersede(TurnStart.Supersede.INTERRUPT)));
    return all;
  }

  @TestFactory
  Stream<DynamicTest> everyOperationHappensOrDoesNot() {
    return POINTS.stream()
        .flatMap(
            point ->
                operations().entrySet().stream()
                    .map(
                        operation ->
                            DynamicTest.dynamicTest(
                                operation.getKey() + " fails at " + point,
                                () -> check(operation.getKey(), operation.getValue(), point))));
  }

  private static void check(String name, Consumer<ContextBrowser> operation, String point) {
    Faults faults = new Faults();
    Store store = faults.around(new InMemoryStore());
    ContextBrowser chat = prepared(store);
    String before = state(store);
    faults.failAt(point, 1);
    assertThatExceptionOfType(ContextureException.class)
        .isThrownBy(() -> operation.accept(chat))
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.STORE_UNAVAILABLE));
    faults.clear();
    String after = state(store);
    String wanted = stateAfter(operation);
    boolean severalCommits = name.equals("supersede"); // closes one turn, then opens another
    if (point.equals("commit")) {
      assertThat(after).isEqualTo(before);
    } else if (!severalCommits) {
      assertThat(after).isEqualTo(wanted);
    }
    assertThat(text(chat)).as("what is loaded").isEqualTo(text(opened(store)));

    operation.accept(chat); // trying again works, and what has an id is done once
    List<String> once = List.of("contribute", "clarify", "request", "feedback");
    if (!once.contains(name)) {
      assertThat(text(chat)).isEqualTo(textAfter(operation));
    }
    assertThat(text(chat)).isEqualTo(text(opened(store)));
    assertThat(chat.version()).isEqualTo(opened(store).version());
  }

  private static String stateAfter(Consumer<ContextBrowser> operation) {
    InMemoryStore store = new InMemoryStore();
    operation.accept(prepared(store));
    return state(store);
  }

  private static String textAfter(Consumer<ContextBrowser> operation) {
    InMemoryStore store = new InMemoryStore();
    operation.accept(prepared(store));
    return text(opened(store));
  }

  /** All that another process would find. */
  private static String state(Store store) {
    ContextBrowser chat = opened(store);
    return chat.head().orElseThrow().version()
        + " "
        + chat.turns(null, 99)
        + chat.readRange(1, 999, 999)
        + chat.sources()
        + chat.title()
        + text(chat);
  }

  private static String text(ContextBrowser chat) {
    RenderOptions options = RenderOptions.defaults().withAnnounce(true).withSources(true);
    return chat.render(options).text();
  }

  private static ContextBrowser prepared(Store store) {
    ContextBrowser chat = opened(store);
    chat.startTurn(TurnStart.prompt("old").id(OLD)).finish("yes");
    Turn turn = chat.startTurn(TurnStart.prompt("go").id(OPEN));
    turn.contribute(
        Block.builder(BlockType.REACT_TOOL_CALL)
            .toolCallId("tc_1")
            .text("{\"tool_id\":\"t\",\"params\":{}}"));
    return chat;
  }

  /** A process that owns the store: what it has loaded is not compared with it. */
  private static ContextBrowser opened(Store store) {
    return Contexture.builder(store)
        .exclusive(true)
        .owner("node")
        .clock(FakeClock.atStart())
        .providers(PROVIDERS)
        .build()
        .browser(SCOPE);
  }

  private static ModelAnswer calling() {
    return reply(List.of(), List.of(new ReplyCall(0, "toolu_9", "t", "{}")), Stop.TOOL_USE);
  }

  private static ModelAnswer saying() {
    return reply(List.of(new ReplyText(0, "said")), List.of(), Stop.END);
  }

  private static ModelAnswer reply(List<ReplyText> texts, List<ReplyCall> calls, Stop stop) {
    return new ModelAnswer(
        "anthropic", "m", "msg", texts, calls, List.of(), stop, null, null, null, List.of());
  }

  private static Block.Builder note(String text) {
    return Block.builder(BlockType.REACT_NOTE).text(text);
  }

  private static PoolSource source() {
    return PoolSource.read(JsonObject.builder().put("url", "https://a.example").build());
  }
}
