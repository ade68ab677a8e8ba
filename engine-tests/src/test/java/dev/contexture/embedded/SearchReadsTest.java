package dev.contexture.embedded;

import static dev.contexture.embedded.SearchFixture.SCOPE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.Contexture;
import dev.contexture.Turn;
import dev.contexture.search.SearchOptions;
import dev.contexture.search.SearchResults;
import dev.contexture.search.lucene.LuceneIndexes;
import dev.contexture.store.MemoryReader;
import dev.contexture.store.MemoryRow;
import dev.contexture.store.Store;
import dev.contexture.store.sqlite.InMemoryStore;
import dev.contexture.turn.TurnStart;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How often a search reads the store. */
class SearchReadsTest {
  private static final int HITS = 60;

  @TempDir Path directory;
  private final List<String> calls = new CopyOnWriteArrayList<>();

  private <T> T noting(Class<T> type, T inner) {
    return type.cast(
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, args) -> {
              calls.add(method.getName());
              try {
                Object result = method.invoke(inner, args);
                return result instanceof MemoryReader memory
                    ? noting(MemoryReader.class, memory)
                    : result;
              } catch (InvocationTargetException thrown) {
                throw thrown.getCause();
              }
            }));
  }

  /** M-83: hits are checked against the store, all of one kind together. */
  @Test
  void allHitsOfASearchAreReadTogether() {
    try (Contexture engine =
        Contexture.builder(noting(Store.class, new InMemoryStore()))
            .searchIndex(LuceneIndexes.in(directory))
            .build()) {
      SearchFixture fixture = new SearchFixture(engine);
      for (int i = 0; i < HITS; i += 3) {
        TurnStart start = TurnStart.prompt("an otter swims, " + i).agent("a");
        try (Turn turn = fixture.chat("u" + i % 4, "c1").startTurn(start)) {
          turn.finish("Noted.");
        }
        fixture.archive("a", "arc_" + i, "an otter sleeps, " + i, null);
        fixture.block("zoe", "mem_" + i, "l" + i, "", "an otter eats, " + i);
        fixture.memory(new MemoryRow.PutShare("mem_" + i, "a", "Append", true));
      }
      assertThat(fixture.search("a", "otter").hits()).hasSize(10);
      calls.clear();
      SearchResults found =
          engine
              .search()
              .search(SCOPE.agent("a"), "otter", SearchOptions.builder().limit(HITS).build());
      assertThat(found.hits()).hasSize(HITS);
      assertThat(calls)
          .containsOnlyOnce("messages", "previews", "sharedAmong", "archivalEntries")
          .doesNotContain("readRange", "turn", "block", "preview", "share", "archivalEntry");
    }
  }
}
