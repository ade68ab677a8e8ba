package dev.contexture.embedded;

import static dev.contexture.embedded.SearchFixture.NOON;
import static dev.contexture.embedded.SearchFixture.SCOPE;
import static dev.contexture.embedded.SearchFixture.by;
import static dev.contexture.embedded.SearchFixture.contents;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.contexture.Contexture;
import dev.contexture.Turn;
import dev.contexture.block.Block;
import dev.contexture.block.BlockType;
import dev.contexture.block.Scope;
import dev.contexture.block.TurnId;
import dev.contexture.engine.memory.BlockSpec;
import dev.contexture.engine.memory.MemoryStore;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonValue;
import dev.contexture.memory.permission.Actor;
import dev.contexture.memory.schema.MemoryBlockType;
import dev.contexture.search.MemorySearchResult;
import dev.contexture.search.SearchContentType;
import dev.contexture.search.SearchFallback;
import dev.contexture.search.SearchIndex;
import dev.contexture.search.SearchMode;
import dev.contexture.search.SearchOptions;
import dev.contexture.search.SearchResults;
import dev.contexture.search.lucene.LuceneIndexes;
import dev.contexture.store.Commit;
import dev.contexture.store.MemoryRow;
import dev.contexture.store.Row;
import dev.contexture.store.WriteSet;
import dev.contexture.store.sqlite.InMemoryStore;
import dev.contexture.store.sqlite.SqliteStore;
import dev.contexture.timeline.ArchivedRange;
import dev.contexture.turn.TurnStart;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Search through the engine, by words (checklist 58 to 60, 64, 65). */
class SearchTest {
  @TempDir Path directory;
  private Contexture engine;
  private SearchFixture fixture;

  @BeforeEach
  void open() {
    engine = Contexture.open(directory);
    fixture = new SearchFixture(engine);
  }

  @AfterEach
  void close() {
    engine.close();
  }

  /** M-84, M-75: the next search finds what was written, in an open turn too. */
  @Test
  void findsAWriteWithTheNextSearch() {
    try (Turn turn = fixture.chat("u", "c1").startTurn(TurnStart.prompt("Hello").agent("a"))) {
      assertThat(fixture.search("a", "giraffe").hits()).isEmpty();
      turn.contribute(by("Zoe", "I saw a giraffe today"));
      MemorySearchResult hit = fixture.search("a", "giraffes").hits().getFirst();
      assertThat(hit.content()).isEqualTo("I saw a giraffe today");
      assertThat(hit.role()).isEqualTo("Zoe");
      assertThat(hit.user()).isEqualTo("u");
      assertThat(hit.score()).isPositive();
      assertThat(hit.why().words()).containsExactly("giraffe");
      assertThat(hit.why().keywordRank()).isEqualTo(1);
      turn.contribute(by("Zoe", "and a second giraffe"));
      assertThat(fixture.search("a", "giraffe").hits()).hasSize(2);
      turn.finish("Nice.");
    }
    assertThat(fixture.contents("a", "nice")).contains("Nice.");
  }

  /** M-77, checklist 58. */
  @Test
  void findsEveryKindOfContent() {
    fixture.said("u", "a", "How tall is the tower?", "330 metres");
    fixture.archive("a", "arc_1", "Bridges of Paris", JsonValue.parse("{\"topic\":\"zeppelin\"}"));
    fixture.block("a", "mem_1", "persona", "what I am like", "curious and kind");
    assertThat(fixture.contents("a", "towers")).first().isEqualTo("How tall is the tower?");
    assertThat(fixture.contents("a", "bridge")).containsExactly("Bridges of Paris");
    assertThat(fixture.contents("a", "zeppelin")).containsExactly("Bridges of Paris");
    for (String query : new String[] {"persona", "like", "kindness curious"}) {
      assertThat(fixture.search("a", query).hits().getFirst().label()).isEqualTo("persona");
    }
  }

  /** M-77, checklist 58: what a tool answered can be found, and by its role alone. */
  @Test
  void findsToolResults() {
    try (Turn turn = fixture.chat("u", "c1").startTurn(TurnStart.prompt("Look").agent("a"))) {
      turn.contribute(
          Block.builder(BlockType.REACT_TOOL_CALL).toolCallId("c1").text("{\"tool\":\"fetch\"}"),
          Block.builder(BlockType.REACT_TOOL_RESULT).toolCallId("c1").text("the walrus sleeps"));
      turn.finish("It does.");
    }
    SearchOptions tools = SearchOptions.builder().roles(Set.of("tool")).build();
    assertThat(contents(engine.search().search(SCOPE.agent("a"), "sleeping walrus", tools)))
        .containsExactly("the walrus sleeps");
  }

  /** M-83, checklist 65: turns that compaction left out of context can still be found. */
  @Test
  void findsArchivedTurns() {
    String turn = fixture.said("u", "a", "the yeti likes tea", "noted");
    Scope.OfConversation chat = SCOPE.user("u").conversation("c1");
    ArchivedRange range =
        new ArchivedRange("r1", 1, 9, List.of(TurnId.of(turn)), "truncate", null, NOON);
    assertThat(
            engine
                .store()
                .commit(WriteSet.of(chat, NOON).add(new Row.PutArchivedRange(range)).build()))
        .isInstanceOf(Commit.Committed.class);
    assertThat(fixture.contents("a", "yeti")).containsExactly("the yeti likes tea");
    engine.search().rebuild(SCOPE, changes -> {});
    assertThat(fixture.contents("a", "yeti")).containsExactly("the yeti likes tea");
  }

  /** M-86: what is written to memory is indexed soon, though nobody searches. */
  @Test
  void memoryWritesWakeTheIndex() throws InterruptedException {
    engine.memory(SCOPE).insertArchival("a", "a quiet entry", null);
    assertThat(engine.search().lag()).isLessThanOrEqualTo(1);
    for (int i = 0; i < 2_400 && engine.search().lag() > 0; i++) {
      Thread.sleep(50);
    }
    assertThat(engine.search().lag()).isZero();
    assertThat(engine.search().indexStatus(SCOPE).entries()).isEqualTo(1);
  }

  /** T-112, T-105: what models hide and what was taken back is not found. */
  @Test
  void findsNothingOfAbortedTurns() {
    try (Turn turn = fixture.chat("u", "c1").startTurn(TurnStart.prompt("okapi").agent("a"))) {
      assertThat(fixture.search("a", "okapi").hits()).hasSize(1);
      turn.abort("changed my mind");
    }
    assertThat(fixture.search("a", "okapi").hits()).isEmpty();
  }

  /** What stands next to a message helps to find it. */
  @Test
  void findsAnAnswerByItsQuestion() {
    fixture.said("u", "a", "Where did we park the blue camping caravan?", "Behind the barn.");
    fixture.said("u", "a", "What else?", "Nothing.");
    assertThat(fixture.contents("a", "park blue camping caravan")).contains("Behind the barn.");
    assertThat(fixture.contents("a", "caravan")).doesNotContain("Behind the barn.");
    fixture.said("u", "a", "And the pink flamingo with glasses?", "In the pond.");
    assertThat(fixture.contents("a", "the pink flamingo wears glasses"))
        .contains("In the pond.", "Nothing.");
  }

  /** M-78, checklist 59. */
  @Test
  void reportsAQueryWithoutWords() {
    fixture.said("u", "a", "50 % off", "ok");
    SearchResults results = fixture.search("a", "% !?");
    assertThat(results.hits()).isEmpty();
    assertThat(results.has(SearchFallback.Code.EMPTY_QUERY)).isTrue();
    assertThatThrownBy(
            () ->
                engine
                    .search()
                    .search(SCOPE.agent("a"), "(a", SearchOptions.builder().raw(true).build()))
        .isInstanceOfSatisfying(
            ContextureException.class,
            refused -> assertThat(refused.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT));
  }

  /** M-76, checklist 60. */
  @Test
  void ranksMixedTypesByRelevance() {
    fixture.said("u", "a", "We talked about sailing once", "yes");
    fixture.archive("a", "arc_1", "sailing sailing boats and sailing", null);
    fixture.block("a", "mem_1", "hobbies", "", "reading, chess, sailing, walking, cooking, music");
    SearchResults results = fixture.search("a", "sailing");
    assertThat(results.hits())
        .extracting(MemorySearchResult::type)
        .contains(SearchContentType.MESSAGES, SearchContentType.BLOCKS, SearchContentType.ARCHIVAL);
    assertThat(results.hits().getFirst().id()).isEqualTo("arc_1");
    assertThat(results.hits()).isSortedAccordingTo((x, y) -> Double.compare(y.score(), x.score()));
  }

  /** M-83, M-74, checklist 64. */
  @Test
  void keepsAgentsUsersAndProjectsApart() {
    fixture.said("u1", "a", "secret of one", "x");
    fixture.said("u2", "a", "secret of two", "x");
    fixture.said("u1", "b", "secret for b", "x");
    fixture.archive("b", "arc_b", "secret of b", null);
    SearchOptions options = SearchOptions.DEFAULT;
    assertThat(fixture.contents("b", "secret"))
        .containsExactlyInAnyOrder("secret for b", "secret of b");
    assertThat(
            contents(
                engine
                    .search()
                    .search(SCOPE.agent("a"), "secret", options.toBuilder().user("u2").build())))
        .containsExactly("secret of two");
    assertThat(contents(engine.search().search(SCOPE.user("u1"), "secret", options)))
        .doesNotContain("secret of two", "secret of b")
        .contains("secret of one", "secret for b");
    assertThat(engine.search().searchAll(SCOPE, "secret", options).hits()).hasSize(4);
    assertThat(engine.search().searchAll(Scope.of("acme", "other"), "secret", options).hits())
        .isEmpty();
    assertThat(
            engine
                .search()
                .search(
                    SCOPE.agent("a"), "secret", options.toBuilder().roles(Set.of("user")).build())
                .hits())
        .extracting(MemorySearchResult::role)
        .containsOnly("user");
    assertThat(
            contents(
                engine
                    .search()
                    .search(
                        SCOPE.agent("b"),
                        "secret",
                        options.toBuilder().times(NOON, NOON.plusSeconds(1)).build())))
        .containsExactly("secret of b");
  }

  /** M-83: shares, while they last. */
  @Test
  void findsSharedBlocksUntilTheShareEnds() {
    fixture.block("a", "mem_1", "plan", "", "buy a submarine");
    assertThat(fixture.search("b", "submarine").hits()).isEmpty();
    fixture.memory(
        new MemoryRow.EnsureAgent("b"), new MemoryRow.PutShare("mem_1", "b", "read_only", true));
    assertThat(fixture.contents("b", "submarine")).containsExactly("buy a submarine");
    fixture.memory(new MemoryRow.RemoveShare("mem_1", "b"));
    assertThat(fixture.search("b", "submarine").hits()).isEmpty();
  }

  /** Rule 1 of the design: erasing removes everything, the words in the files too. */
  @Test
  void erasesFromTheFiles() throws IOException {
    String turn = fixture.said("u", "a", "the password is wolpertinger", "noted");
    fixture.said("u", "a", "something else", "ok");
    fixture.archive("a", "arc_1", "jackalope", null);
    assertThat(fixture.contents("a", "wolpertinger")).hasSize(1);
    engine.search().rebuild(SCOPE, changes -> {});
    assertThat(indexHolds("wolperting")).isTrue();
    fixture.chat("u", "c1").eraseTurn(TurnId.of(turn));
    engine.store().eraseArchival(SCOPE, "arc_1", NOON);
    assertThat(fixture.search("a", "wolpertinger").hits()).isEmpty();
    assertThat(fixture.search("a", "jackalope").hits()).isEmpty();
    engine.close();
    assertThat(indexHolds("wolperting")).isFalse();
    assertThat(indexHolds("jackalop")).isFalse();
  }

  private boolean indexHolds(String term) throws IOException {
    try (Stream<Path> files = Files.walk(directory.resolve("index"))) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        String bytes =
            new String(Files.readAllBytes(file), java.nio.charset.StandardCharsets.ISO_8859_1);
        if (bytes.contains(term)) {
          return true;
        }
      }
    }
    return false;
  }

  /** A lost index is built anew by itself. */
  @Test
  void rebuildsALostIndex() throws IOException {
    for (int i = 0; i < 20; i++) {
      fixture.said("u", "a", "message number" + i, "answer");
    }
    assertThat(fixture.search("a", "number7").hits()).isNotEmpty();
    engine.close();
    try (Stream<Path> files = Files.walk(directory.resolve("index"))) {
      for (Path file : files.sorted(java.util.Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
    open();
    assertThat(fixture.contents("a", "number7")).first().isEqualTo("message number7");
    assertThat(engine.search().indexStatus(SCOPE).entries()).isEqualTo(40);
  }

  /** M-84, M-83, checklist 65: a stalled index answers in time, and never with what is gone. */
  @Test
  void answersInTimeWhileTheIndexStalls(@TempDir Path other) {
    CountDownLatch stalled = new CountDownLatch(1);
    java.util.concurrent.atomic.AtomicBoolean stalls =
        new java.util.concurrent.atomic.AtomicBoolean();
    SqliteStore store = SqliteStore.open(other);
    try (Contexture slow =
        Contexture.builder(store)
            .searchIndex(stalling(LuceneIndexes.in(other.resolve("index")), stalls, stalled))
            .build()) {
      SearchFixture writing = new SearchFixture(slow);
      String turn = writing.said("u", "a", "an early bird", "tweet");
      writing.block("a", "mem_1", "l", "", "bird of prey");
      writing.memory(
          new MemoryRow.EnsureAgent("b"), new MemoryRow.PutShare("mem_1", "b", "read_only", true));
      assertThat(writing.search("a", "bird").hits()).hasSize(2);
      assertThat(writing.search("b", "bird").hits()).hasSize(1);
      assertThat(slow.search().lag()).isZero();
      stalls.set(true);
      writing.said("u", "a", "a late bird", "tweet");
      writing.chat("u", "c1").eraseTurn(TurnId.of(turn));
      writing.memory(
          new MemoryRow.PutPreview("mem_1", "nothing", 7), new MemoryRow.IndexBlock("mem_1"));
      SearchResults results = writing.searchNow("a", "bird"); // though it stalls until the end
      assertThat(results.hits()).isEmpty();
      assertThat(results.fallbacks())
          .singleElement()
          .satisfies(
              fallback -> {
                assertThat(fallback.code()).isEqualTo(SearchFallback.Code.INDEX_LAG);
                assertThat(fallback.count()).isEqualTo(3);
              });
      assertThat(slow.search().lag()).isEqualTo(3); // H-1: what /healthz shows
      writing.memory(new MemoryRow.RemoveShare("mem_1", "b"));
      assertThat(writing.searchNow("b", "bird").hits()).isEmpty();
      stalled.countDown();
      assertThat(contents(writing.search("a", "bird"))).contains("a late bird");
    }
  }

  private static SearchIndex.Provider stalling(
      SearchIndex.Provider real,
      java.util.concurrent.atomic.AtomicBoolean stalls,
      CountDownLatch until) {
    return (SearchIndex.Provider)
        Proxy.newProxyInstance(
            SearchTest.class.getClassLoader(),
            new Class<?>[] {SearchIndex.Provider.class},
            (self, method, args) -> {
              Object result = invoke(real, method, args);
              if (!(result instanceof SearchIndex index)) {
                return result;
              }
              return Proxy.newProxyInstance(
                  SearchTest.class.getClassLoader(),
                  new Class<?>[] {SearchIndex.class},
                  (inner, called, given) -> {
                    if (called.getName().equals("write") && stalls.get()) {
                      until.await();
                    }
                    return invoke(index, called, given);
                  });
            });
  }

  private static Object invoke(Object on, java.lang.reflect.Method method, Object[] args)
      throws Throwable {
    try {
      return method.invoke(on, args);
    } catch (InvocationTargetException thrown) {
      throw thrown.getCause();
    }
  }

  /** M-8, M-83, M-65: through the memory of a project, as actors may. */
  @Test
  void searchesThroughMemoryAsActorsMay() {
    MemoryStore memory = engine.memory(SCOPE);
    memory.createBlock("a", BlockSpec.of("notes", MemoryBlockType.WORKING));
    memory.updateBlockText("a", "notes", "the harbour is closed");
    memory.appendToBlock("a", "notes", " because of a dragon");
    String id = memory.insertArchival("a", "a dragon in the archive", null);
    assertThat(contents(memory.search("a", "dragon", SearchOptions.DEFAULT)))
        .containsExactlyInAnyOrder(
            "the harbour is closed because of a dragon", "a dragon in the archive");
    assertThat(memory.searchArchival("a", "dragons", 5))
        .singleElement()
        .satisfies(entry -> assertThat(entry.id()).isEqualTo(id));
    memory.undoBlock("a", "notes");
    assertThat(contents(memory.search("a", "dragon", SearchOptions.DEFAULT)))
        .containsExactly("a dragon in the archive");
    memory.deleteArchival(id);
    assertThat(memory.searchAll("dragon", SearchOptions.DEFAULT).hits()).isEmpty();
    memory.actingAs(Actor.system()).deleteBlock("a", "notes");
    assertThat(memory.search("a", "harbour", SearchOptions.DEFAULT).hits()).isEmpty();
    MemoryStore other = memory.actingAs(Actor.agent("b"));
    assertThat(other.search("a", "harbour", SearchOptions.DEFAULT).hits()).isEmpty();
    assertThatThrownBy(() -> other.searchAll("x", SearchOptions.DEFAULT))
        .isInstanceOfSatisfying(
            ContextureException.class,
            refused -> assertThat(refused.code()).isEqualTo(ErrorCode.ACCESS_DENIED));
    assertThat(memory.indexStatus().lag()).isZero();
  }

  @Test
  void saysThatNoIndexIsConfigured() {
    try (Contexture bare = Contexture.builder(new InMemoryStore()).build()) {
      assertThatThrownBy(() -> bare.search().search(SCOPE.agent("a"), "x", SearchOptions.DEFAULT))
          .isInstanceOfSatisfying(
              ContextureException.class,
              refused -> {
                assertThat(refused.code()).isEqualTo(ErrorCode.SEARCH_UNAVAILABLE);
                assertThat(refused).hasMessageContaining("no search index is configured");
              });
    }
  }

  /** M-81, M-82, part of checklist 63. */
  @Test
  void fallsBackToWordsWithoutAnEmbedder() {
    fixture.said("u", "a", "plain words", "ok");
    SearchResults auto = fixture.search("a", "plain");
    assertThat(auto.usedMode()).isEqualTo(SearchMode.FTS);
    assertThat(auto.fallbacks()).isEmpty();
    SearchResults hybrid =
        engine
            .search()
            .search(
                SCOPE.agent("a"), "plain", SearchOptions.builder().mode(SearchMode.HYBRID).build());
    assertThat(hybrid.usedMode()).isEqualTo(SearchMode.FTS);
    assertThat(hybrid.has(SearchFallback.Code.NO_EMBEDDER)).isTrue();
    assertThat(hybrid.hits()).isNotEmpty();
  }
}
