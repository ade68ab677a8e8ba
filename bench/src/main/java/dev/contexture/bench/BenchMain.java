package dev.contexture.bench;

import dev.contexture.bench.load.AttackBench;
import dev.contexture.bench.load.ColdStartBench;
import dev.contexture.bench.load.ServerLoadBench;
import dev.contexture.bench.replay.CacheCostBench;
import dev.contexture.bench.replay.ReplayBench;
import dev.contexture.bench.retention.RetentionBench;
import dev.contexture.bench.retrieval.RetrievalBench;
import dev.contexture.bench.retrieval.SearchScaleBench;
import dev.contexture.bench.support.Bench;
import dev.contexture.bench.support.Measurement;
import dev.contexture.bench.support.UsageException;
import dev.contexture.bench.validity.ValidityBench;
import dev.contexture.error.ContextureException;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Where {@code bench/run} starts: finds the measurement of the given name and runs it. */
public final class BenchMain {
  private static final int DONE = 0;
  private static final int USAGE = 2;

  /** Every measurement, in the order in which they are listed. */
  static final List<Bench> BENCHES =
      List.of(
          new RenderBench(),
          new Measurement(
              "append",
              "durable appends of 600-byte blocks, against raw inserts of the same rows",
              AppendBench::run),
          new Measurement(
              "load",
              "loading 500 visible of 100,000 blocks, against a conversation of 500",
              LoadBench::run),
          new PostgresBench(),
          new CompactionBench(),
          new ValidityBench(),
          new ReplayBench(),
          new Measurement(
              "cache-cost",
              "what recorded sessions cost with prompt caching, by policy: [EVENTS...]",
              CacheCostBench::run),
          new RetentionBench(),
          new PeersBench(),
          new RetrievalBench(),
          new Measurement(
              "search-scale",
              "search in a million messages of 50 agents, against SQLite's full-text index",
              SearchScaleBench::run),
          new MemoryBench(),
          new Measurement(
              "scale",
              "start, heap, turns, appends and loads of one node while its data grows sixteenfold",
              ScaleBench::run),
          new ServerLoadBench(),
          new ColdStartBench(),
          new AttackBench(),
          new Measurement(
              "crdt",
              "replaying, loading and encoding editing traces, against Automerge, Loro and Yjs",
              CrdtBench::run));

  private BenchMain() {}

  public static void main(String[] args) {
    PrintStream out = utf8(FileDescriptor.out);
    PrintStream err = utf8(FileDescriptor.err);
    int exitCode = run(BENCHES, Arrays.asList(args), out, err);
    out.flush();
    err.flush();
    System.exit(exitCode);
  }

  private static PrintStream utf8(FileDescriptor descriptor) {
    return new PrintStream(new FileOutputStream(descriptor), true, StandardCharsets.UTF_8);
  }

  /** Runs one command line over the given measurements and returns the exit code. */
  static int run(List<Bench> benches, List<String> args, PrintStream out, PrintStream err) {
    if (args.isEmpty() || args.getFirst().equals("--help")) {
      list(benches, out);
      return DONE;
    }
    String name = args.getFirst();
    Optional<Bench> bench = benches.stream().filter(known -> known.name().equals(name)).findFirst();
    if (bench.isEmpty()) {
      err.println("error: there is no measurement '" + name + "'");
      list(benches, err);
      return USAGE;
    }
    try {
      return bench.get().run(args.subList(1, args.size()), out);
    } catch (UsageException | ContextureException refused) {
      err.println("error: " + refused.getMessage());
      return USAGE;
    }
  }

  private static void list(List<Bench> benches, PrintStream to) {
    to.println("Usage: bench/run NAME [files...] [--json] [--quick]");
    if (benches.isEmpty()) {
      to.println("There are no measurements yet.");
      return;
    }
    to.println("Measurements:");
    int width = benches.stream().mapToInt(bench -> bench.name().length()).max().orElse(0);
    for (Bench bench : benches) {
      String padding = " ".repeat(width - bench.name().length());
      to.println("  " + bench.name() + padding + "  " + bench.summary());
    }
  }
}
