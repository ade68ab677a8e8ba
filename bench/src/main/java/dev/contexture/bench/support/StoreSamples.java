package dev.contexture.bench.support;

import dev.contexture.block.Block;
import dev.contexture.block.BlockType;
import dev.contexture.block.Scope;
import dev.contexture.block.TurnId;
import dev.contexture.store.Commit;
import dev.contexture.store.NewBlock;
import dev.contexture.store.Row;
import dev.contexture.store.Store;
import dev.contexture.store.TurnRow;
import dev.contexture.store.WriteSet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** What the measurements of the store share. */
public final class StoreSamples {
  public static final int BLOCK_BYTES = 600;
  public static final Instant NOW = Instant.parse("2026-02-09T02:14:32Z");

  private static final String WORDS = "the quick brown fox jumps over the lazy dog and runs on ";

  private StoreSamples() {}

  public static Scope.OfConversation conversation(int number) {
    return Scope.of("bench", "store").user("u").conversation("c" + number);
  }

  public static TurnId turn(int number) {
    return TurnId.of("turn_1770603271112_" + number);
  }

  /** A block with 600 bytes of text. */
  public static Block block(TurnId turn, long number) {
    return Block.builder(BlockType.AGENT_BLOCK)
        .turn(turn)
        .ts(NOW)
        .text(text(String.valueOf(number)))
        .build();
  }

  /** 600 bytes that begin as given. */
  public static String text(String start) {
    return (start + " " + WORDS.repeat(BLOCK_BYTES / WORDS.length() + 1)).substring(0, BLOCK_BYTES);
  }

  public static void open(Store store, Scope.OfConversation conversation, TurnId turn) {
    commit(
        store,
        WriteSet.of(conversation, NOW).add(new Row.PutTurn(TurnRow.open(turn, NOW))).build());
  }

  public static void append(Store store, Scope.OfConversation conversation, List<Block> blocks) {
    commit(
        store,
        WriteSet.of(conversation, NOW).append(blocks.stream().map(NewBlock::of).toList()).build());
  }

  public static void commit(Store store, WriteSet set) {
    if (store.commit(set) instanceof Commit.Conflict conflict) {
      throw new IllegalStateException("nobody else writes: " + conflict);
    }
  }

  public static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }

  /** The value that a share of all values does not exceed. */
  public static long percentile(long[] values, double share) {
    long[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[(int) Math.min(sorted.length - 1L, Math.round(share * sorted.length))];
  }

  public static void delete(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
