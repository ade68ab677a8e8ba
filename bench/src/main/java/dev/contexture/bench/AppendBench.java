package dev.contexture.bench;

import dev.contexture.bench.support.StoreSamples;
import dev.contexture.block.Scope;
import dev.contexture.block.TurnId;
import dev.contexture.json.JsonNumber;
import dev.contexture.json.JsonObject;
import dev.contexture.store.Store;
import dev.contexture.store.sqlite.SqliteStore;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Appends one block of 600 bytes per call, durable, against plain JDBC that inserts the same rows:
 * 64 conversations at once against 64 rows per commit, and one against one.
 */
public final class AppendBench {
  private static final double TARGET = 0.70;
  private static final double TARGET_ALONE = 0.85;
  private static final int CONVERSATIONS = 64;

  private AppendBench() {}

  /** What one kind of run measured. */
  private record Figures(
      int writers, double rowsPerSecond, double rawRowsPerSecond, double ratio, double p99Millis) {

    double target() {
      return writers == 1 ? TARGET_ALONE : TARGET;
    }
  }

  /**
   * @param args {@code --json} for one JSON object, {@code --quick} for a short run
   * @return 0 if the targets are met, else 1
   */
  public static int run(List<String> args, PrintStream out) {
    boolean quick = args.contains("--quick");
    int repetitions = quick ? 3 : 7;
    try {
      Figures many = measure(CONVERSATIONS, quick ? 100 : 300, repetitions);
      Figures one = measure(1, quick ? 300 : 1_000, repetitions);
      List<Figures> all = List.of(many, one);
      out.println(args.contains("--json") ? json(all, repetitions).toJson() : table(all));
      return all.stream().allMatch(figures -> figures.ratio() >= figures.target()) ? 0 : 1;
    } catch (IOException | SQLException | InterruptedException | ExecutionException failed) {
      throw new IllegalStateException("the measurement failed", failed);
    }
  }

  private static Figures measure(int writers, int each, int repetitions)
      throws IOException, SQLException, InterruptedException, ExecutionException {
    timed(writers, each / 4, new ArrayList<>()); // warms up both sides' code
    raw(writers, each / 4);
    double[] ours = new double[repetitions];
    double[] raw = new double[repetitions];
    double[] ratios = new double[repetitions];
    List<Long> nanos = new ArrayList<>();
    for (int i = 0; i < repetitions; i++) { // each side goes first every other time
      raw[i] = i % 2 == 0 ? raw(writers, each) : 0;
      ours[i] = writers * (double) each / (timed(writers, each, nanos) / 1e9);
      raw[i] = i % 2 == 0 ? raw[i] : raw(writers, each);
      ratios[i] = ours[i] / raw[i];
    }
    long[] sorted = nanos.stream().mapToLong(Long::longValue).toArray();
    return new Figures(
        writers,
        StoreSamples.median(ours),
        StoreSamples.median(raw),
        StoreSamples.median(ratios),
        StoreSamples.percentile(sorted, 0.99) / 1e6);
  }

  private static double raw(int writers, int each) throws IOException, SQLException {
    Path directory = Files.createTempDirectory("contexture-raw");
    try {
      return RawInserts.run(directory, writers * each, writers);
    } finally {
      StoreSamples.delete(directory);
    }
  }

  /** Returns the time from the first append to the last, and adds that of each call. */
  private static long timed(int writers, int each, List<Long> latencies)
      throws IOException, InterruptedException, ExecutionException {
    Path directory = Files.createTempDirectory("contexture-append");
    try (Store store = SqliteStore.open(directory);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < writers; i++) {
        StoreSamples.open(store, StoreSamples.conversation(i), StoreSamples.turn(1));
      }
      long start = System.nanoTime();
      List<Future<List<Long>>> running = new ArrayList<>();
      for (int i = 0; i < writers; i++) {
        Scope.OfConversation conversation = StoreSamples.conversation(i);
        running.add(threads.submit(() -> append(store, conversation, each)));
      }
      for (Future<List<Long>> writer : running) {
        latencies.addAll(writer.get());
      }
      return System.nanoTime() - start;
    } finally {
      StoreSamples.delete(directory);
    }
  }

  /** Appends blocks one by one, and returns how long each took. */
  static List<Long> append(Store store, Scope.OfConversation conversation, int blocks) {
    TurnId turn = StoreSamples.turn(1);
    List<Long> latencies = new ArrayList<>(blocks);
    for (int i = 0; i < blocks; i++) {
      long start = System.nanoTime();
      StoreSamples.append(store, conversation, List.of(StoreSamples.block(turn, i)));
      latencies.add(System.nanoTime() - start);
    }
    return latencies;
  }

  private static String table(List<Figures> all) {
    StringBuilder table =
        new StringBuilder("append one 600-byte block per call, durable\n")
            .append("writers   blocks/s   raw rows/s   ratio   p99 ms   target\n");
    for (Figures figures : all) {
      table.append(
          String.format(
              Locale.ROOT,
              "%7d %10.0f %12.0f %7.2f %8.2f   >= %.2f%n",
              figures.writers(),
              figures.rowsPerSecond(),
              figures.rawRowsPerSecond(),
              figures.ratio(),
              figures.p99Millis(),
              figures.target()));
    }
    return table.toString();
  }

  private static JsonObject json(List<Figures> all, int repetitions) {
    JsonObject.Builder json =
        JsonObject.builder()
            .put("name", "append")
            .put("block_bytes", StoreSamples.BLOCK_BYTES)
            .put("repetitions", repetitions)
            .put("peer", "sqlite-jdbc, the same rows and settings")
            .put("java", Runtime.version().toString());
    for (Figures figures : all) {
      JsonObject part =
          JsonObject.builder()
              .put("blocks_per_second", Math.round(figures.rowsPerSecond()))
              .put("raw_rows_per_second", Math.round(figures.rawRowsPerSecond()))
              .put("ratio", decimal(figures.ratio()))
              .put("p99_ms", decimal(figures.p99Millis()))
              .put("target", decimal(figures.target()))
              .build();
      json.put("writers_" + figures.writers(), part);
    }
    return json.build();
  }

  private static JsonNumber decimal(double value) {
    return new JsonNumber(String.format(Locale.ROOT, "%.3f", value));
  }
}
