package dev.contexture.bench;

import dev.contexture.Contexture;
import dev.contexture.bench.support.Bench;
import dev.contexture.bench.support.BenchArgs;
import dev.contexture.bench.support.BenchReport;
import dev.contexture.bench.support.Samples;
import dev.contexture.bench.support.StoreSamples;
import dev.contexture.bench.support.UsageException;
import dev.contexture.block.Scope;
import dev.contexture.engine.memory.BlockSpec;
import dev.contexture.engine.memory.BlockVersion;
import dev.contexture.engine.memory.MemoryStore;
import dev.contexture.json.JsonValue;
import dev.contexture.memory.schema.MemoryBlockType;
import dev.contexture.store.sqlite.SqliteStore;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * What agents' memory costs: a durable edit and a render of a block of 5 kB with a history of
 * edits, loading many blocks, and the bytes of a one-character edit.
 */
final class MemoryBench implements Bench {
  private static final Scope SCOPE = Scope.of("bench", "memory");
  private static final String AGENT = "atlas";
  private static final String LABEL = "notes";
  private static final int TEXT_CHARS = 5_000;
  private static final int EDITS_MEASURED_IN_LOG = 100;

  @Override
  public String name() {
    return "memory";
  }

  @Override
  public String summary() {
    return "durable edits and renders of a 5 kB block with 1,000 edits; loading 1,000 blocks; large"
        + " documents";
  }

  @Override
  public int run(List<String> args, PrintStream out) {
    BenchArgs options = BenchArgs.parse(args);
    if (!options.files().isEmpty()) {
      throw new UsageException("memory makes its own data and takes no files");
    }
    int edits = options.quick() ? 120 : 1_000;
    int blocks = options.quick() ? 50 : 1_000;
    int repetitions = options.quick() ? 20 : 300;
    BenchReport report = new BenchReport(name(), options.quick()).repetitions(repetitions);
    try {
      Path directory = Files.createTempDirectory("contexture-memory");
      try {
        measure(directory, edits, blocks, repetitions, report);
        measureLarge(directory.resolve("large"), report, options.quick());
      } finally {
        StoreSamples.delete(directory);
      }
    } catch (IOException failed) {
      throw new IllegalStateException("the measurement failed", failed);
    }
    report
        .fact("edits", JsonValue.of(edits))
        .fact("blocks", JsonValue.of(blocks))
        .print(out, options.json());
    return 0;
  }

  private static void measure(
      Path directory, int edits, int blocks, int repetitions, BenchReport report)
      throws IOException {
    try (Contexture engine = open(directory)) {
      MemoryStore memory = engine.memory(SCOPE);
      memory.createBlock(
          AGENT,
          BlockSpec.of(LABEL, MemoryBlockType.WORKING)
              .charLimit(100_000)
              .content("x".repeat(TEXT_CHARS)));
      bytes(directory, memory, report); // first: later the log is written over from its start
      for (int i = 0; i < edits; i++) {
        type(memory, i);
      }
      int[] next = {0};
      Samples edit = Samples.measure(repetitions / 4, repetitions, () -> type(memory, next[0]++));
      report.figure("edit, durable", edit.medianMillis(), "ms");
      report.figure("edit, durable, p99", edit.percentileMillis(99), "ms");
      Samples render = Samples.measure(repetitions, repetitions * 10, () -> render(memory));
      report.figure("render", render.medianMillis() * 1_000, "µs");
      report.figure("render, p99", render.percentileMillis(99) * 1_000, "µs");
      for (int i = 0; i < blocks; i++) {
        memory.createBlock(
            AGENT,
            BlockSpec.of("b" + i, MemoryBlockType.WORKING).content("y".repeat(TEXT_CHARS / 5)));
      }
    }
    try (Contexture engine = open(directory)) {
      MemoryStore memory = engine.memory(SCOPE);
      long start = System.nanoTime();
      long chars = 0;
      for (int i = 0; i < blocks; i++) {
        chars += memory.getRenderedContent(AGENT, "b" + i).orElseThrow().length();
      }
      report.figure("load all blocks", (System.nanoTime() - start) / 1e6, "ms");
      if (chars != (long) blocks * (TEXT_CHARS / 5)) {
        throw new IllegalStateException("loaded " + chars + " characters");
      }
      long first = System.nanoTime();
      render(memory);
      report.figure("load the edited block", (System.nanoTime() - first) / 1e6, "ms");
    }
  }

  private static void measureLarge(Path directory, BenchReport report, boolean quick) {
    try (Contexture engine = open(directory);
        StoredBytes stored = StoredBytes.in(directory)) {
      new LargeDocumentsPart(engine.memory(SCOPE), stored, report, quick).run();
    }
  }

  private static Contexture open(Path directory) {
    return Contexture.builder(SqliteStore.open(directory)).exclusive(true).build();
  }

  /** A character more or less somewhere in the text. */
  private static long type(MemoryStore memory, int i) {
    int at = (i * 37) % (TEXT_CHARS / 2);
    return memory
        .edit(
            AGENT,
            LABEL,
            "",
            document -> {
              document.splice(at, i % 2, i % 2 == 0 ? "z" : "");
              return true;
            })
        .version();
  }

  private static long render(MemoryStore memory) {
    return memory.getRenderedContent(AGENT, LABEL).orElseThrow().length();
  }

  /** What one-character edits store, and what the database writes for them. */
  private static void bytes(Path directory, MemoryStore memory, BenchReport report)
      throws IOException {
    long version = type(memory, 0);
    Path log = directory.resolve(SqliteStore.FILE + "-wal");
    long before = Files.size(log);
    for (int i = 0; i < EDITS_MEASURED_IN_LOG; i++) {
      type(memory, 2 * i);
    }
    long grown = Files.size(log) - before;
    long stored = 0;
    for (BlockVersion each : memory.history(AGENT, LABEL, version, EDITS_MEASURED_IN_LOG)) {
      stored += each.sizeBytes();
    }
    report.figure("one-character edit, delta", stored / (double) EDITS_MEASURED_IN_LOG, "bytes");
    if (grown > 0) { // else the log began anew meanwhile
      report.figure("one-character edit, log", grown / (double) EDITS_MEASURED_IN_LOG, "bytes");
    }
  }
}
