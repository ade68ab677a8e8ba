package dev.contexture.search.lucene;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import java.io.IOException;
import java.time.Duration;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.ExitableDirectoryReader;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.QueryTimeout;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.search.TopScoreDocCollectorManager;

/**
 * A searcher of one query, which gives up after a while, or when its thread is interrupted. For raw
 * queries it does so also while it collects the words that a pattern stands for.
 */
record TimedSearcher(IndexSearcher searcher, Duration maxTime) {
  static TimedSearcher of(IndexSearcher shared, boolean raw, Duration maxTime) throws IOException {
    long end = System.nanoTime() + maxTime.toNanos();
    QueryTimeout timeout =
        () -> System.nanoTime() - end >= 0 || Thread.currentThread().isInterrupted();
    IndexReader reader = shared.getIndexReader();
    IndexSearcher timed =
        new IndexSearcher(
            raw && reader instanceof DirectoryReader whole
                ? ExitableDirectoryReader.wrap(whole, timeout)
                : reader);
    timed.setSimilarity(IndexSimilarity.SIMILARITY);
    timed.setTimeout(timeout);
    return new TimedSearcher(timed, maxTime);
  }

  /**
   * The best documents.
   *
   * @throws ContextureException {@code search_too_costly} if that takes too long
   */
  TopDocs search(Query query, int depth) throws IOException {
    try {
      TopDocs found = searcher.search(query, new TopScoreDocCollectorManager(depth, null, depth));
      if (!searcher.timedOut()) {
        return found;
      }
    } catch (ExitableDirectoryReader.ExitingReaderException late) {
      // refused below
    }
    throw new ContextureException(
        ErrorCode.SEARCH_TOO_COSTLY,
        "the search took longer than "
            + maxTime.toSeconds()
            + " s; ask for fewer or rarer words, or for narrower patterns");
  }
}
