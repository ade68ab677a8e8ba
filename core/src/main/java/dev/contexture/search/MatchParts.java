package dev.contexture.search;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The parts of the score of a hit, which explain why it was found.
 *
 * @param bm25 the keyword score; null if it was not found by words
 * @param keywordRank its place by words, from 1; 0 if it was not found by them
 * @param cosine the similarity; null if it was not found by meaning
 * @param vectorRank its place by meaning, from 1; 0 if it was not found by it
 * @param words the words of its own text that match, as they are written there
 * @param typos words of the query that are taken for a misspelled word of the text, with that word;
 *     none unless nothing matches the query as it is written
 * @param shares what words and meaning give to its score; null unless the search joined both
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record MatchParts(
    @Nullable Double bm25,
    int keywordRank,
    @Nullable Double cosine,
    int vectorRank,
    List<String> words,
    Map<String, String> typos,
    @Nullable Shares shares) {
  /**
   * The shares of words and meaning in a score, which is their sum.
   *
   * @param weight what meaning counts in this search, from 0 to 1; words count the rest
   */
  public record Shares(double words, double meaning, double weight) {}

  public MatchParts {
    words = List.copyOf(words);
    typos = Collections.unmodifiableMap(new LinkedHashMap<>(typos));
  }
}
