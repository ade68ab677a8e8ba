package dev.contexture.store.sqlite;

import static dev.contexture.testkit.StoreFixture.CHAT;
import static dev.contexture.testkit.StoreFixture.appending;
import static dev.contexture.testkit.StoreFixture.applied;
import static dev.contexture.testkit.StoreFixture.block;
import static dev.contexture.testkit.StoreFixture.opening;
import static dev.contexture.testkit.StoreFixture.turn;
import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.block.Scope;
import dev.contexture.block.TurnId;
import dev.contexture.seeds.TestSeed;
import dev.contexture.store.Store;
import dev.contexture.store.StoredBlock;
import dev.contexture.testkit.KilledProcess;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process that is killed at any moment loses nothing that it acknowledged. */
class SqliteCrashTest {
  private static final TurnId T1 = turn("t1");
  private static final int CHATS = 4;

  @TempDir Path directory;

  /** What is killed: appends to some conversations at once and prints each acknowledged id. */
  static final class Child {
    private Child() {}

    public static void main(String[] args) throws InterruptedException {
      Store store = SqliteStore.open(Path.of(args[0])); // not closed: the process never gets there
      PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
      List<Thread> threads = new ArrayList<>();
      for (int chat = 0; chat < CHATS; chat++) {
        String name = "c" + chat;
        threads.add(Thread.ofVirtual().start(() -> append(store, name, args[1], out)));
      }
      for (Thread thread : threads) {
        thread.join();
      }
    }

    private static void append(Store store, String name, String run, PrintStream out) {
      Scope.OfConversation chat = CHAT.owner().conversation(name);
      if (store.head(chat).isEmpty()) {
        applied(store, opening(chat, T1));
      }
      for (int i = 0; ; i++) {
        String id = name + "." + run + "." + i;
        long seq =
            applied(store, appending(chat, block(T1, id, id), block(T1, id + ".b", id))).firstSeq();
        synchronized (out) {
          out.println(name + " " + seq + " " + id);
        }
      }
    }
  }

  @Test
  void everyAcknowledgedBlockIsThereInOrderOnce() throws Exception {
    int runs = Integer.getInteger("contexture.crash.runs", 20);
    long seed = TestSeed.of(42);
    Random random = new Random(seed);
    Map<String, List<String>> acknowledged = new HashMap<>();
    for (int run = 0; run < runs; run++) {
      runAndKill(run, random, acknowledged);
    }
    assertThat(acknowledged).as("seed %d", seed).hasSize(CHATS);
    try (SqliteStore store = SqliteStore.open(directory)) {
      store.check();
      for (Map.Entry<String, List<String>> chat : acknowledged.entrySet()) {
        verify(store, CHAT.owner().conversation(chat.getKey()), chat.getValue());
      }
    }
  }

  private void runAndKill(int run, Random random, Map<String, List<String>> acknowledged)
      throws IOException, InterruptedException {
    List<String> lines =
        KilledProcess.run(Child.class, random.nextInt(120), directory.toString(), "r" + run);
    for (String line : lines) {
      String[] parts = line.split(" ", -1);
      if (parts.length == 3 && parts[2].split("\\.", -1).length == 3) { // the last may be cut
        acknowledged.computeIfAbsent(parts[0], c -> new ArrayList<>()).add(line);
      }
    }
  }

  private static void verify(Store store, Scope.OfConversation chat, List<String> lines) {
    long blocks = store.head(chat).orElseThrow().blocks();
    Map<Long, String> bySeq = new HashMap<>();
    List<Long> seqs = new ArrayList<>();
    for (long from = 1; from <= blocks; from += 1_000) {
      for (StoredBlock block : store.readRange(chat, from, from + 999, 1_000)) {
        seqs.add(block.seq());
        bySeq.put(block.seq(), block.block().id().orElseThrow());
      }
    }
    assertThat(seqs).containsExactlyElementsOf(LongStream.rangeClosed(1, blocks).boxed().toList());
    assertThat(store.head(chat).orElseThrow().version()).isEqualTo(1 + blocks / 2);
    assertThat(bySeq.values()).doesNotHaveDuplicates();
    long last = 0;
    for (String line : lines) {
      String[] parts = line.split(" ", -1);
      long seq = Long.parseLong(parts[1]);
      assertThat(seq).isGreaterThan(last);
      assertThat(bySeq.get(seq)).isEqualTo(parts[2]);
      assertThat(bySeq.get(seq + 1)).isEqualTo(parts[2] + ".b");
      last = seq;
    }
  }
}
