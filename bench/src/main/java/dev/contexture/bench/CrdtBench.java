package dev.contexture.bench;

import dev.contexture.bench.peer.AutomergeCrdt;
import dev.contexture.bench.peer.ContextureCrdt;
import dev.contexture.bench.peer.CrdtPeer;
import dev.contexture.bench.peer.EditingTrace;
import dev.contexture.crdt.Document;
import dev.contexture.crdt.ReplicaId;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonNumber;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;

/**
 * {@code crdt FILE.json.gz… [--json] [--quick]}: replays editing traces with ours and with peers,
 * in one run, and prints apply time, load time and encoded size. Times are medians after a warm-up.
 */
public final class CrdtBench {
  private static final int REPETITIONS = 9;
  private static final int QUICK_REPETITIONS = 3;
  private static final double WARM_UP_MILLIS = 5_000;
  private static final int WARM_UP_RUNS = 10;

  /** What one library needed for one trace. */
  private record Figures(
      String peer, double applyMillis, double loadMillis, int savedBytes, int deltaBytes) {}

  private final int repetitions;

  private CrdtBench(int repetitions) {
    this.repetitions = repetitions;
  }

  /** Runs the measurement; returns the exit code. */
  public static int run(List<String> args, PrintStream out) {
    List<String> files = args.stream().filter(arg -> !arg.startsWith("--")).toList();
    if (files.isEmpty()) {
      out.println("usage: crdt FILE.json.gz... [--json] [--quick]");
      return 2;
    }
    CrdtBench bench = new CrdtBench(args.contains("--quick") ? QUICK_REPETITIONS : REPETITIONS);
    List<JsonValue> results = new ArrayList<>();
    for (String file : files) {
      try {
        results.add(bench.measure(Path.of(file)));
      } catch (IOException e) {
        out.println("cannot read " + file + ": " + e.getMessage());
        return 2;
      }
    }
    JsonObject report =
        JsonObject.builder()
            .put("benchmark", "crdt")
            .put("repetitions", bench.repetitions)
            .put("java", Runtime.version().toString())
            .put("traces", new JsonArray(results))
            .build();
    if (args.contains("--json")) {
      out.println(report);
    } else {
      results.forEach(result -> print((JsonObject) result, out));
    }
    return 0;
  }

  private JsonObject measure(Path file) throws IOException {
    EditingTrace trace = EditingTrace.read(file);
    List<JsonValue> figures = new ArrayList<>();
    List<CrdtPeer> peers =
        List.of(new ContextureCrdt(false), new ContextureCrdt(true), new AutomergeCrdt());
    for (CrdtPeer peer : peers) {
      if (!trace.concurrent() || !peer.name().contains(",")) {
        figures.add(json(measure(peer, trace)));
      }
    }
    NodePeers.Outcome node = NodePeers.run(file, repetitions);
    figures.addAll(node.figures());
    return JsonObject.builder()
        .put("file", file.getFileName().toString())
        .put("edits", trace.patches())
        .put("text_bytes", trace.endContent().getBytes(StandardCharsets.UTF_8).length)
        .put("memory_after_load_bytes", memoryAfterLoad(trace))
        .put("figures", new JsonArray(figures))
        .put("node", node.remark())
        .build();
  }

  private Figures measure(CrdtPeer peer, EditingTrace trace) {
    int runs = Math.max(1, peer instanceof ContextureCrdt ? repetitions : repetitions / 3);
    double apply =
        median(
            runs,
            () -> {
              try (CrdtPeer.Replayed replayed = peer.replay(trace)) {
                return replayed.getClass();
              }
            });
    byte[] saved;
    int delta;
    try (CrdtPeer.Replayed replayed = peer.replay(trace)) {
      requireEnd(peer, trace, replayed.text());
      saved = replayed.save();
      delta = replayed.oneCharacterDelta();
    }
    requireEnd(peer, trace, peer.load(saved));
    double load = median(runs * 3, () -> peer.load(saved));
    return new Figures(peer.name(), apply, load, saved.length, delta);
  }

  private static void requireEnd(CrdtPeer peer, EditingTrace trace, String text) {
    if (!text.equals(trace.endContent())) {
      throw new IllegalStateException(peer.name() + " does not reproduce the end of the trace");
    }
  }

  /** Heap that a loaded document holds, its text readable and its history not yet asked for. */
  private static long memoryAfterLoad(EditingTrace trace) {
    byte[] saved;
    try (CrdtPeer.Replayed replayed = new ContextureCrdt(false).replay(trace)) {
      saved = replayed.save();
    }
    int count = 64;
    Document[] kept = new Document[count];
    long before = usedHeap();
    for (int i = 0; i < count; i++) {
      kept[i] = Document.load(saved, ReplicaId.of(i + 1L));
    }
    long after = usedHeap();
    long length = Arrays.stream(kept).mapToLong(document -> document.text("text").length()).sum();
    return length < 0 ? 0 : (after - before) / count;
  }

  private static long usedHeap() {
    Runtime runtime = Runtime.getRuntime();
    for (int i = 0; i < 3; i++) {
      System.gc();
    }
    return runtime.totalMemory() - runtime.freeMemory();
  }

  /** Median time in milliseconds, after ten runs, or as many as fit the time, to warm up. */
  private static double median(int runs, Supplier<?> work) {
    double warmedUp = 0;
    for (int i = 0; i < WARM_UP_RUNS && warmedUp < WARM_UP_MILLIS; i++) {
      warmedUp += time(work);
    }
    double[] times = new double[runs];
    for (int i = 0; i < runs; i++) {
      times[i] = time(work);
    }
    Arrays.sort(times);
    return times[runs / 2];
  }

  private static double time(Supplier<?> work) {
    long start = System.nanoTime();
    Object result = work.get();
    long end = System.nanoTime();
    if (result == null) {
      throw new IllegalStateException("the work has no result");
    }
    return (end - start) / 1e6;
  }

  private static JsonObject json(Figures figures) {
    return JsonObject.builder()
        .put("peer", figures.peer())
        .put("apply_ms", number(figures.applyMillis()))
        .put("load_ms", number(figures.loadMillis()))
        .put("saved_bytes", figures.savedBytes())
        .put("delta_bytes", figures.deltaBytes())
        .build();
  }

  static JsonNumber number(double value) {
    return new JsonNumber(String.format(Locale.ROOT, "%.3f", value));
  }

  private static void print(JsonObject result, PrintStream out) {
    out.println(
        result.string("file").orElse("")
            + ": "
            + result.members().get("edits")
            + " edits, text "
            + result.members().get("text_bytes")
            + " bytes, a loaded document holds "
            + result.members().get("memory_after_load_bytes")
            + " bytes");
    out.println(row("", "apply ms", "load ms", "saved bytes", "delta bytes"));
    for (JsonValue item : result.array("figures").map(JsonArray::items).orElse(List.of())) {
      JsonObject figures = (JsonObject) item;
      out.println(
          row(
              figures.string("peer").orElse(""),
              String.valueOf(figures.members().get("apply_ms")),
              String.valueOf(figures.members().get("load_ms")),
              String.valueOf(figures.members().get("saved_bytes")),
              String.valueOf(figures.members().get("delta_bytes"))));
    }
    out.println(result.string("node").orElse(""));
  }

  private static String row(String peer, String... columns) {
    StringBuilder line = new StringBuilder(String.format(Locale.ROOT, "%-40s", peer));
    for (String column : columns) {
      line.append(String.format(Locale.ROOT, "%14s", column));
    }
    return line.toString();
  }
}
