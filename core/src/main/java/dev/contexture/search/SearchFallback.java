package dev.contexture.search;

import java.util.Locale;
import org.apiguardian.api.API;

/**
 * The reason why a search answered with less than was asked for. Never hidden from its caller.
 *
 * @param code what happened
 * @param detail the same in words
 * @param count how many changes or entries it is about; 0 if none
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record SearchFallback(Code code, String detail, long count) {
  /** The code of a fallback. */
  public enum Code {
    /** No embedder is configured: answered by words. */
    NO_EMBEDDER,
    /** The query could not be embedded: answered by words. */
    EMBEDDER_FAILED,
    /** Some content has no vector yet. */
    VECTOR_LAG,
    /** The index has not seen the newest changes yet. */
    INDEX_LAG,
    /** The query holds no word. */
    EMPTY_QUERY,
    /** Nothing matches as the query is written: found by words that are spelled alike. */
    TYPOS_FORGIVEN;

    public String wireName() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
