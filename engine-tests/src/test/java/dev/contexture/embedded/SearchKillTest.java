package dev.contexture.embedded;

import static dev.contexture.embedded.SearchFixture.SCOPE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.Contexture;
import dev.contexture.block.Scope;
import dev.contexture.engine.search.Search.IndexStatus;
import dev.contexture.search.Embedder;
import dev.contexture.search.IndexChange;
import dev.contexture.search.MemorySearchResult;
import dev.contexture.search.SearchIndex;
import dev.contexture.search.SearchMode;
import dev.contexture.search.SearchOptions;
import dev.contexture.search.lucene.LuceneIndexes;
import dev.contexture.store.MemoryRow;
import dev.contexture.store.sqlite.SqliteStore;
import dev.contexture.testkit.ChildProcess;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A process that ends in any state of indexing leaves an index that the next one completes. */
class SearchKillTest {
  private static final int ENTRIES = 600; // more than are written at once
  private static final int AT_ONCE = 50;

  /** Where the process ends. */
  enum State {
    /** Some entries are written, none is committed. */
    WRITE,
    /** The files of a commit are being written. */
    COMMIT,
    /** A part of the entries is removed, written again and committed. */
    REBUILD,
    /** Texts are with the embedder. */
    EMBED,
    /** Some vectors are written, none is committed. */
    WRITE_VECTORS
  }

  @TempDir Path directory;

  /** Ends in a state, without a word to anybody, as SIGKILL does it. */
  static final class Child {
    private final State state;
    private final Path folder;
    private volatile boolean rebuilds;

    private Child(State state, Path folder) {
      this.state = state;
      this.folder = folder;
    }

    public static void main(String[] args) throws InterruptedException {
      Path directory = Path.of(args[0]);
      Child child = new Child(State.valueOf(args[1]), directory.resolve("index"));
      Contexture engine =
          Contexture.builder(SqliteStore.open(directory))
              .searchIndex(child.indexes(LuceneIndexes.in(child.folder)))
              .embedder(marks(child.state == State.EMBED ? child::end : () -> {}))
              .build();
      engine.search().notice(SCOPE);
      if (child.state == State.REBUILD) {
        current(engine);
        child.rebuilds = true;
        engine.search().rebuild(SCOPE, rows -> {});
      }
      Thread.sleep(600_000);
    }

    /** Two threads may come here, and one of them ends the process. */
    private synchronized void end() {
      new PrintStream(System.out, true, StandardCharsets.UTF_8).println(state);
      Runtime.getRuntime().halt(1);
    }

    private SearchIndex.Provider indexes(SearchIndex.Provider real) {
      return proxy(
          SearchIndex.Provider.class,
          (method, args) ->
              method.getName().equals("open")
                  ? index(real.open((Scope) args[0]))
                  : invoke(method, real, args));
    }

    private SearchIndex index(SearchIndex real) {
      return proxy(
          SearchIndex.class,
          (method, args) -> {
            if (method.getName().equals("commit") && state == State.COMMIT) {
              Thread.ofPlatform().daemon().start(this::endInCommit);
            }
            @Nullable Object done = invoke(method, real, args);
            if (method.getName().equals("commit") && state == State.COMMIT) {
              end(); // it was faster than a look at its files
            }
            if (method.getName().equals("write") && endsAfter((List<?>) args[0])) {
              if (state == State.REBUILD) {
                real.commit();
              }
              end();
            }
            return done;
          });
    }

    private boolean endsAfter(List<?> written) {
      return switch (state) {
        case WRITE -> has(written, IndexChange.Put.class);
        case REBUILD -> rebuilds && has(written, IndexChange.Put.class);
        case WRITE_VECTORS -> has(written, IndexChange.PutVectors.class);
        case COMMIT, EMBED -> false;
      };
    }

    private static boolean has(List<?> written, Class<?> kind) {
      return written.stream().anyMatch(kind::isInstance);
    }

    private void endInCommit() {
      while (true) {
        try (Stream<Path> files = Files.walk(folder)) {
          if (files.anyMatch(file -> file.toString().contains("pending_segments"))) {
            end();
          }
        } catch (IOException | RuntimeException changing) {
          Thread.onSpinWait(); // a file went away while it was listed
        }
      }
    }

    private static <T> T proxy(Class<T> type, Answer answer) {
      return type.cast(
          Proxy.newProxyInstance(
              type.getClassLoader(),
              new Class<?>[] {type},
              (self, method, args) -> answer.to(method, args == null ? new Object[0] : args)));
    }

    private static @Nullable Object invoke(Method method, Object on, Object @Nullable [] args)
        throws Throwable {
      try {
        return method.invoke(on, args);
      } catch (InvocationTargetException thrown) {
        throw thrown.getCause();
      }
    }
  }

  /** What a call leads to. */
  @FunctionalInterface
  private interface Answer {
    @Nullable Object to(Method method, Object[] args) throws Throwable;
  }

  /** Embeds by the number in a text. */
  private static Embedder marks(Runnable before) {
    return new FakeEmbedder(
        "marks",
        2,
        16,
        texts -> before.run(),
        text -> new float[] {1, Math.floorMod(text.hashCode(), 101)});
  }

  @ParameterizedTest
  @EnumSource(State.class)
  void everythingStoredIsFoundAfterwards(State state) throws IOException, InterruptedException {
    try (Contexture engine = Contexture.builder(SqliteStore.open(directory)).build()) {
      SearchFixture fixture = new SearchFixture(engine);
      for (int i = 0; i < ENTRIES; i += AT_ONCE) {
        List<MemoryRow> rows = new ArrayList<>();
        for (int j = i; j < i + AT_ONCE; j++) {
          rows.addAll(SearchFixture.archived("a", "arc_" + j, "entry number" + j, null));
        }
        fixture.memory(rows.toArray(MemoryRow[]::new));
      }
    }
    try (ChildProcess child =
        ChildProcess.start(Child.class, directory.toString(), state.toString())) {
      assertThat(child.line()).isEqualTo(state.toString());
      assertThat(child.line()).isNull();
    }
    try (Contexture engine =
        Contexture.open(directory, settings -> settings.embedder(marks(() -> {})))) {
      engine.search().notice(SCOPE);
      IndexStatus status = current(engine);
      assertThat(status.entries()).isEqualTo(ENTRIES);
      assertThat(status.embedded()).isEqualTo(ENTRIES);
      assertThat(status.parked()).isEmpty();
      TreeSet<String> all = new TreeSet<>();
      IntStream.range(0, ENTRIES).forEach(i -> all.add("arc_" + i));
      for (SearchMode mode : List.of(SearchMode.FTS, SearchMode.VECTOR)) {
        assertThat(found(engine, "entry", mode)).containsExactlyElementsOf(all);
      }
      assertThat(found(engine, "number599", SearchMode.FTS)).containsExactly("arc_599");
    }
  }

  private static TreeSet<String> found(Contexture engine, String query, SearchMode mode) {
    SearchOptions options =
        SearchOptions.builder().mode(mode).limit(SearchOptions.MAX_LIMIT).build();
    TreeSet<String> ids = new TreeSet<>();
    for (MemorySearchResult hit : engine.search().searchAll(SCOPE, query, options)) {
      ids.add(hit.id());
    }
    return ids;
  }

  private static IndexStatus current(Contexture engine) throws InterruptedException {
    for (int i = 0; i < 2_400; i++) {
      IndexStatus status = engine.search().indexStatus(SCOPE);
      if (status.lag() == 0 && status.vectorLag() == 0) {
        return status;
      }
      Thread.sleep(50);
    }
    throw new AssertionError("not indexed: " + engine.search().indexStatus(SCOPE));
  }
}
