package dev.contexture.bench.load;

import dev.contexture.bench.support.Bench;
import dev.contexture.bench.support.BenchArgs;
import dev.contexture.bench.support.BenchReport;
import dev.contexture.bench.support.Samples;
import dev.contexture.bench.support.ServerProcess;
import dev.contexture.bench.support.StoreSamples;
import dev.contexture.bench.support.UsageException;
import dev.contexture.json.JsonValue;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A server under attack, as a process of its own: what one tenant sends to keep it from others, and
 * how long the writes of another tenant take meanwhile.
 */
public final class AttackBench implements Bench {
  private static final double TARGET_MILLIS = 250;
  private static final double TARGET_READY_MILLIS = 1_000;
  private static final String HEAP = "-Xmx512m";
  private static final long ATTACK_NANOS = 15_000_000_000L;
  private static final Pattern COLLECTION = Pattern.compile("([0-9]+)M->([0-9]+)M\\(");

  @Override
  public String name() {
    return "attack";
  }

  @Override
  public String summary() {
    return "a server that one tenant attacks: how long another one's writes take meanwhile";
  }

  @Override
  public int run(List<String> args, PrintStream out) {
    BenchArgs options = BenchArgs.parse(args);
    if (!options.files().isEmpty()) {
      throw new UsageException("attack makes its own data and takes no files");
    }
    BenchReport report = new BenchReport(name(), options.quick());
    List<String> missed = new ArrayList<>();
    try {
      Path data = Files.createTempDirectory("contexture-attack");
      Path log = Files.createTempFile("contexture-attack", ".gc");
      try (ServerProcess server = ServerProcess.start(data, HEAP, "-Xlog:gc:file=" + log)) {
        attack(server, options.quick(), report, missed);
        server.terminate();
        heap(log, report);
      } finally {
        StoreSamples.delete(data);
        Files.delete(log);
      }
    } catch (IOException | InterruptedException failed) {
      throw new IllegalStateException("the measurement failed", failed);
    }
    report
        .fact("server_heap", JsonValue.of(HEAP))
        .fact("target_p99_ms", JsonValue.of((long) TARGET_MILLIS))
        .fact("target_ready_ms", JsonValue.of((long) TARGET_READY_MILLIS))
        .fact("missed", JsonValue.of(String.join("; ", missed)))
        .print(out, options.json());
    return missed.isEmpty() ? 0 : 1;
  }

  private static void attack(
      ServerProcess server, boolean quick, BenchReport report, List<String> missed)
      throws IOException, InterruptedException {
    Attacks attacks = new Attacks(server.port(), quick ? 10 : 1);
    long nanos = quick ? 0 : ATTACK_NANOS;
    Map<String, Attack> all = new LinkedHashMap<>();
    all.put("nothing, for comparison", attacks::nothing);
    all.put("method BEFORE", attacks::unknownMethods);
    all.put("slow headers", attacks::slowHeaders);
    all.put("bodies of 60 MB", attacks::largeBodies);
    all.put("text of 5 MB, simulate", attacks::simulate);
    all.put("text of 5 MB, render", attacks::render);
    all.put("raw query", attacks::rawQuery);
    measure(
        "warm-up",
        server,
        attacks::nothing,
        nanos,
        new BenchReport("warm-up", true),
        new ArrayList<>());
    for (Map.Entry<String, Attack> one : all.entrySet()) {
      measure(one.getKey(), server, one.getValue(), nanos, report, missed);
    }
    report.figure("memory of the process, most", peakBytes(server.pid()) / 1e6, "MB");
  }

  /** What an attack does; returns how it was answered, by status. */
  private interface Attack {
    Map<Integer, Integer> run() throws IOException, InterruptedException;
  }

  /** Repeats an attack until it has lasted so long, and measures the writes of another tenant. */
  private static void measure(
      String what,
      ServerProcess server,
      Attack attack,
      long nanos,
      BenchReport report,
      List<String> missed)
      throws IOException, InterruptedException {
    Map<Integer, Integer> answers = new TreeMap<>();
    SteadyWriter writer = new SteadyWriter(server.port());
    try {
      long begin = System.nanoTime();
      do {
        attack.run().forEach((status, count) -> answers.merge(status, count, Integer::sum));
      } while (System.nanoTime() - begin < nanos);
    } finally {
      writer.stop();
    }
    long start = System.nanoTime();
    SteadyWriter.once(server.port());
    double ready = (System.nanoTime() - start) / 1e6;
    Samples samples = writer.samples();
    double p99 = samples.percentileMillis(99);
    report
        .figure(what + ": writes of another tenant", samples.count(), "")
        .figure(what + ": p50", samples.medianMillis(), "ms")
        .figure(what + ": p99", p99, "ms")
        .figure(what + ": refused", writer.refused(), "")
        .figure(what + ": answers again after", ready, "ms")
        .fact(what, JsonValue.of(answers.toString()));
    if (p99 > TARGET_MILLIS || writer.refused() > 0) {
      missed.add(what + ": p99 " + Math.round(p99) + " ms, " + writer.refused() + " refused");
    }
    if (ready > TARGET_READY_MILLIS) {
      missed.add(what + ": ready after " + Math.round(ready) + " ms");
    }
  }

  /** What the collector's log says about the heap: the most in use, and the most that was alive. */
  private static void heap(Path log, BenchReport report) throws IOException {
    long used = 0;
    long alive = 0;
    Matcher collection = COLLECTION.matcher(Files.readString(log));
    while (collection.find()) {
      used = Math.max(used, Long.parseLong(collection.group(1)));
      alive = Math.max(alive, Long.parseLong(collection.group(2)));
    }
    report
        .figure("heap in use before a collection, most", (double) used, "MB")
        .figure("heap in use after a collection, most", (double) alive, "MB");
  }

  /** The most memory that a process ever had, where the system tells it. */
  private static double peakBytes(long pid) throws IOException {
    Path status = Path.of("/proc", String.valueOf(pid), "status");
    if (!Files.isReadable(status)) {
      return 0;
    }
    return Files.readAllLines(status, StandardCharsets.UTF_8).stream()
        .filter(line -> line.startsWith("VmHWM:"))
        .mapToDouble(line -> Double.parseDouble(line.replaceAll("[^0-9]", "")) * 1024)
        .findFirst()
        .orElse(0);
  }
}
