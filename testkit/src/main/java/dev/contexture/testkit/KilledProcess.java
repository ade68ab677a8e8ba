package dev.contexture.testkit;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apiguardian.api.API;

/**
 * Runs a class in a process of its own and kills that with SIGKILL some time after its first line
 * of output. What the process printed before is what it acknowledged.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class KilledProcess {
  private static final int SIGKILLED = 137; // 128 + SIGKILL
  private static final int END_SECONDS = 120;

  private KilledProcess() {}

  /**
   * @param main the class, on this class path
   * @param aliveMillis how long it lives after its first line
   * @return the whole lines that it printed
   */
  public static List<String> run(Class<?> main, int aliveMillis, String... args)
      throws IOException, InterruptedException {
    Process child = start(main, args);
    List<String> printed = new ArrayList<>();
    try (BufferedReader lines = child.inputReader(StandardCharsets.UTF_8)) {
      Thread killer = Thread.ofPlatform().unstarted(() -> killAfter(child, aliveMillis));
      String line = lines.readLine();
      if (line == null) {
        throw new IllegalStateException(main.getName() + " printed nothing");
      }
      killer.start();
      while (line != null) {
        printed.add(line);
        line = lines.readLine();
      }
      killer.join();
    }
    if (!child.waitFor(END_SECONDS, TimeUnit.SECONDS) || child.exitValue() != SIGKILLED) {
      throw new IllegalStateException(main.getName() + " was not killed");
    }
    return printed;
  }

  private static Process start(Class<?> main, String... args) throws IOException {
    return new ProcessBuilder(ChildProcess.command(main, args))
        .redirectError(ProcessBuilder.Redirect.DISCARD)
        .start();
  }

  private static void killAfter(Process child, int millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException early) {
      Thread.currentThread().interrupt();
    }
    child.toHandle().destroyForcibly(); // leaves what it printed readable
  }
}
