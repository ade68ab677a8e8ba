package dev.contexture.bench.load;

import dev.contexture.bench.peer.HttpFloor;
import dev.contexture.bench.support.Bench;
import dev.contexture.bench.support.BenchReport;
import dev.contexture.bench.support.Samples;
import dev.contexture.bench.support.ServerProcess;
import dev.contexture.bench.support.StoreSamples;
import dev.contexture.json.JsonValue;
import dev.contexture.store.sqlite.SqliteStore;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * A server under load, as a process of its own: how many turns it takes and how long each step
 * waits, what its heap holds with many conversations open, and that what it acknowledged is there
 * after it was stopped or killed.
 */
public final class ServerLoadBench implements Bench {
  private static final int CLIENTS = 32;
  private static final double TARGET_TURNS_PER_SECOND = 400;
  private static final int KILLED = 137; // 128 + SIGKILL
  private static final int SHOWN = 5;
  private static final String HEAP = "-Xmx512m";
  private static final String PARALLELISM = "-Djdk.virtualThreadScheduler.parallelism=16";
  private static final String CPU = "processor time of the server per turn";

  @Override
  public String name() {
    return "server-load";
  }

  @Override
  public String summary() {
    return "a server with 32 clients: turns per second, waits, heap, nothing lost when killed;"
        + " [--part load|kill|heap|streams] [--warmup N] [--seconds N] [--streams N]";
  }

  @Override
  public int run(List<String> args, PrintStream out) {
    LoadOptions options = LoadOptions.parse(args);
    boolean quick = options.general().quick();
    BenchReport report = new BenchReport(name(), quick);
    List<String> failures = new ArrayList<>();
    try {
      if (options.has(LoadOptions.Part.LOAD)) {
        load(options, report, failures);
      }
      if (options.has(LoadOptions.Part.KILL)) {
        end("SIGTERM", 0, quick, report, failures);
        end("SIGKILL", KILLED, quick, report, failures);
      }
      if (options.has(LoadOptions.Part.HEAP)) {
        heap(quick, report, failures);
      }
      if (options.has(LoadOptions.Part.STREAMS)) {
        streams(options, report);
      }
    } catch (IOException | InterruptedException failed) {
      throw new IllegalStateException("the measurement failed", failed);
    }
    report
        .fact("clients", JsonValue.of(CLIENTS))
        .fact("block_bytes", JsonValue.of(StoreSamples.BLOCK_BYTES))
        .fact("turns_per_conversation", JsonValue.of(LoadClient.TURNS_PER_CONVERSATION))
        .fact("server_heap", JsonValue.of(HEAP))
        .fact("target_turns_per_second", JsonValue.of((long) TARGET_TURNS_PER_SECOND))
        .fact("failures", JsonValue.of(String.join("; ", failures)))
        .print(out, options.general().json());
    return failures.isEmpty() ? 0 : 1;
  }

  private static void load(LoadOptions options, BenchReport report, List<String> failures)
      throws IOException, InterruptedException {
    Path data = Files.createTempDirectory("contexture-load");
    try {
      ServerLoad.Measured measured;
      try (ServerProcess server = ServerProcess.start(data, HEAP)) {
        measured = ServerLoad.run(server, CLIENTS, options.warmup(), options.time());
        report.figure("heap after the load", server.liveHeapBytes() / 1e6, "MB");
        server.terminate();
      }
      List<LoadClient> clients = measured.clients();
      List<String> errors =
          clients.stream().map(LoadClient::error).filter(Objects::nonNull).toList();
      report.figure("errors", errors.size(), "");
      failures.addAll(errors.subList(0, Math.min(SHOWN, errors.size())));
      if (clients.stream().anyMatch(LoadClient::cutOff)) {
        failures.add("a connection ended early");
      }
      double cpu = times("", measured, report, failures);
      double least = floor(options, report, failures);
      report.figure("processor time per turn / floor", cpu / least, "");
      int blocks = check("", data, clients, report, failures);
      if (blocks > 0) {
        long bytes = Files.size(data.resolve(SqliteStore.FILE));
        report.figure("database per acknowledged block", bytes / (double) blocks, "bytes");
      }
    } finally {
      StoreSamples.delete(data);
    }
  }

  /** The same clients on a bare handler, which inserts one row for each write. */
  private static double floor(LoadOptions options, BenchReport report, List<String> failures)
      throws IOException, InterruptedException {
    Path data = Files.createTempDirectory("contexture-floor");
    try (ServerProcess server = ServerProcess.start(HttpFloor.class, data, HEAP, PARALLELISM)) {
      ServerLoad.Measured measured =
          ServerLoad.run(server, CLIENTS, options.warmup(), options.time());
      measured.clients().stream()
          .map(LoadClient::error)
          .filter(Objects::nonNull)
          .limit(SHOWN)
          .forEach(error -> failures.add("floor: " + error));
      server.terminate();
      return times(", floor", measured, report, failures);
    } finally {
      StoreSamples.delete(data);
    }
  }

  /** Reports how long turns took, and returns the processor time of one in milliseconds. */
  private static double times(
      String whose, ServerLoad.Measured measured, BenchReport report, List<String> failures) {
    List<LoadClient> clients = measured.clients();
    int turns = clients.stream().mapToInt(LoadClient::measuredTurns).sum();
    if (turns == 0) {
      failures.add("no turn was finished within " + measured.time() + whose);
      return Double.NaN;
    }
    double cpuMillis = measured.cpuSeconds() / turns * 1e3;
    report.figure("turns" + whose, turns / (measured.time().toMillis() / 1e3), "1/s");
    report.figure(CPU + whose, cpuMillis, "ms");
    measured
        .threads()
        .forEach(
            (group, seconds) -> report.figure(group.label() + whose, seconds / turns * 1e3, "ms"));
    for (LoadClient.Step step : LoadClient.Step.values()) {
      Samples samples = ServerLoad.samples(clients, step);
      report.figure(step.label() + ", p50" + whose, samples.medianMillis(), "ms");
      report.figure(step.label() + ", p99" + whose, samples.percentileMillis(99), "ms");
    }
    return cpuMillis;
  }

  /** Ends a server under load, and looks for what it acknowledged. */
  private static void end(
      String signal, int exitCode, boolean quick, BenchReport report, List<String> failures)
      throws IOException, InterruptedException {
    Path data = Files.createTempDirectory("contexture-load");
    try {
      List<LoadClient> clients;
      try (ServerProcess server = ServerProcess.start(data, HEAP)) {
        ServerLoad load = ServerLoad.start(server.port(), CLIENTS);
        Thread.sleep(quick ? 500 : 5_000);
        int ended = signal.equals("SIGKILL") ? server.kill() : server.terminate();
        clients = load.stop();
        if (ended != exitCode) {
          failures.add("after " + signal + " the server ended with " + ended);
        }
      }
      check(", " + signal, data, clients, report, failures);
      try (ServerProcess again = ServerProcess.start(data, HEAP)) {
        report.figure("ready again, " + signal, again.readyMillis(), "ms");
        again.terminate();
      }
    } finally {
      StoreSamples.delete(data);
    }
  }

  private static int check(
      String when, Path data, List<LoadClient> clients, BenchReport report, List<String> failures) {
    List<LoadClient.Acknowledged> turns =
        clients.stream().flatMap(client -> client.turns().stream()).toList();
    LoadCheck check = LoadCheck.of(data, turns);
    report.figure("acknowledged blocks" + when, check.blocks(), "");
    report.figure("lost" + when, check.lost().size(), "");
    check.lost().stream().limit(SHOWN).forEach(lost -> failures.add("lost" + when + ": " + lost));
    return check.blocks();
  }

  private static void heap(boolean quick, BenchReport report, List<String> failures)
      throws IOException, InterruptedException {
    Path data = Files.createTempDirectory("contexture-load");
    try (ServerProcess server = ServerProcess.start(data, HEAP)) {
      failures.addAll(OpenConversations.measure(server, quick, report));
      server.terminate();
    } finally {
      StoreSamples.delete(data);
    }
  }

  /** Event streams that nothing happens on: they must cost nothing. */
  private static void streams(LoadOptions options, BenchReport report)
      throws IOException, InterruptedException {
    Path data = Files.createTempDirectory("contexture-load");
    try (ServerProcess server = ServerProcess.start(data, HEAP)) {
      QuietStreams.measure(server, options, report);
      server.terminate();
    } finally {
      StoreSamples.delete(data);
    }
  }
}
