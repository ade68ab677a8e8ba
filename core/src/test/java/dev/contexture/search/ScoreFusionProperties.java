package dev.contexture.search;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

/** What holds for any two lists that are joined by their scores (M-80). */
class ScoreFusionProperties {
  private static IndexHit hit(String id, double score) {
    return new IndexHit(id, SearchContentType.MESSAGES, score, "hash");
  }

  private static List<RankFusion.Fused> fuse(
      List<IndexHit> keyword, List<IndexHit> vector, int chars) {
    return ScoreFusion.fuse(keyword, vector, -1, "x".repeat(chars));
  }

  private static List<String> ids(List<RankFusion.Fused> fused) {
    return fused.stream().map(RankFusion.Fused::id).toList();
  }

  private static List<IndexHit> first(List<IndexHit> hits) {
    return hits.subList(0, Math.min(ScoreFusion.WINDOW, hits.size()));
  }

  @Property
  void sharesAreTheScoreAndBetweenNothingAndAll(
      @ForAll("words") List<IndexHit> words,
      @ForAll("meanings") List<IndexHit> meanings,
      @ForAll @IntRange(min = 1, max = 10_000) int chars) {
    for (RankFusion.Fused fused : fuse(words, meanings, chars)) {
      MatchParts.Shares shares = fused.shares();
      assertThat(shares.words()).isBetween(0.0, 1 - shares.weight());
      assertThat(shares.meaning()).isBetween(0.0, shares.weight());
      assertThat(fused.score()).isEqualTo(shares.words() + shares.meaning());
    }
  }

  @Property
  void whatLeadsBothListsLeads(
      @ForAll("words") List<IndexHit> words,
      @ForAll("meanings") List<IndexHit> meanings,
      @ForAll @IntRange(min = 1, max = 10_000) int chars) {
    List<IndexHit> leading = new ArrayList<>(words);
    leading.addFirst(hit("leader", 101));
    List<IndexHit> nearest = new ArrayList<>(meanings);
    nearest.addFirst(hit("leader", 1));
    assertThat(ids(fuse(leading, nearest, chars))).startsWith("leader");
  }

  @Property
  void meaningThatTellsNothingApartKeepsTheOrderOfWords(
      @ForAll("words") List<IndexHit> words,
      @ForAll("meanings") List<IndexHit> meanings,
      @ForAll @IntRange(min = 1, max = 10_000) int chars) {
    List<IndexHit> asked = first(words);
    List<IndexHit> alike = meanings.stream().map(near -> hit(near.id(), 0.8)).toList();
    List<String> order = asked.stream().map(IndexHit::id).toList();
    List<String> ids = ids(fuse(asked, alike, chars)).stream().filter(order::contains).toList();
    assertThat(ids).isEqualTo(order);
  }

  @Property
  void whatIsNearerNeverComesLater(
      @ForAll("words") List<IndexHit> words,
      @ForAll("meanings") List<IndexHit> meanings,
      @ForAll @IntRange(min = 0, max = 150) int which,
      @ForAll @IntRange(min = 1, max = 10_000) int chars) {
    List<IndexHit> far = first(meanings);
    if (far.size() < 2) {
      return;
    }
    IndexHit moved = far.get(which % (far.size() - 1)); // the last one tells how far the others are
    List<IndexHit> nearer = new ArrayList<>(far);
    nearer.remove(moved);
    nearer.addFirst(hit(moved.id(), 1));
    int before = ids(fuse(words, far, chars)).indexOf(moved.id());
    assertThat(ids(fuse(words, nearer, chars)).indexOf(moved.id())).isLessThanOrEqualTo(before);
  }

  @Property
  void whoAsksForMoreGetsTheSameHitsFirst(
      @ForAll("words") List<IndexHit> words,
      @ForAll("meanings") List<IndexHit> meanings,
      @ForAll @IntRange(min = 1, max = 10_000) int chars) {
    List<String> few =
        fuse(first(words), first(meanings), chars).stream()
            .filter(fused -> fused.score() > 0)
            .map(RankFusion.Fused::id)
            .toList();
    assertThat(ids(fuse(words, meanings, chars)).subList(0, few.size())).isEqualTo(few);
  }

  @Provide
  Arbitrary<List<IndexHit>> words() {
    return lists(0.01, 100);
  }

  @Provide
  Arbitrary<List<IndexHit>> meanings() {
    return lists(-1, 0.99);
  }

  private static Arbitrary<List<IndexHit>> lists(double least, double most) {
    Arbitrary<IndexHit> hits =
        Arbitraries.integers()
            .between(0, 300)
            .flatMap(
                id ->
                    Arbitraries.doubles()
                        .between(least, most)
                        .ofScale(2)
                        .map(score -> hit("e" + id, score)));
    return hits.list()
        .uniqueElements(IndexHit::id)
        .ofMaxSize(150)
        .map(
            list ->
                list.stream()
                    .sorted(
                        Comparator.comparingDouble(IndexHit::score)
                            .reversed()
                            .thenComparing(IndexHit::id))
                    .toList());
  }
}
