package dev.contexture.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.contexture.ContextBrowser;
import dev.contexture.Contexture;
import dev.contexture.Turn;
import dev.contexture.block.Block;
import dev.contexture.block.BlockPath;
import dev.contexture.block.BlockType;
import dev.contexture.block.CallId;
import dev.contexture.block.Scope;
import dev.contexture.block.TurnId;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.render.RenderOptions;
import dev.contexture.store.ChangeRecord;
import dev.contexture.store.Store;
import dev.contexture.store.StoredBlock;
import dev.contexture.store.sqlite.InMemoryStore;
import dev.contexture.timeline.TurnStatus;
import dev.contexture.turn.AppendResult;
import dev.contexture.turn.ResultPart;
import dev.contexture.turn.TurnStart;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Many threads and nodes on one conversation and on many: T-96, T-98, T-110, T-111. */
class ConcurrencyTest {
  private static final Scope.OfUser OWNER = Scope.of("acme", "shop").user("u42");
  private static final TurnId T1 = TurnId.of("t1");
  private static final int THREADS = 64;
  private static final int BATCHES = 6;

  @TempDir Path directory;

  @Test
  void manyThreadsOnOneConversation() throws Exception {
    try (Contexture engine = Contexture.open(directory)) {
      ContextBrowser chat = started(engine, "c1");
      mix(thread -> chat);
      verify(engine.store(), chat, THREADS);
    }
    try (Contexture engine = Contexture.open(directory)) {
      verify(engine.store(), engine.browser(OWNER.conversation("c1")), THREADS);
    }
  }

  @Test
  void manyThreadsOnAsManyConversations() throws Exception {
    try (Contexture engine = Contexture.open(directory)) {
      List<ContextBrowser> chats = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        chats.add(started(engine, "c" + i));
      }
      mix(chats::get);
      for (ContextBrowser chat : chats) {
        verify(engine.store(), chat, 1);
      }
    }
  }

  @Test
  void twoNodesOnOneConversation() throws Exception {
    InMemoryStore store = new InMemoryStore();
    List<ContextBrowser> nodes = List.of(node(store), node(store));
    nodes.getFirst().startTurn(TurnStart.prompt("go").id(T1));
    mix(thread -> nodes.get(thread % 2));
    verify(store, nodes.getFirst(), THREADS);
    verify(store, nodes.getLast(), THREADS);
    RenderOptions options = RenderOptions.defaults();
    assertThat(nodes.getFirst().render(options).text())
        .isEqualTo(nodes.getLast().render(options).text());
  }

  @Test
  void retriesOfTheSameIdsStoreNothingTwice() throws Exception {
    // T-111, also from two nodes at once
    InMemoryStore store = new InMemoryStore();
    List<ContextBrowser> nodes = List.of(node(store), node(store));
    nodes.getFirst().startTurn(TurnStart.prompt("go").id(T1));
    ConcurrentLinkedQueue<AppendResult> answers = new ConcurrentLinkedQueue<>();
    together(
        THREADS,
        thread -> {
          Turn turn = nodes.get(thread % 2).turn(T1);
          answers.add(turn.contribute(note("a").id("k1"), note("b").id("k2")));
        });
    assertThat(answers).hasSize(THREADS).containsOnly(answers.element());
    assertThat(nodes.getFirst().turnLog(T1).blocks()).hasSize(4);
    assertThat(nodes.getFirst().version()).isEqualTo(2);
  }

  @Test
  void aCallIsAnsweredOnce() throws Exception {
    // T-110
    InMemoryStore store = new InMemoryStore();
    List<ContextBrowser> nodes = List.of(node(store), node(store));
    Turn first = nodes.getFirst().startTurn(TurnStart.prompt("go").id(T1));
    first.contribute(
        Block.builder(BlockType.REACT_TOOL_CALL)
            .toolCallId("tc_1")
            .text("{\"tool_id\":\"t\",\"params\":{}}"));
    AtomicInteger stored = new AtomicInteger();
    together(
        THREADS,
        thread -> {
          try {
            List<ResultPart> content = List.of(new ResultPart.Text("from " + thread));
            nodes.get(thread % 2).turn(T1).answer(new CallId("tc_1"), content, false);
            stored.incrementAndGet();
          } catch (ContextureException refused) {
            assertThat(refused.code()).isEqualTo(ErrorCode.ALREADY_ANSWERED);
          }
        });
    assertThat(stored).hasValue(1);
    assertThat(nodes.getFirst().turnLog(T1).blocks())
        .filteredOn(b -> b.block().type().isResult())
        .hasSize(1);
  }

  @Test
  void aTurnIsOpenedAndClosedOnce() throws Exception {
    // T-83, T-89
    InMemoryStore store = new InMemoryStore();
    List<ContextBrowser> nodes = List.of(node(store), node(store));
    together(
        THREADS,
        thread -> {
          Turn turn = nodes.get(thread % 2).startTurn(TurnStart.prompt("go").id(T1));
          assertThat(turn.id()).isEqualTo(T1);
        });
    assertThat(nodes.getFirst().turnLog(T1).blocks()).hasSize(2);
    ConcurrentLinkedQueue<Object> closed = new ConcurrentLinkedQueue<>();
    together(THREADS, thread -> closed.add(nodes.get(thread % 2).turn(T1).finish("done")));
    assertThat(closed).hasSize(THREADS).containsOnly(closed.element());
    assertThat(nodes.getLast().turnLog(T1).turn().status()).isEqualTo(TurnStatus.COMPLETE);
    assertThat(nodes.getLast().turnLog(T1).blocks()).hasSize(3);
    assertThat(nodes.getLast().version()).isEqualTo(2);
  }

  @Test
  void anExpectedVersionIsTakenOnce() throws Exception {
    // T-98
    try (Contexture engine = Contexture.open(directory)) {
      ContextBrowser chat = started(engine, "c1");
      long version = chat.version();
      AtomicInteger taken = new AtomicInteger();
      together(
          THREADS,
          thread -> {
            try {
              List<Block.Builder> block = List.of(note("by " + thread));
              chat.turn(T1).contribute(block, true, OptionalLong.of(version));
              taken.incrementAndGet();
            } catch (ContextureException refused) {
              assertThat(refused.code()).isEqualTo(ErrorCode.VERSION_CONFLICT);
            }
          });
      assertThat(taken).hasValue(1);
      assertThat(chat.version()).isEqualTo(version + 1);
    }
  }

  @Test
  void nothingIsAddedBehindTheEnd() throws Exception {
    // T-91, T-96: whoever comes after the close is refused, and nothing of it is stored
    InMemoryStore store = new InMemoryStore();
    List<ContextBrowser> nodes = List.of(node(store), node(store));
    nodes.getFirst().startTurn(TurnStart.prompt("go").id(T1));
    AtomicInteger stored = new AtomicInteger();
    together(
        THREADS,
        thread -> {
          try {
            if (thread == THREADS / 2) {
              nodes.getLast().turn(T1).interrupt("stop");
            } else {
              nodes.get(thread % 2).turn(T1).contribute(note("n" + thread));
              stored.incrementAndGet();
            }
          } catch (ContextureException refused) {
            assertThat(refused.code()).isEqualTo(ErrorCode.TURN_CLOSED);
          }
        });
    List<StoredBlock> blocks = nodes.getFirst().turnLog(T1).blocks();
    assertThat(blocks.getLast().block().type()).isEqualTo(BlockType.REACT_EXIT);
    assertThat(blocks).hasSize(stored.get() + 3);
    assertThatExceptionOfType(ContextureException.class)
        .isThrownBy(() -> nodes.getFirst().turn(T1).contribute(note("late")));
  }

  /** Every thread contributes batches, and renders and hides in between. */
  private static void mix(IntFunction<ContextBrowser> chats) throws Exception {
    together(
        THREADS,
        thread -> {
          ContextBrowser chat = chats.apply(thread);
          Turn turn = chat.turn(T1);
          String shown = "";
          for (int i = 0; i < BATCHES; i++) {
            String key = thread + "." + i;
            BlockPath path = BlockPath.artifact(T1, "note." + thread);
            turn.contribute(
                note(key + ".a").id("a" + key).path(path), note(key + ".b").id("b" + key));
            if (i % 3 == 0) {
              turn.hide(path, "hidden by " + thread);
            } else if (i % 3 == 1) {
              String now = chat.render(RenderOptions.defaults()).text();
              assertThat(now).contains(key + ".b").contains(shown);
              shown = key + ".b";
            } else {
              turn.contribute(note(key + ".a").id("a" + key).path(path)); // a retry
            }
          }
        });
  }

  /** Nothing lost, doubled or reordered, batches whole, versions without gaps. */
  private static void verify(Store store, ContextBrowser chat, int threads) {
    List<StoredBlock> blocks = chat.readRange(1, Long.MAX_VALUE, 10_000);
    assertThat(blocks).hasSize(2 + threads * BATCHES * 2);
    assertThat(blocks)
        .extracting(StoredBlock::seq)
        .containsExactlyElementsOf(LongStream.rangeClosed(1, blocks.size()).boxed().toList());
    Map<String, Integer> next = new HashMap<>();
    for (int i = 2; i < blocks.size(); i += 2) {
      String[] a = text(blocks.get(i)).split("\\.", -1);
      assertThat(text(blocks.get(i + 1))).isEqualTo(a[0] + "." + a[1] + ".b");
      assertThat(blocks.get(i + 1).version()).isEqualTo(blocks.get(i).version());
      assertThat(Integer.parseInt(a[1])).isEqualTo(next.getOrDefault(a[0], 0));
      next.merge(a[0], 1, Integer::sum);
    }
    assertThat(next).hasSize(threads).allSatisfy((thread, n) -> assertThat(n).isEqualTo(BATCHES));
    assertThat(blocks).extracting(StoredBlock::version).isSorted();
    assertThat(chat.visibleEntries()).hasSameSizeAs(blocks);
    assertThat(store.changes(chat.scope(), 0, 10_000))
        .extracting(ChangeRecord::version)
        .containsExactlyElementsOf(LongStream.rangeClosed(1, chat.version()).boxed().toList());
  }

  private static ContextBrowser started(Contexture engine, String name) {
    ContextBrowser chat = engine.browser(OWNER.conversation(name));
    chat.startTurn(TurnStart.prompt("go").id(T1));
    return chat;
  }

  private static ContextBrowser node(InMemoryStore store) {
    return Contexture.builder(store).build().browser(OWNER.conversation("c1"));
  }

  private static Block.Builder note(String text) {
    return Block.builder(BlockType.REACT_NOTE).text(text);
  }

  private static String text(StoredBlock block) {
    return block.block().text().orElseThrow();
  }

  private interface Work {
    void run(int thread);
  }

  /** Runs the work on virtual threads that start at once, and fails if one of them does. */
  private static void together(int threads, Work work) throws Exception {
    CountDownLatch go = new CountDownLatch(1);
    List<Future<?>> running = new ArrayList<>();
    try (var pool = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < threads; i++) {
        int thread = i;
        running.add(
            pool.submit(
                () -> {
                  go.await();
                  work.run(thread);
                  return thread;
                }));
      }
      go.countDown();
      for (Future<?> one : running) {
        one.get();
      }
    }
  }
}
