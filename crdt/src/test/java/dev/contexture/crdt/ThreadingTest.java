package dev.contexture.crdt;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Documents are confined to a thread each; versions, views and bytes go everywhere. */
class ThreadingTest {
  private static final int THREADS = 4;

  @Test
  void documentsOfDifferentThreadsShareNothing() throws ExecutionException, InterruptedException {
    List<byte[]> snapshots = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
      List<Future<byte[]>> running = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        long id = i + 1L;
        running.add(threads.submit(() -> typed(id)));
      }
      for (Future<byte[]> result : running) {
        snapshots.add(result.get());
      }
    }
    Document all = Document.create(ReplicaId.of(99));
    snapshots.forEach(all::merge);
    for (long id = 1; id <= THREADS; id++) {
      assertThat(all.text("t").toString()).contains(String.valueOf(id).repeat(2_000));
    }
    assertThat(all.counter("n").value()).isEqualTo(2_000L * THREADS);
  }

  private static byte[] typed(long id) {
    Document document = Document.create(ReplicaId.of(id));
    for (int i = 0; i < 2_000; i++) {
      document.text("t").append(String.valueOf(id));
      document.counter("n").add(1);
      document.commit();
    }
    return document.exportSnapshot();
  }

  @Test
  void viewsVersionsAndBytesAreReadByManyThreadsWhileTheDocumentGoesOn()
      throws ExecutionException, InterruptedException {
    Document document = Document.create(ReplicaId.of(1));
    document.text("t").append("shared");
    document.commit();
    DocumentView view = document.view();
    VersionVector version = document.version();
    byte[] bytes = document.exportSnapshot();
    try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
      List<Future<Boolean>> running = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        long id = i + 2L;
        running.add(threads.submit(() -> readsTheSame(view, version, bytes, id)));
      }
      for (int i = 0; i < 1_000; i++) {
        document.text("t").append("x");
        document.commit();
      }
      for (Future<Boolean> result : running) {
        assertThat(result.get()).isTrue();
      }
    }
  }

  private static boolean readsTheSame(
      DocumentView view, VersionVector version, byte[] bytes, long replica) {
    for (int i = 0; i < 500; i++) {
      Document own = Document.load(bytes, ReplicaId.of(replica));
      if (!own.view().equals(view) || !own.version().equals(version)) {
        return false;
      }
    }
    return true;
  }

  @Test
  void aDocumentCanBeHandedOver() throws ExecutionException, InterruptedException {
    Document document = Document.create(ReplicaId.of(1));
    for (int i = 0; i < 100; i++) {
      try (ExecutorService thread = Executors.newSingleThreadExecutor()) {
        thread.submit(() -> document.text("t").append("x")).get();
      }
    }
    assertThat(document.text("t").length()).isEqualTo(100);
  }
}
