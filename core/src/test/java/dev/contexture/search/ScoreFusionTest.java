package dev.contexture.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Two lists joined by their scores (M-80). */
class ScoreFusionTest {
  private static List<IndexHit> hits(Object... idsAndScores) {
    List<IndexHit> hits = new ArrayList<>();
    for (int i = 0; i < idsAndScores.length; i += 2) {
      double score = ((Number) idsAndScores[i + 1]).doubleValue();
      hits.add(new IndexHit((String) idsAndScores[i], SearchContentType.MESSAGES, score, "hash"));
    }
    return hits;
  }

  @Test
  void addsWhatEachListGives() {
    List<RankFusion.Fused> fused =
        ScoreFusion.fuse(hits("a", 10, "b", 8, "c", 2), hits("c", 0.9, "d", 0.7, "b", 0.5));
    assertThat(fused).extracting(RankFusion.Fused::id).containsExactly("a", "b", "c", "d");
    assertThat(fused.get(0).score()).isEqualTo(0.75);
    assertThat(fused.get(1).score()).isCloseTo(0.75 * 6 / 8, within(1e-9));
    assertThat(fused.get(2).score()).isEqualTo(0.25);
    assertThat(fused.get(3).score()).isCloseTo(0.25 / 2, within(1e-9));
    assertThat(fused.get(2).keywordRank()).isEqualTo(3);
    assertThat(fused.get(2).vectorRank()).isEqualTo(1);
    assertThat(fused.get(3).keywordRank()).isZero();
  }

  /** However good its first hit looks: a list of meanings alone does not turn the words around. */
  @Test
  void aHitByMeaningAloneStaysBehindTheBestByWords() {
    List<RankFusion.Fused> fused =
        ScoreFusion.fuse(hits("a", 3, "b", 1), hits("z", 0.99, "y", 0.1));
    assertThat(fused).extracting(RankFusion.Fused::id).containsExactly("a", "z", "b", "y");
  }

  @Test
  void aListAloneKeepsItsOrder() {
    assertThat(ScoreFusion.fuse(List.of(), hits("a", 0.9, "b", 0.2)))
        .extracting(RankFusion.Fused::score)
        .containsExactly(1.0, 0.0);
    assertThat(ScoreFusion.fuse(hits("b", 5, "a", 5), List.of()))
        .extracting(RankFusion.Fused::id)
        .containsExactly("a", "b");
    assertThat(ScoreFusion.fuse(List.of(), List.of())).isEmpty();
  }
}
