package dev.contexture.search.lucene;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.block.Scope;
import dev.contexture.search.IndexChange;
import dev.contexture.search.IndexDocument;
import dev.contexture.search.IndexEntry;
import dev.contexture.search.IndexFilter;
import dev.contexture.search.SearchContentType;
import dev.contexture.search.SearchIndex;
import dev.contexture.search.SearchOptions;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** No text of a message keeps anything from being indexed. */
class HostileTextTest {
  private static final Instant NOON = Instant.parse("2026-02-09T12:00:00Z");
  private static final IndexFilter ALL = IndexFilter.of(SearchOptions.DEFAULT, null, Set.of());
  private static final String[] PIECES = {
    "東京",
    "京",
    "カ",
    "ガ",
    "か",
    "한국",
    "ｶ",
    "ﾞ",
    "ﾟ",
    "゛",
    "゜",
    "ー",
    "々",
    "\u200e",
    "\u200f",
    "\ufeff",
    "\u00ad",
    "\u200b",
    "\u200c",
    "\u200d",
    "\u2060",
    "\u202e",
    "\ufe0f",
    "\u0301",
    "\u3099",
    "\u20dd",
    "\ud83d",
    "\ude00",
    "😀",
    "👩\u200d👩",
    "🇳🇴",
    "a",
    "B",
    "getUserName",
    "x_y",
    "'s",
    "’s",
    ".",
    "-",
    "_",
    "/",
    "·",
    "3.14",
    "1,0",
    " ",
    "\n",
    "\t",
    "\u00a0",
    "\u3000",
    "\u0000",
    "\u001b",
    "\u2028",
    "ß",
    "ﬁ",
    "İ",
    "ش",
    "\u0640",
    "ไทย",
    "नमस्ते",
    "က",
    "𠀀",
    "\udb40\udc61",
    "\ufffd"
  };

  @TempDir Path folder;
  private LuceneIndexes indexes;
  private SearchIndex index;

  @BeforeEach
  void open() {
    indexes = LuceneIndexes.in(folder);
    index = indexes.open(Scope.of("acme", "shop"));
  }

  @AfterEach
  void close() {
    index.close();
    indexes.close();
  }

  private static IndexChange put(int id, String text, String context) {
    IndexEntry entry =
        new IndexEntry(
            "m" + id, "g" + id, SearchContentType.MESSAGES, "a", "u", "c", "user", NOON, id, "h");
    return new IndexChange.Put(new IndexDocument(entry, text, "user", context, "", ""));
  }

  private List<String> find(String query) {
    return index.keyword(new SearchIndex.KeywordQuery(query, false), ALL, 1_000).stream()
        .map(hit -> hit.id())
        .toList();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "東京\u200e",
        "東京\u200f",
        "東京\ufeff",
        "東\u00ad京",
        "東京\u200c",
        "東\u200d京",
        "東京\u2060",
        "カ゛タ",
        "한국\u200e어"
      })
  void indexesAsianWordsWithInvisibleCharacters(String word) {
    List<IndexChange> changes =
        List.of(
            put(1, "I live in " + word + ", thanks", ""),
            put(2, "the umbrella is broken", "I live in " + word));
    assertThat(index.write(changes, index.position().withText(1))).isZero();
    assertThat(find("umbrella")).containsExactly("m2");
    assertThat(find("live")).contains("m1");
    assertThat(find(word)).contains("m1");
    assertThat(find(word.replaceAll("\\p{Cf}", ""))).contains("m1");
  }

  @Test
  void findsWordsWithAndWithoutInvisibleCharacters() {
    index.write(List.of(put(1, "ice\u00adcream \u200fshop", "")), index.position().withText(1));
    assertThat(find("icecream")).containsExactly("m1");
    assertThat(find("ice\u200dcream")).containsExactly("m1");
    assertThat(find("shop")).containsExactly("m1");
  }

  @Test
  void indexesAnythingAndFindsWhatStandsBehindIt() {
    Random random = new Random(11);
    List<IndexChange> changes = new ArrayList<>();
    String before = "";
    for (int i = 0; i < 500; i++) {
      StringBuilder text = new StringBuilder();
      for (int left = random.nextInt(40); left >= 0; left--) {
        boolean known = random.nextInt(4) > 0;
        text.append(known ? PIECES[random.nextInt(PIECES.length)] : "")
            .appendCodePoint(known ? ' ' + random.nextInt(2) * 0x2000 : random.nextInt(0x110000));
      }
      String hostile = i % 10 == 0 ? text.toString().repeat(60) : text.toString();
      changes.add(put(2 * i, hostile, before));
      changes.add(put(2 * i + 1, "umbrella number" + i, hostile));
      before = hostile;
    }
    assertThat(index.write(changes, index.position().withText(1))).isZero();
    assertThat(find(before)).contains("m998"); // a hostile query is one, too
    assertThat(index.counts().entries()).isEqualTo(1_000);
    assertThat(find("number7")).contains("m15");
    assertThat(find("number499")).contains("m999");
  }
}
