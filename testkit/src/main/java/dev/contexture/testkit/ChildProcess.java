package dev.contexture.testkit;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Runs a class in a process of its own, to talk with line by line. It ends when its input does.
 * Confined to one thread.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class ChildProcess implements AutoCloseable {
  private final Process process;
  private final BufferedReader lines;
  private final Writer input;

  private ChildProcess(Process process) {
    this.process = process;
    this.lines = process.inputReader(StandardCharsets.UTF_8);
    this.input = process.outputWriter(StandardCharsets.UTF_8);
  }

  /**
   * Starts it.
   *
   * @param main the class, on this class path
   */
  public static ChildProcess start(Class<?> main, String... args) throws IOException {
    return start(List.of(), main, args);
  }

  /**
   * The same.
   *
   * @param before the command that starts it, as {@code bash -c 'ulimit …; exec "$@"' x}
   */
  public static ChildProcess start(List<String> before, Class<?> main, String... args)
      throws IOException {
    List<String> command = new ArrayList<>(before);
    command.addAll(command(main, args));
    return new ChildProcess(
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start());
  }

  static List<String> command(Class<?> main, String... args) {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
    command.addAll(List.of(args));
    return command;
  }

  /** The next line that it prints; null if it ended. */
  public @Nullable String line() throws IOException {
    return lines.readLine();
  }

  /** Sends a line and waits for one. */
  public @Nullable String ask(String line) throws IOException {
    input.write(line + "\n");
    input.flush();
    return line();
  }

  /** Its number. */
  public long pid() {
    return process.pid();
  }

  /** Ends it at once, as SIGKILL does. */
  public void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  /** Ends its input and waits for its end. */
  @Override
  public void close() {
    boolean interrupted = false;
    try {
      input.close();
    } catch (IOException ended) {
      if (process.isAlive()) {
        throw new UncheckedIOException(ended);
      }
    }
    while (process.isAlive()) {
      try {
        process.waitFor();
      } catch (InterruptedException early) {
        process.destroyForcibly();
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
