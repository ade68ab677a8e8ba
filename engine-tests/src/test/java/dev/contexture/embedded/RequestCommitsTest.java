package dev.contexture.embedded;

import static dev.contexture.embedded.ContextFixture.ME;
import static dev.contexture.embedded.ContextFixture.SHOP;
import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.AssembledContext;
import dev.contexture.ContextRequest;
import dev.contexture.Turn;
import dev.contexture.block.Scope;
import dev.contexture.prompt.ContextConfig;
import dev.contexture.store.EpochRow;
import dev.contexture.store.Store;
import dev.contexture.store.WriteSet;
import dev.contexture.store.sqlite.SqliteStore;
import dev.contexture.testkit.FakeClock;
import dev.contexture.turn.TurnStart;
import dev.contexture.view.PruneSettings;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A request is one durable write: its record, its epoch and what its turn refers to. */
class RequestCommitsTest {
  private static final Scope.OfConversation CHAT = SHOP.user("u42").conversation("c1");
  private static final String MODEL = "claude-opus-5";

  @TempDir Path directory;
  private final List<WriteSet> commits = new ArrayList<>();
  private Store store;
  private ContextFixture fixture;

  @BeforeEach
  void open() {
    store = counted(SqliteStore.open(directory));
    fixture = new ContextFixture(store, FakeClock.atStart());
    fixture.core("persona", "I am Entropy.");
    fixture.unpinned("orders", "o-77");
  }

  @AfterEach
  void close() {
    fixture.engine.close();
  }

  private Store counted(Store real) {
    return (Store)
        Proxy.newProxyInstance(
            Store.class.getClassLoader(),
            new Class<?>[] {Store.class},
            (proxy, method, args) -> {
              if (method.getName().equals("commit")) {
                commits.add((WriteSet) args[0]);
              }
              return called(real, method, args);
            });
  }

  private static Object called(Store real, Method method, Object[] args) throws Throwable {
    try {
      return method.invoke(real, args);
    } catch (InvocationTargetException failed) {
      throw failed.getCause();
    }
  }

  private ContextRequest built(Turn turn, String... blocks) {
    commits.clear();
    return turn.request(MODEL).agent(ME).blocks(List.of(blocks)).build();
  }

  private EpochRow epoch() {
    return store.epoch(CHAT, ME).orElseThrow();
  }

  @Test
  void requestThatBeginsAnEpochIsOneCommit() {
    try (Turn turn = fixture.chat.startTurn("Where is it?")) {
      ContextRequest first = built(turn);
      assertThat(commits).hasSize(1);
      assertThat(epoch().number()).isEqualTo(1);
      assertThat(store.request(CHAT, first.id())).isPresent();
    }
  }

  @Test
  void requestOfAnEpochThatGoesOnIsOneCommit() {
    try (Turn turn = fixture.chat.startTurn("Where is it?")) {
      built(turn);
      fixture.clock.advance(java.time.Duration.ofSeconds(30));
      built(turn);
      assertThat(commits).hasSize(1);
      assertThat(epoch().number()).isEqualTo(1);
      assertThat(epoch().builtAt()).isEqualTo(fixture.clock.instant());
    }
  }

  @Test
  void requestThatRefersToABlockIsOneCommit() {
    try (Turn turn = fixture.chat.startTurn("Where is it?")) {
      built(turn, "orders");
      assertThat(commits).hasSize(1);
      assertThat(store.turn(CHAT, turn.id()).orElseThrow().row().meta().toJson())
          .isEqualTo("{\"block_refs\":[\"orders\"]}");
      assertThat(built(turn).body()).contains("o-77");
      assertThat(commits).hasSize(1);
    }
  }

  @Test
  void requestThatTouchesTheCacheIsOneCommit() {
    TurnStart start = TurnStart.prompt("Where is it?").pruning(PruneSettings.DISABLED.ttl(300));
    try (Turn turn = fixture.chat.startTurn(start)) {
      built(turn);
      assertThat(commits).hasSize(1);
      assertThat(store.head(CHAT).orElseThrow().touch())
          .isNotNull()
          .satisfies(touch -> assertThat(touch.at()).isEqualTo(fixture.clock.instant()));
    }
  }

  @Test
  void contextWithoutAProviderIsOneCommit() {
    fixture.chat.startTurn("Where is it?");
    commits.clear();
    AssembledContext built =
        fixture.inChat(ContextConfig.DEFAULT).withBatchBlocks(List.of("orders")).build();
    assertThat(built.metadata().blockLabels()).contains("orders");
    assertThat(commits).hasSize(1);
    fixture.built();
    assertThat(commits).hasSize(2);
  }

  @Test
  void refusedRequestLeavesNothing() {
    try (Turn turn = fixture.chat.startTurn("Where is it?")) {
      commits.clear();
      org.assertj.core.api.Assertions.assertThatThrownBy(
              () ->
                  turn.request("openai_chat", "mistral-large-2512") // may answer a window long
                      .agent(ME)
                      .blocks(List.of("orders"))
                      .maxOutputTokens(262_144)
                      .proof(dev.contexture.request.ProofMode.STRICT)
                      .build())
          .hasMessageContaining("V27 window");
      assertThat(commits).isEmpty();
      assertThat(store.epoch(CHAT, ME)).isEmpty();
    }
  }
}
