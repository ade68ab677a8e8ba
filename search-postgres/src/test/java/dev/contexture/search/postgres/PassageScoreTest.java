package dev.contexture.search.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.search.lucene.QueryWords;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PassageScoreTest {
  private static final Map<String, TermCounts.Count> FREQUENCIES =
      Map.of(
          "common", new TermCounts.Count(900, 1_000),
          "rare", new TermCounts.Count(2, 8),
          "new", new TermCounts.Count(100, 200),
          "york", new TermCounts.Count(100, 200));

  private static PassageScore scoring(Map<String, Integer> counts, QueryWords.Pair... pairs) {
    return new PassageScore(
        new PassageScore.Asked(counts, List.of(pairs), List.of(), FREQUENCIES, 1_000, 20_000));
  }

  private static PassageScore.Candidate passage(Object... wordsAndPlaces) {
    Map<String, List<PassageScore.Place>> words = new HashMap<>();
    for (int i = 0; i < wordsAndPlaces.length; i += 2) {
      String place = (String) wordsAndPlaces[i + 1];
      int at = Integer.parseInt(place.substring(0, place.length() - 1));
      words
          .computeIfAbsent((String) wordsAndPlaces[i], key -> new ArrayList<>())
          .add(new PassageScore.Place(at, place.charAt(place.length() - 1)));
    }
    return new PassageScore.Candidate("id", 20, 1, words);
  }

  @Test
  void aRareWordIsWorthMoreThanACommonOne() {
    PassageScore scoring = scoring(Map.of("common", 1, "rare", 1));
    assertThat(scoring.of(passage("rare", "1A")))
        .isGreaterThan(3 * scoring.of(passage("common", "1A")));
  }

  @Test
  void aWordCountsAsOftenAsTheQuerySaysIt() {
    double once = scoring(Map.of("rare", 1)).of(passage("rare", "1A"));
    assertThat(scoring(Map.of("rare", 3)).of(passage("rare", "1A"))).isEqualTo(3 * once);
  }

  @Test
  void aWordOfItsOwnIsWorthMoreThanOneAroundIt() {
    PassageScore scoring = scoring(Map.of("rare", 1));
    double own = scoring.of(passage("rare", "1A"));
    double around = scoring.of(passage("rare", "1B"));
    assertThat(own).isGreaterThan(around);
    assertThat(around).isGreaterThan(0.1);
  }

  @Test
  void wordsThatStandTogetherAreWorthMore() {
    QueryWords.Pair pair = new QueryWords.Pair("new", "york");
    PassageScore scoring = scoring(Map.of("new", 1, "york", 1), pair);
    double together = scoring.of(passage("new", "4A", "york", "5A"));
    double near = scoring.of(passage("new", "4A", "york", "7A"));
    double apart = scoring.of(passage("new", "4A", "york", "8A"));
    assertThat(together).isGreaterThan(near);
    assertThat(near).isGreaterThan(apart);
    assertThat(scoring.of(passage("new", "5A", "york", "4A")))
        .as("the other way round counts as two words between")
        .isEqualTo(near);
  }

  @Test
  void partsOfALongerWordCountOnlyAllTogether() {
    PassageScore scoring =
        new PassageScore(
            new PassageScore.Asked(
                Map.of(), List.of(), List.of(Set.of("damp", "ampf")), Map.of(), 10, 100));
    PassageScore.Candidate all =
        new PassageScore.Candidate(
            "id", 20, 0, Map.of(Lexemes.part("damp"), List.of(), Lexemes.part("ampf"), List.of()));
    PassageScore.Candidate half =
        new PassageScore.Candidate("id", 20, 0, Map.of(Lexemes.part("damp"), List.of()));
    assertThat(scoring.of(all)).isEqualTo(2);
    assertThat(scoring.of(half)).isPositive().isLessThan(0.001);
  }
}
