package dev.contexture.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.contexture.Contexture;
import dev.contexture.block.Scope;
import dev.contexture.engine.memory.BlockSpec;
import dev.contexture.engine.memory.BlockVersion;
import dev.contexture.engine.memory.MemoryStore;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.memory.schema.MemoryBlockType;
import dev.contexture.seeds.TestSeed;
import dev.contexture.testkit.KilledProcess;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process that is killed during edits loses nothing that it was told is done (checklist 47). */
class MemoryCrashTest {
  private static final Scope SCOPE = Scope.of("acme", "shop");
  private static final int BLOCKS = 4;
  private static final int PAGE = 1_000;
  private static final int UNDO_STEPS = 100;

  @TempDir Path directory;

  /** What is killed: edits some blocks at once and prints each version that it was told. */
  static final class Child {
    private Child() {}

    public static void main(String[] args) throws InterruptedException {
      Contexture engine = Contexture.open(Path.of(args[0])); // never closed: it is killed before
      PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < BLOCKS; i++) {
        String label = "b" + i;
        Random random = new Random(args[1].hashCode() * 31L + i);
        threads.add(Thread.ofVirtual().start(() -> edit(engine.memory(SCOPE), label, random, out)));
      }
      for (Thread thread : threads) {
        thread.join();
      }
    }

    private static void edit(MemoryStore memory, String label, Random random, PrintStream out) {
      if (memory.getBlockMetadata("atlas", label).isEmpty()) {
        memory.createBlock(
            "atlas", BlockSpec.of(label, MemoryBlockType.WORKING).charLimit(1_000_000));
      }
      while (true) {
        long version =
            switch (random.nextInt(5)) {
              case 0 -> {
                MemoryStore.Undone undone = memory.undoBlock("atlas", label);
                yield undone.done() ? undone.version() : 0;
              }
              case 1 -> {
                MemoryStore.Undone redone = memory.redoBlock("atlas", label);
                yield redone.done() ? redone.version() : 0;
              }
              default -> memory.appendToBlock("atlas", label, random.nextInt(10) + ";");
            };
        synchronized (out) {
          out.println(label + " " + version + " .");
        }
      }
    }
  }

  @Test
  void everyAcknowledgedEditIsThereAndTheDepthsAreRight() throws Exception {
    int runs = Integer.getInteger("contexture.crash.runs", 6);
    Random random = TestSeed.random(42);
    long[] acknowledged = new long[BLOCKS];
    for (int run = 0; run < runs; run++) {
      List<String> lines =
          KilledProcess.run(Child.class, random.nextInt(400), directory.toString(), "r" + run);
      for (String line : lines) {
        String[] parts = line.split(" ", -1);
        if (parts.length == 3) { // the last one may be cut
          int block = Integer.parseInt(parts[0].substring(1));
          acknowledged[block] = Math.max(acknowledged[block], Long.parseLong(parts[1]));
        }
      }
      try (Contexture engine = Contexture.open(directory)) {
        for (int i = 0; i < BLOCKS; i++) {
          verify(engine.memory(SCOPE), "b" + i, acknowledged[i]);
        }
      }
    }
    assertThat(acknowledged).as("something was written").doesNotContain(0);
  }

  private static void verify(MemoryStore memory, String label, long acknowledged) {
    if (memory.getBlockMetadata("atlas", label).isEmpty()) {
      assertThat(acknowledged).isZero();
      return;
    }
    List<BlockVersion> history = new ArrayList<>();
    List<BlockVersion> page = memory.history("atlas", label, 0, PAGE);
    while (!page.isEmpty()) {
      history.addAll(page);
      page = memory.history("atlas", label, page.getLast().version(), PAGE);
    }
    long version = memory.getBlockMetadata("atlas", label).orElseThrow().version();
    assertThat(version).isGreaterThanOrEqualTo(acknowledged);
    assertThat(history).hasSize((int) version);
    Deque<Long> undo = new ArrayDeque<>();
    Deque<Long> redo = new ArrayDeque<>();
    for (BlockVersion each : history) {
      switch (each.operation()) {
        case "undo" -> {
          undo.poll();
          redo.push(each.version());
        }
        case "redo" -> {
          redo.poll();
          undo.push(each.version());
        }
        default -> {
          undo.push(each.version());
          redo.clear();
        }
      }
      if (undo.size() + redo.size() > UNDO_STEPS) {
        undo.removeLast();
      }
    }
    long kept = oldest(memory, label, version);
    assertThat(memory.undoDepth("atlas", label))
        .isEqualTo((int) undo.stream().filter(step -> step > kept).count());
    assertThat(memory.redoDepth("atlas", label))
        .isEqualTo((int) redo.stream().filter(step -> step > kept).count());
    assertThat(memory.getRenderedContent("atlas", label).orElseThrow()).matches("([0-9];)*");
  }

  /** The oldest version that can be reached: that of the checkpoint. */
  private static long oldest(MemoryStore memory, String label, long version) {
    long low = 0;
    long high = version;
    while (low < high) {
      long middle = (low + high) / 2;
      if (reachable(memory, label, middle)) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  private static boolean reachable(MemoryStore memory, String label, long version) {
    try {
      return memory.getBlockAt("atlas", label, version).isPresent();
    } catch (ContextureException trimmed) {
      assertThat(trimmed.code()).isEqualTo(ErrorCode.HISTORY_TRIMMED);
      return false;
    }
  }

  /** Two processes on one directory: the second is refused (the lock of the SQLite store). */
  @Test
  void aSecondEngineOnTheDirectoryIsRefused() {
    try (Contexture first = Contexture.open(directory)) {
      first.memory(SCOPE).createBlock("atlas", BlockSpec.of("b", MemoryBlockType.WORKING));
      ContextureException refused =
          catchThrowableOfType(ContextureException.class, () -> Contexture.open(directory));
      assertThat(refused.code()).isEqualTo(ErrorCode.STORE_IN_USE);
    }
    try (Contexture next = Contexture.open(directory)) {
      assertThat(next.memory(SCOPE).getBlock("atlas", "b")).isPresent();
    }
  }
}
