package dev.contexture.store.sqlite;

import static dev.contexture.testkit.StoreFixture.CHAT;
import static dev.contexture.testkit.StoreFixture.applied;
import static dev.contexture.testkit.StoreFixture.opening;
import static dev.contexture.testkit.StoreFixture.turn;
import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.block.Block;
import dev.contexture.block.BlockType;
import dev.contexture.block.Scope;
import dev.contexture.block.TurnId;
import dev.contexture.store.NewBlock;
import dev.contexture.store.OutboxRow;
import dev.contexture.store.Row;
import dev.contexture.store.Store;
import dev.contexture.store.WriteSet;
import dev.contexture.store.jdbc.Db;
import dev.contexture.store.jdbc.OutboxReads;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A turn's row in the outbox is renewed when somebody has seen it, and only then. */
class OutboxRowsTest {
  private static final Scope SCOPE = CHAT.owner().scope();
  private static final TurnId TURN = turn("t1");
  private static final Instant NOW = Instant.parse("2026-02-09T02:14:32Z");

  @TempDir Path directory;

  @Test
  void staysWhileNobodyHasSeenIt() {
    try (Store store = SqliteStore.open(directory)) {
      applied(store, opening(CHAT, TURN));
      append(store, CHAT);
      long first = newest(store);

      append(store, CHAT);
      assertThat(newest(store)).isEqualTo(first);

      assertThat(store.outbox(SCOPE, 0, 10)).extracting(OutboxRow::number).containsExactly(first);
      append(store, CHAT);
      assertThat(newest(store)).isGreaterThan(first);
      assertThat(store.outbox(SCOPE, first, 10)).hasSize(1);
    }
  }

  @Test
  void isRenewedByANewProcessWhoeverHasSeenIt() {
    long first;
    try (Store store = SqliteStore.open(directory)) {
      applied(store, opening(CHAT, TURN));
      append(store, CHAT);
      first = newest(store);
    }
    try (Store store = SqliteStore.open(directory)) {
      append(store, CHAT);
      assertThat(newest(store)).isGreaterThan(first);
    }
  }

  @Test
  void saysThatATurnWasErasedAlsoIfNobodyHasSeenThatItChanged() {
    try (Store store = SqliteStore.open(directory)) {
      applied(store, opening(CHAT, TURN));
      append(store, CHAT);
      store.eraseConversation(CHAT, NOW);
      applied(store, opening(CHAT, TURN));
      append(store, CHAT);

      assertThat(store.outbox(SCOPE, 0, 10))
          .extracting(OutboxRow::entry)
          .containsExactly(
              new OutboxRow.ConversationErased(CHAT), new OutboxRow.TurnChanged(CHAT, TURN));
    }
  }

  /** Nobody may take a row while a change that relies on it is not committed. */
  @Test
  void isNotGivenAwayBetweenADecisionAndItsCommit() throws Exception {
    CountDownLatch atCommit = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    AtomicBoolean holding = new AtomicBoolean();
    Db.FaultPoint faults =
        point -> {
          if (point.equals("COMMIT") && holding.get()) {
            atCommit.countDown();
            await(release);
          }
        };
    try (Store store = SqliteStore.open(directory, new SqliteStore.Tuning(0, 2, faults));
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      applied(store, opening(CHAT, TURN));
      append(store, CHAT);
      holding.set(true);
      Future<?> writer = threads.submit(() -> append(store, CHAT));
      await(atCommit);
      AtomicReference<Long> seen = new AtomicReference<>(0L);
      Future<Long> reader =
          threads.submit(
              () -> {
                long number = store.outbox(SCOPE, 0, 10).getLast().number();
                seen.set(store.turn(CHAT, TURN).orElseThrow().lastSeq());
                return number;
              });
      awaitDoneOrWaiting(reader);
      holding.set(false);
      release.countDown();
      writer.get(2, TimeUnit.MINUTES);
      long number = reader.get(2, TimeUnit.MINUTES);

      long last = store.turn(CHAT, TURN).orElseThrow().lastSeq();
      boolean told = seen.get() == last || !store.outbox(SCOPE, number, 10).isEmpty();
      assertThat(told).as("seen up to %s of %s, and nothing follows", seen.get(), last).isTrue();
    }
  }

  private static void awaitDoneOrWaiting(Future<?> reader) throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
    while (!reader.isDone() && !readerWaits()) {
      assertThat(System.nanoTime()).isLessThan(deadline);
      TimeUnit.MILLISECONDS.sleep(1);
    }
  }

  private static boolean readerWaits() {
    return Thread.getAllStackTraces().entrySet().stream()
        .filter(thread -> thread.getKey().getState() == Thread.State.WAITING)
        .flatMap(thread -> List.of(thread.getValue()).stream())
        .anyMatch(frame -> frame.getClassName().equals(OutboxReads.class.getName()));
  }

  /** A reader that follows the outbox, as an index does, sees every block of every conversation. */
  @Test
  void losesNothingForWhoFollowsIt() throws Exception {
    int conversations = 8;
    int blocks = 200;
    try (Store store = SqliteStore.open(directory);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> writers = new ArrayList<>();
      for (int i = 0; i < conversations; i++) {
        Scope.OfConversation chat = CHAT.owner().conversation("c" + i);
        applied(store, opening(chat, TURN));
        writers.add(
            threads.submit(
                () -> {
                  for (int block = 0; block < blocks; block++) {
                    append(store, chat);
                  }
                }));
      }
      Map<Scope.OfConversation, Long> seen = new HashMap<>();
      long position = 0;
      while (writers.stream().anyMatch(writer -> !writer.isDone())) {
        position = follow(store, position, seen);
      }
      for (Future<?> writer : writers) {
        writer.get();
      }
      follow(store, position, seen);

      assertThat(seen).hasSize(conversations).allSatisfy((chat, last) -> isLast(store, chat, last));
    }
  }

  private static void isLast(Store store, Scope.OfConversation chat, long seq) {
    assertThat(seq).isEqualTo(store.head(chat).orElseThrow().nextSeq() - 1);
  }

  /** Follows the outbox to its end, and returns how far that was. */
  private static long follow(Store store, long after, Map<Scope.OfConversation, Long> seen) {
    long position = after;
    List<OutboxRow> page = store.outbox(SCOPE, position, 3);
    while (!page.isEmpty()) {
      for (OutboxRow row : page) {
        OutboxRow.TurnChanged changed = (OutboxRow.TurnChanged) row.entry();
        long last = store.turn(changed.conversation(), changed.turn()).orElseThrow().lastSeq();
        seen.put(changed.conversation(), last);
        position = row.number();
      }
      page = store.outbox(SCOPE, position, 3);
    }
    return position;
  }

  private static void append(Store store, Scope.OfConversation chat) {
    Block block = Block.builder(BlockType.AGENT_BLOCK).turn(TURN).ts(NOW).text("said").build();
    applied(
        store,
        WriteSet.of(chat, NOW)
            .append(List.of(NewBlock.of(block)))
            .add(new Row.IndexTurn(TURN))
            .build());
  }

  private static long newest(Store store) {
    return store.outboxTail(SCOPE, 0).newest();
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(2, TimeUnit.MINUTES)).isTrue();
    } catch (InterruptedException closed) {
      Thread.currentThread().interrupt();
    }
  }
}
