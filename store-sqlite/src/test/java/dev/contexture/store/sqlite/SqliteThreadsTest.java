package dev.contexture.store.sqlite;

import static dev.contexture.testkit.StoreFixture.CHAT;
import static dev.contexture.testkit.StoreFixture.applied;
import static dev.contexture.testkit.StoreFixture.block;
import static dev.contexture.testkit.StoreFixture.opening;
import static dev.contexture.testkit.StoreFixture.turn;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.contexture.error.Cancellation;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.store.Store;
import dev.contexture.store.jdbc.Db;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Callers on virtual threads never hold a carrier while the store works. */
class SqliteThreadsTest {
  @TempDir Path directory;

  @Test
  void anUnrelatedVirtualThreadIsNotDelayedWhileTheStoreIsSlow() throws Exception {
    CountDownLatch release = new CountDownLatch(1);
    CountDownLatch slow = new CountDownLatch(1);
    Db.FaultPoint faults =
        point -> {
          if (point.equals("COMMIT") && Thread.currentThread().getName().contains("writer")) {
            slow.countDown();
            awaitQuietly(release);
          }
        };
    try (Store store = SqliteStore.open(directory, new SqliteStore.Tuning(0, 2, faults));
        ExecutorService virtual = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> writers = new ArrayList<>();
      for (int i = 0; i < 64; i++) { // far more than there are carriers
        String id = "c" + i;
        writers.add(
            virtual.submit(
                () -> applied(store, opening(CHAT.owner().conversation(id), turn("t1")))));
      }
      assertThat(slow.await(2, TimeUnit.MINUTES)).isTrue();
      virtual.submit(() -> assertThat(store.head(CHAT)).isEmpty()).get(2, TimeUnit.MINUTES);
      virtual.submit(() -> {}).get(2, TimeUnit.MINUTES); // both while the writers still wait
      assertThat(writers).noneMatch(Future::isDone);
      release.countDown();
      for (Future<?> writer : writers) {
        writer.get(2, TimeUnit.MINUTES);
      }
    }
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      assertThat(latch.await(3, TimeUnit.MINUTES)).isTrue();
    } catch (InterruptedException closed) {
      Thread.currentThread().interrupt();
    }
  }

  /** Reads happen in threads of the store, which know nothing of the caller by themselves. */
  @Test
  void aReadEndsWhenItsCallerIsCancelled() {
    try (Store store = SqliteStore.open(directory)) {
      applied(store, opening(CHAT, turn("t1"), block(turn("t1"), "text")));
      Cancellation cancellation = Cancellation.bind();
      try {
        assertThat(store.load(CHAT)).isPresent();
        cancellation.cancel(new ContextureException(ErrorCode.TIMED_OUT, "the caller left"));
        assertThatExceptionOfType(ContextureException.class)
            .isThrownBy(() -> store.load(CHAT))
            .satisfies(ended -> assertThat(ended.code()).isEqualTo(ErrorCode.TIMED_OUT));
      } finally {
        Cancellation.unbind();
      }
      assertThat(store.load(CHAT)).as("others read on").isPresent();
    }
  }

  @Test
  void anInterruptDoesNotLoseTheAnswer() throws Exception {
    try (Store store = SqliteStore.open(directory)) {
      Thread.currentThread().interrupt();
      applied(store, opening(CHAT, turn("t1")));
      assertThat(store.head(CHAT)).isPresent();
      assertThat(Thread.interrupted()).isTrue();
    }
  }

  @Test
  void closingWaitsForWhatIsBeingWritten() throws Exception {
    Store store = SqliteStore.open(directory);
    List<Future<Boolean>> writers = new ArrayList<>();
    try (ExecutorService virtual = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 32; i++) {
        String id = "c" + i;
        writers.add(
            virtual.submit(
                () -> {
                  try {
                    applied(store, opening(CHAT.owner().conversation(id), turn("t1")));
                    return true;
                  } catch (dev.contexture.error.ContextureException closed) {
                    return false;
                  }
                }));
      }
      store.close();
    }
    try (Store again = SqliteStore.open(directory)) {
      for (int i = 0; i < 32; i++) {
        assertThat(again.head(CHAT.owner().conversation("c" + i)).isPresent())
            .isEqualTo(writers.get(i).get());
      }
    }
  }
}
