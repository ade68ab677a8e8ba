package dev.contexture.bench.support;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A server in a process of its own, started as people start it: by the launcher, on a free port of
 * the loopback address. Closing it kills it. Confined to one thread.
 */
public final class ServerProcess implements AutoCloseable {
  private static final Pattern READY =
      Pattern.compile("contexture ready on http://127\\.0\\.0\\.1:([0-9]+) .*");
  private static final Pattern TOTAL = Pattern.compile("Total\\s+([0-9]+)\\s+([0-9]+)");
  private static final Pattern RESIDENT = Pattern.compile("VmRSS:\\s+([0-9]+) kB");
  private static final int END_SECONDS = 30;

  private final Process process;
  private final BufferedReader out;
  private final int port;
  private final double readyMillis;

  private ServerProcess(Process process, BufferedReader out, int port, double readyMillis) {
    this.process = process;
    this.out = out;
    this.port = port;
    this.readyMillis = readyMillis;
  }

  /**
   * Starts a server and waits until it accepts requests.
   *
   * @param data its data directory
   * @param javaOptions options of its virtual machine
   */
  public static ServerProcess start(Path data, String... javaOptions) throws IOException {
    ProcessBuilder builder = launcher("serve", "--port", "0", "--data", data.toString());
    String given = builder.environment().getOrDefault("CONTEXTURE_JAVA_OPTS", "");
    builder
        .environment()
        .put("CONTEXTURE_JAVA_OPTS", (given + " " + String.join(" ", javaOptions)).strip());
    return start(builder);
  }

  /** Starts a program of the class path of this process in its place, with one argument. */
  public static ServerProcess start(Class<?> program, Path data, String... javaOptions)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(javaOptions));
    command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-cp"));
    command.add(System.getProperty("java.class.path"));
    command.addAll(List.of(program.getName(), data.toString()));
    return start(new ProcessBuilder(command));
  }

  private static ServerProcess start(ProcessBuilder builder) throws IOException {
    builder.redirectError(ProcessBuilder.Redirect.DISCARD); // a line per request
    long start = System.nanoTime();
    Process process = builder.start();
    BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
    String line = out.readLine();
    double millis = (System.nanoTime() - start) / 1e6;
    Matcher ready = READY.matcher(Objects.requireNonNullElse(line, ""));
    if (!ready.matches()) {
      process.destroyForcibly();
      throw new IOException(
          "the server did not say that it is ready, but: " + line + "; try ./contexture serve");
    }
    return new ServerProcess(process, out, Integer.parseInt(ready.group(1)), millis);
  }

  /** The {@code contexture} command of this working tree. */
  public static ProcessBuilder launcher(String... args) {
    String root =
        Objects.requireNonNull(
            System.getProperty("contexture.root"), "contexture.root; start with bench/run");
    List<String> command = new ArrayList<>();
    command.add(Path.of(root, "contexture").toString());
    command.addAll(List.of(args));
    return new ProcessBuilder(command);
  }

  public int port() {
    return port;
  }

  public long pid() {
    return process.pid();
  }

  /** From the start of the launcher to the line that says that it is ready. */
  public double readyMillis() {
    return readyMillis;
  }

  /** How long processors have worked for it, in seconds. */
  public double cpuSeconds() {
    return process.info().totalCpuDuration().orElse(Duration.ZERO).toMillis() / 1e3;
  }

  /** What its heap holds after a full collection, in bytes. */
  public long liveHeapBytes() throws IOException, InterruptedException {
    Process histogram =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                String.valueOf(process.pid()),
                "GC.class_histogram")
            .redirectErrorStream(true)
            .start();
    String total = "";
    try (BufferedReader lines = histogram.inputReader(StandardCharsets.UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        total = line.strip();
      }
    }
    Matcher sum = TOTAL.matcher(total);
    if (histogram.waitFor() != 0 || !sum.matches()) {
      throw new IOException("jcmd cannot tell what the heap holds: " + total);
    }
    return Long.parseLong(sum.group(2));
  }

  /** The memory that it has, in bytes, where the system tells (Linux). */
  public OptionalLong residentBytes() throws IOException {
    Path status = Path.of("/proc", String.valueOf(process.pid()), "status");
    if (!Files.isReadable(status)) {
      return OptionalLong.empty();
    }
    Matcher resident = RESIDENT.matcher(Files.readString(status));
    return resident.find()
        ? OptionalLong.of(Long.parseLong(resident.group(1)) * 1_024)
        : OptionalLong.empty();
  }

  /** Asks it to end (SIGTERM) and waits for that. */
  public int terminate() throws InterruptedException, IOException {
    process.toHandle().destroy();
    return waitForEnd();
  }

  /** Kills it (SIGKILL): it gets no chance to finish anything. */
  public int kill() throws InterruptedException, IOException {
    process.toHandle().destroyForcibly();
    return waitForEnd();
  }

  private int waitForEnd() throws InterruptedException, IOException {
    if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
      throw new IOException("the server did not end within " + END_SECONDS + " s");
    }
    return process.exitValue();
  }

  @Override
  public void close() throws IOException {
    process.destroyForcibly();
    out.close();
  }
}
