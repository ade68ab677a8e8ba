package dev.contexture.bench.load;

import dev.contexture.bench.support.BenchReport;
import dev.contexture.bench.support.ServerProcess;
import dev.contexture.bench.support.WireClient;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The processor time that a server takes for event streams on which nothing happens. */
final class QuietStreams {
  private static final String CONVERSATION = "/v1/users/u/conversations/quiet";
  private static final int SETTLE_MILLIS = 5_000; // what follows the start of a server is over

  private QuietStreams() {}

  /** Measures a server without streams, and then with all of them open. */
  static void measure(ServerProcess server, LoadOptions options, BenchReport report)
      throws IOException, InterruptedException {
    try (WireClient client = new WireClient(server.port())) {
      WireClient.Got got = client.post(CONVERSATION + "/turns", "{\"prompt\":\"wait\"}");
      if (got.status() / 100 != 2) {
        throw new IOException("a turn could not be started: " + got.status() + " " + got.body());
      }
    }
    report.figure("no event streams", share(server, options), "% of a core");
    List<WireClient> open = new ArrayList<>();
    try {
      for (int i = 0; i < options.streams(); i++) {
        WireClient client = new WireClient(server.port());
        open.add(client);
        int status = client.stream(CONVERSATION + "/events");
        if (status != 200) {
          throw new IOException(
              "event stream " + (i + 1) + " was answered with " + status + "; ask for fewer");
        }
      }
      report.figure(
          options.streams() + " quiet event streams", share(server, options), "% of a core");
    } finally {
      for (WireClient client : open) {
        client.close();
      }
    }
  }

  private static double share(ServerProcess server, LoadOptions options)
      throws InterruptedException {
    Thread.sleep(SETTLE_MILLIS);
    double before = server.cpuSeconds();
    Thread.sleep(options.time());
    return (server.cpuSeconds() - before) / options.time().toSeconds() * 100;
  }
}
