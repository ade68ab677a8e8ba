package dev.contexture.embedded;

import static dev.contexture.embedded.SearchFixture.SCOPE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.contexture.Contexture;
import dev.contexture.engine.search.Search.IndexStatus;
import dev.contexture.search.Embedder;
import dev.contexture.search.ParkedEntries;
import dev.contexture.search.SearchMode;
import dev.contexture.search.SearchOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** No text of a message, memory block or archival entry keeps what comes behind it from search. */
class PoisonTextTest {
  private static final List<String> POISON =
      List.of(
          "東京\u200e 東\u00ad京\ufeff 한국\u200e어 カ゛タ\u2060",
          "lone \ud83d high, \ude00 low, \ude00\ud83d turned, end \ud83d",
          "\udb40\udc61\u0000\u001b\u0085\ufffe\uffff",
          "x".repeat(1 << 20),
          "京".repeat(300_000),
          "ปลา".repeat(30_000),
          "equal ".repeat(100_000),
          "e" + "\u0301".repeat(200_000),
          "\u0301\u20dd\u064b\u05b0".repeat(20_000),
          "😀👩\u200d👩\u200d👧🇳🇴".repeat(5_000),
          "\u202eabc \u202d def \u202c ghi \u2066 jkl".repeat(1_000),
          "a_B".repeat(50_000),
          "'\"\\/.-".repeat(50_000));

  /** Embeds anything by how long it is and how it begins. */
  private static Embedder beginnings() {
    return new FakeEmbedder(
        "beginnings",
        3,
        64,
        texts -> {},
        text -> new float[] {1, text.length() % 97, Math.floorMod(text.hashCode(), 89)});
  }

  @Test
  void stopsNothing(@TempDir Path directory) throws InterruptedException {
    try (Contexture engine =
        Contexture.open(directory, settings -> settings.embedder(beginnings()))) {
      SearchFixture fixture = new SearchFixture(engine);
      List<String> behind = new ArrayList<>();
      for (int i = 0; i < POISON.size(); i++) {
        String poison = POISON.get(i);
        fixture.said("ann", "a", poison, "answer" + i);
        fixture.block("a", "mem_p" + i, "label" + i, "", poison);
        fixture.archive("a", "arc_p" + i, poison, null);
        fixture.said("ann", "a", "said behind" + i, "well");
        fixture.block("a", "mem_" + i, "other" + i, "", "noted behind" + i);
        fixture.archive("a", "arc_" + i, "kept behind" + i, null);
        behind.add("behind" + i);
      }
      IndexStatus status = embedAll(engine);
      assertThat(status.entries()).isEqualTo(8L * POISON.size());
      assertThat(status.embedded()).isEqualTo(status.entries());
      assertThat(engine.search().parked()).isEqualTo(ParkedEntries.NONE);
      for (String word : behind) {
        for (SearchMode mode : List.of(SearchMode.FTS, SearchMode.AUTO)) {
          assertThat(contents(engine, word, mode))
              .as(word + " " + mode)
              .contains("said " + word, "noted " + word, "kept " + word);
        }
      }
      for (String poison : POISON) { // as a query, each is one like any other
        String query = poison.substring(0, Math.min(poison.length(), 5_000));
        assertThatCode(() -> contents(engine, query, SearchMode.AUTO)).doesNotThrowAnyException();
      }
    }
  }

  private static List<String> contents(Contexture engine, String query, SearchMode mode) {
    SearchOptions options =
        SearchOptions.builder().mode(mode).limit(mode == SearchMode.FTS ? 10 : 200).build();
    return SearchFixture.contents(engine.search().search(SCOPE.agent("a"), query, options));
  }

  private static IndexStatus embedAll(Contexture engine) throws InterruptedException {
    engine.search().notice(SCOPE);
    for (int i = 0; i < 2_400; i++) {
      IndexStatus status = engine.search().indexStatus(SCOPE);
      if (status.lag() == 0 && status.vectorLag() == 0) {
        return status;
      }
      Thread.sleep(100);
    }
    throw new AssertionError("not indexed: " + engine.search().indexStatus(SCOPE));
  }
}
