package dev.contexture.embedded;

import static dev.contexture.embedded.SearchFixture.SCOPE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.contexture.Contexture;
import dev.contexture.engine.memory.ArchivalEntry;
import dev.contexture.engine.memory.MemoryStore;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.memory.permission.Actor;
import dev.contexture.search.MemorySearchResult;
import dev.contexture.search.MetadataFilter;
import dev.contexture.search.SearchContent;
import dev.contexture.search.SearchContentType;
import dev.contexture.search.SearchFallback;
import dev.contexture.search.SearchOptions;
import dev.contexture.search.SearchResults;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Filters, pages and forgiven typing errors (M-73, M-74, M-75, M-78). */
class SearchFiltersTest {
  private static final SearchOptions ARCHIVAL =
      SearchOptions.builder().contentTypes(Set.of(SearchContentType.ARCHIVAL)).build();

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

  private static JsonObject json(String text) {
    return (JsonObject) JsonValue.parse(text.replace('\'', '"'));
  }

  private static MetadataFilter having(String text) {
    return new MetadataFilter(json(text));
  }

  private SearchResults search(String agent, String query, SearchOptions options) {
    fixture.search(agent, query); // waits for the index
    return engine.search().search(SCOPE.agent(agent), query, options);
  }

  private List<String> ids(String agent, String query, SearchOptions options) {
    return search(agent, query, options).hits().stream().map(MemorySearchResult::id).toList();
  }

  @Nested
  class Metadata {
    @Test
    void restrictsArchivalEntriesAndNothingElse() {
      fixture.archive("a", "arc_1", "otters swim", json("{'topic':'zoo','year':2024}"));
      fixture.archive("a", "arc_2", "otters sleep", json("{'topic':'farm','year':2024}"));
      fixture.archive("a", "arc_3", "otters eat", null);
      fixture.block("a", "mem_1", "l", "", "otters play");
      assertThat(
              ids("a", "otters", ARCHIVAL.toBuilder().metadata(having("{'topic':'zoo'}")).build()))
          .containsExactly("arc_1");
      assertThat(
              ids("a", "otters", ARCHIVAL.toBuilder().metadata(having("{'year':2024.0}")).build()))
          .containsExactlyInAnyOrder("arc_1", "arc_2");
      assertThat(
              ids("a", "otters", ARCHIVAL.toBuilder().metadata(having("{'year':'2024'}")).build()))
          .isEmpty();
      assertThat(
              ids(
                  "a",
                  "otters",
                  SearchOptions.builder().metadata(having("{'topic':'zoo'}")).build()))
          .containsExactlyInAnyOrder("arc_1", "mem_1");
    }

    /** The filter applies before ranking: however few entries it accepts, they are found. */
    @Test
    void findsTheOneAmongManyBetterOnes() {
      for (int i = 0; i < 700; i++) {
        fixture.archive("a", "arc_" + i, "otter otter otter", json("{'n':" + i + "}"));
      }
      fixture.archive("a", "arc_x", "a long text with an otter somewhere", json("{'n':'x'}"));
      assertThat(
              ids(
                  "a",
                  "otter",
                  ARCHIVAL.toBuilder().limit(1).metadata(having("{'n':'x'}")).build()))
          .containsExactly("arc_x");
    }

    @Test
    void tellsNothingOfAnotherAgent() {
      fixture.archive("a", "arc_1", "otters swim", json("{'topic':'zoo'}"));
      fixture.archive("b", "arc_2", "otters sleep", json("{'topic':'secret'}"));
      assertThat(
              ids(
                  "a",
                  "otters",
                  ARCHIVAL.toBuilder().metadata(having("{'topic':'secret'}")).build()))
          .isEmpty();
      assertThat(
              ids(
                  "b",
                  "otters",
                  ARCHIVAL.toBuilder().metadata(having("{'topic':'secret'}")).build()))
          .containsExactly("arc_2");
    }
  }

  @Nested
  class Content {
    @Test
    void isAllOfItOrTheExcerpt() {
      String text = "An otter swims. " + "Nothing happens here. ".repeat(100);
      fixture.archive("a", "arc_1", text, null);
      MemorySearchResult full = search("a", "otter", ARCHIVAL).hits().getFirst();
      assertThat(full.content()).isEqualTo(text);
      MemorySearchResult cut =
          search("a", "otter", ARCHIVAL.toBuilder().content(SearchContent.EXCERPT).build())
              .hits()
              .getFirst();
      assertThat(cut.content()).isEqualTo(cut.excerpt()).contains("otter").hasSizeLessThan(300);
      assertThat(cut.contentChars()).isEqualTo(text.length());
    }
  }

  @Nested
  class Pages {
    private final List<String> seen = new ArrayList<>();

    private void walk(MemoryStore memory, String agent, MetadataFilter filter, int limit) {
      @Nullable String after = null;
      do {
        ArchivalEntry.Page page = memory.listArchival(agent, filter, after, limit);
        assertThat(page.entries()).hasSizeLessThanOrEqualTo(limit);
        page.entries().forEach(entry -> seen.add(entry.content()));
        after = page.next();
      } while (after != null);
    }

    @Test
    void holdEveryEntryOnceInOrder() {
      MemoryStore memory = engine.memory(SCOPE);
      List<String> kept = new ArrayList<>();
      for (int i = 0; i < 120; i++) {
        memory.insertArchival("a", "entry " + i, json("{'even':" + (i % 2 == 0) + "}"));
        kept.add("entry " + i);
      }
      memory.insertArchival("b", "of another agent", json("{'even':true}"));
      walk(memory, "a", MetadataFilter.NONE, 7);
      assertThat(seen).isEqualTo(kept);
      seen.clear();
      walk(memory, "a", having("{'even':true}"), 50);
      assertThat(seen).hasSize(60).contains("entry 118").doesNotContain("entry 119");
      seen.clear();
      walk(memory.actingAs(Actor.agent("b")), "a", MetadataFilter.NONE, 50);
      assertThat(seen).as("an agent sees no entry of another one").isEmpty();
      assertThatThrownBy(() -> memory.listArchival("a", MetadataFilter.NONE, null, 0))
          .isInstanceOfSatisfying(
              ContextureException.class,
              refused -> assertThat(refused.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT));
    }

    @Test
    void endEarlyWhereEntriesAreLarge() {
      MemoryStore memory = engine.memory(SCOPE);
      for (int i = 0; i < 6; i++) {
        memory.insertArchival("a", i + "x".repeat(1_000_000), null);
      }
      ArchivalEntry.Page page = memory.listArchival("a", MetadataFilter.NONE, null, 100);
      assertThat(page.entries()).hasSize(4);
      assertThat(page.next()).isEqualTo(page.entries().getLast().id());
      walk(memory, "a", MetadataFilter.NONE, 100);
      assertThat(seen).hasSize(6);
    }
  }

  @Nested
  class TypingErrors {
    @Test
    void areForgivenWhereNothingElseMatches() {
      fixture.archive("a", "arc_1", "The weather in Reykjavik was stormy", null);
      SearchResults found = search("a", "wether Rekyjavick", ARCHIVAL);
      MemorySearchResult hit = found.hits().getFirst();
      assertThat(hit.id()).isEqualTo("arc_1");
      assertThat(hit.why().typos())
          .containsExactlyInAnyOrderEntriesOf(
              Map.of("wether", "weather", "Rekyjavick", "Reykjavik"));
      assertThat(hit.why().words()).containsExactly("weather", "Reykjavik");
      assertThat(hit.why().bm25()).isNull();
      assertThat(hit.why().keywordRank()).isEqualTo(1);
      assertThat(found.has(SearchFallback.Code.TYPOS_FORGIVEN)).isTrue();
      assertThat(hit.score()).isPositive();
    }

    @Test
    void areNotLookedForWhereSomethingMatches() {
      fixture.archive("a", "arc_1", "The weather was stormy", null);
      fixture.archive("a", "arc_2", "A wether is a castrated ram", null);
      SearchResults found = search("a", "wether", ARCHIVAL);
      assertThat(found.hits()).extracting(MemorySearchResult::id).containsExactly("arc_2");
      assertThat(found.hits().getFirst().why().typos()).isEmpty();
      assertThat(found.has(SearchFallback.Code.TYPOS_FORGIVEN)).isFalse();
    }

    @Test
    void leavePhrasesNumbersAndShortWordsAsTheyAre() {
      fixture.archive("a", "arc_1", "Order A1234 of the cat: weather map 5678901", null);
      for (String query : new String[] {"\"wether\"", "A1235", "5678902", "bat", "xyzzy"}) {
        SearchResults found = search("a", query, ARCHIVAL);
        assertThat(found.hits()).as(query).isEmpty();
        assertThat(found.has(SearchFallback.Code.TYPOS_FORGIVEN)).as(query).isFalse();
      }
    }

    @Test
    void rankTheEntryWithMoreOfTheWordsFirst() {
      fixture.archive("a", "arc_1", "weather weather weather", null);
      fixture.archive("a", "arc_2", "a forecast of the weather", null);
      assertThat(ids("a", "wether forcast", ARCHIVAL)).containsExactly("arc_2", "arc_1");
    }

    @Test
    void areForgivenInLabelsOfBlocks() {
      fixture.block("a", "mem_1", "itinerary", "", "Oslo, then Bergen");
      MemorySearchResult hit = search("a", "itinerery", SearchOptions.DEFAULT).hits().getFirst();
      assertThat(hit.id()).isEqualTo("mem_1");
      assertThat(hit.why().typos()).containsEntry("itinerery", "itinerary");
    }

    /** Whatever others wrote, an agent finds the same, with the same scores. */
    @Test
    void tellNothingOfAnotherAgent() {
      fixture.archive("a", "arc_1", "the weather", null);
      SearchResults alone = search("a", "wether", ARCHIVAL);
      for (int i = 0; i < 80; i++) {
        char c = (char) ('a' + i % 26);
        char d = (char) ('a' + i / 26);
        fixture.archive("b", "arc_b" + i, "wethe" + c + " weth" + d + "r wether" + c, null);
      }
      SearchResults beside = search("a", "wether", ARCHIVAL);
      assertThat(beside).isEqualTo(alone);
      assertThat(beside.hits()).extracting(MemorySearchResult::id).containsExactly("arc_1");
      assertThat(engine.search().byRank().search(SCOPE.agent("a"), "wether", ARCHIVAL).hits())
          .allSatisfy(
              hit -> {
                assertThat(hit.why().typos()).containsEntry("wether", "weather");
                assertThat(hit.why().keywordRank()).isZero();
              });
    }
  }
}
