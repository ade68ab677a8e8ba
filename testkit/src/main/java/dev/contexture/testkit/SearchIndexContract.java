package dev.contexture.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.contexture.block.Scope;
import dev.contexture.error.ContextureException;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.search.IndexChange;
import dev.contexture.search.IndexDocument;
import dev.contexture.search.IndexEntry;
import dev.contexture.search.IndexFilter;
import dev.contexture.search.IndexHit;
import dev.contexture.search.IndexPosition;
import dev.contexture.search.MetadataFilter;
import dev.contexture.search.SearchContentType;
import dev.contexture.search.SearchIndex;
import dev.contexture.search.SearchIndex.KeywordQuery;
import dev.contexture.search.SearchOptions;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What every search index does (M-76 to M-79, checklist 58 to 62). */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
@SuppressWarnings("NullAway.Init")
public abstract class SearchIndexContract {
  private static final Scope SCOPE = Scope.of("acme", "shop");
  private static final Instant NOON = Instant.parse("2026-02-09T12:00:00Z");
  private static final IndexFilter ALL = filter(SearchOptions.DEFAULT, null);

  @TempDir Path folder;
  private SearchIndex.Provider provider;
  private SearchIndex index;

  /** The indexes in a folder. */
  protected abstract SearchIndex.Provider open(Path folder);

  @BeforeEach
  void open() {
    provider = open(folder);
    index = provider.open(SCOPE);
  }

  @AfterEach
  void close() {
    index.close();
    provider.close();
  }

  private void reopen() {
    close();
    open();
  }

  private static IndexFilter filter(SearchOptions options, @Nullable String agent) {
    return IndexFilter.of(options, agent, Set.of());
  }

  private static IndexEntry message(String id, String agent, String user, Instant at, String role) {
    return new IndexEntry(
        id, "g-" + id, SearchContentType.MESSAGES, agent, user, "c", role, at, 1, "h-" + id);
  }

  private static IndexDocument said(String id, String text) {
    return new IndexDocument(message(id, "a", "u", NOON, "user"), text, "", "", "", "");
  }

  private static IndexDocument block(String id, String label, String description, String text) {
    IndexEntry entry =
        new IndexEntry(id, id, SearchContentType.BLOCKS, "a", null, null, null, NOON, 0, "h-" + id);
    return new IndexDocument(entry, text, "", "", label, description);
  }

  private void put(IndexDocument... documents) {
    List<IndexChange> changes = new ArrayList<>();
    for (IndexDocument document : documents) {
      changes.add(new IndexChange.Put(document));
    }
    index.write(changes, index.position().withText(index.position().text() + 1));
  }

  private List<String> find(String query) {
    return find(query, ALL);
  }

  private List<String> find(String query, IndexFilter filter) {
    return index.keyword(new KeywordQuery(query, false), filter, 10).stream()
        .map(IndexHit::id)
        .toList();
  }

  @Test
  void parksAnEntryThatItCannotTakeAndTakesTheRest() {
    String tooLong = "r".repeat(40_000); // for a word that is kept whole
    IndexDocument bad =
        new IndexDocument(message("2", "a", "u", NOON, tooLong), "a fox", "", "", "", "");
    List<IndexChange> changes = new ArrayList<>();
    List.of(said("1", "first fox"), bad, said("3", "last fox"))
        .forEach(document -> changes.add(new IndexChange.Put(document)));
    assertThat(index.write(changes, index.position().withText(3))).isEqualTo(1);
    assertThat(find("fox")).containsExactlyInAnyOrder("1", "3");
    index.commit();
    reopen();
    assertThat(index.position().text()).isEqualTo(3);
    assertThat(index.counts()).isEqualTo(new SearchIndex.Counts(2, 0, 1));
    assertThat(index.parked(10))
        .singleElement()
        .satisfies(
            parked -> {
              assertThat(parked.id()).isEqualTo("2");
              assertThat(parked.error()).isNotEmpty().doesNotContain("rrr");
            });
    put(said("2", "mended fox"));
    assertThat(index.parked(10)).isEmpty();
    assertThat(find("mended")).containsExactly("2");
  }

  @Test
  void removesWhatIsParkedWithItsGroup() {
    IndexEntry entry = message("2", "a", "u", NOON, "user");
    index.write(List.of(new IndexChange.ParkText(entry, "why")), index.position());
    assertThat(index.counts().parked()).isEqualTo(1);
    index.write(List.of(new IndexChange.RemoveConversation("u", "c")), index.position());
    assertThat(index.counts().parked()).isZero();
  }

  @Test
  void findsAWriteAtOnceAndKeepsItsPosition() {
    assertThat(index.position()).isEqualTo(IndexPosition.START);
    put(said("1", "The quick brown fox"));
    assertThat(find("fox")).containsExactly("1");
    index.commit();
    reopen();
    assertThat(index.position().text()).isEqualTo(1);
    assertThat(find("fox")).containsExactly("1");
  }

  @Test
  void foldsAndStemsAndPairs() {
    put(
        said("run", "She runs every morning"),
        said("cafe", "We met at the Café Zoë"),
        said("cjk", "東京都に住んでいます"),
        said("name", "the method getUserName of src/UserService.java"));
    assertThat(find("running")).containsExactly("run");
    assertThat(find("CAFE zoe")).containsExactly("cafe");
    assertThat(find("京都")).containsExactly("cjk");
    assertThat(find("東")).containsExactly("cjk");
    assertThat(find("大阪")).isEmpty();
    assertThat(find("user")).containsExactly("name");
    assertThat(find("UserService.java")).containsExactly("name");
  }

  @Test
  void ranksTheBestMatchFirstAndEveryMatchAboveZero() {
    put(
        said("1", "apples and pears and plums"),
        said("2", "apples apples apples"),
        said("3", "nothing of the kind"));
    List<IndexHit> hits = index.keyword(new KeywordQuery("apples", false), ALL, 10);
    assertThat(hits).extracting(IndexHit::id).containsExactly("2", "1");
    assertThat(hits.getFirst().score()).isGreaterThan(hits.getLast().score());
    assertThat(hits).allSatisfy(hit -> assertThat(hit.score()).isPositive());
  }

  @Test
  void aSingleMatchScoresAboveZero() {
    put(said("1", "only one"));
    assertThat(index.keyword(new KeywordQuery("one", false), ALL, 10).getFirst().score())
        .isPositive();
  }

  @Test
  void findsLabelDescriptionAndContentOfBlocks() {
    put(
        block("mem_1", "persona", "who I am", "I like tea"),
        block("mem_2", "tea", "", "about leaves"),
        said("3", "tea tea"));
    assertThat(find("persona")).containsExactly("mem_1");
    assertThat(find("leaf leaves")).containsExactly("mem_2");
    assertThat(find("tea")).containsExactlyInAnyOrder("mem_1", "mem_2", "3");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "it's",
        "C++",
        "foo-bar",
        "what?",
        "\"x",
        "a AND",
        "user@host",
        "%",
        "",
        " ",
        "*",
        "(",
        "~",
        "AND OR NOT",
        "\"\"",
        "a\u0000b",
        "😀",
        "日本",
        "field:value",
        "\\",
        "[1 TO",
        "\uD800"
      })
  void neverFailsForAText(String query) {
    put(said("1", "it's a foo-bar in C++ for user@host 😀 日本"));
    index.keyword(new KeywordQuery(query, false), ALL, 10);
    assertThat(index.matcher(new KeywordQuery(query, false)).apply("some text")).isNotNull();
  }

  @Test
  void findsAwkwardWords() {
    put(said("1", "it's a foo-bar in C++ for user@host 😀 日本"), said("2", "plain"));
    for (String query : List.of("foo-bar", "C++", "user@host", "😀", "日本", "\"x foo", "foo AND")) {
      assertThat(find(query)).as(query).contains("1");
    }
    assertThat(index.isEmpty(new KeywordQuery("% ?!", false))).isTrue();
    assertThat(index.isEmpty(new KeywordQuery("the", false))).isFalse();
  }

  @Test
  void takesTenThousandCharacters() {
    put(said("1", "needle in a haystack"));
    StringBuilder words = new StringBuilder("needle");
    for (int i = 0; words.length() < 9_990; i++) {
      words.append(" w").append(i);
    }
    assertThat(find(words.toString())).containsExactly("1");
    assertThat(find("x".repeat(10_000))).isEmpty();
  }

  @Test
  void demandsPhrases() {
    put(said("1", "the new york times"), said("2", "new things in york"));
    assertThat(find("\"new york\"")).containsExactly("1");
    assertThat(find("york new")).containsExactlyInAnyOrder("1", "2");
  }

  @Test
  void passesRawQueriesOnAndRefusesBadOnes() {
    put(said("1", "red apple"), said("2", "green apple"));
    assertThat(index.keyword(new KeywordQuery("+apple -red", true), ALL, 10))
        .extracting(IndexHit::id)
        .containsExactly("2");
    assertThatThrownBy(() -> index.keyword(new KeywordQuery("apple AND (", true), ALL, 10))
        .isInstanceOf(ContextureException.class);
  }

  @Test
  void filtersByAgentUserRoleTypeAndTime() {
    put(
        new IndexDocument(message("1", "a", "u1", NOON, "user"), "word", "", "", "", ""),
        new IndexDocument(message("2", "a", "u2", NOON, "tool"), "word", "", "", "", ""),
        new IndexDocument(
            message("3", "b", "u1", NOON.plusSeconds(60), "user"), "word", "", "", "", ""),
        block("mem_1", "l", "", "word"));
    SearchOptions options = SearchOptions.DEFAULT;
    assertThat(find("word", filter(options, "a"))).containsExactlyInAnyOrder("1", "2", "mem_1");
    assertThat(find("word", filter(options.toBuilder().user("u1").build(), "a")))
        .containsExactlyInAnyOrder("1", "mem_1");
    assertThat(find("word", filter(options.toBuilder().roles(Set.of("tool")).build(), "a")))
        .containsExactlyInAnyOrder("2", "mem_1");
    SearchOptions messages =
        options.toBuilder().contentTypes(EnumSet.of(SearchContentType.MESSAGES)).build();
    assertThat(find("word", filter(messages, null))).containsExactlyInAnyOrder("1", "2", "3");
    assertThat(
            find(
                "word", filter(messages.toBuilder().times(Instant.MIN, Instant.MAX).build(), null)))
        .as("times that no number of milliseconds holds")
        .containsExactlyInAnyOrder("1", "2", "3");
    assertThat(find("word", filter(messages.toBuilder().times(null, Instant.MIN).build(), null)))
        .isEmpty();
    assertThat(
            find(
                "word",
                filter(messages.toBuilder().times(null, NOON.plusSeconds(60)).build(), null)))
        .containsExactlyInAnyOrder("1", "2");
    assertThat(
            find(
                "word",
                filter(messages.toBuilder().times(NOON.plusSeconds(60), null).build(), null)))
        .containsExactly("3");
    assertThat(find("word", IndexFilter.of(options, "b", Set.of("mem_1"))))
        .containsExactlyInAnyOrder("3", "mem_1");
  }

  @Test
  void anotherProjectChangesNoScore() {
    put(said("1", "rare word"));
    double before = index.keyword(new KeywordQuery("rare", false), ALL, 1).getFirst().score();
    try (SearchIndex other = provider.open(Scope.of("acme", "other"))) {
      List<IndexChange> changes = new ArrayList<>();
      for (int i = 0; i < 50; i++) {
        changes.add(new IndexChange.Put(said("x" + i, "rare rare rare")));
      }
      other.write(changes, IndexPosition.START.withText(1));
    }
    assertThat(index.keyword(new KeywordQuery("rare", false), ALL, 10))
        .singleElement()
        .satisfies(hit -> assertThat(hit.score()).isEqualTo(before));
  }

  @Test
  void replacesAndRemoves() {
    put(said("1", "old words"), said("2", "other"));
    put(said("1", "new words"));
    assertThat(find("old")).isEmpty();
    assertThat(find("new")).containsExactly("1");
    index.write(List.of(new IndexChange.RemoveGroup("g-1", false)), index.position());
    assertThat(find("words")).isEmpty();
    assertThat(index.entries(null, 10)).containsExactly(new SearchIndex.Indexed("2", "h-2"));
    index.write(List.of(new IndexChange.RemoveConversation("u", "c")), index.position());
    assertThat(find("other")).isEmpty();
    assertThat(index.counts()).isEqualTo(new SearchIndex.Counts(0, 0, 0));
  }

  @Test
  void findsALongTextByEachOfItsPlacesOnce() {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 2_000; i++) {
      text.append("filler").append(i % 7).append(' ');
    }
    put(said("1", text + " zebra " + text), said("2", "short"));
    assertThat(find("zebra filler1")).containsExactly("1");
    assertThat(index.counts().entries()).isEqualTo(2);
  }

  @Test
  void showsWhereATextMatches() {
    String text = "x ".repeat(500) + "the Running man " + "y ".repeat(500);
    SearchIndex.TextMatch match = index.matcher(new KeywordQuery("runs", false)).apply(text);
    assertThat(match.words()).containsExactly("Running");
    assertThat(match.excerpt()).contains("Running man").hasSizeLessThan(300);
    assertThat(match.matches()).isTrue();
    assertThat(index.matcher(new KeywordQuery("other", false)).apply(text).matches()).isFalse();
  }

  private static float[] axis(int at) {
    float[] vector = new float[8];
    vector[at] = 1;
    return vector;
  }

  private static float[] between(float share) {
    float[] vector = new float[8];
    vector[0] = share;
    vector[1] = (float) Math.sqrt(1 - share * share);
    return vector;
  }

  @Test
  void findsVectorsByCosineInsideOfTheFilter() {
    List<IndexChange> changes = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      String agent = i % 2 == 0 ? "a" : "b";
      IndexEntry entry = message("m" + (10 + i), agent, "u", NOON, "user");
      changes.add(new IndexChange.PutVectors(entry, List.of(between(i / 40f), axis(5))));
    }
    index.write(changes, index.position());
    List<IndexHit> hits = index.vector(axis(0), filter(SearchOptions.DEFAULT, "b"), 5);
    assertThat(hits).extracting(IndexHit::id).containsExactly("m49", "m47", "m45", "m43", "m41");
    assertThat(hits.getFirst().score()).isBetween(0.95, 0.96); // 0.975 less 0.03 ln 2
    assertThat(index.vectorHash("m10")).contains("h-m10");
    index.write(List.of(new IndexChange.RemoveVectors()), index.position());
    assertThat(index.vector(axis(0), ALL, 5)).isEmpty();
  }

  @Test
  void manyPassagesOfAMessageCountForLess() {
    List<float[]> many = new ArrayList<>(Collections.nCopies(9, axis(5)));
    many.add(between(0.90f));
    index.write(
        List.of(
            new IndexChange.PutVectors(message("long", "a", "u", NOON, "user"), many),
            new IndexChange.PutVectors(
                message("short", "a", "u", NOON, "user"), List.of(between(0.85f)))),
        index.position());
    assertThat(index.vector(axis(0), ALL, 5))
        .extracting(IndexHit::id)
        .containsExactly("short", "long");
  }

  @Test
  void takesVectorsOfUpTo4096Numbers() {
    float[] large = new float[4_096];
    Arrays.fill(large, 1 / 64f);
    IndexEntry entry = message("1", "a", "u", NOON, "user");
    index.write(List.of(new IndexChange.PutVectors(entry, List.of(large))), index.position());
    index.commit();
    reopen();
    assertThat(index.vector(large, ALL, 1)).extracting(IndexHit::id).containsExactly("1");
  }

  @Test
  void parksAndForgets() {
    IndexEntry entry = message("1", "a", "u", NOON, "user");
    index.write(List.of(new IndexChange.Park(entry, "too odd")), index.position());
    assertThat(index.parked(10)).containsExactly(new SearchIndex.Parked("1", "too odd"));
    assertThat(index.vectorHash("1")).contains("h-1");
    index.write(List.of(new IndexChange.PutVectors(entry, List.of(axis(1)))), index.position());
    assertThat(index.parked(10)).isEmpty();
    assertThat(index.counts().embedded()).isEqualTo(1);
  }

  private List<String> misspelled(String query, SearchOptions options, @Nullable String agent) {
    return index.misspelled(new KeywordQuery(query, false), filter(options, agent), 9).stream()
        .map(IndexHit::id)
        .toList();
  }

  /** M-78: what is spelled almost alike, those with more of the words first. */
  @Test
  void findsMisspelledWords() {
    put(said("m1", "weather weather"), said("m2", "a forecast of the weather"), said("m3", "map"));
    assertThat(misspelled("wether", SearchOptions.DEFAULT, "a"))
        .containsExactlyInAnyOrder("m1", "m2");
    assertThat(misspelled("wether forcasst", SearchOptions.DEFAULT, "a"))
        .containsExactly("m2", "m1");
    assertThat(misspelled("wether", SearchOptions.DEFAULT, "b")).isEmpty();
    assertThat(misspelled("mop", SearchOptions.DEFAULT, "a")).as("too short").isEmpty();
    assertThat(misspelled("\"wether\"", SearchOptions.DEFAULT, "a")).as("a phrase").isEmpty();
    SearchIndex.TextMatch match =
        index.misspelledMatcher(new KeywordQuery("wether", false)).apply("Bad Weather today");
    assertThat(match.matches()).isTrue();
    assertThat(match.words()).containsExactly("Weather");
    assertThat(match.typos()).containsExactly(Map.entry("wether", "Weather"));
  }

  /** M-74: archival entries by their metadata, before ranking. */
  @Test
  void filtersArchivalEntriesByTheirMetadata() {
    JsonObject zoo = JsonObject.of("topic", JsonValue.of("zoo"));
    for (int i = 0; i < 30; i++) {
      put(archival("arc_" + i, "otter otter", i == 7 ? MetadataFilter.tags(zoo) : Set.of()));
    }
    put(archival("arc_many", "one otter", Set.of(MetadataFilter.ANY)), said("m1", "an otter"));
    SearchOptions wanted = SearchOptions.builder().metadata(new MetadataFilter(zoo)).build();
    assertThat(find("otter", filter(wanted, "a")))
        .containsExactlyInAnyOrder("arc_7", "arc_many", "m1");
  }

  private static IndexDocument archival(String id, String text, Set<String> tags) {
    IndexEntry entry =
        new IndexEntry(
            id, id, SearchContentType.ARCHIVAL, "a", null, null, null, NOON, 0, "h" + id, tags);
    return new IndexDocument(entry, text, "", "", "", "");
  }
}
