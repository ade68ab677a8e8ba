package dev.contexture.search.lucene;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.block.Scope;
import dev.contexture.search.IndexChange;
import dev.contexture.search.IndexDocument;
import dev.contexture.search.IndexEntry;
import dev.contexture.search.IndexFilter;
import dev.contexture.search.IndexHit;
import dev.contexture.search.IndexPosition;
import dev.contexture.search.SearchContentType;
import dev.contexture.search.SearchIndex;
import dev.contexture.search.SearchOptions;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.lucene.search.CollectionStatistics;
import org.apache.lucene.search.TermStatistics;
import org.apache.lucene.search.similarities.Similarity.SimScorer;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What stands around a message counts by how short the message is. */
class NearSimilarityTest {
  private static final IndexFilter ALL = IndexFilter.of(SearchOptions.DEFAULT, null, Set.of());
  private static final String QUESTION = "which ferry sails to Bergen on Sunday";
  private static final String ABOUT = "the ferry to Bergen, the Sunday ferry that sails to Bergen";

  @TempDir Path folder;

  private static IndexChange put(String id, String text, String context) {
    IndexEntry entry =
        new IndexEntry(
            id,
            id,
            SearchContentType.MESSAGES,
            "a",
            "u",
            "c",
            "user",
            Instant.EPOCH,
            id.hashCode(),
            "h");
    return new IndexChange.Put(new IndexDocument(entry, text, "", context, "", ""));
  }

  private static String longText(String words, int times) {
    return (words + " ").repeat(times).strip();
  }

  private List<String> find(List<IndexChange> changes) {
    try (LuceneIndexes indexes = LuceneIndexes.in(folder);
        SearchIndex index = indexes.open(Scope.of("acme", "shop"))) {
      List<IndexChange> all = new ArrayList<>(changes);
      for (int i = 0; i < 50; i++) {
        all.add(put("other" + i, "something else entirely, number " + i, ""));
      }
      index.write(all, IndexPosition.START.withText(1));
      return index.keyword(new SearchIndex.KeywordQuery(QUESTION, false), ALL, 10).stream()
          .map(IndexHit::id)
          .toList();
    }
  }

  @Test
  void aLongMessageThatHoldsTheWordsComesBeforeOneThatOnlyStandsNextToThem() {
    String filler = longText("budgets of the harbour office were settled in spring", 60);
    List<String> found =
        find(
            List.of(
                put("next", filler, longText(ABOUT, 6)),
                put("holds", filler + " The Sunday ferry sails for Bergen. " + filler, "")));
    assertThat(found).startsWith("holds");
  }

  @Test
  void aShortMessageIsFoundByWhatStandsAroundIt() {
    assertThat(find(List.of(put("short", "At nine, from pier four", ABOUT)))).contains("short");
  }

  @Test
  void theShareFallsWithTheLengthOfTheMessage() {
    assertThat(NearSimilarity.share(100)).isGreaterThan(0.99);
    assertThat(NearSimilarity.share(20_000)).isZero();
    for (int chars = 0; chars < 8_000; chars += 50) {
      assertThat(NearSimilarity.share(chars + 50))
          .isLessThanOrEqualTo(NearSimilarity.share(chars))
          .isBetween(0.0, 1.0);
    }
  }

  /** Lucene skips documents by it: a score that grew with the norm would hide hits. */
  @Test
  void aHigherNormNeverScoresMore() {
    SimScorer scorer =
        new NearSimilarity()
            .scorer(
                1,
                new CollectionStatistics("near", 100, 100, 900, 800),
                new TermStatistics(new BytesRef("word"), 5, 9));
    for (int frequency = 1; frequency < 50; frequency++) {
      for (int level = 1; level < 255; level++) {
        float score = scorer.score(frequency, (byte) level);
        assertThat(score).isPositive();
        assertThat(scorer.score(frequency, (byte) (level + 1))).isLessThan(score);
        assertThat(scorer.score(frequency + 1, (byte) level)).isGreaterThan(score);
      }
    }
  }
}
