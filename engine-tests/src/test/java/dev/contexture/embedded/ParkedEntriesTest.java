package dev.contexture.embedded;

import static dev.contexture.embedded.SearchFixture.SCOPE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.contexture.Contexture;
import dev.contexture.block.Scope;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.search.Embedder;
import dev.contexture.search.EmbedderException;
import dev.contexture.search.IndexChange;
import dev.contexture.search.IndexEntry;
import dev.contexture.search.IndexPosition;
import dev.contexture.search.ParkedEntries;
import dev.contexture.search.SearchIndex;
import dev.contexture.search.SearchOptions;
import dev.contexture.search.lucene.LuceneIndexes;
import dev.contexture.store.Store;
import dev.contexture.store.sqlite.InMemoryStore;
import dev.contexture.store.sqlite.SqliteStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
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

  /** Nobody has to index anew: the first look of a version that can does it. */
  @Test
  void whatAnEarlierVersionCouldNotIndexIsFoundByOneThatCan(@TempDir Path stored)
      throws InterruptedException {
    Versions versions = new Versions(stored);
    try (Contexture engine = versions.open(LuceneIndexes.in(folder), "zebra", null)) {
      SearchFixture fixture = new SearchFixture(engine);
      fixture.said("ann", "a", "a zebra is lost", "oh");
      fixture.block("a", "mem_1", "animals", "", "zebra, horse");
      fixture.archive("a", "arc_1", "zebra in the garden", null);
      fixture.archive("a", "arc_2", "horse in the garden", null);
      assertThat(fixture.contents("a", "zebra")).isEmpty();
      assertThat(engine.search().parked().count()).isEqualTo(3);
    }
    try (Contexture engine = versions.open(LuceneIndexes.in(folder), "zebra", null)) {
      waitFor(engine, () -> engine.search().parked().count() == 3); // it cannot either
      assertThat(new SearchFixture(engine).contents("a", "zebra")).isEmpty();
    }
    try (Contexture engine = versions.open(LuceneIndexes.in(folder), "nothing", null)) {
      SearchFixture fixture = new SearchFixture(engine);
      assertThat(engine.search().lag()).isZero(); // which is no reason to leave them out
      waitFor(engine, () -> fixture.contents("a", "zebra").size() == 3);
      assertThat(fixture.contents("a", "zebra"))
          .containsExactlyInAnyOrder("a zebra is lost", "zebra, horse", "zebra in the garden");
      assertThat(fixture.contents("a", "horse")).contains("horse in the garden");
      assertThat(engine.search().parked().count()).isZero();
    }
  }

  @Test
  void whatAnEarlierVersionCouldNotEmbedIsTriedAgain(@TempDir Path stored)
      throws InterruptedException {
    Versions versions = new Versions(stored);
    Embedder refuses = lengths("zebra");
    try (Contexture engine = versions.open(LuceneIndexes.in(folder), "nothing", refuses)) {
      SearchFixture fixture = new SearchFixture(engine);
      fixture.archive("a", "arc_1", "zebra in the garden", null);
      fixture.archive("a", "arc_2", "horse in the garden", null);
      waitFor(engine, () -> engine.search().parked().count() == 1);
      assertThat(engine.search().indexStatus(SCOPE).embedded()).isEqualTo(1);
    }
    Embedder takes = lengths("nothing");
    try (Contexture engine = versions.open(LuceneIndexes.in(folder), "nothing", takes)) {
      waitFor(engine, () -> engine.search().indexStatus(SCOPE).embedded() == 2);
      assertThat(engine.search().indexStatus(SCOPE).parked()).isEmpty();
    }
  }

  private static void waitFor(Contexture engine, BooleanSupplier done) throws InterruptedException {
    engine.search().notice(SCOPE);
    for (int i = 0; i < 1_200 && !done.getAsBoolean(); i++) {
      Thread.sleep(100);
    }
    assertThat(done.getAsBoolean()).isTrue();
  }

  /**
   * Versions of an index over a store: each cannot take some text, and knows what others parked.
   */
  private static final class Versions {
    private final Path stored;
    private final Map<String, String> groups = new ConcurrentHashMap<>();
    private final Set<String> parkedNow = ConcurrentHashMap.newKeySet();
    private String cannot = "";

    Versions(Path stored) {
      this.stored = stored;
    }

    Contexture open(SearchIndex.Provider real, String cannotTake, @Nullable Embedder embedder) {
      cannot = cannotTake;
      parkedNow.clear();
      SearchIndex.Provider indexes =
          proxy(
              SearchIndex.Provider.class,
              real,
              (method, args) ->
                  method.getName().equals("open") ? index(real.open((Scope) args[0])) : null);
      return Contexture.builder(SqliteStore.open(stored))
          .searchIndex(indexes)
          .embedder(embedder)
          .build();
    }

    private SearchIndex index(SearchIndex of) {
      return proxy(
          SearchIndex.class,
          of,
          (method, args) ->
              switch (method.getName()) {
                case "write" -> write(of, (List<?>) args[0], (IndexPosition) args[1]);
                case "outdatedGroups" ->
                    of.parked((Integer) args[0]).stream()
                        .filter(parked -> !parkedNow.contains(parked.id()))
                        .map(parked -> groups.getOrDefault(parked.id(), ""))
                        .distinct()
                        .toList();
                default -> null;
              });
    }

    private Integer write(SearchIndex index, List<?> changes, IndexPosition position) {
      List<IndexChange> possible = new ArrayList<>();
      for (Object change : changes) {
        if (change instanceof IndexChange.Put put && put.document().text().contains(cannot)) {
          possible.add(new IndexChange.ParkText(note(put.document().entry()), "cannot take it"));
        } else if (change instanceof IndexChange.Park park) {
          possible.add(new IndexChange.Park(note(park.entry()), park.error()));
        } else {
          possible.add((IndexChange) change);
        }
      }
      return index.write(possible, position);
    }

    private IndexEntry note(IndexEntry entry) {
      groups.put(entry.id(), entry.group());
      parkedNow.add(entry.id());
      return entry;
    }

    /** Answers some methods itself: those for which it has an answer. */
    private static <T> T proxy(
        Class<T> type, T real, BiFunction<Method, Object[], @Nullable Object> answers) {
      return type.cast(
          Proxy.newProxyInstance(
              type.getClassLoader(),
              new Class<?>[] {type},
              (self, method, args) -> {
                Object answer = answers.apply(method, args == null ? new Object[0] : args);
                return answer == null ? invoke(method, real, args) : answer;
              }));
    }
  }

  /** Embeds by how long a text is, unless it holds a word. */
  private static Embedder lengths(String refused) {
    return new FakeEmbedder(
        "lengths",
        2,
        8,
        texts -> {
          if (texts.stream().anyMatch(text -> text.contains(refused))) {
            throw EmbedderException.permanent("bad text", null);
          }
        },
        text -> new float[] {1, text.length()});
  }

  private static @Nullable Object invoke(Method method, Object on, Object @Nullable [] args)
      throws Throwable {
    try {
      return method.invoke(on, args);
    } catch (InvocationTargetException thrown) {
      throw thrown.getCause();
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
              return invoke(method, real, args);
            });
  }
}
