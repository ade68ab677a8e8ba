package dev.contexture.server;

import static dev.contexture.server.TestServer.C;
import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.Contexture;
import dev.contexture.error.Cancellation;
import dev.contexture.provider.BuiltInProviders;
import dev.contexture.provider.catalogue.ModelCatalogue;
import dev.contexture.request.Providers;
import dev.contexture.server.TestServer.Got;
import dev.contexture.server.http.Call;
import dev.contexture.server.http.Response;
import dev.contexture.server.http.Route;
import dev.contexture.store.Store;
import dev.contexture.store.sqlite.SqliteStore;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What one caller sends to keep a server from others: everybody else is still answered. */
@Timeout(300)
class ServerAttackTest {
  private static final String RUNNING_ONLY_THIS = "contexture_http_active 1.0";

  @TempDir Path directory;

  private static String request(String method, String headers) {
    return method + " /v1/models HTTP/1.1\r\nHost: localhost\r\n" + headers + "\r\n";
  }

  @Test
  void unknownMethodsHoldNoAdmission() throws IOException {
    try (TestServer served = new TestServer(directory);
        Raw raw = new Raw(served)) {
      for (int i = 0; i < 600; i++) {
        raw.say(request(i % 2 == 0 ? "BEFORE" : "AFTER", ""));
        String got = raw.until("\"detail\"");
        assertThat(got).startsWith("HTTP/1.1 405").contains("application/problem+json");
        assertThat(got).contains("\"code\":\"method_not_allowed\"", "Allow: ");
        raw.until("\n");
      }
      assertThat(served.get("/metrics").text()).contains(RUNNING_ONLY_THIS);
      assertThat(served.post(C + "/turns", "{\"prompt\":\"x\"}").status()).isEqualTo(201);
    }
  }

  @Test
  void methodsThatNoRouteHasAreRefusedWithAProblem() throws IOException {
    try (TestServer served = new TestServer(directory)) {
      for (String method :
          List.of("TRACE", "CONNECT", "PROPFIND", "BEFORE_MATCHED", "get", "M-X")) {
        String got = Raw.ask(served, request(method, "Connection: close\r\n"));
        assertThat(got).as(method).containsPattern("^HTTP/1\\.1 4[0-9]{2} ");
        assertThat(got).as(method).contains("application/problem+json");
      }
    }
  }

  private TestServer serve(ServerLimits limits) {
    return new TestServer(directory, ServerOptions.local("test").withLimits(limits));
  }

  private static ServerLimits times(UnaryOperator<ServerTimes> change) {
    return ServerLimits.DEFAULT.withTimes(change.apply(ServerTimes.DEFAULT));
  }

  /** Says something again and again until the server closes the connection. */
  private static void sayUntilClosed(Raw raw, String text) throws InterruptedException {
    try {
      while (true) { // the test has a time limit
        raw.say(text);
        Thread.sleep(10);
      }
    } catch (IOException closed) {
      // that is what is waited for
    }
  }

  private static void untilOnlyThisRuns(TestServer served) throws InterruptedException {
    while (!served.get("/metrics").text().contains(RUNNING_ONLY_THIS)) {
      Thread.sleep(5);
    }
  }

  @Test
  void headersThatDripAreCutOff() throws Exception {
    try (TestServer served = serve(times(all -> all.withHeader(Duration.ofMillis(200))));
        Raw raw = new Raw(served);
        Raw later = new Raw(served)) {
      raw.say("GET /v1/models HTTP/1.1\r\nHost: localhost\r\nX-Slow: ");
      sayUntilClosed(raw, "x");
      later.say(request("GET", ""));
      assertThat(later.until("gpt")).startsWith("HTTP/1.1 200");
      later.say("GET /v1/models HTTP/1.1\r\nX-Slow: ");
      sayUntilClosed(later, "x");
    }
  }

  @Test
  void chunkExtensionsAndTrailersThatNeverEndAreCutOff() throws Exception {
    String head =
        "POST /v1/validate HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n";
    try (TestServer served = serve(times(all -> all.withBody(Duration.ofMillis(200))))) {
      for (String endless : List.of("1;", "1\r\n{\r\n0\r\nX-Trailer: ")) {
        try (Raw raw = new Raw(served)) {
          raw.say(head + endless);
          sayUntilClosed(raw, "a");
        }
        untilOnlyThisRuns(served);
      }
    }
  }

  @Test
  void connectionsThatSendNothingKeepNobodyOut() throws Exception {
    List<Raw> idle = new ArrayList<>();
    try (TestServer served = serve(ServerLimits.DEFAULT.withConnections(8))) {
      assertThat(served.get("/v1/models").status()).isEqualTo(200);
      for (int i = 0; i < 40; i++) {
        Raw raw = new Raw(served);
        idle.add(raw);
        raw.say(i % 2 == 0 ? "" : "GET /v1/mod");
        if (i % 8 == 0) {
          assertThat(Raw.ask(served, request("GET", "Connection: close\r\n")))
              .startsWith("HTTP/1.1 200");
        }
      }
      assertThat(served.post(C + "/turns", "{\"prompt\":\"x\"}").status()).isEqualTo(201);
    } finally {
      for (Raw raw : idle) {
        raw.close();
      }
    }
  }

  /** A turn's worth of work that never ends by itself, as a search would do it. */
  private static final class Endless {
    final CountDownLatch started = new CountDownLatch(1);
    final CountDownLatch stopped = new CountDownLatch(1);

    Response work(Call unused) {
      started.countDown();
      try {
        while (true) {
          Cancellation.check();
          Thread.onSpinWait();
        }
      } finally {
        stopped.countDown();
      }
    }
  }

  private ContextureServer serving(Contexture engine, Endless endless, ServerLimits limits) {
    return ContextureServer.start(
        engine,
        ServerOptions.local("test").withPort(0).withLimits(limits),
        List.of(Route.get("/v1/endless", endless::work)));
  }

  @Test
  void workThatTakesTooLongIsStoppedAndAnswered() throws Exception {
    Endless endless = new Endless();
    try (Contexture engine = Contexture.open(directory);
        ContextureServer server =
            serving(engine, endless, times(all -> all.withWork(Duration.ofMillis(200))));
        Raw raw = new Raw(server.port())) {
      raw.say(Raw.get("/v1/endless", "localhost"));
      String got = raw.rest();
      assertThat(got).startsWith("HTTP/1.1 503").contains("\"code\":\"timed_out\"");
      assertThat(got).contains("Retry-After: 1");
      endless.stopped.await();
    }
  }

  @Test
  void workStopsWhenItsCallerLeaves() throws Exception {
    Endless endless = new Endless();
    try (Contexture engine = Contexture.open(directory);
        ContextureServer server = serving(engine, endless, ServerLimits.DEFAULT)) {
      try (Raw raw = new Raw(server.port())) {
        raw.say(Raw.get("/v1/endless", "localhost"));
        endless.started.await();
      }
      endless.stopped.await();
    }
  }

  @Test
  void aProcessWithoutMemoryEnds() throws Exception {
    AtomicInteger ended = new AtomicInteger();
    ServerOptions options =
        ServerOptions.local("test")
            .withPort(0)
            .withLog(line -> {}, false)
            .withLastResort(ended::incrementAndGet);
    Route broken =
        Route.get(
            "/v1/broken",
            unused -> {
              throw new IllegalStateException(new OutOfMemoryError("no heap left, says the test"));
            });
    try (Contexture engine = Contexture.open(directory);
        ContextureServer server = ContextureServer.start(engine, options, List.of(broken));
        Raw raw = new Raw(server.port())) {
      raw.say(Raw.get("/v1/broken", "localhost"));
      assertThat(raw.rest()).startsWith("HTTP/1.1 500");
      assertThat(ended).hasValue(1);
    }
  }

  @Test
  void whatNeedsMoreMemoryThanThereIsIsRefusedBeforeItIsMade() {
    ServerLimits limits = ServerLimits.DEFAULT.withBodies(1 << 20, 2 << 20);
    try (TestServer served = serve(limits)) {
      String many = "{\"prompt\":[" + "{\"a\":0},".repeat(100_000) + "0]}";
      Got values = served.post(C + "/turns", many);
      assertThat(values.status()).isEqualTo(413);
      assertThat(values.code()).isEqualTo("body_too_large");
      served.post(C + "/turns", "{\"prompt\":\"x\"}");
      String block = "{\"blocks\":[{\"text\":\"" + "x".repeat(1_000_000) + "\"}]}";
      for (int i = 0; i < 3; i++) {
        assertThat(served.post(C + "/blocks", block).status()).isEqualTo(201);
      }
      Got shown = served.post(C + "/render", "{}");
      assertThat(shown.status()).isEqualTo(422);
      assertThat(shown.code()).isEqualTo("limit_exceeded");
      assertThat(served.get("/metrics").text()).contains("contexture_http_memory_bytes 0.0");
    }
  }

  /** Every request that loads a conversation, except those that make it smaller. */
  private static final List<String> LOADING =
      List.of(
          "POST /render {}",
          "POST /compact {}",
          "POST /hide {\"path\":\"ar:t1.x\"}",
          "POST /unhide {\"path\":\"ar:t1.x\"}",
          "POST /turns {\"prompt\":\"y\"}",
          "POST /tools/react.read {\"params\":{\"paths\":[\"x\"]}}",
          "GET  {}",
          "PATCH  {\"title\":\"x\"}",
          "GET /timeline {}",
          "GET /context {}",
          "GET /sources {}",
          "POST /blocks {\"blocks\":[{\"text\":\"x\"}]}",
          "PUT /announce {\"blocks\":[{\"text\":\"x\"}]}",
          "DELETE /announce {}",
          "PUT /sources {\"sources\":[]}",
          "POST /sources {\"sources\":[]}",
          "POST /feedback {\"target_turn_id\":\"t1\",\"origin\":\"user\",\"text\":\"x\"}",
          "POST /clarification {\"questions\":[\"x\"]}",
          "POST /clarification_resolution {\"ticket\":{\"ticket_id\":\"x\"},"
              + "\"resolved_with_answer\":\"x\"}",
          "POST /results {\"tool_call_id\":\"tc_x\",\"content\":\"x\"}",
          "POST /results {\"results\":[{\"tool_call_id\":\"tc_x\",\"content\":\"x\"}]}",
          "POST /responses"
              + " {\"provider\":\"anthropic\",\"model\":\"claude-opus-5\",\"response\":{}}",
          "POST /step {\"finish\":{}}",
          "POST /request {\"provider\":\"anthropic\",\"model\":\"claude-opus-5\"}",
          "POST /epoch {}",
          "POST /rules/check {\"tool_rules\":[],\"call\":{\"tool\":\"x\"}}",
          "POST /import"
              + " {\"format\":\"openai_chat\",\"messages\":[{\"role\":\"user\",\"content\":\"x\"}]}",
          "POST /turns/t1/finish {}",
          "POST /turns/t1/interrupt {\"reason\":\"x\"}",
          "POST /turns/t1/abort {\"reason\":\"x\"}");

  @Test
  void aConversationThatIsTooLargeIsRefusedBeforeItIsLoaded() throws Exception {
    ServerLimits small = ServerLimits.DEFAULT.withBodies(1 << 20, 2 << 20);
    try (TestServer served = new TestServer(directory)) {
      served.post(C + "/turns", "{\"prompt\":\"x\",\"turn_id\":\"t1\"}");
      for (int i = 0; i < 5; i++) {
        String text = (char) ('a' + i) + "x".repeat(1_000_000);
        served.post(C + "/blocks", "{\"blocks\":[{\"text\":\"" + text + "\"}]}");
      }
    }
    AtomicInteger loads = new AtomicInteger();
    Providers providers = BuiltInProviders.of(ModelCatalogue.in(directory));
    try (Contexture engine =
            Contexture.builder(counted(loads)).exclusive(true).providers(providers).build();
        ContextureServer server =
            ContextureServer.start(
                engine, ServerOptions.local("test").withPort(0).withLimits(small))) {
      for (String request : LOADING) {
        String[] parts = request.split(" ", 3);
        try (Raw raw = new Raw(server.port())) {
          raw.say(Raw.post(C + parts[1], parts[2].length()).replace("POST", parts[0]) + parts[2]);
          assertThat(raw.rest())
              .as(request)
              .startsWith("HTTP/1.1 422")
              .contains("\"code\":\"limit_exceeded\"", "conversation has");
        }
      }
      assertThat(loads).hasValue(0);
    }
  }

  /** What is read page by page is refused where no memory is left, not after it was read. */
  @Test
  void pagesAndHitsThatAreTooLargeAreRefusedWhileTheyAreRead() {
    String agent = "/v1/agents/atlas";
    String full = "{\"query\":\"windmill\",\"content\":\"full\",\"limit\":20}";
    try (TestServer served = serve(ServerLimits.DEFAULT.withBodies(1 << 20, 2 << 20))) {
      served.post(C + "/turns", "{\"prompt\":\"x\",\"turn_id\":\"t1\",\"agent\":\"atlas\"}");
      for (int i = 0; i < 3; i++) {
        String text = "windmill " + i + " x".repeat(450_000);
        served.post(C + "/blocks", "{\"blocks\":[{\"text\":\"" + text + "\"}]}");
        Got entry = served.post(agent + "/archival", "{\"content\":\"" + text + "\"}");
        assertThat(entry.status()).as(entry.text()).isEqualTo(201);
      }
      assertThat(served.post("/v1/reindex", "{}").status()).isEqualTo(200);
      for (Got got :
          List.of(
              served.post("/v1/search", full),
              served.get(C + "/turns/t1"),
              served.get(agent + "/archival?content=full&limit=100"))) {
        assertThat(got.status()).as(got.text()).isEqualTo(422);
        assertThat(got.code()).isEqualTo("limit_exceeded");
        assertThat(got.string("detail")).startsWith("answer has").endsWith("ask for less at once");
      }
      assertThat(served.post("/v1/search", full.replace("20", "1")).status()).isEqualTo(200);
      assertThat(served.get("/metrics").text()).contains("contexture_http_memory_bytes 0.0");
    }
  }

  /** Behind a summary the window is small, and what is stored is not. */
  @Test
  void aPageOfTheTimelineIsRefusedThoughTheWindowIsSmall() {
    try (TestServer served = new TestServer(directory)) {
      String block = "{\"text\":\"" + "windmill ".repeat(3_000) + "\"}";
      String blocks = "{\"blocks\":[" + (block + ",").repeat(24) + block + "]}";
      for (int turn = 1; turn <= 6; turn++) {
        String id = "t" + turn;
        served.post(C + "/turns", "{\"prompt\":\"short\",\"turn_id\":\"" + id + "\"}");
        if (turn < 5) { // more than one part of the page, each of which there is room for
          assertThat(served.post(C + "/blocks", blocks).status()).isEqualTo(201);
        }
        served.post(C + "/turns/" + id + "/finish", "{\"completion\":\"Done.\"}");
      }
      String forced = "{\"max_tokens\":100000,\"force\":true,\"keep_recent_turns\":2}";
      Got cut = served.post(C + "/compact", forced);
      assertThat(cut.json().has("summary_id")).as(cut.text()).isTrue();
    }
    try (TestServer served = serve(ServerLimits.DEFAULT.withBodies(1 << 20, 2 << 20))) {
      assertThat(served.post(C + "/render", "{}").status()).as("the window").isEqualTo(200);
      Got page = served.get(C + "/timeline?limit=1000");
      assertThat(page.status()).as(page.text().substring(0, 200)).isEqualTo(422);
      assertThat(page.string("detail")).startsWith("answer has").endsWith("ask for less at once");
      assertThat(served.get(C + "/timeline?limit=2").status()).isEqualTo(200);
    }
  }

  /** The store of the directory, which counts the conversations that it loads. */
  private Store counted(AtomicInteger loads) {
    Store store = SqliteStore.open(directory);
    return (Store)
        Proxy.newProxyInstance(
            Store.class.getClassLoader(),
            new Class<?>[] {Store.class},
            (unused, method, arguments) -> {
              if (method.getName().equals("load")) {
                loads.incrementAndGet();
              }
              try {
                return method.invoke(store, arguments);
              } catch (InvocationTargetException thrown) {
                throw thrown.getTargetException();
              }
            });
  }

  @Test
  void longListsOfRulesAndMessagesAreRefused() {
    try (TestServer served = new TestServer(directory)) {
      served.post(C + "/turns", "{\"prompt\":\"x\"}");
      String rule = "{\"type\":\"exit_loop\",\"tool\":\"t\"}";
      Got rules =
          served.post(
              C + "/rules/check",
              "{\"call\":{\"tool\":\"t\"},\"tool_rules\":["
                  + (rule + ",").repeat(1_000)
                  + rule
                  + "]}");
      assertThat(rules.status()).isEqualTo(400);
      assertThat(rules.code()).isEqualTo("rule_invalid");
      String message = "{\"role\":\"user\",\"content\":\"x\"}";
      Got messages =
          served.post(
              "/v1/validate",
              "{\"provider\":\"openai_chat\",\"model\":\"gpt-5\",\"request\":{\"messages\":["
                  + (message + ",").repeat(20_000)
                  + message
                  + "]}}");
      assertThat(messages.status()).isEqualTo(422);
      assertThat(messages.code()).isEqualTo("limit_exceeded");
    }
  }

  @Test
  void anOverrideHeaderChangesNoMethod() {
    try (TestServer served = new TestServer(directory)) {
      assertThat(served.post(C + "/turns", "{\"prompt\":\"x\"}").status()).isEqualTo(201);
      for (int i = 0; i < 600; i++) {
        String other = i % 2 == 0 ? "DELETE" : "BEFORE";
        Got got = served.send("GET", C, null, "X-HTTP-Method-Override", other);
        assertThat(got.status()).as(other).isEqualTo(200);
      }
      assertThat(served.get(C).status()).isEqualTo(200);
      assertThat(served.get("/metrics").text()).contains(RUNNING_ONLY_THIS);
    }
  }
}
