package dev.contexture.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.contexture.Contexture;
import dev.contexture.Turn;
import dev.contexture.block.Scope;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.search.IndexChange;
import dev.contexture.search.IndexDocument;
import dev.contexture.search.IndexEntry;
import dev.contexture.search.IndexFilter;
import dev.contexture.search.IndexPosition;
import dev.contexture.search.SearchContentType;
import dev.contexture.search.SearchIndex;
import dev.contexture.search.SearchIndex.Duty;
import dev.contexture.search.SearchOptions;
import dev.contexture.search.postgres.PostgresIndexes;
import dev.contexture.turn.TurnStart;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two processes that share the index in their database, played by two stores. */
@Timeout(600)
class SharedIndexTest {
  private static final Scope SHOP = Scope.of("acme", "shop");
  private static final IndexFilter ALL = IndexFilter.of(SearchOptions.DEFAULT, null, Set.of());
  private static final String DATABASE = "shared_index";

  private final PostgresServer server = PostgresServer.newest();
  private PostgresStore first;
  private PostgresStore second;

  @BeforeEach
  void open() {
    server.empty(DATABASE);
    first = PostgresStore.open(server.settings(DATABASE));
    second = PostgresStore.open(server.settings(DATABASE));
  }

  @AfterEach
  void close() {
    first.close();
    second.close();
  }

  private static IndexEntry entry(String id) {
    return new IndexEntry(
        id, "g" + id, SearchContentType.MESSAGES, "a", "u", "c", "user", Instant.EPOCH, 1, "h" + id);
  }

  private static List<IndexChange> said(String id, String text) {
    return List.of(new IndexChange.Put(new IndexDocument(entry(id), text, "", "", "", "")));
  }

  private static List<IndexChange> vectors(String id) {
    return List.of(new IndexChange.PutVectors(entry(id), List.of(new float[] {1, 0})));
  }

  private static List<String> found(SearchIndex index, String query) {
    return index.keyword(new SearchIndex.KeywordQuery(query, false), ALL, 10).stream()
        .map(hit -> hit.id())
        .toList();
  }

  private static Contexture engine(PostgresStore store) {
    return Contexture.builder(store).searchIndex(PostgresIndexes.in(store)).build();
  }

  private static void say(Contexture engine, String conversation, String prompt) {
    TurnStart start = TurnStart.prompt(prompt).agent("atlas");
    try (Turn turn =
        engine.browser(SHOP.user("ann").conversation(conversation)).startTurn(start)) {
      turn.finish("I heard " + prompt);
    }
  }

  @Test
  void oneAtATimeHasADuty() {
    SearchIndex one = PostgresIndexes.in(first).open(SHOP);
    SearchIndex two = PostgresIndexes.in(second).open(SHOP);
    assertThat(one.take(Duty.WORDS)).isTrue();
    assertThat(one.take(Duty.WORDS)).as("kept").isTrue();
    assertThat(two.take(Duty.WORDS)).isFalse();
    assertThat(two.take(Duty.VECTORS)).as("another duty").isTrue();
    one.write(said("1", "a fox"), IndexPosition.START.withText(7));
    assertThat(found(two, "fox")).containsExactly("1");
    assertThat(two.position().text()).isEqualTo(7);
    one.release(Duty.WORDS);
    assertThat(two.take(Duty.WORDS)).isTrue();
  }

  @Test
  void whoLostItsDutyWritesNothing() {
    SearchIndex one = PostgresIndexes.in(first).open(SHOP);
    SearchIndex two = PostgresIndexes.in(second).open(SHOP);
    assertThat(one.take(Duty.WORDS)).isTrue();
    server.admin(
        DATABASE, "UPDATE search_positions SET words_until = now() - INTERVAL '1 second'");
    assertThat(two.take(Duty.WORDS)).as("of a process that says nothing any more").isTrue();
    two.write(said("1", "a fox"), IndexPosition.START.withText(9));
    assertThatThrownBy(() -> one.write(said("2", "an owl"), IndexPosition.START.withText(3)))
        .isInstanceOfSatisfying(
            ContextureException.class,
            refused -> assertThat(refused.code()).isEqualTo(ErrorCode.SEARCH_UNAVAILABLE));
    assertThat(found(two, "owl")).isEmpty();
    assertThat(two.position().text()).isEqualTo(9);
    assertThat(one.take(Duty.WORDS)).isFalse();
  }

  /** A long build writes for longer than a duty lasts. */
  @Test
  void whoWritesKeepsItsDutyAndOneThatNobodyTookStaysItsOwn() {
    SearchIndex one = PostgresIndexes.in(first).open(SHOP);
    SearchIndex two = PostgresIndexes.in(second).open(SHOP);
    assertThat(one.take(Duty.WORDS)).isTrue();
    assertThat(one.take(Duty.VECTORS)).isTrue();
    server.admin(
        DATABASE, "UPDATE search_positions SET words_until = now() - INTERVAL '1 second'");
    one.write(said("1", "a fox"), IndexPosition.START.withText(9));
    assertThat(one.position().text()).isEqualTo(9);
    assertThat(two.take(Duty.WORDS)).isFalse();
  }

  @Test
  void wordsAndVectorsMoveOnBesideEachOther() {
    SearchIndex one = PostgresIndexes.in(first).open(SHOP);
    SearchIndex two = PostgresIndexes.in(second).open(SHOP);
    assertThat(one.take(Duty.WORDS)).isTrue();
    assertThat(two.take(Duty.VECTORS)).isTrue();
    IndexPosition old = two.position();
    one.write(said("1", "a fox"), one.position().withText(9));
    two.write(vectors("1"), old.withVectors(5, "m"));
    assertThat(one.position()).isEqualTo(new IndexPosition(9, 5, "m"));
    one.write(said("2", "an owl"), old.withText(12));
    assertThat(two.position().text()).isEqualTo(12);
    assertThat(two.position().model()).isEqualTo("m");
  }

  /** An embedder is slow: what it was given may be erased by another process meanwhile. */
  @Test
  void vectorsOfWhatAnotherErasedAreNotKept() {
    SearchIndex one = PostgresIndexes.in(first).open(SHOP);
    SearchIndex two = PostgresIndexes.in(second).open(SHOP);
    one.write(said("1", "a fox"), IndexPosition.START.withText(1));
    assertThat(two.take(Duty.VECTORS)).isTrue();
    one.write(
        List.of(new IndexChange.RemoveGroup("g1", true)), one.position().withText(2));
    two.write(vectors("1"), two.position().withVectors(1, "m"));
    assertThat(two.counts()).isEqualTo(new SearchIndex.Counts(0, 0, 0));
    assertThat(server.query(DATABASE, "postgres", "SELECT id FROM search_vectors")).isEmpty();
  }

  @Test
  void countsOfWordsAreThoseOfTheEntriesThatAreThere() {
    SearchIndex index = PostgresIndexes.in(first).open(SHOP);
    String counts = "SELECT term || ' ' || own || ' ' || near FROM search_terms ORDER BY 1";
    index.write(said("1", "red fox"), IndexPosition.START.withText(1));
    List<String> before = server.query(DATABASE, "postgres", counts);
    assertThat(before).containsExactly("fox 1 1", "red 1 1");
    index.write(said("2", "red owl"), IndexPosition.START.withText(2));
    index.write(said("2", "red red hen"), IndexPosition.START.withText(3));
    assertThat(server.query(DATABASE, "postgres", counts))
        .containsExactly("fox 1 1", "hen 1 1", "red 2 2");
    index.write(List.of(new IndexChange.RemoveGroup("g2", true)), index.position());
    assertThat(server.query(DATABASE, "postgres", counts)).isEqualTo(before);
  }

  @Test
  void aRoleSeesNothingWithoutATenant() {
    PostgresIndexes.in(first)
        .open(SHOP)
        .write(said("1", "a fox"), IndexPosition.START.withText(1));
    for (String table :
        List.of("search_positions", "search_entries", "search_passages", "search_terms")) {
      String rows = "SELECT tenant FROM " + table;
      assertThat(server.query(DATABASE, "postgres", rows)).as(table).contains("acme");
      assertThat(server.query(DATABASE, PostgresServer.ROLE, rows)).as(table).isEmpty();
    }
  }

  @Test
  void enginesThatWriteAtOnceIndexEachMessageOnce() throws Exception {
    int turns = 12;
    try (Contexture one = engine(first);
        Contexture two = engine(second);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> writing = new ArrayList<>();
      for (Contexture engine : List.of(one, two)) {
        String name = engine == one ? "one" : "two";
        writing.add(
            threads.submit(
                () -> {
                  for (int i = 0; i < turns; i++) {
                    say(engine, "c" + name, "otter" + name + i);
                    engine.search().searchAll(SHOP, "otter" + name + i, SearchOptions.DEFAULT);
                  }
                }));
      }
      for (Future<?> each : writing) {
        each.get();
      }
      awaitIndexed(one);
      for (Contexture engine : List.of(one, two)) {
        for (String word : List.of("otterone3", "ottertwo11")) {
          assertThat(engine.search().searchAll(SHOP, word, SearchOptions.DEFAULT).hits())
              .as(word)
              .isNotEmpty();
        }
        assertThat(engine.search().indexStatus(SHOP).entries()).isEqualTo(2L * 2 * turns);
      }
    }
  }

  private static void awaitIndexed(Contexture engine) throws InterruptedException {
    awaitSettled(engine);
    assertThat(engine.search().indexStatus(SHOP).lag()).isZero();
  }

  private static void awaitSettled(Contexture engine) throws InterruptedException {
    while (!engine.search().settle(SHOP)) { // bounded by the time of the test
      Thread.sleep(50);
    }
  }

  @Test
  void whatOneErasesIsInNoRowOnceThatIsSettled() throws Exception {
    try (Contexture one = engine(first);
        Contexture two = engine(second)) {
      say(one, "kept", "a walrus");
      say(one, "gone", "a narwhal");
      say(one, "gone", "another narwhal");
      awaitIndexed(two);
      assertThat(two.search().searchAll(SHOP, "narwhal", SearchOptions.DEFAULT).hits())
          .isNotEmpty();
      assertThat(two.browser(SHOP.user("ann").conversation("gone")).erase()).isTrue();
      awaitSettled(two);
      assertThat(
              server.query(
                  DATABASE,
                  "postgres",
                  "SELECT id FROM search_passages WHERE words::text LIKE '%narwhal%'"))
          .isEmpty();
      assertThat(
              server.query(
                  DATABASE, "postgres", "SELECT term FROM search_terms WHERE term = 'narwhal'"))
          .isEmpty();
      assertThat(one.search().searchAll(SHOP, "narwhal", SearchOptions.DEFAULT).hits()).isEmpty();
      assertThat(one.search().searchAll(SHOP, "walrus", SearchOptions.DEFAULT).hits())
          .isNotEmpty();
    }
  }

  /** An older form is dropped by the first server that knows a newer one, and filled again. */
  @Test
  void anIndexOfAnOlderFormIsBuiltAnew() throws Exception {
    try (Contexture one = engine(first)) {
      say(one, "c", "a walrus");
      awaitIndexed(one);
    }
    server.admin(DATABASE, "UPDATE search_positions SET format = 0");
    try (Contexture one = engine(second)) {
      awaitIndexed(one);
      assertThat(one.search().searchAll(SHOP, "walrus", SearchOptions.DEFAULT).hits()).hasSize(2);
    }
  }
}
