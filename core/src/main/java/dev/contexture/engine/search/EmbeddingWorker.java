package dev.contexture.engine.search;

import dev.contexture.error.ContextureException;
import dev.contexture.error.UncaughtErrors;
import dev.contexture.search.CheckedEmbedder;
import dev.contexture.search.DamagedIndexException;
import dev.contexture.search.EmbedderException;
import dev.contexture.search.IndexChange;
import dev.contexture.search.IndexDocument;
import dev.contexture.search.IndexPosition;
import dev.contexture.search.SearchIndex;
import dev.contexture.store.OutboxRow;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Makes vectors in the background, on one thread. Its queue is the outbox up to where words are
 * indexed: the index keeps in its commit up to which row vectors are made. Doing a row twice is
 * once, because an entry is embedded only if its content has another hash than that of its vectors.
 *
 * <p>What cannot be embedded is parked with its error, so that the rest goes on. A service that
 * fails for everything is no reason to park: then it stops and tries again later. Thread-safe.
 */
final class EmbeddingWorker implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(EmbeddingWorker.class.getName());
  private static final int ROWS = 64;
  private static final int HALVINGS = 4;
  private static final int FAILURES_OF_THE_SERVICE = 8;
  private static final String PROBE = "hello";
  private static final Duration RETRY = Duration.ofSeconds(60);
  private static final long MINUTE_NANOS = Duration.ofMinutes(1).toNanos();

  /** Another one where another text of an entry is embedded: all vectors are then made again. */
  private static final String FORM = "3";

  private final CheckedEmbedder embedder;
  private final ScheduledThreadPoolExecutor thread;
  private final Set<ScopeIndexer> queued = ConcurrentHashMap.newKeySet();
  private final Deque<Batch> lastMinute = new ArrayDeque<>(); // guarded by itself
  private long made; // guarded by lastMinute
  private int failuresInARow;

  /** Entries that were embedded at a time of the system's clock. */
  private record Batch(long nanos, int entries) {}

  EmbeddingWorker(CheckedEmbedder embedder) {
    this.embedder = embedder;
    this.thread =
        new ScheduledThreadPoolExecutor(
            1,
            work -> {
              Thread made = new Thread(work, "contexture-embed");
              made.setDaemon(true);
              return made;
            });
    thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
  }

  CheckedEmbedder embedder() {
    return embedder;
  }

  /** What an index notes as the maker of its vectors. */
  static String model(CheckedEmbedder embedder) {
    return embedder.modelId() + "/" + embedder.dimensions() + "/" + FORM;
  }

  /** Makes the vectors of a scope soon. */
  void wake(ScopeIndexer indexing) {
    schedule(indexing, Duration.ZERO);
  }

  /** How far it has come, with the lag of these scopes. */
  EmbeddingProgress progress(long lag) {
    synchronized (lastMinute) {
      forget(System.nanoTime());
      long recent = lastMinute.stream().mapToLong(Batch::entries).sum();
      return new EmbeddingProgress(embedder.modelId(), lag, made, recent);
    }
  }

  private void count(int entries) {
    synchronized (lastMinute) {
      long now = System.nanoTime();
      forget(now);
      made += entries;
      lastMinute.addLast(new Batch(now, entries));
    }
  }

  private void forget(long now) {
    while (!lastMinute.isEmpty() && now - lastMinute.getFirst().nanos > MINUTE_NANOS) {
      lastMinute.removeFirst();
    }
  }

  private void schedule(ScopeIndexer indexing, Duration after) {
    if (!queued.add(indexing)) {
      return;
    }
    try {
      Future<?> unused =
          thread.schedule(() -> run(indexing), after.toMillis(), TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException ending) {
      queued.remove(indexing); // the position says where to go on
    }
  }

  private void run(ScopeIndexer indexing) {
    queued.remove(indexing);
    try {
      while (!thread.isShutdown() && step(indexing)) {}
    } catch (EmbedderException | DamagedIndexException failed) {
      LOG.log(
          System.Logger.Level.WARNING, "vectors of " + indexing.name() + " are made later", failed);
      schedule(indexing, RETRY);
    } catch (InterruptedException ending) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException failed) {
      LOG.log(System.Logger.Level.WARNING, "making vectors failed", failed);
      schedule(indexing, RETRY);
    } catch (Error broken) {
      UncaughtErrors.tell(broken);
      schedule(indexing, RETRY);
    }
  }

  /** Works off some rows; false: there are none. */
  private boolean step(ScopeIndexer indexing) throws InterruptedException {
    String model = model(embedder);
    List<OutboxRow> rows =
        indexing.writing(
            index -> {
              if (!index.take(SearchIndex.Duty.VECTORS)) {
                indexing.embeddedUpTo(index.position().vectors());
                schedule(indexing, RETRY); // another process does it, unless it ends
                return List.of();
              }
              IndexPosition at = index.position();
              if (!at.model().equals(model)) {
                at = at.withVectors(0, model);
                index.write(List.of(new IndexChange.RemoveVectors()), at);
              }
              indexing.embeddedUpTo(at.vectors());
              List<OutboxRow> next = indexing.rows(at.vectors(), at.text(), ROWS);
              if (next.isEmpty()) {
                index.release(SearchIndex.Duty.VECTORS);
              }
              return next;
            });
    if (rows.isEmpty()) {
      return false;
    }
    List<IndexDocument> missing = missing(indexing, rows);
    List<IndexChange> vectors = embed(missing);
    count(missing.size());
    indexing.writing(
        index -> {
          List<IndexChange> current =
              vectors.stream().filter(change -> isCurrent(index, change)).toList();
          if (index.write(current, index.position().withVectors(rows.getLast().number(), model))
              > 0) {
            indexing.countParked(index);
          }
          indexing.embeddedUpTo(rows.getLast().number());
          return true;
        });
    return true;
  }

  /** Entries without vectors of their content. */
  private static List<IndexDocument> missing(ScopeIndexer indexing, List<OutboxRow> rows) {
    List<IndexDocument> missing = new ArrayList<>();
    for (OutboxRow row : rows) {
      for (IndexDocument document : readable(indexing, row)) {
        String hash = document.entry().hash();
        boolean there =
            indexing.reading(
                index -> index.vectorHash(document.entry().id()).filter(hash::equals).isPresent());
        if (!there && !document.text().isBlank()) {
          missing.add(document);
        }
      }
    }
    return missing;
  }

  /** The entries of a row; none if the store cannot read them, which is then parked already. */
  private static List<IndexDocument> readable(ScopeIndexer indexing, OutboxRow row) {
    try {
      return indexing.documents(row);
    } catch (ContextureException | NoSuchElementException unreadable) {
      if (!ScopeIndexer.isUnreadable(unreadable)) {
        throw unreadable;
      }
      return List.of();
    }
  }

  /** Vectors of what was erased or changed in between are not kept. */
  private static boolean isCurrent(SearchIndex index, IndexChange change) {
    return switch (change) {
      case IndexChange.PutVectors put ->
          index.textHash(put.entry().id()).filter(put.entry().hash()::equals).isPresent();
      case IndexChange.Park park ->
          index.textHash(park.entry().id()).filter(park.entry().hash()::equals).isPresent();
      default -> true;
    };
  }

  private List<IndexChange> embed(List<IndexDocument> documents) throws InterruptedException {
    List<List<String>> chunks = documents.stream().map(IndexDocument::passages).toList();
    List<IndexChange> made = new ArrayList<>();
    try {
      List<float[]> vectors = embedder.documents(chunks.stream().flatMap(List::stream).toList());
      int at = 0;
      for (int i = 0; i < documents.size(); i++) {
        int end = at + chunks.get(i).size();
        made.add(new IndexChange.PutVectors(documents.get(i).entry(), vectors.subList(at, end)));
        at = end;
      }
      failuresInARow = 0;
      return made;
    } catch (EmbedderException failed) {
      if (failed.kind() == EmbedderException.Kind.TRANSIENT) {
        throw failed;
      }
    }
    for (int i = 0; i < documents.size(); i++) { // one of them is bad: find out which
      made.add(embedAlone(documents.get(i), chunks.get(i)));
    }
    return made;
  }

  private IndexChange embedAlone(IndexDocument document, List<String> whole)
      throws InterruptedException {
    List<String> chunks = whole;
    for (int halving = 0; ; halving++) {
      try {
        List<float[]> vectors = embedder.documents(chunks);
        failuresInARow = 0;
        return new IndexChange.PutVectors(document.entry(), vectors);
      } catch (EmbedderException failed) {
        boolean smaller = failed.kind() == EmbedderException.Kind.INPUT_TOO_LARGE;
        if (failed.kind() == EmbedderException.Kind.TRANSIENT
            || (!smaller && ++failuresInARow >= FAILURES_OF_THE_SERVICE && !works())) {
          throw failed;
        }
        if (!smaller || halving == HALVINGS) {
          return new IndexChange.Park(document.entry(), String.valueOf(failed.getMessage()));
        }
        chunks = halved(chunks);
      }
    }
  }

  /** Whether the service embeds anything: then it is the entries that fail. */
  private boolean works() throws InterruptedException {
    try {
      embedder.documents(List.of(PROBE));
      failuresInARow = 0;
      return true;
    } catch (EmbedderException failed) {
      return false;
    }
  }

  private static List<String> halved(List<String> chunks) {
    List<String> halves = new ArrayList<>();
    for (String chunk : chunks) {
      int middle = chunk.length() / 2;
      if (middle > 0 && Character.isLowSurrogate(chunk.charAt(middle))) {
        middle--;
      }
      for (String half : List.of(chunk.substring(0, middle), chunk.substring(middle))) {
        if (!half.isBlank()) {
          halves.add(half);
        }
      }
    }
    return halves;
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
