package dev.contexture.bench.load;

import dev.contexture.bench.support.Samples;
import dev.contexture.bench.support.WireClient;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * A tenant that writes all the time, every other write over a new connection, and notes how long
 * each takes. It writes in a thread of its own; what it found is read once it has stopped.
 */
final class SteadyWriter {
  private static final String TENANT = "X-Tenant: victim\r\n";
  private static final String TURNS = "/v1/users/u1/conversations/c1/turns";
  private static final int PAUSE_MILLIS = 10;
  private static final int MAX_WRITES = 100_000;

  private final int port;
  private final List<Long> nanos = new ArrayList<>();
  private final Thread thread;
  private volatile boolean going = true;
  private int refused;

  /** Starts to write. */
  SteadyWriter(int port) {
    this.port = port;
    this.thread = Thread.ofPlatform().name("victim").start(this::work);
  }

  /**
   * Writes once over a new connection.
   *
   * @throws IOException if that is refused
   */
  static void once(int port) throws IOException {
    try (WireClient server = new WireClient(port, TENANT)) {
      WireClient.Got got = write(server);
      if (got.status() / 100 != 2) {
        throw new IOException("a write was answered with " + got.status() + " " + got.body());
      }
    }
  }

  private static WireClient.Got write(WireClient server) throws IOException {
    return server.post(
        TURNS.replace("c1", "c" + System.nanoTime()), "{\"prompt\":\"a write of another tenant\"}");
  }

  private void work() {
    try (WireClient kept = new WireClient(port, TENANT)) {
      for (int i = 0; going && i < MAX_WRITES; i++) {
        long start = System.nanoTime();
        if (i % 2 == 0) {
          note(write(kept), start);
        } else {
          try (WireClient fresh = new WireClient(port, TENANT)) {
            note(write(fresh), start);
          }
        }
        Thread.sleep(PAUSE_MILLIS);
      }
    } catch (IOException cutOff) {
      refused++;
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  private void note(WireClient.Got got, long start) {
    nanos.add(System.nanoTime() - start);
    if (got.status() / 100 != 2) {
      refused++;
    }
  }

  /** Ends after the write that it is in. */
  void stop() throws InterruptedException {
    going = false;
    thread.join();
  }

  /** How long the writes took. */
  Samples samples() {
    return nanos.isEmpty()
        ? Samples.of(Long.MAX_VALUE)
        : Samples.of(nanos.stream().mapToLong(Long::longValue).toArray());
  }

  /** How many were refused or cut off. */
  int refused() {
    return refused;
  }
}
