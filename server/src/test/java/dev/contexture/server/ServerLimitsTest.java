package dev.contexture.server;

import static dev.contexture.server.TestServer.C;
import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.server.TestServer.Got;
import java.io.IOException;
import java.net.SocketException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Bodies that are too large, too slow or no JSON, and more requests than a server takes. */
@Timeout(300)
class ServerLimitsTest {
  private static final int MIB = 1 << 20;

  @TempDir Path directory;

  private TestServer serve(ServerLimits limits, Duration idle) {
    return new TestServer(directory, ServerOptions.local("test").withIdle(idle).withLimits(limits));
  }

  private TestServer serve(ServerLimits limits) {
    return serve(limits, Duration.ofSeconds(30));
  }

  private static void until(BooleanSupplier holds) throws InterruptedException {
    while (!holds.getAsBoolean()) { // the test has a time limit
      Thread.sleep(5);
    }
  }

  @Test
  void refusesBodiesThatDrip() throws Exception {
    ServerLimits limits =
        ServerLimits.DEFAULT
            .withBodies(MIB, 2 * MIB)
            .withTimes(ServerTimes.DEFAULT.withBody(Duration.ofMillis(100)));
    try (TestServer served = serve(limits);
        Raw raw = new Raw(served)) {
      raw.say(Raw.post(C + "/turns", 1_000));
      try {
        for (int i = 0; i < 100; i++) {
          raw.say(" ");
          Thread.sleep(20);
        }
      } catch (SocketException closed) {
        // the server has said what it has to say
      }
      assertThat(raw.rest()).startsWith("HTTP/1.1 422").contains("\"code\":\"limit_exceeded\"");
      assertThat(served.get(C).status()).isEqualTo(404);
    }
  }

  @Test
  void refusesBodiesThatStop() throws IOException {
    try (TestServer served = serve(ServerLimits.DEFAULT, Duration.ofMillis(1_500))) {
      String got = Raw.ask(served, Raw.post(C + "/turns", 1_000) + "{\"prompt\":");
      assertThat(got).startsWith("HTTP/1.1 400").contains("\"code\":\"malformed_json\"");
      assertThat(Raw.ask(served, "POST " + C + "/turns HTT")).isEmpty();
      assertThat(served.get(C).status()).isEqualTo(404);
    }
  }

  @Test
  void refusesBodiesAndHeadersThatAreTooLarge() throws IOException {
    ServerLimits limits = ServerLimits.DEFAULT.withBodies(1_000, 2_000);
    try (TestServer served = serve(limits)) {
      Got large = served.post(C + "/turns", "{\"prompt\":\"" + "x".repeat(1_000) + "\"}");
      assertThat(large.status()).isEqualTo(413);
      assertThat(large.code()).isEqualTo("body_too_large");
      assertThat(large.number("limit")).isEqualTo(1_000);
      String exact = "{\"prompt\":\"" + "x".repeat(1_000 - 13) + "\"}";
      assertThat(served.post(C + "/turns", exact).status()).isEqualTo(201);
      String got =
          Raw.ask(
              served,
              "GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Big: "
                  + "x".repeat(limits.headerBytes())
                  + "\r\nConnection: close\r\n\r\n");
      assertThat(got).startsWith("HTTP/1.1 431").contains("application/problem+json");
    }
  }

  @Test
  void refusesBombsOfJson() {
    try (TestServer served = serve(ServerLimits.DEFAULT)) {
      for (String bomb :
          new String[] {
            "[".repeat(1_000_000),
            "{\"a\":".repeat(1_000_000),
            "{\"blocks\":" + "[".repeat(65) + "]".repeat(65) + "}",
            "{\"prompt\":[" + "0,".repeat(5_000_000) + "0]}",
            "{\"prompt\":1" + "0".repeat(100_000) + "}",
          }) {
        Got got = served.post(C + "/turns", bomb);
        assertThat(got.status()).as(bomb.substring(0, 20)).isEqualTo(400);
        assertThat(got.code()).isEqualTo("malformed_json");
        assertThat(got.text().length()).isLessThan(2_000);
      }
      assertThat(served.get(C).status()).isEqualTo(404);
    }
  }

  @Test
  void takesNoMoreRequestsThanItMay() throws Exception {
    try (TestServer served = serve(ServerLimits.DEFAULT.withConcurrency(1, 1))) {
      try (Raw first = new Raw(served)) {
        first.say(Raw.post(C + "/turns", 100) + "{");
        until(() -> served.get("/v1/models").status() == 429);
        Got busy = served.send("GET", "/v1/models", null, "X-Tenant", "other");
        assertThat(busy.status()).isEqualTo(503);
        assertThat(busy.code()).isEqualTo("store_unavailable");
        assertThat(busy.raw().headers().firstValue("Retry-After")).contains("1");
        Got more = served.get("/v1/models");
        assertThat(more.code()).isEqualTo("too_many_requests");
        assertThat(more.raw().headers().firstValue("Retry-After")).contains("1");
        assertThat(served.get("/healthz").status()).as("shows that it lives").isEqualTo(200);
      }
      until(() -> served.get("/v1/models").status() == 200);
      served.post(C + "/turns", "{\"prompt\":\"x\"}");
      try (Raw stream = new Raw(served)) {
        stream.say(Raw.get(C + "/events", "localhost"));
        assertThat(stream.until(": events of c1")).startsWith("HTTP/1.1 200");
        assertThat(served.get(C + "/events").code()).isEqualTo("too_many_requests");
        assertThat(served.get(C).status()).as("a stream is no request").isEqualTo(200);
      }
    }
  }

  /** A request lasts until its answer is taken, however slowly. */
  @Test
  void takesNoMoreRequestsWhileAnswersAreNotRead() throws Exception {
    List<String> lines = new CopyOnWriteArrayList<>();
    ServerOptions options =
        ServerOptions.local("test")
            .withLimits(ServerLimits.DEFAULT.withConcurrency(1, 1))
            .withLog(lines::add, true);
    try (TestServer served = new TestServer(directory, options)) {
      served.post(C + "/turns", "{\"prompt\":\"x\"}");
      String large = "{\"blocks\":[{\"text\":\"" + "x".repeat(1_000_000) + "\"}]}";
      for (int i = 0; i < 24; i++) { // more than what the buffers between take
        assertThat(served.post(C + "/blocks", large).status()).isEqualTo(201);
      }
      lines.clear();
      try (Raw slow = new Raw(served)) {
        slow.say(Raw.get(C + "/timeline?limit=1000", "localhost"));
        assertThat(slow.until("xxx")).startsWith("HTTP/1.1 200");
        assertThat(served.get("/v1/models").status()).isEqualTo(429);
        assertThat(lines).as("only the refused one has ended").hasSize(1);
        assertThat(slow.rest().length()).isGreaterThan(24_000_000);
      }
      until(() -> lines.size() == 2);
      assertThat(lines.getLast()).contains("/timeline\"", "\"status\":200");
      assertThat(served.get("/v1/models").status()).isEqualTo(200);
    }
  }

  /** One that goes away is no failure of the server. */
  @Test
  void letsGoOfARequestWhoseReaderWentAway() throws Exception {
    List<String> lines = new CopyOnWriteArrayList<>();
    try (TestServer served =
        new TestServer(directory, ServerOptions.local("test").withLog(lines::add, true))) {
      served.post(C + "/turns", "{\"prompt\":\"x\"}");
      String large = "{\"blocks\":[{\"text\":\"" + "x".repeat(1_000_000) + "\"}]}";
      for (int i = 0; i < 24; i++) {
        served.post(C + "/blocks", large);
      }
      lines.clear();
      try (Raw gone = new Raw(served)) {
        gone.say(Raw.get(C + "/timeline?limit=1000", "localhost"));
        gone.until("xxx");
      }
      until(() -> !lines.isEmpty());
      assertThat(lines).hasSize(1);
      assertThat(lines.getFirst()).contains("\"event\":\"request\"");
      assertThat(served.get("/metrics").text())
          .as("only the one that asks")
          .contains("contexture_http_active 1.0");
    }
  }

  @Test
  void writesAnswersOnce() throws Exception {
    try (TestServer served = serve(ServerLimits.DEFAULT)) {
      assertThat(Raw.ask(served, Raw.get("/v1/nope", "localhost")))
          .contains("Content-Length: ")
          .containsOnlyOnce("\"code\":\"not_found\"");
      String head = Raw.ask(served, Raw.get("/v1/models", "localhost").replace("GET", "HEAD"));
      assertThat(head).startsWith("HTTP/1.1 200").endsWith("\r\n\r\n");
      String refused = Raw.ask(served, Raw.get("/v1/nope", "localhost").replace("GET", "HEAD"));
      assertThat(refused).startsWith("HTTP/1.1 404").endsWith("\r\n\r\n");
      served.post(C + "/turns", "{\"prompt\":\"x\",\"turn_id\":\"t1\"}");
      served.post(C + "/turns/t1/finish", "{}");
      String erased = Raw.ask(served, Raw.get(C, "localhost").replace("GET", "DELETE"));
      assertThat(erased).startsWith("HTTP/1.1 204").endsWith("\r\n\r\n");
    }
  }

  @Test
  void holdsNoMoreOfBodiesThanItMay() throws Exception {
    ServerLimits limits = ServerLimits.DEFAULT.withBodies(MIB, 4L * MIB / 3);
    String large = "{\"prompt\":\"" + "x".repeat(700_000) + "\"}";
    try (TestServer served = serve(limits)) {
      try (Raw first = new Raw(served)) {
        first.say(Raw.post(C + "/turns", MIB) + large);
        until(() -> served.get("/metrics").text().contains("contexture_http_body_bytes 1048576.0"));
        assertThat(served.post(C + "/turns", large).code()).isEqualTo("too_many_requests");
        Got small = served.send("POST", C + "/turns", "{\"prompt\":\"x\"}", "X-Tenant", "other");
        assertThat(small.status()).as("another tenant writes").isEqualTo(201);
      }
      until(() -> served.get("/metrics").text().contains("contexture_http_body_bytes 0.0"));
      assertThat(served.post(C + "/turns", large).status()).isEqualTo(201);
    }
  }
}
