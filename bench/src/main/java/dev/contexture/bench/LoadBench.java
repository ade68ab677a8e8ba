package dev.contexture.bench;

import dev.contexture.bench.support.StoreSamples;
import dev.contexture.block.Block;
import dev.contexture.block.Scope;
import dev.contexture.block.TurnId;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonNumber;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.store.NewBlock;
import dev.contexture.store.Row;
import dev.contexture.store.Store;
import dev.contexture.store.TurnRow;
import dev.contexture.store.WriteSet;
import dev.contexture.store.sqlite.SqliteStore;
import dev.contexture.timeline.Summary;
import dev.contexture.timeline.TurnStatus;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Loads a conversation of 100 000 blocks of which a summary leaves 500 visible, against one that
 * has only 500.
 */
public final class LoadBench {
  private static final double TARGET = 1.5;
  private static final int VISIBLE = 500;
  private static final int TURN = 20;

  private LoadBench() {}

  /**
   * @param args {@code --json} for one JSON object, {@code --quick} for a smaller conversation
   * @return 0 if the target is met, else 1
   */
  public static int run(List<String> args, PrintStream out) {
    boolean quick = args.contains("--quick");
    int blocks = quick ? 20_000 : 100_000;
    int repetitions = quick ? 60 : 200;
    try {
      Path directory = Files.createTempDirectory("contexture-load");
      try (Store store = SqliteStore.open(directory)) {
        double[] figures = measure(store, blocks, repetitions);
        double ratio = figures[0] / figures[1];
        out.println(
            args.contains("--json")
                ? json(blocks, repetitions, figures, ratio).toJson()
                : table(blocks, figures, ratio));
        return ratio <= TARGET ? 0 : 1;
      } finally {
        StoreSamples.delete(directory);
      }
    } catch (IOException failed) {
      throw new IllegalStateException("the measurement failed", failed);
    }
  }

  /** The median milliseconds of loading the long and the short conversation, alternating. */
  private static double[] measure(Store store, int blocks, int repetitions) {
    Scope.OfConversation large = StoreSamples.conversation(1);
    Scope.OfConversation small = StoreSamples.conversation(2);
    fill(store, large, blocks);
    summarise(store, large, blocks);
    fill(store, small, VISIBLE);
    double[] largeMillis = new double[repetitions];
    double[] smallMillis = new double[repetitions];
    for (int i = -repetitions / 4; i < repetitions; i++) { // the first quarter warms up
      double one = load(store, large);
      double other = load(store, small);
      if (i >= 0) {
        largeMillis[i] = one;
        smallMillis[i] = other;
      }
    }
    return new double[] {StoreSamples.median(largeMillis), StoreSamples.median(smallMillis)};
  }

  private static double load(Store store, Scope.OfConversation conversation) {
    long start = System.nanoTime();
    int blocks = store.load(conversation).orElseThrow().blocks().size();
    double millis = (System.nanoTime() - start) / 1e6;
    if (blocks != VISIBLE) {
      throw new IllegalStateException("loaded " + blocks + " blocks");
    }
    return millis;
  }

  private static void fill(Store store, Scope.OfConversation conversation, int blocks) {
    for (int turn = 0; turn < blocks / TURN; turn++) {
      TurnId id = StoreSamples.turn(turn);
      List<Block> added = new ArrayList<>();
      for (int i = 0; i < TURN; i++) {
        added.add(StoreSamples.block(id, turn * (long) TURN + i));
      }
      TurnRow row = TurnRow.open(id, StoreSamples.NOW);
      StoreSamples.commit(
          store,
          WriteSet.of(conversation, StoreSamples.NOW)
              .add(new Row.PutTurn(row.closed(TurnStatus.COMPLETE, StoreSamples.NOW)))
              .append(added.stream().map(NewBlock::of).toList())
              .build());
    }
  }

  private static void summarise(Store store, Scope.OfConversation conversation, int blocks) {
    List<JsonValue> covered = new ArrayList<>();
    int turns = (blocks - VISIBLE) / TURN;
    for (int turn = 0; turn < turns; turn++) {
      covered.add(JsonValue.of(StoreSamples.turn(turn).value()));
    }
    Summary summary =
        new Summary(
            "s1",
            blocks - VISIBLE + 1L,
            1,
            StoreSamples.turn(turns),
            "What happened so far. ".repeat(150),
            "What happened so far. ".repeat(150),
            "",
            JsonObject.of("covered_turn_ids", new JsonArray(covered)),
            StoreSamples.NOW,
            false);
    StoreSamples.commit(
        store,
        WriteSet.of(conversation, StoreSamples.NOW).add(new Row.PutSummary(summary)).build());
  }

  private static String table(int blocks, double[] figures, double ratio) {
    return String.format(
        Locale.ROOT,
        "load a conversation%n%7d blocks, %d visible: %8.2f ms%n%7d blocks: %21.2f ms%n"
            + "ratio %.2f, target <= %.2f",
        blocks,
        VISIBLE,
        figures[0],
        VISIBLE,
        figures[1],
        ratio,
        TARGET);
  }

  private static JsonObject json(int blocks, int repetitions, double[] figures, double ratio) {
    return JsonObject.builder()
        .put("name", "load")
        .put("blocks", blocks)
        .put("visible", VISIBLE)
        .put("repetitions", repetitions)
        .put("java", Runtime.version().toString())
        .put("long_ms", decimal(figures[0]))
        .put("short_ms", decimal(figures[1]))
        .put("ratio", decimal(ratio))
        .put("target", decimal(TARGET))
        .build();
  }

  private static JsonNumber decimal(double value) {
    return new JsonNumber(String.format(Locale.ROOT, "%.3f", value));
  }
}
