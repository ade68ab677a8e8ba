package dev.contexture.embedded;

import static dev.contexture.embedded.SearchFixture.SCOPE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.Contexture;
import dev.contexture.engine.search.Search.IndexStatus;
import dev.contexture.search.Embedder;
import dev.contexture.search.SearchFallback;
import dev.contexture.search.SearchMode;
import dev.contexture.search.SearchOptions;
import dev.contexture.search.SearchResults;
import dev.contexture.store.MemoryRow;
import dev.contexture.testkit.KilledProcess;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An index that is lost, damaged or left half done builds itself anew (M-86, checklist 66). */
class SearchRecoveryTest {
  private static final int ENTRIES = 2_100;
  private static final int AT_ONCE = 50;

  @TempDir Path directory;

  /** What the engine says while it indexes. */
  private static final class Said extends Handler implements AutoCloseable {
    private final Logger logger = Logger.getLogger("dev.contexture");
    private final Queue<String> lines = new ConcurrentLinkedQueue<>();

    Said() {
      logger.addHandler(this);
    }

    @Override
    public void publish(LogRecord line) {
      lines.add(new SimpleFormatter().formatMessage(line));
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
      logger.removeHandler(this);
    }
  }

  private static void say(Contexture engine, int entries) {
    SearchFixture fixture = new SearchFixture(engine);
    for (int i = 0; i < entries; i += AT_ONCE) {
      List<MemoryRow> rows = new ArrayList<>();
      for (int j = i; j < Math.min(entries, i + AT_ONCE); j++) {
        rows.addAll(SearchFixture.archived("a", "arc_" + j, "entry number" + j, null));
      }
      fixture.memory(rows.toArray(MemoryRow[]::new));
    }
  }

  private static long found(Contexture engine, String query) {
    return engine.search().searchAll(SCOPE, query, SearchOptions.DEFAULT).hits().size();
  }

  private static IndexStatus current(Contexture engine) throws InterruptedException {
    for (int i = 0; i < 2_400; i++) {
      IndexStatus status = engine.search().indexStatus(SCOPE);
      if (status.lag() == 0 && status.vectorLag() == 0 && engine.search().lag() == 0) {
        return status;
      }
      Thread.sleep(50);
    }
    throw new AssertionError("not indexed: " + engine.search().indexStatus(SCOPE));
  }

  private void deleteIndex() throws IOException {
    try (Stream<Path> files = Files.walk(directory.resolve("index"))) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  /** DESIGN section 5: nobody has to search or write for a lost index to come back. */
  @Test
  void aDeletedFolderIsFilledAgainByItselfWithProgressInTheLog() throws Exception {
    try (Contexture engine = Contexture.open(directory)) {
      say(engine, ENTRIES);
      current(engine);
    }
    deleteIndex();
    try (Said said = new Said();
        Contexture engine = Contexture.open(directory)) {
      assertThat(engine.search().lag()).isEqualTo(ENTRIES);
      for (int i = 0; i < 2_400 && engine.search().lag() > 0; i++) {
        Thread.sleep(50);
      }
      assertThat(engine.search().indexStatus(SCOPE).entries()).isEqualTo(ENTRIES);
      assertThat(engine.search().lag()).isZero();
      assertThat(said.lines)
          .anySatisfy(
              line ->
                  assertThat(line)
                      .contains("building the search index of acme/shop", "changes indexed"));
      assertThat(found(engine, "number7")).isEqualTo(1);
    }
  }

  /** Files that are damaged while they are open: building anew does not depend on them. */
  @Test
  void anIndexThatIsDamagedWhileOpenIsBuiltAnew() throws Exception {
    try (Contexture engine = Contexture.open(directory)) {
      say(engine, 300);
      engine.search().rebuild(SCOPE, changes -> {});
      assertThat(found(engine, "number7")).isEqualTo(1);
      damage();
      new SearchFixture(engine).archive("a", "arc_new", "entry after the damage", null);
      engine.search().rebuild(SCOPE, changes -> {});
      assertThat(found(engine, "number7")).isEqualTo(1);
      assertThat(found(engine, "damage")).isEqualTo(1);
      assertThat(current(engine).entries()).isEqualTo(301);
      damage();
    }
    try (Said said = new Said();
        Contexture engine = Contexture.open(directory)) {
      assertThat(found(engine, "number8")).isEqualTo(1);
      assertThat(engine.search().indexStatus(SCOPE).entries()).isEqualTo(301);
      assertThat(said.lines)
          .anySatisfy(line -> assertThat(line).contains("acme/shop", "built anew"));
    }
  }

  private void damage() throws IOException {
    try (Stream<Path> files = Files.walk(directory.resolve("index"))) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        if (!file.endsWith("write.lock")) {
          overwrite(file);
        }
      }
    }
  }

  private static void overwrite(Path file) throws IOException {
    try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
      byte[] junk = new byte[(int) bytes.length()];
      Arrays.fill(junk, (byte) 0x5a);
      bytes.write(junk);
    }
  }

  /** Writes each text that it embeds to a file, and is in no hurry. */
  private static final class Noting implements Embedder {
    private final Path notes;
    private final int pauseMillis;

    Noting(Path notes, int pauseMillis) {
      this.notes = notes;
      this.pauseMillis = pauseMillis;
    }

    @Override
    public String modelId() {
      return "noting";
    }

    @Override
    public int dimensions() {
      return 4;
    }

    @Override
    public int maxBatch() {
      return 8;
    }

    @Override
    public List<float[]> embed(List<String> texts, Purpose purpose) {
      try {
        if (purpose == Purpose.DOCUMENT) {
          Files.writeString(
              notes,
              String.join("\n", texts) + "\n",
              StandardCharsets.UTF_8,
              StandardOpenOption.CREATE,
              StandardOpenOption.APPEND);
          Thread.sleep(pauseMillis);
        }
      } catch (IOException failed) {
        throw new UncheckedIOException(failed);
      } catch (InterruptedException early) {
        Thread.currentThread().interrupt();
      }
      return texts.stream().map(Noting::vector).toList();
    }

    private static float[] vector(String text) {
      int hash = text.hashCode();
      return new float[] {1, hash & 0xff, (hash >> 8) & 0xff, (hash >> 16) & 0xff};
    }
  }

  /** What is killed in the middle of its queue. */
  static final class Embeds {
    public static void main(String[] args) throws InterruptedException {
      Path directory = Path.of(args[0]);
      Embedder embedder = new Noting(directory.resolve("notes"), 30);
      Contexture engine = Contexture.open(directory, settings -> settings.embedder(embedder));
      engine.search().notice(SCOPE);
      while (engine.search().indexStatus(SCOPE).embedded() == 0) {
        Thread.sleep(10);
      }
      System.out.println("embedding");
      Thread.sleep(600_000);
    }
  }

  /** M-86, checklist 66: crash in mid-queue. */
  @Test
  void aQueueOfVectorsGoesOnAfterAKill() throws Exception {
    int entries = 400;
    try (Contexture engine = Contexture.open(directory)) {
      say(engine, entries);
      current(engine);
    }
    for (int kill = 0; kill < 3; kill++) {
      KilledProcess.run(Embeds.class, 150 + 137 * kill, directory.toString());
    }
    Path notes = directory.resolve("notes");
    Embedder embedder = new Noting(notes, 0);
    try (Contexture engine = Contexture.open(directory, settings -> settings.embedder(embedder))) {
      engine.search().notice(SCOPE);
      IndexStatus status = current(engine);
      assertThat(status.embedded()).isEqualTo(entries);
      assertThat(status.entries()).isEqualTo(entries);
      assertThat(status.parked()).isEmpty();
      SearchOptions options = SearchOptions.builder().mode(SearchMode.VECTOR).limit(1_000).build();
      SearchResults all = engine.search().searchAll(SCOPE, "anything", options);
      assertThat(all.has(SearchFallback.Code.VECTOR_LAG)).isFalse();
      assertThat(all.hits().stream().map(hit -> hit.id()).distinct()).hasSize(entries);
      assertThat(all.hits()).hasSize(entries);
    }
    assertThat(Files.readAllLines(notes).stream().distinct()).hasSize(entries);
  }
}
