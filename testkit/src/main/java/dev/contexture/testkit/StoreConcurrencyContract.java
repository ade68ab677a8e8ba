package dev.contexture.testkit;

import static dev.contexture.testkit.StoreFixture.CHAT;
import static dev.contexture.testkit.StoreFixture.NOW;
import static dev.contexture.testkit.StoreFixture.appending;
import static dev.contexture.testkit.StoreFixture.applied;
import static dev.contexture.testkit.StoreFixture.block;
import static dev.contexture.testkit.StoreFixture.news;
import static dev.contexture.testkit.StoreFixture.opening;
import static dev.contexture.testkit.StoreFixture.set;
import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.block.Scope;
import dev.contexture.store.Commit;
import dev.contexture.store.Precondition;
import dev.contexture.store.Reason;
import dev.contexture.store.StoredBlock;
import dev.contexture.store.StoredWindow;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntFunction;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Many callers at once: nothing lost, nothing twice, nothing out of order (T-96, T-98). */
abstract class StoreConcurrencyContract extends StoreTests {
  private static final int THREADS = 64;
  private static final int EACH = 20;

  /** Runs one task for each number from 0, all at once, and returns their answers in order. */
  private static <T> List<T> together(int threads, IntFunction<Callable<T>> tasks)
      throws Exception {
    CyclicBarrier start = new CyclicBarrier(threads);
    try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<T>> running = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        Callable<T> task = tasks.apply(i);
        running.add(
            executor.submit(
                () -> {
                  start.await();
                  return task.call();
                }));
      }
      List<T> answers = new ArrayList<>();
      for (Future<T> each : running) {
        answers.add(each.get());
      }
      return answers;
    }
  }

  private List<Commit.Committed> appendMany(Scope.OfConversation conversation, int thread) {
    List<Commit.Committed> done = new ArrayList<>();
    for (int i = 0; i < EACH; i++) {
      done.add(
          applied(
              store,
              appending(
                  conversation,
                  block(T1, thread + "-" + i + "-a", thread + ":" + i),
                  block(T1, thread + "-" + i + "-b", thread + ":" + i))));
    }
    return done;
  }

  private void assertWhole(Scope.OfConversation conversation, int threads) {
    int blocks = threads * EACH * 2;
    List<StoredBlock> stored = new ArrayList<>();
    for (long from = 1; from <= blocks; from += 1_000) {
      stored.addAll(store.readRange(conversation, from, blocks + 1L, 1_000));
    }
    assertThat(seqs(stored))
        .containsExactlyElementsOf(LongStream.rangeClosed(1, blocks).boxed().toList());
    Map<String, Integer> last = new HashMap<>();
    for (int i = 0; i < blocks; i += 2) { // the two blocks of one call are adjacent
      String text = stored.get(i).block().text().orElseThrow();
      assertThat(stored.get(i + 1).block().text()).contains(text);
      assertThat(stored.get(i + 1).version()).isEqualTo(stored.get(i).version());
      String[] parts = text.split(":", -1);
      int number = Integer.parseInt(parts[1]);
      assertThat(last.getOrDefault(parts[0], -1)).isEqualTo(number - 1);
      last.put(parts[0], number);
    }
    assertThat(store.head(conversation).orElseThrow().version()).isEqualTo(1 + threads * EACH);
  }

  @Test
  void manyThreadsOnOneConversation() throws Exception {
    applied(store, opening(CHAT, T1));
    List<List<Commit.Committed>> done = together(THREADS, thread -> () -> appendMany(CHAT, thread));
    assertThat(done.stream().flatMap(List::stream).map(Commit.Committed::version).sorted())
        .containsExactlyElementsOf(LongStream.rangeClosed(2, 1 + THREADS * EACH).boxed().toList());
    assertWhole(CHAT, THREADS);
  }

  @Test
  void manyThreadsOnAsManyConversations() throws Exception {
    together(
        THREADS,
        thread ->
            () -> {
              Scope.OfConversation conversation = CHAT.owner().conversation("c" + thread);
              applied(store, opening(conversation, T1));
              return appendMany(conversation, thread);
            });
    for (int thread = 0; thread < THREADS; thread++) {
      assertWhole(CHAT.owner().conversation("c" + thread), 1);
    }
  }

  @Test
  void oneBadSetAmongManyFailsAlone() throws Exception {
    applied(store, opening(CHAT, T1, block(T1, "taken", "x")));
    List<Commit> done =
        together(
            THREADS,
            thread ->
                () ->
                    store.commit(
                        thread == 13
                            ? set()
                                .append(news(block(T1, "lost"), block(T1, "taken", "again")))
                                .build()
                            : appending(CHAT, block(T1, "t" + thread))));
    for (int thread = 0; thread < THREADS; thread++) {
      assertThat(done.get(thread))
          .isInstanceOf(thread == 13 ? Commit.Conflict.class : Commit.Committed.class);
    }
    assertThat(texts(store.readRange(CHAT, 1, 99, 99))).hasSize(THREADS).doesNotContain("lost");
    assertThat(store.head(CHAT).orElseThrow().version()).isEqualTo(THREADS);
  }

  @Test
  void retriesWithTheSameIdsStoreNothingTwice() throws Exception {
    applied(store, opening(CHAT, T1));
    together(
        8,
        thread ->
            () -> {
              for (int i = 0; i < 30; i++) {
                Commit commit = store.commit(appending(CHAT, block(T1, "k" + i, "text " + i)));
                if (commit instanceof Commit.Conflict conflict) {
                  assertThat(conflict.reason()).isInstanceOf(Reason.BlockIdsUsed.class);
                }
              }
              return true;
            });
    assertThat(store.readRange(CHAT, 1, 99, 99)).hasSize(30);
    assertThat(store.head(CHAT).orElseThrow().version()).isEqualTo(31);
  }

  @Test
  void expectedVersionsLetOneThroughEachTime() throws Exception {
    applied(store, opening(CHAT, T1));
    together(
        16,
        thread ->
            () -> {
              for (int done = 0; done < 5; ) {
                long version = store.head(CHAT).orElseThrow().version();
                Commit commit =
                    store.commit(
                        set()
                            .expect(new Precondition.VersionIs(version))
                            .append(news(block(T1, "at " + version)))
                            .build());
                done += commit instanceof Commit.Committed ? 1 : 0;
              }
              return true;
            });
    List<String> texts = texts(store.readRange(CHAT, 1, 99, 99));
    assertThat(texts)
        .containsExactlyElementsOf(
            LongStream.rangeClosed(1, 80).mapToObj(version -> "at " + version).toList());
  }

  @Test
  void readsSeeAPrefixOfTheCommits() throws Exception {
    applied(store, opening(CHAT, T1));
    AtomicBoolean done = new AtomicBoolean();
    try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<Integer> reader =
          executor.submit(
              () -> {
                int loads = 0;
                while (!done.get() || loads == 0) {
                  StoredWindow window = store.load(CHAT).orElseThrow();
                  long blocks = window.head().nextSeq() - 1;
                  assertThat(window.blocks()).hasSize((int) blocks);
                  assertThat(window.head().version()).isEqualTo(1 + blocks / 2);
                  assertThat(blocks % 2).isZero();
                  loads++;
                }
                return loads;
              });
      try {
        together(8, thread -> () -> appendMany(CHAT, thread));
      } finally {
        done.set(true);
      }
      assertThat(reader.get()).isPositive();
    }
    assertThat(store.conversations(CHAT.owner(), null, 9).getFirst().head().lastActivityAt())
        .isEqualTo(NOW);
  }
}
