package dev.contexture.embedded;

import static dev.contexture.embedded.SearchFixture.SCOPE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.contexture.Contexture;
import dev.contexture.block.Scope;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.search.ParkedEntries;
import dev.contexture.search.SearchIndex;
import dev.contexture.search.SearchOptions;
import dev.contexture.search.lucene.LuceneIndexes;
import dev.contexture.store.Store;
import dev.contexture.store.sqlite.InMemoryStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One entry that cannot be indexed stops nothing, and is not forgotten. */
class ParkedEntriesTest {
  @TempDir Path folder;

  @Test
  void aMessageWithInvisibleCharactersStopsNoSearch() {
    try (Contexture engine = open(new InMemoryStore())) {
      SearchFixture fixture = new SearchFixture(engine);
      fixture.said("ann", "a", "I live in 東京\u200e, thanks", "カ゛タ");
      fixture.said("bob", "a", "the umbrella is broken", "buy another");
      assertThat(fixture.contents("a", "umbrella")).contains("the umbrella is broken");
      assertThat(fixture.contents("a", "東京")).contains("I live in 東京\u200e, thanks");
      assertThat(engine.search().lag()).isZero();
      assertThat(engine.search().parked()).isEqualTo(ParkedEntries.NONE);
      assertThat(engine.search().rebuild(SCOPE, rows -> {}).entries()).isEqualTo(4);
    }
  }

  @Test
  void parksWhatTheStoreCannotReadUntilItIsIndexedAnew() {
    AtomicBoolean damaged = new AtomicBoolean(true);
    Store store = damaged(new InMemoryStore(), "ann", damaged);
    try (Contexture engine = open(store)) {
      SearchFixture fixture = new SearchFixture(engine);
      damaged.set(false);
      fixture.said("ann", "a", "my umbrella is lost", "oh");
      damaged.set(true);
      fixture.said("bob", "a", "the umbrella is broken", "buy another");
      assertThat(fixture.contents("a", "umbrella")).containsExactly("the umbrella is broken");
      assertThat(engine.search().lag()).isZero();
      assertThat(engine.search().parked().count()).isEqualTo(1);
      assertThat(engine.search().parked().first().getFirst())
          .satisfies(
              parked -> {
                assertThat(parked.scope()).isEqualTo(SCOPE);
                assertThat(parked.id()).startsWith("ann/c1/");
                assertThat(parked.reason()).isNotBlank();
              });
      damaged.set(false);
      engine.search().rebuild(SCOPE, rows -> {});
      assertThat(engine.search().parked().count()).isZero();
      assertThat(fixture.contents("a", "umbrella"))
          .containsExactlyInAnyOrder("the umbrella is broken", "my umbrella is lost");
    }
  }

  @Test
  void anIndexThatCannotBeOpenedLags() {
    SearchIndex.Provider none =
        (SearchIndex.Provider)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {SearchIndex.Provider.class},
                (self, method, args) -> {
                  if (method.getName().equals("open")) {
                    throw new ContextureException(ErrorCode.SEARCH_UNAVAILABLE, "no files left");
                  }
                  return method.getName().equals("exists") ? true : null;
                });
    try (Contexture engine = Contexture.builder(new InMemoryStore()).searchIndex(none).build()) {
      SearchFixture fixture = new SearchFixture(engine);
      fixture.said("ann", "a", "hello", "hi");
      assertThatThrownBy(() -> engine.search().rebuild(SCOPE, rows -> {}))
          .isInstanceOf(ContextureException.class);
      assertThat(engine.search().knownLag()).isPositive();
    }
  }

  private Contexture open(Store store) {
    return Contexture.builder(store).searchIndex(LuceneIndexes.in(folder)).build();
  }

  @Test
  void searchesOfWhatHoldsNothingLeaveNoFolder() {
    try (Contexture engine = open(new InMemoryStore())) {
      for (int i = 0; i < 30; i++) {
        Scope unknown = Scope.of("tenant" + i, "project");
        assertThat(engine.search().search(unknown.agent("a"), "x", SearchOptions.DEFAULT).hits())
            .isEmpty();
        assertThat(engine.search().indexStatus(unknown).entries()).isZero();
        assertThat(engine.search().rebuild(unknown, rows -> {}).entries()).isZero();
      }
      assertThat(folder).isEmptyDirectory();
    }
  }

  @Test
  void noWordOfAnotherAgentLeadsToAHit() {
    try (Contexture engine = open(new InMemoryStore())) {
      SearchFixture fixture = new SearchFixture(engine);
      fixture.said("ann", "atlas", "my password is hunter2xyz", "noted hunter2xyz");
      fixture.said("ann", "hermes", "weather in Oslo", "rain");
      fixture.said("ann", "atlas", "again hunter2xyz", "yes");
      String asked = "one two three hunter2xyz"; // enough words to find neighbours alone
      assertThat(fixture.contents("hermes", asked)).isEmpty();
      assertThat(fixture.contents("atlas", asked)).contains("my password is hunter2xyz");
    }
  }

  /** A store that cannot read the turns of a user. */
  private static Store damaged(Store real, String user, AtomicBoolean damaged) {
    return (Store)
        Proxy.newProxyInstance(
            ParkedEntriesTest.class.getClassLoader(),
            new Class<?>[] {Store.class},
            (self, method, args) -> {
              if (method.getName().equals("turn")
                  && damaged.get()
                  && args[0] instanceof Scope.OfConversation of
                  && of.user().equals(user)) {
                throw new ContextureException(ErrorCode.STORE_DAMAGED, "a page is damaged");
              }
              try {
                return method.invoke(real, args);
              } catch (InvocationTargetException thrown) {
                throw thrown.getCause();
              }
            });
  }
}
