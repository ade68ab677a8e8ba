package dev.contexture.search.lucene;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.block.Scope;
import dev.contexture.search.IndexChange;
import dev.contexture.search.IndexDocument;
import dev.contexture.search.IndexEntry;
import dev.contexture.search.IndexPosition;
import dev.contexture.search.SearchContentType;
import dev.contexture.search.SearchIndex;
import dev.contexture.search.SearchOptions;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What one version of the program parked is to be tried again by another one. */
class OutdatedEntriesTest {
  private static final int MANY = 100;

  @TempDir Path folder;

  private void as(String maker, Consumer<SearchIndex> work) {
    LuceneIndex.Settings settings = new LuceneIndex.Settings(SearchOptions.MAX_TIME, maker);
    try (LuceneIndexes indexes = LuceneIndexes.in(folder, 2, settings);
        SearchIndex index = indexes.open(Scope.of("t", "p"))) {
      work.accept(index);
    }
  }

  private static IndexEntry entry(String id, String group) {
    return new IndexEntry(
        id, group, SearchContentType.MESSAGES, "a", "u", "c", "user", Instant.EPOCH, 1, "h");
  }

  @Test
  void whatAnotherVersionParkedIsOutdated() {
    List<IndexChange> parking =
        List.of(
            new IndexChange.ParkText(entry("m1", "g1"), "no"),
            new IndexChange.ParkText(entry("m2", "g1"), "no"),
            new IndexChange.Park(entry("m3", "g2"), "no"),
            new IndexChange.ParkText(entry("m4", "g3"), "no"));
    as(
        "1",
        index -> {
          assertThat(index.write(parking, IndexPosition.START.withText(1))).isEqualTo(4);
          assertThat(index.outdatedGroups(MANY)).isEmpty();
        });
    as("1", index -> assertThat(index.outdatedGroups(MANY)).isEmpty());
    as(
        "2",
        index -> {
          assertThat(index.outdatedGroups(MANY)).containsExactlyInAnyOrder("g1", "g2", "g3");
          assertThat(index.outdatedGroups(1)).hasSize(1);
          IndexDocument taken = new IndexDocument(entry("m4", "g3"), "words", "", "", "", "");
          index.write(
              List.of(
                  new IndexChange.RemoveGroup("g1", false),
                  new IndexChange.Park(entry("m3", "g2"), "still no"),
                  new IndexChange.Put(taken)),
              index.position());
          assertThat(index.outdatedGroups(MANY)).isEmpty();
          assertThat(index.counts().parked()).isEqualTo(1);
        });
  }
}
