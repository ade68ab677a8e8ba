package dev.contexture.search.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.search.IndexChange;
import dev.contexture.search.IndexDocument;
import dev.contexture.search.IndexEntry;
import dev.contexture.search.SearchContentType;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class FoldedChangesTest {
  private static IndexEntry entry(String id, String group) {
    return new IndexEntry(
        id, group, SearchContentType.MESSAGES, "a", "u", "c", "user", Instant.EPOCH, 1, "h" + id);
  }

  private static IndexChange put(String id, String group, String text) {
    return new IndexChange.Put(new IndexDocument(entry(id, group), text, "", "", "", ""));
  }

  @Test
  void whatIsRemovedLaterIsNotPut() {
    FoldedChanges folded =
        FoldedChanges.of(
            List.of(
                put("1", "g1", "old"),
                put("2", "g2", "kept"),
                new IndexChange.RemoveGroup("g1", true)));
    assertThat(folded.documents.keySet()).containsExactly("2");
    assertThat(folded.groups).containsExactly("g1");
  }

  @Test
  void whatIsPutBehindItsRemovalStays() {
    FoldedChanges folded =
        FoldedChanges.of(
            List.of(
                new IndexChange.RemoveAll(),
                new IndexChange.RemoveConversation("u", "c"),
                put("1", "g1", "first"),
                put("1", "g1", "second")));
    assertThat(folded.all).isTrue();
    assertThat(folded.documents.values())
        .singleElement()
        .satisfies(document -> assertThat(document.text()).isEqualTo("second"));
  }

  @Test
  void parkingTakesThePlaceOfWordsAndWordsThatOfParking() {
    IndexChange park = new IndexChange.ParkText(entry("1", "g1"), "why");
    FoldedChanges parked = FoldedChanges.of(List.of(put("1", "g1", "text"), park));
    assertThat(parked.parked()).isEqualTo(1);
    assertThat(parked.documents).isEmpty();
    assertThat(FoldedChanges.of(List.of(park, put("1", "g1", "text"))).parked()).isZero();
  }

  @Test
  void removingAllVectorsLeavesThoseThatArePutBehindIt() {
    IndexChange vectors = new IndexChange.PutVectors(entry("1", "g1"), List.of(new float[] {1, 0}));
    IndexChange none = new IndexChange.RemoveVectors();
    assertThat(FoldedChanges.of(List.of(vectors, none)).vectors).isEmpty();
    FoldedChanges folded = FoldedChanges.of(List.of(none, vectors));
    assertThat(folded.vectors).hasSize(1);
    assertThat(folded.hasWords()).isFalse();
    assertThat(folded.hasVectors()).isTrue();
  }
}
