package dev.contexture.bench.load;

import dev.contexture.bench.support.Bench;
import dev.contexture.bench.support.BenchArgs;
import dev.contexture.bench.support.BenchReport;
import dev.contexture.bench.support.Samples;
import dev.contexture.bench.support.ServerProcess;
import dev.contexture.bench.support.StoreSamples;
import dev.contexture.bench.support.UsageException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;

/**
 * How long the command takes from its start: to print its version, and to serve. The best of
 * several is what the program needs; the median is what this machine made of it.
 */
public final class ColdStartBench implements Bench {
  private static final double VERSION_TARGET_MILLIS = 500;
  private static final double SERVE_TARGET_MILLIS = 2_500;

  @Override
  public String name() {
    return "cold-start";
  }

  @Override
  public String summary() {
    return "from the start of the command to its version, and to a server that answers";
  }

  @Override
  public int run(List<String> args, PrintStream out) {
    BenchArgs options = BenchArgs.parse(args);
    if (!options.files().isEmpty()) {
      throw new UsageException("cold-start takes no files");
    }
    int repetitions = options.quick() ? 3 : 15;
    try {
      version(); // builds if need be, and makes the archive of classes
      Samples version = Samples.of(measure(repetitions, ColdStartBench::version));
      Samples serve = Samples.of(measure(repetitions, ColdStartBench::serve));
      BenchReport report = new BenchReport(name(), options.quick()).repetitions(repetitions);
      report
          .figure("--version, best", best(version), "ms")
          .figure("--version, median", version.medianMillis(), "ms")
          .figure("--version, target", VERSION_TARGET_MILLIS, "ms")
          .figure("serve, ready, best", best(serve), "ms")
          .figure("serve, ready, median", serve.medianMillis(), "ms")
          .figure("serve, ready, target", SERVE_TARGET_MILLIS, "ms");
      size(report);
      report.print(out, options.json());
      boolean met = best(version) < VERSION_TARGET_MILLIS && best(serve) < SERVE_TARGET_MILLIS;
      return met ? 0 : 1;
    } catch (IOException | InterruptedException failed) {
      throw new IllegalStateException("the measurement failed", failed);
    }
  }

  private static double best(Samples samples) {
    return samples.percentileMillis(Double.MIN_VALUE);
  }

  /** Something that takes a time, in nanoseconds. */
  private interface Timed {
    long nanos() throws IOException, InterruptedException;
  }

  private static long[] measure(int repetitions, Timed task)
      throws IOException, InterruptedException {
    long[] nanos = new long[repetitions];
    for (int i = 0; i < repetitions; i++) {
      nanos[i] = task.nanos();
    }
    return nanos;
  }

  private static long version() throws IOException, InterruptedException {
    long start = System.nanoTime();
    Process process =
        ServerProcess.launcher("--version")
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    int exitCode = process.waitFor();
    if (exitCode != 0) {
      throw new IOException("contexture --version ended with " + exitCode);
    }
    return System.nanoTime() - start;
  }

  private static long serve() throws IOException, InterruptedException {
    Path data = Files.createTempDirectory("contexture-start");
    try (ServerProcess server = ServerProcess.start(data)) {
      server.terminate();
      return Math.round(server.readyMillis() * 1e6);
    } finally {
      StoreSamples.delete(data);
    }
  }

  /** What a server holds right after it is ready; the heap last, since that collects it. */
  private static void size(BenchReport report) throws IOException, InterruptedException {
    Path data = Files.createTempDirectory("contexture-start");
    try (ServerProcess server = ServerProcess.start(data)) {
      OptionalLong resident = server.residentBytes();
      if (resident.isPresent()) {
        report.figure("serve, resident when ready", resident.getAsLong() / 1e6, "MB");
      }
      report.figure("serve, heap in use when ready", server.liveHeapBytes() / 1e6, "MB");
      server.terminate();
    } finally {
      StoreSamples.delete(data);
    }
  }
}
