package dev.contexture.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Two lists joined by their scores (M-80). */
class ScoreFusionTest {
  /** 300 characters: meaning counts half of what it counts at most. */
  private static final String LONG = "x".repeat(300);

  private static List<IndexHit> hits(Object... idsAndScores) {
    List<IndexHit> hits = new ArrayList<>();
    for (int i = 0; i < idsAndScores.length; i += 2) {
      double score = ((Number) idsAndScores[i + 1]).doubleValue();
      hits.add(new IndexHit((String) idsAndScores[i], SearchContentType.MESSAGES, score, "hash"));
    }
    return hits;
  }

  private static List<RankFusion.Fused> fuse(
      List<IndexHit> keyword, List<IndexHit> vector, String query) {
    return ScoreFusion.fuse(keyword, vector, 0, query);
  }

  private static List<String> ids(List<RankFusion.Fused> fused) {
    return fused.stream().map(RankFusion.Fused::id).toList();
  }

  @Test
  void addsWhatEachListGives() {
    List<RankFusion.Fused> fused =
        fuse(hits("a", 10, "b", 8, "c", 2), hits("c", 0.9, "d", 0.7, "b", 0.5), LONG);
    assertThat(ids(fused)).containsExactly("a", "b", "c", "d");
    assertThat(fused.get(0).shares()).isEqualTo(new MatchParts.Shares(0.75, 0, 0.25));
    assertThat(fused.get(1).score()).isCloseTo(0.75 * 8 / 10, within(1e-9));
    assertThat(fused.get(2).shares().words()).isCloseTo(0.75 * 2 / 10, within(1e-9));
    assertThat(fused.get(2).shares().meaning()).isCloseTo(0.25 * 4 / 5, within(1e-9));
    assertThat(fused.get(2).score()).isCloseTo(0.35, within(1e-9));
    assertThat(fused.get(3).score()).isCloseTo(0.25 * 2 / 5, within(1e-9));
    assertThat(fused.get(2).keywordRank()).isEqualTo(3);
    assertThat(fused.get(2).vectorRank()).isEqualTo(1);
    assertThat(fused.get(3).keywordRank()).isZero();
  }

  /** However good its first hit looks: a list of meanings alone does not turn the words around. */
  @Test
  void aHitByMeaningAloneStaysBehindTheBestByWords() {
    assertThat(ids(fuse(hits("a", 3, "b", 1), hits("z", 0.99, "y", 0.1), "q")))
        .containsExactly("a", "z", "b", "y");
  }

  @Test
  void cosinesThatAreAllAlikeChangeNothing() {
    List<IndexHit> words = hits("a", 3, "b", 2.9, "c", 2.8);
    assertThat(ids(fuse(words, hits("c", 0.7, "z", 0.7, "b", 0.7, "a", 0.7), "q")))
        .containsExactly("a", "b", "c", "z");
    assertThat(ids(fuse(words, hits("c", 0.702, "z", 0.701, "b", 0.7, "a", 0.7), "q")))
        .startsWith("a", "b", "c");
  }

  @Test
  void theLongerTheQueryTheLessMeaningCounts() {
    List<IndexHit> words = hits("a", 10, "b", 8);
    List<IndexHit> meanings = hits("b", 0.9, "a", 0.5);
    assertThat(ids(fuse(words, meanings, "why?"))).containsExactly("b", "a");
    assertThat(ids(fuse(words, meanings, LONG.repeat(10)))).containsExactly("a", "b");
    assertThat(fuse(words, meanings, LONG.repeat(10)).getFirst().shares().weight())
        .isCloseTo(0.5 / 11, within(1e-9));
  }

  @Test
  void whatIsNotNearEnoughTellsOnlyHowFarAwayThingsAre() {
    List<RankFusion.Fused> fused =
        ScoreFusion.fuse(hits("a", 5), hits("b", 0.9, "c", 0.2), 0.5, LONG);
    assertThat(ids(fused)).containsExactly("a", "b");
    assertThat(fused.get(1).score()).isCloseTo(0.25 * 7 / 8, within(1e-9));
  }

  @Test
  void aListAloneKeepsItsOrder() {
    assertThat(fuse(List.of(), hits("a", 0.9, "b", 0.2), "q"))
        .extracting(RankFusion.Fused::score)
        .containsExactly(0.875, 0.0);
    assertThat(ids(fuse(hits("b", 5, "a", 5), List.of(), "q"))).containsExactly("b", "a");
    assertThat(fuse(List.of(), List.of(), "q")).isEmpty();
  }
}
