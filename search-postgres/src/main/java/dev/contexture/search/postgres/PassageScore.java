package dev.contexture.search.postgres;

import dev.contexture.search.lucene.QueryWords;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Scores a passage for a query. The database finds candidates; it knows no rare words, so that they
 * are ordered here, by BM25 with the counts of the project (docs/decisions/0042). Pure.
 */
final class PassageScore {
  private static final double K1 = 1.2;
  private static final double OWN_B = 0.4;
  private static final double NEAR_WEIGHT = 1.75;
  private static final double LABEL_WEIGHT = 2;
  private static final double DESCRIPTION_WEIGHT = 1.5;
  private static final double PAIR_WEIGHT = 0.5;
  private static final double INSIDE_WEIGHT = 2;
  private static final int PAIR_SLOP = 2;
  private static final int MAX_REPEATS = 20;

  /** Below it nothing is worth something: what was found scores above zero. */
  private static final double LEAST = 1e-6;

  private final Asked asked;
  private final double averageWords;

  /**
   * What is asked for.
   *
   * @param counts how often the query says each word
   * @param pairs words that follow each other there
   * @param inside stretches of words that may stand inside of longer ones
   * @param frequencies in how many passages words stand
   * @param passages how many there are
   * @param ownWords how many words they have
   */
  record Asked(
      Map<String, Integer> counts,
      List<QueryWords.Pair> pairs,
      List<Set<String>> inside,
      Map<String, TermCounts.Count> frequencies,
      long passages,
      long ownWords) {
    double idf(String term) {
      return idf(frequencies.getOrDefault(term, TermCounts.Count.NONE).own());
    }

    double nearIdf(String term) {
      return idf(frequencies.getOrDefault(term, TermCounts.Count.NONE).near());
    }

    private double idf(long found) {
      return Math.log(1 + (Math.max(0, passages - found) + 0.5) / (found + 0.5));
    }
  }

  /** A candidate with those of its words that were asked for, and where they stand. */
  record Candidate(String id, int ownWords, double nearWeight, Map<String, List<Place>> words) {}

  /**
   * Where a word stands.
   *
   * @param kind as in {@link Lexemes}
   */
  record Place(int at, char kind) {}

  PassageScore(Asked asked) {
    this.asked = asked;
    this.averageWords = Math.max(1, (double) asked.ownWords / Math.max(1, asked.passages));
  }

  double of(Candidate passage) {
    double score = 0;
    for (Map.Entry<String, Integer> word : asked.counts.entrySet()) {
      List<Place> places = passage.words.get(word.getKey());
      if (places != null) {
        score += Math.min(word.getValue(), MAX_REPEATS) * ofWord(passage, word.getKey(), places);
      }
    }
    for (QueryWords.Pair pair : asked.pairs) {
      score += PAIR_WEIGHT * ofPair(passage, pair);
    }
    for (Set<String> parts : asked.inside) {
      if (parts.stream().allMatch(part -> passage.words.containsKey(Lexemes.part(part)))) {
        score += INSIDE_WEIGHT;
      }
    }
    return Math.max(LEAST, score);
  }

  private double ofWord(Candidate passage, String term, List<Place> places) {
    int own = count(places, Lexemes.OWN);
    double idf = asked.idf(term);
    double score = idf * saturated(own, ownNorm(passage));
    double near = own + count(places, Lexemes.AROUND);
    score += NEAR_WEIGHT * asked.nearIdf(term) * passage.nearWeight * saturated(near, 1);
    score += LABEL_WEIGHT * idf * saturated(count(places, Lexemes.LABEL), 1);
    return score + DESCRIPTION_WEIGHT * idf * saturated(count(places, Lexemes.DESCRIPTION), 1);
  }

  private double ownNorm(Candidate passage) {
    return 1 - OWN_B + OWN_B * passage.ownWords / averageWords;
  }

  private static double saturated(double frequency, double norm) {
    return frequency / (frequency + K1 * norm);
  }

  private static int count(List<Place> places, String kind) {
    int count = 0;
    for (Place place : places) {
      count += place.kind == kind.charAt(0) ? 1 : 0;
    }
    return count;
  }

  /** Words that stand together, the more the nearer they are. */
  private double ofPair(Candidate passage, QueryWords.Pair pair) {
    double frequency = 0;
    for (int first : own(passage, pair.first())) {
      for (int second : own(passage, pair.second())) {
        int between = Math.abs(second - first - 1);
        if (between <= PAIR_SLOP) {
          frequency += 1.0 / (1 + between);
        }
      }
    }
    double idf = asked.idf(pair.first()) + asked.idf(pair.second());
    return frequency == 0 ? 0 : idf * saturated(frequency, ownNorm(passage));
  }

  private static List<Integer> own(Candidate passage, String term) {
    List<Integer> own = new ArrayList<>();
    for (Place place : passage.words.getOrDefault(term, List.of())) {
      if (place.kind == Lexemes.OWN.charAt(0)) {
        own.add(place.at);
      }
    }
    return own;
  }
}
