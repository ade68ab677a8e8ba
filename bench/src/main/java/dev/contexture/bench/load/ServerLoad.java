package dev.contexture.bench.load;

import dev.contexture.bench.support.Samples;
import dev.contexture.bench.support.ServerProcess;
import dev.contexture.bench.support.ThreadTimes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

/** Clients at work on a server, each in a thread of its own. Confined to one thread. */
final class ServerLoad {
  private static final int MOST_WAITS = 600;
  private static final int WAIT_MILLIS = 50;

  private final List<LoadClient> clients = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();
  private final AtomicBoolean going = new AtomicBoolean(true);

  private ServerLoad() {}

  /** Starts clients that work until they are stopped, and waits until each went through a turn. */
  static ServerLoad start(int port, int count) throws InterruptedException {
    ServerLoad load = start(port, count, () -> false);
    load.awaitFirstTurns();
    return load;
  }

  private static ServerLoad start(int port, int count, BooleanSupplier measuring) {
    ServerLoad load = new ServerLoad();
    for (int i = 0; i < count; i++) {
      LoadClient client = new LoadClient(i);
      load.clients.add(client);
      load.threads.add(
          Thread.ofPlatform()
              .name("client-" + i)
              .start(() -> client.work(port, load.going::get, measuring)));
    }
    return load;
  }

  /**
   * Lets clients work unmeasured for some time, and until each of them went through a turn; then
   * measured.
   */
  static Measured run(ServerProcess server, int count, Duration warmup, Duration measured)
      throws InterruptedException {
    AtomicBoolean measuring = new AtomicBoolean();
    ServerLoad load = start(server.port(), count, measuring::get);
    Thread.sleep(warmup);
    load.awaitFirstTurns();
    measuring.set(true);
    double before = server.cpuSeconds();
    Map<ThreadTimes.Group, Double> threadsBefore = ThreadTimes.of(server.pid());
    Thread.sleep(measured);
    measuring.set(false);
    double cpuSeconds = server.cpuSeconds() - before;
    Map<ThreadTimes.Group, Double> threads =
        ThreadTimes.between(threadsBefore, ThreadTimes.of(server.pid()));
    return new Measured(load.stop(), measured, cpuSeconds, threads);
  }

  /**
   * Clients that have ended.
   *
   * @param time how long they were measured
   * @param cpuSeconds what the server took of the processors meanwhile
   * @param threads the same by what its threads are for, where the system tells
   */
  record Measured(
      List<LoadClient> clients,
      Duration time,
      double cpuSeconds,
      Map<ThreadTimes.Group, Double> threads) {}

  private void awaitFirstTurns() throws InterruptedException {
    for (int i = 0; i < MOST_WAITS; i++) {
      if (clients.stream().allMatch(client -> client.finishedTurns() > 0)) {
        return;
      }
      Thread.sleep(WAIT_MILLIS);
    }
  }

  /** Ends the clients after the turn that each of them is in. */
  List<LoadClient> stop() throws InterruptedException {
    going.set(false);
    for (Thread thread : threads) {
      thread.join();
    }
    return List.copyOf(clients);
  }

  /** How long all measured steps of a kind took. */
  static Samples samples(List<LoadClient> clients, LoadClient.Step step) {
    return Samples.of(
        clients.stream()
            .flatMap(client -> client.nanos(step).stream())
            .mapToLong(Long::longValue)
            .toArray());
  }
}
