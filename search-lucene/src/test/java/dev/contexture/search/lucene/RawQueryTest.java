package dev.contexture.search.lucene;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.contexture.block.Scope;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.search.IndexChange;
import dev.contexture.search.IndexDocument;
import dev.contexture.search.IndexEntry;
import dev.contexture.search.IndexFilter;
import dev.contexture.search.IndexHit;
import dev.contexture.search.SearchContentType;
import dev.contexture.search.SearchIndex;
import dev.contexture.search.SearchOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Raw queries reach documented fields only and cost little. */
class RawQueryTest {
  private static final IndexFilter ALL = IndexFilter.of(SearchOptions.DEFAULT, null, Set.of());
  private static final Scope SCOPE = Scope.of("acme", "shop");

  @TempDir Path folder;

  private List<String> find(String query, boolean raw, Duration maxTime) {
    IndexEntry entry =
        new IndexEntry(
            "1", "1", SearchContentType.BLOCKS, "a", null, null, null, Instant.EPOCH, 0, "h");
    IndexDocument document =
        new IndexDocument(entry, "the quick fox", "", "hunter2xyz", "animals", "about them");
    LuceneIndex.Settings settings = new LuceneIndex.Settings(maxTime, "test");
    try (LuceneIndexes indexes = LuceneIndexes.in(folder, 2, settings);
        SearchIndex index = indexes.open(SCOPE)) {
      index.write(List.of(new IndexChange.Put(document)), index.position().withText(1));
      return index.keyword(new SearchIndex.KeywordQuery(query, raw), ALL, 10).stream()
          .map(IndexHit::id)
          .toList();
    }
  }

  static Stream<String> costly() {
    return Stream.of(
        "/a{1000000}/",
        "/a{3000000}/",
        "/(a{1000}){3000}/",
        "/a{99999999999999999999}/",
        "/((a{9}){9}){9}/",
        "/" + "a?".repeat(60) + "/",
        "(".repeat(3_000) + "a" + ")".repeat(3_000),
        "(".repeat(400) + "a" + ")".repeat(400),
        "/" + "(".repeat(40) + "a" + ")".repeat(40) + "/",
        "a OR ".repeat(65) + "b",
        "a" + "?".repeat(200),
        "b".repeat(1_001),
        "x".repeat(200) + "~2");
  }

  @ParameterizedTest
  @MethodSource("costly")
  void refusesWhatCostsTooMuch(String query) {
    ContextureException refused =
        catchThrowableOfType(
            ContextureException.class, () -> find(query, true, SearchOptions.MAX_TIME));
    assertThat(refused.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT);
    assertThat(refused).hasMessageContaining("raw");
  }

  @ParameterizedTest
  @ValueSource(strings = {"xylophone AND (", "\"xylophone", "[xylophone TO", "/xylophone[/", "AND"})
  void saysInItsOwnWordsWhatIsWrong(String query) {
    ContextureException refused =
        catchThrowableOfType(
            ContextureException.class, () -> find(query, true, SearchOptions.MAX_TIME));
    assertThat(refused.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT);
    assertThat(refused)
        .hasMessageContaining("Lucene's syntax")
        .hasMessageNotContaining("xylophone")
        .hasMessageNotContaining("<EOF>");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "near:hunt*",
        "near:hunter2xyz",
        "near:/hunt.*/",
        "near:hunter2xy~",
        "near:\"hunter2xyz\"~2",
        "near:[a TO z]",
        "(own:fox AND near:hunter2xyz)",
        "near:(a b)",
        "agent:a",
        "hash:h",
        "kind:t",
        "key:t1",
        "*:*",
        "vec8:x"
      })
  void refusesFieldsThatAreNotDocumented(String query) {
    assertThatThrownBy(() -> find(query, true, SearchOptions.MAX_TIME))
        .isInstanceOf(ContextureException.class)
        .hasMessageContaining("own, label and description");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "fox",
        "own:fox AND label:animals",
        "label:anim* OR own:cat",
        "qui?k",
        "foz~1",
        "\"quick fox\"~2",
        "/fo[a-z]{1,3}/",
        "own:[fa TO fz]",
        "description:them^2",
        "+fox -cat"
      })
  void findsWithEverythingElse(String query) {
    assertThat(find(query, true, SearchOptions.MAX_TIME)).containsExactly("1");
  }

  @Test
  void doesNotFindWhatStandsAround() {
    assertThat(find("hunter2xyz", true, SearchOptions.MAX_TIME)).isEmpty();
  }

  @Test
  void givesUpAfterTheTimeOfASearch() {
    for (boolean raw : new boolean[] {true, false}) {
      ContextureException refused =
          catchThrowableOfType(ContextureException.class, () -> find("fox", raw, Duration.ZERO));
      assertThat(refused.code()).isEqualTo(ErrorCode.SEARCH_TOO_COSTLY);
    }
  }
}
