package dev.contexture.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.ContextBrowser;
import dev.contexture.Contexture;
import dev.contexture.Turn;
import dev.contexture.block.Block;
import dev.contexture.block.BlockPath;
import dev.contexture.block.BlockType;
import dev.contexture.block.CallId;
import dev.contexture.block.Scope;
import dev.contexture.render.RenderOptions;
import dev.contexture.store.Row;
import dev.contexture.store.Store;
import dev.contexture.store.WriteSet;
import dev.contexture.store.sqlite.InMemoryStore;
import dev.contexture.testkit.FakeClock;
import dev.contexture.turn.RenderResult;
import dev.contexture.view.PruneSettings;
import dev.contexture.view.TtlPruner;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Pruning of a stored conversation: its state, and what the agent is told (T-51, T-52, T-56). */
class StoredPruningTest {
  private static final Scope.OfConversation SCOPE = Scope.of("a", "p").user("u").conversation("c");
  private static final PruneSettings FIVE_MINUTES = PruneSettings.DISABLED.ttl(300);
  private static final RenderOptions OPTIONS = RenderOptions.defaults();

  private final InMemoryStore store = new InMemoryStore();
  private final FakeClock clock = FakeClock.atStart();
  private ContextBrowser chat;

  @BeforeEach
  void open() {
    chat = Contexture.builder(store).exclusive(true).clock(clock).build().browser(SCOPE);
    for (int i = 1; i <= 3; i++) {
      Turn turn = chat.startTurn("Search " + i);
      CallId call = CallId.of("tc_" + i);
      turn.contribute(
          Block.builder(BlockType.REACT_TOOL_CALL)
              .path(BlockPath.call(turn.id(), call))
              .text("{\"tool_id\":\"web.web_search\",\"params\":{}}"),
          Block.builder(BlockType.REACT_TOOL_RESULT)
              .path(BlockPath.result(turn.id(), call))
              .text("a long result of the search ".repeat(80)));
      turn.finish("done " + i);
    }
  }

  @Test
  void tellsTheAgentOncePerTurnThatContentWasShortened() {
    Turn turn = chat.startTurn("Go on");
    assertThat(render(turn, 0)).isEqualTo(TtlPruner.Status.FRESH);
    assertThat(messages()).isZero();
    assertThat(render(turn, 290)).isEqualTo(TtlPruner.Status.PRUNED_LIGHT);
    assertThat(messages()).isEqualTo(1);
    assertThat(chat.render(OPTIONS).text()).contains("TTL 300 s", "react.read", "truncated");
    assertThat(render(turn, 290)).isEqualTo(TtlPruner.Status.NO_EFFECT);
    assertThat(messages()).isEqualTo(1);
  }

  @Test
  void usesTheStoredTtlFirstAfterALoadAndThenTheConfiguredOne() {
    Turn turn = chat.startTurn("Go on");
    assertThat(render(turn, 0)).isEqualTo(TtlPruner.Status.FRESH);
    long version = chat.version();
    chat = Contexture.builder(store).exclusive(true).clock(clock).build().browser(SCOPE);
    Turn again = chat.openTurn();
    clock.advance(Duration.ofSeconds(100));
    PruneSettings oneMinute = PruneSettings.DISABLED.ttl(60);
    assertThat(again.render(OPTIONS, oneMinute).pruning().status())
        .isEqualTo(TtlPruner.Status.FRESH);
    assertThat(chat.version()).as("a touch raises no version").isEqualTo(version);
    clock.advance(Duration.ofSeconds(100));
    assertThat(again.render(OPTIONS, oneMinute).pruning().status())
        .isEqualTo(TtlPruner.Status.PRUNED_LIGHT);
  }

  @Test
  void plansAnewWhenAnotherProcessWroteInBetween() {
    ContextBrowser other = Contexture.builder(store).clock(clock).build().browser(SCOPE);
    AtomicInteger overtaken = new AtomicInteger();
    Store overtaking =
        before(
            store,
            set -> {
              boolean prunes = set.rows().stream().anyMatch(Row.PutVisibility.class::isInstance);
              if (prunes && overtaken.getAndIncrement() == 0) {
                other.setTitle("written in between", true);
              }
            });
    chat = Contexture.builder(overtaking).clock(clock).build().browser(SCOPE);
    Turn turn = chat.startTurn("Go on");
    assertThat(render(turn, 0)).isEqualTo(TtlPruner.Status.FRESH);
    assertThat(render(turn, 290)).isEqualTo(TtlPruner.Status.PRUNED_LIGHT);
    assertThat(overtaken).hasValue(2);
    assertThat(messages()).isEqualTo(1);
  }

  /** The store, with something that happens before each commit. */
  private static Store before(Store store, Consumer<WriteSet> happens) {
    return (Store)
        Proxy.newProxyInstance(
            Store.class.getClassLoader(),
            new Class<?>[] {Store.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("commit")) {
                happens.accept((WriteSet) arguments[0]);
              }
              return method.invoke(store, arguments);
            });
  }

  private TtlPruner.Status render(Turn turn, int secondsLater) {
    clock.advance(Duration.ofSeconds(secondsLater));
    RenderResult rendered = turn.render(OPTIONS, FIVE_MINUTES);
    return rendered.pruning().status();
  }

  private long messages() {
    return chat.timeline().entries().stream()
        .filter(entry -> entry.block().type().equals(BlockType.SYSTEM_MESSAGE))
        .count();
  }
}
