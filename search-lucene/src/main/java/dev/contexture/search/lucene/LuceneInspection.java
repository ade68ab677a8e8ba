package dev.contexture.search.lucene;

import dev.contexture.block.Scope;
import dev.contexture.error.ContextureException;
import dev.contexture.search.ParkedEntries;
import dev.contexture.search.SearchIndex;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apiguardian.api.API;

/** Looks at the indexes in a folder from outside, whoever has them open. It changes nothing. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class LuceneInspection {
  private LuceneInspection() {}

  /**
   * Entries that could not be indexed or embedded and were left out, in all indexes of a folder, as
   * far as these were saved.
   *
   * @param limit how many are named
   * @throws ContextureException {@code search_unavailable} if an index cannot be read
   */
  public static ParkedEntries parked(Path folder, int limit) {
    long count = 0;
    List<ParkedEntries.Entry> first = new ArrayList<>();
    try (LuceneIndexes indexes = LuceneIndexes.in(folder)) {
      for (Scope scope : indexes.scopes()) {
        ParkedEntries parked = parked(indexes.path(scope), scope, limit);
        count += parked.count();
        first.addAll(
            parked.first().subList(0, Math.min(parked.first().size(), limit - first.size())));
      }
    }
    return new ParkedEntries(count, first);
  }

  private static ParkedEntries parked(Path path, Scope scope, int limit) {
    try (Directory directory = FSDirectory.open(path)) {
      if (!DirectoryReader.indexExists(directory)) {
        return ParkedEntries.NONE;
      }
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        IndexSearcher searcher = new IndexSearcher(reader);
        List<ParkedEntries.Entry> first = new ArrayList<>();
        for (SearchIndex.Parked each : new EntryReader(reader).parked(searcher, limit)) {
          first.add(new ParkedEntries.Entry(scope, each.id(), each.error()));
        }
        return new ParkedEntries(
            searcher.count(FilterQuery.anyOf(IndexFields.FIRST, LuceneIndex.PARKED)), first);
      }
    } catch (IOException unreadable) {
      throw LuceneIndexes.unavailable(scope, unreadable);
    }
  }
}
