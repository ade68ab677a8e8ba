package dev.contexture.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.ContextBrowser;
import dev.contexture.Contexture;
import dev.contexture.StepAnswer;
import dev.contexture.Turn;
import dev.contexture.TurnStep;
import dev.contexture.block.Block;
import dev.contexture.block.BlockPath;
import dev.contexture.block.BlockType;
import dev.contexture.block.CallId;
import dev.contexture.block.Scope;
import dev.contexture.block.TurnId;
import dev.contexture.error.ContextureException;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.model.ModelAnswer;
import dev.contexture.model.ModelRef;
import dev.contexture.model.ReplyText;
import dev.contexture.model.Stop;
import dev.contexture.provider.BuiltInProviders;
import dev.contexture.provider.catalogue.ModelCatalogue;
import dev.contexture.render.RenderOptions;
import dev.contexture.render.RenderedContext;
import dev.contexture.request.history.ImportedHistory;
import dev.contexture.store.sqlite.InMemoryStore;
import dev.contexture.testkit.FakeClock;
import dev.contexture.timeline.PoolSource;
import dev.contexture.timeline.TurnLimit;
import dev.contexture.turn.Finish;
import dev.contexture.turn.PathRead;
import dev.contexture.turn.ResultPart;
import dev.contexture.turn.ToolCall;
import dev.contexture.turn.TurnStart;
import dev.contexture.turn.WaitingPolicy;
import dev.contexture.view.PruneSettings;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Equal ids in another scope share nothing (T-3), and what is erased is gone. */
class EngineTenancyTest {
  private static final String SECRET = "xq-secret-7731";
  private static final TurnId T1 = TurnId.of("t1");
  private static final ModelRef CLAUDE = new ModelRef("anthropic", "claude-opus-5");
  private static final Scope.OfConversation OURS =
      Scope.of("acme", "shop").user("u42").conversation("c1");
  private static final List<Scope.OfConversation> OTHERS =
      List.of(
          Scope.of("acme2", "shop").user("u42").conversation("c1"),
          Scope.of("acme", "shop2").user("u42").conversation("c1"),
          Scope.of("acme", "shop").user("u43").conversation("c1"),
          Scope.of("acme", "shop").user("u42").conversation("c2"));
  private static final BuiltInProviders PROVIDERS = BuiltInProviders.of(ModelCatalogue.shipped());

  @TempDir Path directory;

  /** One call of every public method of a conversation, with the ids of ours. */
  private static Map<String, Function<ContextBrowser, Object>> browsing() {
    Map<String, Function<ContextBrowser, Object>> all = new LinkedHashMap<>();
    all.put("scope", chat -> "its own");
    all.put("startTurn", chat -> chat.startTurn(TurnStart.prompt("mine").id(T1)).id());
    all.put("openTurn", chat -> chat.openTurn().id());
    all.put("turn", chat -> chat.turn(T1).id());
    all.put(
        "importHistory",
        chat ->
            chat.importHistory(
                    "openai",
                    "[{\"role\":\"user\",\"content\":\"mine\"}]",
                    new ImportedHistory.Options("x", null, null))
                .turns());
    all.put("step", EngineTenancyTest::step);
    all.put("turnOf", chat -> chat.turnOf(new CallId("tc_1")).id());
    all.put("size", chat -> chat.size().expectedBytes() + chat.size().loadedBytes());
    all.put("head", ContextBrowser::head);
    all.put("version", ContextBrowser::version);
    all.put("exists", ContextBrowser::exists);
    all.put("hasOtherAgent", chat -> chat.hasOtherAgent("mine"));
    all.put("timeline", chat -> chat.timeline().entries());
    all.put("render", chat -> chat.render(everything()).text());
    all.put("compact", chat -> chat.compact(everything().withForceSanitize(true)).describe());
    all.put("withRetry", chat -> chat.withRetry(everything(), RenderedContext::text));
    all.put("resolve", chat -> chat.resolve(BlockPath.userPrompt(T1), true));
    all.put("readRange", chat -> chat.readRange(1, 99, 99));
    all.put("turnLog", chat -> chat.turnLog(T1));
    all.put("turns", chat -> chat.turns(null, 99));
    all.put("summaries", chat -> chat.summaries(null, 99));
    all.put("summary", chat -> chat.summary("s1"));
    all.put("pins", ContextBrowser::pins);
    all.put("loadContext", chat -> chat.loadContext(TurnLimit.NONE));
    all.put("pin", chat -> chat.pin(BlockPath.userPrompt(T1)));
    all.put("unpin", chat -> chat.unpin(BlockPath.userPrompt(T1)));
    all.put("withdrawSummary", chat -> chat.withdrawSummary("s1"));
    all.put("title", ContextBrowser::title);
    all.put("setTitle", chat -> chat.setTitle("mine", false));
    all.put("mergeSources", chat -> chat.mergeSources(List.of(source("https://b.example"))));
    all.put("setSourcesPool", chat -> chat.setSourcesPool(List.of()));
    all.put("sources", ContextBrowser::sources);
    all.put("hide", chat -> chat.hide(BlockPath.userPrompt(T1), "mine").records());
    all.put("unhide", chat -> chat.unhide(BlockPath.userPrompt(T1)));
    all.put("feedback", chat -> chat.feedback(T1, "user", "ok", "mine", 1));
    all.put("erase", ContextBrowser::erase);
    all.put("eraseTurn", chat -> chat.eraseTurn(T1));
    all.put("visibleEntries", ContextBrowser::visibleEntries);
    all.put("requests", chat -> chat.requests().list(null, 99));
    all.put("newEpoch", chat -> chat.newEpoch(null));
    return all;
  }

  /** One call of every public method of a turn, with the ids of ours. */
  private static Map<String, Function<Turn, Object>> working() {
    CallId call = new CallId("tc_1");
    ToolCall tool = new ToolCall(call, null, "t", "{}");
    List<ResultPart> content = List.of(new ResultPart.Text("mine"));
    Map<String, Function<Turn, Object>> all = new LinkedHashMap<>();
    all.put("id", Turn::id);
    all.put("newConversation", Turn::newConversation);
    all.put("input", Turn::input);
    all.put("resumed", Turn::resumed);
    all.put("omittedTurns", Turn::omittedTurns);
    all.put("settings", Turn::settings);
    all.put(
        "contribute",
        turn -> turn.contribute(List.of(note("mine").id("k1")), true, OptionalLong.empty()));
    all.put("pin", turn -> turn.pin(BlockPath.userPrompt(T1)));
    all.put("announce", turn -> turn.announce(List.of(note("mine"))));
    all.put("timeline", turn -> turn.timeline(everything()).text());
    all.put("render", turn -> turn.render(everything(), PruneSettings.DISABLED).context().text());
    all.put("withRetry", turn -> turn.withRetry(everything(), RenderedContext::text));
    all.put("request", turn -> turn.request("claude-opus-5").build().body());
    all.put("run", EngineTenancyTest::run);
    all.put("record", turn -> turn.record("r1", CLAUDE, saying("mine"), false));
    all.put(
        "answering",
        turn -> {
          turn.answering("r1");
          return "answering";
        });
    all.put("waitingCalls", Turn::waitingCalls);
    all.put("answer", turn -> turn.answer(call, content, false));
    all.put("fail", turn -> turn.fail(tool, "mine"));
    all.put("hide", turn -> turn.hide(BlockPath.userPrompt(T1), "mine").records());
    all.put("unhide", turn -> turn.unhide(BlockPath.userPrompt(T1)));
    all.put("read", turn -> turn.read(List.of(wish(BlockPath.artifact(T1, "react.note"))), 99));
    all.put("clarification", turn -> turn.clarification(List.of("mine?"), "mine"));
    all.put("clarificationResolved", turn -> turn.clarificationResolved("k", "t", "s", "mine"));
    all.put("finish", turn -> turn.finish(Finish.recorded()));
    all.put("interrupt", turn -> turn.interrupt("mine"));
    all.put("abort", turn -> turn.abort("mine"));
    all.put("snapshot", turn -> turn.snapshot().entries());
    all.put(
        "close",
        turn -> {
          turn.close();
          return "closed";
        });
    return all;
  }

  private static PathRead.Wish wish(BlockPath path) {
    return new PathRead.Wish(path, null, null);
  }

  @Test
  void everyPublicMethodIsTried() {
    assertThat(browsing().keySet())
        .containsExactlyInAnyOrderElementsOf(methods(ContextBrowser.class));
    assertThat(working().keySet()).containsExactlyInAnyOrderElementsOf(methods(Turn.class));
  }

  @TestFactory
  Stream<DynamicTest> aConversationKnowsNothingOfAnother() {
    return matrix(browsing(), Function.identity());
  }

  @TestFactory
  Stream<DynamicTest> aTurnKnowsNothingOfAnother() {
    return matrix(working(), chat -> chat.startTurn(TurnStart.prompt("go").id(T1)));
  }

  private static Object step(ContextBrowser chat) {
    StepAnswer answer =
        chat.step(
            new TurnStep()
                .id("s1")
                .turn(TurnStart.prompt("mine").id(T1))
                .answer("r1", CLAUDE, saying("mine"), false)
                .request(null, "claude-opus-5", request -> {}));
    return answer.request().orElseThrow().body() + answer.step();
  }

  private static Object run(Turn turn) {
    try {
      List<String> bodies = new ArrayList<>();
      turn.run("claude-opus-5")
          .send(
              request -> {
                bodies.add(request.body());
                return saying("mine");
              });
      return bodies;
    } catch (IOException | InterruptedException failure) {
      throw new IllegalStateException(failure);
    }
  }

  private static <T> Stream<DynamicTest> matrix(
      Map<String, Function<T, Object>> calls, Function<ContextBrowser, T> subject) {
    return OTHERS.stream()
        .flatMap(
            scope ->
                calls.entrySet().stream()
                    .map(
                        call ->
                            DynamicTest.dynamicTest(
                                call.getKey() + " in " + scope,
                                () -> check(scope, call.getValue(), subject))));
  }

  /** It answers as if ours were not there, and leaves ours as it was. */
  private static <T> void check(
      Scope.OfConversation scope, Function<T, Object> call, Function<ContextBrowser, T> subject) {
    InMemoryStore shared = new InMemoryStore();
    Contexture engine = engine(shared);
    fill(engine.browser(OURS));
    String before = state(engine.browser(OURS));
    String alone = outcome(engine(new InMemoryStore()).browser(scope), call, subject);
    String beside = outcome(engine.browser(scope), call, subject);
    assertThat(withoutRandomIds(beside)).isEqualTo(withoutRandomIds(alone)).doesNotContain(SECRET);
    assertThat(state(engine.browser(OURS))).isEqualTo(before);
    assertThat(state(engine(shared).browser(OURS))).isEqualTo(before);
  }

  private static <T> String outcome(
      ContextBrowser chat, Function<T, Object> call, Function<ContextBrowser, T> subject) {
    try {
      return String.valueOf(call.apply(subject.apply(chat)));
    } catch (ContextureException refused) {
      return refused.code() + " " + refused.getMessage();
    }
  }

  private static String withoutRandomIds(String text) {
    return text.replaceAll("\\b(ans|req|node|fb)_[A-Za-z0-9_-]+", "$1");
  }

  private static TreeSet<String> methods(Class<?> type) {
    return Stream.of(type.getDeclaredMethods())
        .filter(method -> Modifier.isPublic(method.getModifiers()) && !method.isSynthetic())
        .map(Method::getName)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void conversationsAreListedPerUser() {
    Contexture engine = engine(new InMemoryStore());
    fill(engine.browser(OURS));
    for (Scope.OfConversation other : OTHERS.subList(0, 3)) {
      assertThat(engine.conversations(other.owner(), null, 99)).isEmpty();
    }
    assertThat(engine.conversations(OURS.owner(), null, 99)).hasSize(1);
  }

  @Test
  void nothingErasedIsLeftInTheDirectory() throws IOException {
    try (Contexture engine = Contexture.open(directory)) {
      fill(engine.browser(OURS));
      engine.browser(OTHERS.getFirst()).startTurn("kept words").finish("yes");
    }
    assertThat(filesWith(SECRET)).isNotEmpty();
    try (Contexture engine = Contexture.open(directory)) {
      assertThat(engine.browser(OURS).erase()).isTrue();
    }
    assertThat(filesWith(SECRET)).isEmpty();
    try (Contexture engine = Contexture.open(directory)) {
      assertThat(engine.browser(OURS).head()).isEmpty();
      String kept = engine.browser(OTHERS.getFirst()).render(everything()).text();
      assertThat(kept).contains("kept words");
    }
    assertThat(filesWith(SECRET)).isEmpty();
  }

  @Test
  void nothingOfAnErasedTurnIsLeftInTheDirectory() throws IOException {
    try (Contexture engine = Contexture.open(directory)) {
      ContextBrowser chat = engine.browser(OURS);
      Turn turn = chat.startTurn(TurnStart.prompt("go " + SECRET).id(T1));
      turn.contribute(note(SECRET).id("k1"));
      turn.announce(List.of(note(SECRET)));
      turn.request("claude-opus-5").agent("atlas").instructions(SECRET).build();
      turn.record("r1", CLAUDE, saying(SECRET), false);
      turn.finish(Finish.recorded());
      chat.startTurn("kept words").finish("yes");
    }
    assertThat(filesWith(SECRET)).isNotEmpty();
    try (Contexture engine = Contexture.open(directory)) {
      engine.browser(OURS).eraseTurn(T1);
    }
    assertThat(filesWith(SECRET)).isEmpty();
    try (Contexture engine = Contexture.open(directory)) {
      assertThat(engine.browser(OURS).render(everything()).text()).contains("kept words");
    }
  }

  private List<String> filesWith(String text) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      return files
          .filter(Files::isRegularFile)
          .filter(file -> bytes(file).contains(text))
          .map(file -> file.getFileName().toString())
          .toList();
    }
  }

  private static String bytes(Path file) {
    try {
      return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
    } catch (IOException failure) {
      throw new java.io.UncheckedIOException(failure);
    }
  }

  /** Leaves a trace of everything that a conversation can hold, in an open turn. */
  private static void fill(ContextBrowser chat) {
    Turn turn = chat.startTurn(TurnStart.prompt("go " + SECRET).id(T1));
    turn.contribute(
        Block.builder(BlockType.REACT_TOOL_CALL)
            .toolCallId("tc_1")
            .text("{\"tool_id\":\"t\",\"params\":{\"q\":\"" + SECRET + "\"}}"));
    turn.contribute(note(SECRET).id("k1"));
    turn.contribute(List.of(note(SECRET)), false, OptionalLong.empty());
    turn.announce(List.of(note(SECRET)));
    turn.record("r1", CLAUDE, saying(SECRET), false);
    turn.request("claude-opus-5").agent(SECRET).waiting(WaitingPolicy.OMIT).build();
    chat.setTitle(SECRET, true);
    chat.mergeSources(List.of(source("https://a.example/" + SECRET)));
    chat.feedback(T1, "user", "ok", SECRET, 1);
    turn.hide(BlockPath.artifact(T1, "react.note"), SECRET);
  }

  private static String state(ContextBrowser chat) {
    return chat.head()
        + " "
        + chat.turns(null, 99)
        + chat.readRange(1, 99, 99)
        + chat.title()
        + chat.sources()
        + chat.render(everything()).text();
  }

  private static RenderOptions everything() {
    return RenderOptions.defaults().withSources(true).withAnnounce(true);
  }

  private static Contexture engine(InMemoryStore store) {
    return Contexture.builder(store)
        .clock(FakeClock.atStart())
        .providers(PROVIDERS)
        .owner("node")
        .build();
  }

  private static ModelAnswer saying(String text) {
    return new ModelAnswer(
        "anthropic",
        "m",
        "msg",
        List.of(new ReplyText(0, text)),
        List.of(),
        List.of(),
        Stop.END,
        null,
        null,
        null,
        List.of());
  }

  private static Block.Builder note(String text) {
    return Block.builder(BlockType.REACT_NOTE).text(text);
  }

  private static PoolSource source(String url) {
    return PoolSource.read(JsonObject.of("url", JsonValue.of(url)));
  }
}
