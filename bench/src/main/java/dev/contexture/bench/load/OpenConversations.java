package dev.contexture.bench.load;

import dev.contexture.bench.support.BenchReport;
import dev.contexture.bench.support.ServerProcess;
import dev.contexture.bench.support.WireClient;
import dev.contexture.json.JsonValue;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * What the heap of a server holds while more and more conversations have a turn open, each with
 * blocks that were rendered.
 */
final class OpenConversations {
  private static final int BLOCKS = 20;

  /** How much more it may hold for many conversations than for a tenth of them. */
  private static final double MOST_GROWTH_MEGABYTES = 32;

  private OpenConversations() {}

  /** Measures, and returns what is wrong with it. */
  static List<String> measure(ServerProcess server, boolean quick, BenchReport report)
      throws IOException, InterruptedException {
    int all = quick ? 2_000 : 10_000;
    List<String> failures = new ArrayList<>();
    double first = 0;
    try (WireClient client = new WireClient(server.port())) {
      for (int i = 1; i <= all; i++) {
        open(client, i);
        if (i == all / 10 || i == all) {
          double megabytes = server.liveHeapBytes() / 1e6;
          report.figure("heap, " + i + " open conversations", megabytes, "MB");
          if (i < all) {
            first = megabytes;
          } else if (megabytes - first > MOST_GROWTH_MEGABYTES) {
            failures.add("the heap grows with the number of open conversations");
          }
        }
      }
    }
    report.fact("blocks_per_open_conversation", JsonValue.of(BLOCKS));
    return failures;
  }

  private static void open(WireClient client, int number) throws IOException {
    String base = "/v1/users/u" + number % 100 + "/conversations/open" + number;
    String turn = "t" + number;
    List<String> blocks = new ArrayList<>();
    for (int i = 0; i < BLOCKS; i++) {
      blocks.add("{\"type\":\"react.note\",\"text\":\"" + LoadClient.text(turn, i) + "\"}");
    }
    post(client, base + "/turns", "{\"turn_id\":\"" + turn + "\",\"prompt\":\"go\"}");
    post(client, base + "/blocks", "{\"blocks\":[" + String.join(",", blocks) + "]}");
    post(client, base + "/render", "{}");
  }

  private static void post(WireClient client, String path, String body) throws IOException {
    WireClient.Got got = client.post(path, body);
    if (got.status() / 100 != 2) {
      throw new IOException(path + ": " + got.status() + " " + got.body());
    }
  }
}
