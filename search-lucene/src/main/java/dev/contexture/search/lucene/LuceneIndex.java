package dev.contexture.search.lucene;

import dev.contexture.search.DamagedIndexException;
import dev.contexture.search.IndexChange;
import dev.contexture.search.IndexDocument;
import dev.contexture.search.IndexEntry;
import dev.contexture.search.IndexFilter;
import dev.contexture.search.IndexHit;
import dev.contexture.search.IndexPosition;
import dev.contexture.search.SearchContentType;
import dev.contexture.search.SearchIndex;
import dev.contexture.search.SearchOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.TieredMergePolicy;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryRescorer;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.SearcherManager;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.util.IOUtils;
import org.apache.lucene.util.Version;
import org.jspecify.annotations.Nullable;

/**
 * One index in one folder. Its commits hold the position, so that both are of the same moment.
 * Searches see the newest write, committed or not.
 *
 * <p>Thread-safe for reads beside one writing thread.
 */
final class LuceneIndex implements SearchIndex {
  private static final System.Logger LOG = System.getLogger(LuceneIndex.class.getName());
  static final List<String> PARKED = List.of(IndexFields.PARKED, IndexFields.PARKED_TEXT);
  private static final double BUFFER_MIB = 48;
  private static final int PASSAGES_PER_HIT = 2;
  private static final int LEAST_DEPTH = 50;
  private static final int SHOW_AFTER_CHANGES = 20_000;
  private static final int LEAST_VECTORS = 160; // what a graph is searched for, for its recall

  private final Directory directory;
  private final IndexWriter writer;
  private final SearcherManager searchers;
  private final Settings settings;
  private final AtomicInteger users = new AtomicInteger();
  private final NearWords nearWords = new NearWords();
  private final AtomicLong written = new AtomicLong();
  private final AtomicLong shown = new AtomicLong();
  private volatile IndexPosition position;
  private boolean erased;
  private boolean changed;

  private LuceneIndex(
      Directory directory,
      IndexWriter writer,
      SearcherManager searchers,
      IndexPosition position,
      Settings settings) {
    this.settings = settings;
    this.directory = directory;
    this.writer = writer;
    this.searchers = searchers;
    this.position = position;
  }

  /**
   * Settings of an index.
   *
   * @param maxTime the longest time for the words of one query
   * @param maker what writes it: entries that another one parked are to be tried again
   */
  record Settings(Duration maxTime, String maker) {
    /** Raised when entries can be taken that were parked before. */
    private static final String ABILITIES = "1";

    /** With the versions of what decides whether a text can be indexed. */
    static final Settings DEFAULT =
        new Settings(
            SearchOptions.MAX_TIME,
            String.join(
                "/",
                ABILITIES,
                Objects.toString(LuceneIndex.class.getPackage().getImplementationVersion(), ""),
                Version.LATEST.toString(),
                String.valueOf(Runtime.version().feature())));
  }

  /**
   * Opens the index in a folder, which is made if it does not exist.
   *
   * @throws IOException if it cannot be read, or has another form
   */
  static LuceneIndex open(Path folder, Settings settings) throws IOException {
    Directory directory = FSDirectory.open(folder);
    IndexWriter writer = null;
    try {
      writer = new IndexWriter(directory, config());
      IndexPosition position = CommitPosition.read(writer);
      SearcherManager searchers = new SearcherManager(writer, null);
      return new LuceneIndex(directory, writer, searchers, position, settings);
    } catch (IOException | RuntimeException failed) {
      IOUtils.closeWhileHandlingException(writer == null ? null : writer::rollback, directory);
      throw failed;
    }
  }

  private static IndexWriterConfig config() {
    TieredMergePolicy merges = new TieredMergePolicy();
    merges.setForceMergeDeletesPctAllowed(0); // what is erased leaves no trace
    return new IndexWriterConfig(TextAnalysis.INDEX)
        .setCodec(new Vectors.Codec())
        .setSimilarity(IndexSimilarity.SIMILARITY)
        .setMergePolicy(merges)
        .setRAMBufferSizeMB(BUFFER_MIB)
        .setCommitOnClose(true);
  }

  @Override
  public IndexPosition position() {
    return position;
  }

  @Override
  public int write(List<IndexChange> changes, IndexPosition to) {
    return guarded(
        () -> {
          int parked = 0;
          for (IndexChange change : changes) {
            parked += apply(change) ? 0 : 1;
          }
          CommitPosition.write(writer, to);
          if (written.addAndGet(changes.size()) - shown.get() > SHOW_AFTER_CHANGES) {
            show();
          }
          position = to;
          changed = true;
          return parked;
        });
  }

  /**
   * Lets searches see what is written. The next search does it, so that building an index does not
   * cut it into as many pieces as it has writes; a limit keeps what that search waits for small.
   */
  private void show() throws IOException {
    long now = written.get();
    if (shown.get() < now) {
      searchers.maybeRefreshBlocking();
      shown.accumulateAndGet(now, Math::max);
    }
  }

  /** Applies a change; false: its entry is parked. */
  private boolean apply(IndexChange change) throws IOException {
    switch (change) {
      case IndexChange.Put put -> {
        return put(put.document());
      }
      case IndexChange.PutVectors put -> {
        return putVectors(put);
      }
      case IndexChange.Park park -> {
        String id = park.entry().id();
        writer.deleteDocuments(key(IndexFields.VECTOR, id));
        writer.updateDocument(
            key(IndexFields.PARKED, id),
            Documents.parked(park.entry(), park.error(), settings.maker));
        return false;
      }
      case IndexChange.ParkText park -> {
        String id = park.entry().id();
        writer.updateDocument(
            key(IndexFields.TEXT, id),
            Documents.parkedText(park.entry(), park.error(), settings.maker));
        return false;
      }
      case IndexChange.RemoveGroup remove -> {
        writer.deleteDocuments(new Term(IndexFields.GROUP, remove.group()));
        erased |= remove.erase();
      }
      case IndexChange.RemoveConversation remove -> {
        writer.deleteDocuments(
            new BooleanQuery.Builder()
                .add(FilterQuery.term(IndexFields.USER, remove.user()), Occur.FILTER)
                .add(
                    FilterQuery.term(IndexFields.CONVERSATION, remove.conversation()), Occur.FILTER)
                .build());
        erased = true;
      }
      case IndexChange.RemoveAll unused -> {
        writer.deleteAll();
        erased = true;
      }
      case IndexChange.RemoveVectors unused ->
          writer.deleteDocuments(
              FilterQuery.anyOf(IndexFields.KIND, List.of(IndexFields.VECTOR, IndexFields.PARKED)));
    }
    return true;
  }

  /** Puts an entry; what stands around it is left out if that cannot be indexed. */
  private boolean put(IndexDocument document) throws IOException {
    IndexEntry entry = document.entry();
    Term key = key(IndexFields.TEXT, entry.id());
    Throwable refused =
        refusal(() -> writer.updateDocuments(key, Documents.text(document, nearWords)));
    if (refused != null && !document.context().isEmpty()) {
      IndexDocument alone = document.withoutContext();
      refused = refusal(() -> writer.updateDocuments(key, Documents.text(alone, nearWords)));
    }
    return refused == null || park(new IndexChange.ParkText(entry, reason(refused)), refused);
  }

  private boolean putVectors(IndexChange.PutVectors put) throws IOException {
    String id = put.entry().id();
    Throwable refused =
        refusal(
            () -> {
              writer.deleteDocuments(key(IndexFields.PARKED, id));
              return writer.updateDocuments(
                  key(IndexFields.VECTOR, id), Documents.vectors(put.entry(), put.vectors()));
            });
    return refused == null || park(new IndexChange.Park(put.entry(), reason(refused)), refused);
  }

  /** Why an entry cannot be written; null: it was. A writer that failed itself throws. */
  private @Nullable Throwable refusal(Work<Long> writing) throws IOException {
    try {
      writing.run();
      return null;
    } catch (RuntimeException | StackOverflowError failed) {
      if (!writer.isOpen() || writer.getTragicException() != null) {
        throw failed;
      }
      return failed;
    }
  }

  private boolean park(IndexChange parking, Throwable why) throws IOException {
    LOG.log(System.Logger.Level.WARNING, "an entry cannot be indexed and is parked", why);
    Throwable refused = refusal(() -> apply(parking) ? 1L : 0L);
    if (refused != null) {
      LOG.log(System.Logger.Level.ERROR, "an entry cannot even be parked and is lost", refused);
    }
    return false;
  }

  private static String reason(Throwable refused) {
    return refused.getClass().getSimpleName() + " while it was indexed; see the log";
  }

  private static Term key(String kind, String id) {
    return new Term(IndexFields.KEY, IndexFields.key(kind, id));
  }

  @Override
  public void commit() {
    if (!changed) {
      return;
    }
    guarded(
        () -> {
          if (erased) {
            show(); // applies what was removed, so that merging sees it
            writer.forceMergeDeletes(true);
          }
          writer.commit();
          if (erased) {
            searchers.maybeRefreshBlocking(); // the old reader holds the old files
            writer.deleteUnusedFiles();
          }
          erased = false;
          changed = false;
          return true;
        });
  }

  @Override
  public List<IndexHit> keyword(KeywordQuery query, IndexFilter filter, int limit) {
    return reading(
        shared -> {
          TimedSearcher timed = TimedSearcher.of(shared, query.raw(), settings.maxTime);
          IndexSearcher searcher = timed.searcher();
          boolean labels = filter.types().contains(SearchContentType.BLOCKS);
          Query allowed = FilterQuery.of(IndexFields.TEXT, filter); // only they have words
          Query all = Queries.of(query, searcher.getIndexReader(), labels, allowed);
          Query pairs = Queries.pairs(query);
          EntryReader entries = new EntryReader(searcher.getIndexReader());
          for (int depth = Math.max(LEAST_DEPTH, limit * PASSAGES_PER_HIT); ; depth *= 4) {
            TopDocs found = timed.search(all, depth);
            TopDocs scored =
                pairs == null ? found : QueryRescorer.rescore(searcher, found, pairs, 1, depth);
            List<IndexHit> hits = entries.best(scored.scoreDocs, limit);
            if (hits.size() == limit || found.scoreDocs.length < depth) {
              return hits;
            }
          }
        });
  }

  @Override
  public List<IndexHit> vector(float[] vector, IndexFilter filter, int limit) {
    return reading(
        searcher -> {
          EntryReader entries = new EntryReader(searcher.getIndexReader());
          for (int depth = Math.max(LEAST_VECTORS, limit * PASSAGES_PER_HIT); ; depth *= 4) {
            List<Vectors.Scored> found = Vectors.search(searcher, vector, filter, depth);
            ScoreDoc[] scored =
                found.stream()
                    .map(hit -> new ScoreDoc(hit.doc(), hit.cosine()))
                    .toArray(ScoreDoc[]::new);
            List<IndexHit> hits = entries.best(scored, limit);
            if (hits.size() == limit || found.size() != depth) {
              return hits;
            }
          }
        });
  }

  @Override
  public List<IndexHit> misspelled(KeywordQuery query, IndexFilter filter, int limit) {
    Typos typos = Typos.of(query);
    return reading(
        shared -> typos.find(TimedSearcher.of(shared, true, settings.maxTime), filter, limit));
  }

  @Override
  public Function<String, TextMatch> misspelledMatcher(KeywordQuery query) {
    return Typos.of(query)::match;
  }

  @Override
  public Function<String, TextMatch> matcher(KeywordQuery query) {
    return new QueryMatcher(query)::match;
  }

  @Override
  public boolean isEmpty(KeywordQuery query) {
    return Queries.isEmpty(query);
  }

  @Override
  public Optional<String> textHash(String id) {
    return reading(searcher -> entries(searcher).hash(key(IndexFields.TEXT, id)));
  }

  @Override
  public Optional<String> vectorHash(String id) {
    return reading(
        searcher -> {
          Optional<String> vectors = entries(searcher).hash(key(IndexFields.VECTOR, id));
          return vectors.isPresent()
              ? vectors
              : entries(searcher).hash(key(IndexFields.PARKED, id));
        });
  }

  @Override
  public Optional<Span> span(String group) {
    return reading(searcher -> entries(searcher).span(new Term(IndexFields.GROUP, group)));
  }

  @Override
  public List<Indexed> entries(@Nullable String after, int limit) {
    return reading(searcher -> entries(searcher).list(after, limit));
  }

  @Override
  public List<Parked> parked(int limit) {
    return reading(searcher -> entries(searcher).parked(searcher, limit));
  }

  @Override
  public List<String> outdatedGroups(int limit) {
    return reading(searcher -> entries(searcher).outdated(searcher, settings.maker, limit));
  }

  @Override
  public Counts counts() {
    return reading(
        searcher ->
            new Counts(
                searcher.count(FilterQuery.term(IndexFields.FIRST, IndexFields.TEXT)),
                searcher.count(FilterQuery.term(IndexFields.FIRST, IndexFields.VECTOR)),
                searcher.count(FilterQuery.anyOf(IndexFields.FIRST, PARKED))));
  }

  @Override
  public OptionalLong sizeBytes() {
    return guarded(
        () -> {
          long size = 0;
          for (String file : directory.listAll()) {
            size += directory.fileLength(file);
          }
          return OptionalLong.of(size);
        });
  }

  private static EntryReader entries(IndexSearcher searcher) {
    return new EntryReader(searcher.getIndexReader());
  }

  /** Counts one more user; the provider closes it only when there is none. */
  LuceneIndex use() {
    users.incrementAndGet();
    return this;
  }

  /** Whether it can be written; one that failed cannot. */
  boolean isOpen() {
    return writer.isOpen();
  }

  boolean isUsed() {
    return users.get() > 0;
  }

  @Override
  public void close() {
    users.decrementAndGet();
  }

  /** Writes what is not committed and lets go of the files. */
  void shut() throws IOException {
    try {
      commit();
    } finally {
      searchers.close();
      if (writer.isOpen()) {
        writer.close();
      }
      directory.close();
    }
  }

  /** Lets go of the files without writing. */
  void abandon() {
    IOUtils.closeWhileHandlingException(searchers, writer::rollback, directory);
  }

  /** Something that reads or writes files. */
  @FunctionalInterface
  private interface Work<T> {
    T run() throws IOException;
  }

  /** Something that reads. */
  @FunctionalInterface
  private interface Reading<T> {
    T run(IndexSearcher searcher) throws IOException;
  }

  private <T> T reading(Reading<T> reading) {
    return guarded(
        () -> {
          show();
          IndexSearcher searcher = searchers.acquire();
          try {
            searcher.setSimilarity(IndexSimilarity.SIMILARITY);
            return reading.run(searcher);
          } finally {
            searchers.release(searcher);
          }
        });
  }

  private static <T> T guarded(Work<T> work) {
    try {
      return work.run();
    } catch (IOException
        | IllegalStateException
        | IndexOutOfBoundsException
        | NegativeArraySizeException
        | ArithmeticException failed) { // what reading damaged bytes leads to
      if (IndexFailures.isOfTheMachine(failed)) {
        throw LuceneIndexes.unavailable(failed);
      }
      throw new DamagedIndexException("the search index cannot be used: " + failed, failed);
    }
  }
}
