package dev.contexture.search;

import java.util.List;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Why something was found: the parts of its score.
 *
 * @param bm25 the keyword score; null if it was not found by words
 * @param keywordRank its place by words, from 1; 0 if it was not found by them
 * @param cosine the similarity; null if it was not found by meaning
 * @param vectorRank its place by meaning, from 1; 0 if it was not found by it
 * @param words the words of its own text that match, as they are written there
 */
@API(status = API.Status.STABLE, since = "0.1")
public record MatchParts(
    @Nullable Double bm25,
    int keywordRank,
    @Nullable Double cosine,
    int vectorRank,
    List<String> words) {
  public MatchParts {
    words = List.copyOf(words);
  }
}
