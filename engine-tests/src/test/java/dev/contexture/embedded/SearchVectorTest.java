package dev.contexture.embedded;

import static dev.contexture.embedded.SearchFixture.SCOPE;
import static dev.contexture.embedded.SearchFixture.contents;
import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.Contexture;
import dev.contexture.engine.search.EmbeddingProgress;
import dev.contexture.engine.search.Search.IndexStatus;
import dev.contexture.search.Embedder;
import dev.contexture.search.EmbedderException;
import dev.contexture.search.MatchParts;
import dev.contexture.search.MemorySearchResult;
import dev.contexture.search.SearchFallback;
import dev.contexture.search.SearchMode;
import dev.contexture.search.SearchOptions;
import dev.contexture.search.SearchResults;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Search by meaning, with an embedder that knows a few synonyms (checklist 62, 63, 66). */
class SearchVectorTest {
  private static final List<List<String>> MEANINGS =
      List.of(
          List.of("car", "automobile", "vehicle"),
          List.of("happy", "glad", "cheerful"),
          List.of("doctor", "physician"));

  @TempDir Path directory;

  /** Counts the words of each meaning; can be told to fail. */
  private static final class Meanings implements Embedder {
    private final String model;
    private final int dimensions;
    private final List<String> embedded = new ArrayList<>();
    private volatile Predicate<String> refuses = text -> false;
    private volatile EmbedderException failure = EmbedderException.permanent("bad text", null);

    Meanings(String model, int dimensions) {
      this.model = model;
      this.dimensions = dimensions;
    }

    @Override
    public String modelId() {
      return model;
    }

    @Override
    public int dimensions() {
      return dimensions;
    }

    @Override
    public int maxBatch() {
      return 4;
    }

    @Override
    public synchronized List<float[]> embed(List<String> texts, Purpose purpose) {
      assertThat(texts).hasSizeLessThanOrEqualTo(4).noneMatch(String::isBlank);
      if (texts.stream().anyMatch(refuses)) {
        throw failure;
      }
      if (purpose == Purpose.DOCUMENT) {
        embedded.addAll(texts);
      }
      return texts.stream().map(this::vector).toList();
    }

    private float[] vector(String text) {
      float[] vector = new float[dimensions];
      vector[dimensions - 1] = 0.1f;
      for (String word : text.toLowerCase(Locale.ROOT).split("\\W+")) {
        for (int i = 0; i < MEANINGS.size(); i++) {
          vector[i] += MEANINGS.get(i).contains(word) ? 1 : 0;
        }
      }
      return vector;
    }

    synchronized long times(String text) {
      return embedded.stream().filter(text::equals).count();
    }
  }

  private Contexture open(Embedder embedder) {
    return Contexture.open(directory, settings -> settings.embedder(embedder));
  }

  private static IndexStatus embedAll(Contexture engine) throws InterruptedException {
    engine.search().notice(SCOPE);
    for (int i = 0; i < 1_200; i++) {
      IndexStatus status = engine.search().indexStatus(SCOPE);
      if (status.lag() == 0 && status.vectorLag() == 0) {
        return status;
      }
      Thread.sleep(100);
    }
    throw new AssertionError("vectors were not made: " + engine.search().indexStatus(SCOPE));
  }

  private static SearchResults search(Contexture engine, SearchMode mode, String query) {
    return engine
        .search()
        .search(
            SCOPE.agent("a"), query, SearchOptions.builder().mode(mode).minSimilarity(0.5).build());
  }

  /** A question that stood before each passage of its answer would be found there, not itself. */
  @Test
  void embedsShortMessagesBehindShortOnesAndLongOnesAlone() throws InterruptedException {
    Meanings embedder = new Meanings("m1", 8);
    try (Contexture engine = open(embedder)) {
      SearchFixture fixture = new SearchFixture(engine);
      String essay = "automobile ".repeat(40).strip();
      fixture.said("u", "a", "Which car?", "The red one.");
      fixture.said("u", "a", "Tell me about it.", essay);
      fixture.said("u", "a", "Thanks.", "Welcome.");
      embedAll(engine);
      assertThat(embedder.times("user: Which car?\nassistant: The red one.")).isEqualTo(1);
      assertThat(embedder.times("assistant: " + essay)).isEqualTo(1);
      assertThat(embedder.times("user: Tell me about it.\nuser: Thanks.")).isEqualTo(1);
    }
  }

  @Test
  void findsByMeaningAndByBoth() throws InterruptedException {
    try (Contexture engine = open(new Meanings("m1", 8))) {
      SearchFixture fixture = new SearchFixture(engine);
      fixture.archive("a", "arc_1", "my automobile broke down", null);
      fixture.archive("a", "arc_2", "a cheerful morning", null);
      fixture.archive("b", "arc_3", "the vehicle of somebody else", null);
      fixture.block("a", "mem_1", "health", "", "call the physician");
      embedAll(engine);
      SearchResults car = search(engine, SearchMode.VECTOR, "car");
      assertThat(contents(car)).containsExactly("my automobile broke down");
      assertThat(car.hits().getFirst().why().cosine()).isBetween(0.9, 1.0);
      assertThat(car.fallbacks()).isEmpty();
      SearchResults both = search(engine, SearchMode.AUTO, "happy morning");
      assertThat(both.usedMode()).isEqualTo(SearchMode.HYBRID);
      assertThat(both.hits().getFirst().content()).isEqualTo("a cheerful morning");
      MatchParts.Shares shares = Objects.requireNonNull(both.hits().getFirst().why().shares());
      assertThat(shares.words()).isEqualTo(1 - shares.weight());
      assertThat(shares.meaning()).isBetween(0.9 * shares.weight(), shares.weight());
      assertThat(both.hits().getFirst().score()).isEqualTo(shares.words() + shares.meaning());
      assertThat(car.hits().getFirst().why().shares()).isNull();
      assertThat(search(engine, SearchMode.RRF, "happy morning").hits().getFirst().score())
          .isEqualTo(2 / 61.0);
      assertThat(contents(search(engine, SearchMode.VECTOR, "doctor")))
          .containsExactly("call the physician");
    }
  }

  @Test
  void saysHowFarVectorsAreMade() throws InterruptedException {
    Meanings meanings = new Meanings("m1", 8);
    meanings.refuses = text -> true;
    meanings.failure = EmbedderException.passing("busy", Duration.ofHours(1), null);
    try (Contexture engine = open(meanings)) {
      new SearchFixture(engine).archive("a", "arc_1", "my automobile broke down", null);
      engine.search().notice(SCOPE);
      assertThat(progress(engine, 1)).isEqualTo(new EmbeddingProgress("m1", 1, 0, 0));
    }
    meanings.refuses = text -> false;
    try (Contexture engine = open(meanings)) {
      embedAll(engine);
      assertThat(progress(engine, 0)).isEqualTo(new EmbeddingProgress("m1", 0, 1, 1));
    }
    try (Contexture engine = Contexture.open(directory)) {
      assertThat(engine.search().embedding()).isEmpty();
    }
  }

  /** What is told when this much is left, or after two minutes. */
  private static EmbeddingProgress progress(Contexture engine, long lag)
      throws InterruptedException {
    EmbeddingProgress now = engine.search().embedding().orElseThrow();
    for (int i = 0; i < 1_200 && now.lag() != lag; i++) {
      Thread.sleep(100);
      now = engine.search().embedding().orElseThrow();
    }
    return now;
  }

  /** M-79, M-83: other agents' vectors take no place in the answer. */
  @Test
  void fillsTheLimitInsideOfTheFilter() throws InterruptedException {
    try (Contexture engine = open(new Meanings("m1", 8))) {
      SearchFixture fixture = new SearchFixture(engine);
      for (int i = 0; i < 12; i++) {
        fixture.archive("b", "arc_b" + i, "car car car " + i, null);
        fixture.archive("a", "arc_a" + i, "car and physician " + i, null);
      }
      embedAll(engine);
      SearchResults found = search(engine, SearchMode.VECTOR, "car");
      assertThat(found.hits()).hasSize(10);
      assertThat(found.hits()).extracting(MemorySearchResult::agent).containsOnly("a");
    }
  }

  @Test
  void fallsBackWhenTheQueryCannotBeEmbeddedAndSaysWhatIsPending() throws InterruptedException {
    Meanings meanings = new Meanings("m1", 8);
    try (Contexture engine = open(meanings)) {
      SearchFixture fixture = new SearchFixture(engine);
      meanings.refuses = text -> true;
      meanings.failure = EmbedderException.passing("http://10.0.0.7/v1 is down", null, null);
      fixture.archive("a", "arc_1", "my car", null);
      SearchResults failed = search(engine, SearchMode.HYBRID, "car");
      assertThat(failed.usedMode()).isEqualTo(SearchMode.FTS);
      assertThat(failed.fallbacks())
          .as("its address and its words stay inside")
          .filteredOn(note -> note.code() == SearchFallback.Code.EMBEDDER_FAILED)
          .singleElement()
          .satisfies(note -> assertThat(note.detail()).doesNotContain("10.0.0.7", "is down"));
      assertThat(contents(failed)).containsExactly("my car");
      meanings.refuses = text -> text.equals("my car");
      SearchResults pending = search(engine, SearchMode.HYBRID, "car");
      assertThat(pending.fallbacks())
          .singleElement()
          .satisfies(
              lag -> {
                assertThat(lag.code()).isEqualTo(SearchFallback.Code.VECTOR_LAG);
                assertThat(lag.count()).isEqualTo(1);
              });
      assertThat(contents(pending)).containsExactly("my car");
    }
  }

  @Test
  void parksWhatIsHopelessAndGoesOn() throws InterruptedException {
    Meanings meanings = new Meanings("m1", 8);
    meanings.refuses = text -> text.contains("odd");
    try (Contexture engine = open(meanings)) {
      SearchFixture fixture = new SearchFixture(engine);
      fixture.archive("a", "arc_1", "a car", null);
      fixture.archive("a", "arc_2", "odd thing", null);
      fixture.archive("a", "arc_3", "a glad car", null);
      IndexStatus status = embedAll(engine);
      assertThat(status.embedded()).isEqualTo(2);
      assertThat(status.parked())
          .singleElement()
          .satisfies(
              parked -> {
                assertThat(parked.id()).isEqualTo("arc_2");
                assertThat(parked.error()).contains("bad text");
              });
    }
  }

  @Test
  void manyHopelessEntriesInARowDoNotStopTheRest() throws InterruptedException {
    Meanings meanings = new Meanings("m1", 8);
    meanings.refuses = text -> text.contains("odd");
    try (Contexture engine = open(meanings)) {
      SearchFixture fixture = new SearchFixture(engine);
      for (int i = 0; i < 20; i++) {
        fixture.archive("a", "arc_" + i, "odd thing " + i, null);
      }
      fixture.archive("a", "arc_last", "a glad car", null);
      IndexStatus status = embedAll(engine);
      assertThat(status.embedded()).isEqualTo(1);
      assertThat(status.parked()).hasSize(20);
    }
  }

  @Test
  void resumesWithoutDuplicatesAndMakesVectorsOfAnotherModelAnew() throws InterruptedException {
    Meanings first = new Meanings("m1", 8);
    try (Contexture engine = open(first)) {
      SearchFixture fixture = new SearchFixture(engine);
      fixture.archive("a", "arc_1", "a car", null);
      fixture.said("u", "a", "my physician", "is glad");
      embedAll(engine);
    }
    try (Contexture engine = open(first)) {
      new SearchFixture(engine).archive("a", "arc_2", "a vehicle", null);
      assertThat(embedAll(engine).embedded()).isEqualTo(4);
    }
    assertThat(first.times("a car")).isEqualTo(1);
    Meanings second = new Meanings("m2", 16);
    try (Contexture engine = open(second)) {
      assertThat(search(engine, SearchMode.VECTOR, "car").has(SearchFallback.Code.VECTOR_LAG))
          .isTrue();
      assertThat(embedAll(engine).embedded()).isEqualTo(4);
      SearchResults anew = search(engine, SearchMode.VECTOR, "automobile");
      assertThat(anew.fallbacks()).isEmpty();
      assertThat(contents(anew)).containsExactlyInAnyOrder("a car", "a vehicle");
    }
    assertThat(second.times("a car")).isEqualTo(1);
  }
}
