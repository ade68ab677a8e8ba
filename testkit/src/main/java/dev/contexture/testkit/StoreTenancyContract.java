package dev.contexture.testkit;

import static dev.contexture.testkit.StoreFixture.CHAT;
import static dev.contexture.testkit.StoreFixture.NOW;
import static dev.contexture.testkit.StoreFixture.applied;
import static dev.contexture.testkit.StoreFixture.binary;
import static dev.contexture.testkit.StoreFixture.block;
import static dev.contexture.testkit.StoreFixture.image;
import static dev.contexture.testkit.StoreFixture.opening;
import static dev.contexture.testkit.StoreFixture.prompt;
import static dev.contexture.testkit.StoreFixture.set;
import static dev.contexture.testkit.StoreFixture.summary;
import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.block.BlockPath;
import dev.contexture.block.Scope;
import dev.contexture.block.TurnId;
import dev.contexture.json.JsonObject;
import dev.contexture.store.CacheTouch;
import dev.contexture.store.EpochRow;
import dev.contexture.store.MessagePlace;
import dev.contexture.store.Outcome;
import dev.contexture.store.RequestRow;
import dev.contexture.store.Row;
import dev.contexture.store.SourceRow;
import dev.contexture.store.Store;
import dev.contexture.store.WriteSet;
import dev.contexture.timeline.ArchivedRange;
import dev.contexture.timeline.TurnStatus;
import dev.contexture.timeline.Visibility;
import java.lang.reflect.Method;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Equal ids in another scope share nothing: every method against every part of the scope (T-3). */
abstract class StoreTenancyContract extends StoreTests {
  private static final JsonObject NOTE = JsonObject.builder().put("type", "x").build();
  private static final String SHA = binary("png").sha256();

  /** Which parts of the scope a method takes. */
  private enum Level {
    TENANT,
    PROJECT,
    USER,
    CONVERSATION
  }

  private record Probe(Level level, BiFunction<Store, Scope.OfConversation, Object> call) {}

  /** The scope that differs from ours in one part. */
  private static Scope.OfConversation foreign(Level part) {
    return switch (part) {
      case TENANT -> Scope.of("acme2", "shop").user("u42").conversation("c1");
      case PROJECT -> Scope.of("acme", "shop2").user("u42").conversation("c1");
      case USER -> Scope.of("acme", "shop").user("u43").conversation("c1");
      case CONVERSATION -> Scope.of("acme", "shop").user("u42").conversation("c2");
    };
  }

  private static Map<String, Probe> reads() {
    Map<String, Probe> reads = new LinkedHashMap<>();
    Level chat = Level.CONVERSATION;
    reads.put("binary", new Probe(chat, (s, c) -> s.binary(c, SHA)));
    reads.put("head", new Probe(chat, (s, c) -> s.head(c)));
    reads.put("load", new Probe(chat, (s, c) -> s.load(c)));
    reads.put("windowBytes", new Probe(chat, (s, c) -> s.windowBytes(c)));
    reads.put("version", new Probe(chat, (s, c) -> s.version(c)));
    reads.put("readRange", new Probe(chat, (s, c) -> s.readRange(c, 1, 99, 99)));
    reads.put("blocksOn", new Probe(chat, (s, c) -> s.blocksOn(c, BlockPath.userPrompt(T1))));
    reads.put("blocksWithIds", new Probe(chat, (s, c) -> s.blocksWithIds(c, List.of("k1"))));
    reads.put(
        "messages",
        new Probe(
            chat,
            (s, c) ->
                s.messages(
                    c.owner().scope(), List.of(new MessagePlace(c.user(), c.conversation(), 1)))));
    reads.put("turn", new Probe(chat, (s, c) -> s.turn(c, T1)));
    reads.put("otherAgent", new Probe(chat, (s, c) -> s.otherAgent(c, "nobody")));
    reads.put("turns", new Probe(chat, (s, c) -> s.turns(c, null, 99)));
    reads.put("turnBlocks", new Probe(chat, (s, c) -> s.turnBlocks(c, T1)));
    reads.put("summaries", new Probe(chat, (s, c) -> s.summaries(c, null, 99)));
    reads.put("summary", new Probe(chat, (s, c) -> s.summary(c, "s1")));
    reads.put("sources", new Probe(chat, (s, c) -> s.sources(c)));
    reads.put("visibility", new Probe(chat, (s, c) -> s.visibility(c)));
    reads.put("archivedRanges", new Probe(chat, (s, c) -> s.archivedRanges(c)));
    reads.put("outcome", new Probe(chat, (s, c) -> s.outcome(c, "o1")));
    reads.put("request", new Probe(chat, (s, c) -> s.request(c, "r1")));
    reads.put("requests", new Probe(chat, (s, c) -> s.requests(c, null, 99)));
    reads.put("excludedTurns", new Probe(chat, (s, c) -> s.excludedTurns(c, 1, 9)));
    reads.put("epoch", new Probe(chat, (s, c) -> s.epoch(c, "atlas")));
    reads.put("epochs", new Probe(chat, (s, c) -> s.epochs(c)));
    reads.put("changes", new Probe(chat, (s, c) -> s.changes(c, 0, 99)));
    reads.put(
        "conversations", new Probe(Level.USER, (s, c) -> s.conversations(c.owner(), null, 99)));
    reads.put("users", new Probe(Level.PROJECT, (s, c) -> s.users(c.owner().scope(), null, 99)));
    reads.put("outbox", new Probe(Level.PROJECT, (s, c) -> s.outbox(c.owner().scope(), 0, 99)));
    reads.put("outboxTail", new Probe(Level.PROJECT, (s, c) -> s.outboxTail(c.owner().scope(), 0)));
    reads.put(
        "outboxScopes",
        new Probe(Level.PROJECT, (s, c) -> s.outboxScopes(null, 99).contains(c.owner().scope())));
    return reads;
  }

  private static Map<String, Probe> writes() {
    Map<String, Probe> writes = new LinkedHashMap<>();
    Level chat = Level.CONVERSATION;
    writes.put("commit", new Probe(chat, (s, c) -> s.commit(everything(c, "foreign"))));
    writes.put(
        "putBinary",
        new Probe(
            Level.TENANT,
            (s, c) -> {
              s.putBinary(c.owner().scope(), binary("png"));
              return true;
            }));
    writes.put("eraseConversation", new Probe(chat, (s, c) -> s.eraseConversation(c, NOW)));
    writes.put("eraseTurn", new Probe(chat, (s, c) -> s.eraseTurn(c, T1, NOW, NOTE)));
    writes.put("eraseRequests", new Probe(chat, (s, c) -> s.eraseRequests(c, Set.of("r1"), NOW)));
    writes.put("eraseUser", new Probe(Level.USER, (s, c) -> s.eraseUser(c.owner(), NOW)));
    writes.put(
        "eraseProject", new Probe(Level.PROJECT, (s, c) -> s.eraseProject(c.owner().scope(), NOW)));
    writes.put(
        "forgetErased",
        new Probe(
            Level.PROJECT,
            (s, c) -> {
              s.forgetErased(c.owner().scope(), Long.MAX_VALUE);
              return true;
            }));
    writes.put("eraseTenant", new Probe(Level.TENANT, (s, c) -> s.eraseTenant(c.tenant(), NOW)));
    return writes;
  }

  private static WriteSet everything(Scope.OfConversation conversation, String text) {
    return set(conversation)
        .add(new Row.PutTurn(dev.contexture.store.TurnRow.open(T1, NOW).withAgent("atlas")))
        .append(
            StoreFixture.news(prompt(T1, text), block(T1, "k1", text), image(T1, binary("png"))))
        .add(new Row.PutSummary(summary("s1", 2, T1, T1)))
        .add(new Row.PutVisibility(List.of(new Visibility(2, text, Visibility.Reason.API, NOW))))
        .add(
            new Row.PutArchivedRange(
                new ArchivedRange("g1", 3, 3, List.of(T1), "truncate", null, NOW)))
        .add(new Row.PutSources(List.of(new SourceRow(1, text, true, NOTE))))
        .add(new Row.SetPendingAnswer(T1, NOTE))
        .add(new Row.SetTitle(text))
        .add(new Row.PutOutcome(new Outcome("o1", T1, NOTE)))
        .add(new Row.PutRequest(new RequestRow("r1", T1, NOW, NOTE, Set.of(SHA))))
        .add(new Row.PutEpoch(new EpochRow("atlas", 1, NOW, NOW, NOTE, Set.of())))
        .add(new Row.Touch(new CacheTouch(NOW, 300)))
        .add(new Row.IndexTurn(T1))
        .note(NOTE)
        .build();
  }

  private void fill(Scope.OfConversation conversation) {
    store.putBinary(conversation.owner().scope(), binary("png"));
    applied(store, everything(conversation, "ours"));
    TurnId left = StoreFixture.turn("t8");
    applied(store, StoreFixture.opening(conversation, left, block(left, "left")));
    applied(store, StoreFixture.closing(conversation, left, TurnStatus.ABORTED));
  }

  private Map<String, Object> state(Scope.OfConversation conversation) {
    Map<String, Object> state = new LinkedHashMap<>();
    reads().forEach((name, probe) -> state.put(name, probe.call().apply(store, conversation)));
    state
        .keySet()
        .removeIf(
            name ->
                name.startsWith(
                    "outbox")); // shared by the users of a project, as conversations are by a user
    state.remove("conversations");
    state.remove("users"); // of a project too
    return state;
  }

  @Test
  void theMatrixHasEveryMethod() {
    Set<String> methods = new TreeSet<>();
    for (Method method : Store.class.getDeclaredMethods()) {
      if (!method.isSynthetic()) {
        methods.add(method.getName());
      }
    }
    methods.remove("close");
    List.of("memory", "eraseMemoryBlock", "eraseArchival", "eraseAgent", "eraseEvents")
        .forEach(methods::remove); // the matrix of memory has them
    methods.remove("waiting"); // a number for all scopes
    methods.remove("secret"); // of the whole store, and shown to nobody
    methods.remove("writeProblem"); // of the whole store
    methods.remove("isErasing"); // of all scopes
    List.of("isShared", "outboxEnd").forEach(methods::remove); // of the whole store
    methods.remove("whenOthersWrite"); // a hint without content: who is told reads again
    List.of("erasures", "forgotErased").forEach(methods::remove); // for the engine, of all scopes
    Set<String> probed = new TreeSet<>(reads().keySet());
    probed.addAll(writes().keySet());
    assertThat(probed).isEqualTo(methods);
  }

  @TestFactory
  Stream<DynamicTest> readsSeeNothingOfAnotherScope() throws Exception {
    Map<String, Object> nothing = new LinkedHashMap<>();
    reads().forEach((name, probe) -> nothing.put(name, probe.call().apply(store, CHAT)));
    fill(CHAT);
    return reads().entrySet().stream()
        .flatMap(
            read ->
                Stream.of(Level.values())
                    .filter(part -> part.compareTo(read.getValue().level()) <= 0)
                    .map(
                        part ->
                            DynamicTest.dynamicTest(
                                read.getKey() + " in another " + part,
                                () -> {
                                  var call = read.getValue().call();
                                  assertThat(call.apply(store, foreign(part)))
                                      .isEqualTo(nothing.get(read.getKey()));
                                  assertThat(call.apply(store, CHAT))
                                      .isNotEqualTo(nothing.get(read.getKey()));
                                })));
  }

  @TestFactory
  Stream<DynamicTest> writesChangeNothingOfAnotherScope() {
    fill(CHAT);
    Map<String, Object> before = state(CHAT);
    return writes().entrySet().stream()
        .flatMap(
            write ->
                Stream.of(Level.values())
                    .filter(part -> part.compareTo(write.getValue().level()) <= 0)
                    .map(
                        part ->
                            DynamicTest.dynamicTest(
                                write.getKey() + " in another " + part,
                                () -> {
                                  Scope.OfConversation foreign = foreign(part);
                                  fill(foreign);
                                  applied(
                                      store,
                                      StoreFixture.closing(foreign, T1, TurnStatus.COMPLETE));
                                  assertThat(write.getValue().call().apply(store, foreign))
                                      .isNotNull();
                                  assertThat(state(CHAT)).isEqualTo(before);
                                  store.eraseConversation(foreign, NOW);
                                  assertThat(state(CHAT)).isEqualTo(before);
                                })));
  }

  @Test
  void binariesOfOthersAreNotSeenByTheirHash() {
    fill(CHAT);
    Scope.OfConversation other = foreign(Level.USER);
    applied(store, opening(other, T1));
    assertThat(store.binary(other, SHA)).isEmpty();
    assertThat(store.binary(CHAT, SHA)).contains(binary("png"));
  }
}
