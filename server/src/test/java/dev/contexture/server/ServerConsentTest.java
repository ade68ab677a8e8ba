package dev.contexture.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.memory.schema.MemoryLimits;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Writes that wait for the approval of a human (H-8, M-14, M-129). */
class ServerConsentTest {
  private static final String A = "/v1/agents/atlas";
  private static final String OPS = A + "/blocks/notes/ops";
  private static final String APPEND = "{\"ops\":[{\"op\":\"append\",\"content\":\"y\"}]}";
  private static final String GRANT = "{\"decision\":\"grant\"}";

  @TempDir Path directory;
  private @Nullable TestServer served;
  private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();

  private TestServer serve(Duration wait, ServerLimits limits, String level) {
    TestServer made =
        new TestServer(
            directory,
            ServerOptions.local("test").withLimits(limits),
            settings -> settings.memoryLimits(MemoryLimits.DEFAULT.withConsentWait(wait)));
    served = made;
    made.post(
        A + "/blocks",
        "{\"label\":\"notes\",\"block_type\":\"working\",\"content\":\"x\",\"permission\":\""
            + level
            + "\"}");
    return made;
  }

  private TestServer serve(String level) {
    return serve(Duration.ofSeconds(60), ServerLimits.DEFAULT, level);
  }

  @AfterEach
  void close() {
    if (served != null) {
      served.close();
    }
    executor.close();
  }

  private CompletableFuture<TestServer.Got> write(TestServer to) {
    return CompletableFuture.supplyAsync(() -> to.post(OPS, APPEND), executor);
  }

  private static JsonObject waiting(TestServer at) throws InterruptedException {
    for (int i = 0; i < 2_000; i++) {
      List<JsonObject> all = all(at);
      if (!all.isEmpty()) {
        return all.getFirst();
      }
      Thread.sleep(10);
    }
    throw new AssertionError("nothing waits");
  }

  /** All that wait; where the server is full for a moment, it is asked again. */
  private static List<JsonObject> all(TestServer at) {
    TestServer.Got got = at.get(A + "/consents");
    for (int i = 0; i < 2_000 && (got.status() == 429 || got.status() == 503); i++) {
      got = at.get(A + "/consents");
    }
    return got.json().array("consents").orElseThrow().items().stream()
        .map(JsonObject.class::cast)
        .toList();
  }

  private static TestServer.Got decide(TestServer at, String who, String id, String decision) {
    return at.send("POST", A + "/consents/" + id, decision, "X-Actor", who);
  }

  private static void refused(TestServer.Got got, int status, String code) {
    assertThat(got.status()).as(got.text()).isEqualTo(status);
    assertThat(got.code()).isEqualTo(code);
  }

  @Test
  void anAgentWithoutAPartnerIsRefusedAtOnce() {
    TestServer server = serve("human");
    refused(server.post(OPS, APPEND), 403, "consent_denied");
    refused(server.send("PUT", A, "{\"partner\":\"agent:bert\"}"), 400, "invalid_argument");
    assertThat(server.send("PUT", A, "{\"partner\":\"human:pat\",\"name\":\"Atlas\"}").text())
        .contains("\"partner\":\"human:pat\"", "\"name\":\"Atlas\"");
    assertThat(server.send("PUT", A, "{\"partner\":\"\"}").text()).contains("\"partner\":null");
    refused(server.post(OPS, APPEND), 403, "consent_denied");
  }

  @Test
  void thePartnerAloneDecidesAtThatLevel() throws Exception {
    TestServer server = serve("partner");
    server.send("PUT", A, "{\"partner\":\"human:pat\"}");
    CompletableFuture<TestServer.Got> write = write(server);
    JsonObject entry = waiting(server);
    assertThat(entry.string("kind")).contains("partner");
    assertThat(entry.string("preview")).contains("- x\n+ xy");
    String id = entry.string("id").orElseThrow();
    refused(decide(server, "human:eve", id, GRANT), 403, "access_denied");
    refused(decide(server, "agent:atlas", id, GRANT), 403, "access_denied");
    refused(decide(server, "human:pat", "con_x", GRANT), 404, "not_found");
    refused(decide(server, "human:pat", id, "{\"decision\":\"maybe\"}"), 400, "invalid_argument");
    assertThat(decide(server, "human:pat", id, GRANT).status()).isEqualTo(200);
    assertThat(write.get().number("version")).isEqualTo(2);
    refused(decide(server, "human:pat", id, GRANT), 404, "not_found"); // it was decided
    assertThat(server.get(A + "/blocks/notes/history").text())
        .contains("\"granted_by\":\"human:pat\"");
  }

  @Test
  void anyHumanDecidesAtTheLevelHuman() throws Exception {
    TestServer server = serve("human");
    server.send("PUT", A, "{\"partner\":\"human:pat\"}");
    CompletableFuture<TestServer.Got> write = write(server);
    String id = waiting(server).string("id").orElseThrow();
    decide(server, "human:eve", id, "{\"decision\":\"deny\",\"reason\":\"not now\"}");
    refused(write.get(), 403, "consent_denied");
    assertThat(write.get().text()).contains("not now");
    assertThat(server.get(A + "/blocks/notes").string("rendered")).isEqualTo("x");
  }

  @Test
  void whatWaitsSaysForWhichUser() throws Exception {
    TestServer server = serve("human");
    server.send("PUT", A, "{\"partner\":\"human:pat\"}");
    server.post(
        A + "/blocks",
        "{\"label\":\"hers\",\"block_type\":\"working\",\"content\":\"x\",\"permission\":\"human\","
            + "\"user\":\"alice\"}");
    CompletableFuture<TestServer.Got> write =
        CompletableFuture.supplyAsync(
            () ->
                server.post(
                    A + "/blocks/hers/ops",
                    "{\"ops\":[{\"op\":\"append_text\",\"text\":\"y\"}],\"user\":\"alice\"}"),
            executor);
    JsonObject entry = waiting(server);
    assertThat(entry.string("user")).contains("alice");
    assertThat(entry.string("label")).contains("hers");
    decide(server, "human:eve", entry.string("id").orElseThrow(), GRANT);
    assertThat(write.get().number("version")).isEqualTo(2);
    CompletableFuture<TestServer.Got> other = write(server);
    assertThat(waiting(server).string("user")).as("a block for all").isEmpty();
    decide(server, "human:eve", waiting(server).string("id").orElseThrow(), GRANT);
    assertThat(other.get().status()).isEqualTo(200);
  }

  @Test
  void nobodyWaitsLongerThanTheSettingSays() {
    TestServer server = serve(Duration.ofMillis(200), ServerLimits.DEFAULT, "human");
    server.send("PUT", A, "{\"partner\":\"human:pat\"}");
    TestServer.Got late = server.post(OPS, APPEND);
    refused(late, 403, "consent_denied");
    assertThat(late.text()).contains("no answer in time");
    assertThat(all(server)).isEmpty();
  }

  @Test
  void callsThatWaitKeepNobodyOut() throws Exception {
    TestServer server =
        serve(Duration.ofSeconds(60), ServerLimits.DEFAULT.withConcurrency(2, 1), "human");
    server.send("PUT", A, "{\"partner\":\"human:pat\"}");
    CompletableFuture<TestServer.Got> one = write(server);
    String id = waiting(server).string("id").orElseThrow(); // another request, while one waits
    CompletableFuture<TestServer.Got> tool =
        CompletableFuture.supplyAsync(
            () ->
                server.post(
                    A + "/tools/block_edit",
                    "{\"params\":{\"op\":\"append\",\"label\":\"notes\",\"content\":\"z\"}}"),
            executor);
    for (int i = 0; i < 2_000 && all(server).size() < 2; i++) { // a third request, while two wait
      Thread.sleep(10);
    }
    assertThat(all(server)).hasSize(2);
    while (!one.isDone() || !tool.isDone()) { // the second is shown anew after the first
      for (JsonObject entry : all(server)) {
        decide(server, "human:pat", entry.string("id").orElseThrow(), GRANT);
      }
    }
    assertThat(one.get().status()).isEqualTo(200);
    assertThat(tool.get().text()).contains("\"success\":true");
    assertThat(id).startsWith("con_");
  }

  @Test
  void aStopEndsThoseThatWait() throws Exception {
    TestServer server = serve("human");
    server.send("PUT", A, "{\"partner\":\"human:pat\"}");
    CompletableFuture<TestServer.Got> write = write(server);
    waiting(server);
    server.server().close();
    refused(write.get(), 403, "consent_denied");
    assertThat(write.get().text()).contains("the server stops");
  }

  @Test
  void aCallerThatLeavesTakesItsQuestionWithIt() throws Exception {
    TestServer server =
        serve(
            Duration.ofHours(1),
            ServerLimits.DEFAULT.withTimes(
                ServerTimes.DEFAULT.withWork(Duration.ofMillis(100))), // no limit for the wait
            "human");
    server.send("PUT", A, "{\"partner\":\"human:pat\"}");
    try (Raw caller = new Raw(server)) {
      caller.say(Raw.post(OPS, APPEND.length()) + APPEND);
      String id = waiting(server).string("id").orElseThrow();
      long longer = System.nanoTime() + Duration.ofSeconds(1).toNanos(); // than it may work
      while (System.nanoTime() < longer) {
        assertThat(waiting(server).string("id")).contains(id);
      }
    }
    for (int i = 0; i < 6_000 && !all(server).isEmpty(); i++) {
      Thread.sleep(10);
    }
    assertThat(all(server)).isEmpty();
    assertThat(server.get(A + "/blocks/notes").string("rendered")).isEqualTo("x");
    assertThat(server.get("/metrics").text()).contains("contexture_http_active 1");
  }

  @Test
  void aGrantAppliesOnlyToWhatWasShown() throws Exception {
    TestServer server = serve("human");
    server.send("PUT", A, "{\"partner\":\"human:pat\"}");
    String set = "{\"ops\":[{\"op\":\"set_text\",\"text\":\"%s\"}]}";
    CompletableFuture<TestServer.Got> write =
        CompletableFuture.supplyAsync(
            () -> server.post(OPS, set.formatted("the agent's")), executor);
    String seen = waiting(server).string("id").orElseThrow();
    TestServer.Got edit =
        server.send("POST", OPS, set.formatted("a person's"), "X-Actor", "human:pat");
    assertThat(edit.status()).as(edit.text()).isEqualTo(200);
    TestServer.Got stale = decide(server, "human:pat", seen, GRANT);
    assertThat(stale.status()).as(stale.text()).isIn(404, 409); // withdrawn already, or just now
    JsonObject anew = waiting(server);
    for (int i = 0; i < 2_000 && anew.string("id").orElseThrow().equals(seen); i++) {
      Thread.sleep(10);
      anew = waiting(server);
    }
    assertThat(server.get(A + "/blocks/notes").string("rendered")).isEqualTo("a person's");
    assertThat(anew.string("id").orElseThrow()).isNotEqualTo(seen);
    assertThat(anew.string("preview").orElseThrow()).startsWith("- a person's\n+ ");
    String shown = anew.string("preview").orElseThrow().substring("- a person's\n+ ".length());
    decide(server, "human:pat", anew.string("id").orElseThrow(), GRANT);
    assertThat(write.get().number("version")).isEqualTo(3);
    assertThat(server.get(A + "/blocks/notes").string("rendered")).isEqualTo(shown);
  }

  @Test
  void aPreviewSaysHowMuchOfItIsMissing() throws Exception {
    TestServer server = serve("human");
    server.send("PUT", A, "{\"partner\":\"human:pat\"}");
    CompletableFuture<TestServer.Got> write =
        CompletableFuture.supplyAsync(
            () -> server.post(OPS, APPEND.replace("y", "y".repeat(3_000))), executor);
    JsonObject entry = waiting(server);
    assertThat(entry.find("preview_omitted")).contains(JsonValue.of(1_007)); // of - x, + xyyy…
    assertThat(entry.string("preview").orElseThrow()).hasSize(2_001).endsWith("…");
    decide(server, "human:pat", entry.string("id").orElseThrow(), "{\"decision\":\"deny\"}");
    refused(write.get(), 403, "consent_denied");
  }

  @ParameterizedTest
  @ValueSource(strings = {"finish", "erase"})
  void aToolWhoseTurnEndsWhileItWaitsChangesNothing(String how) throws Exception {
    TestServer server = serve("human");
    server.send("PUT", A, "{\"partner\":\"human:pat\"}");
    server.post(
        TestServer.C + "/turns", "{\"prompt\":\"Hi\",\"turn_id\":\"t1\",\"agent\":\"atlas\"}");
    CompletableFuture<TestServer.Got> tool =
        CompletableFuture.supplyAsync(
            () ->
                server.post(
                    TestServer.C + "/tools/block_edit",
                    "{\"params\":{\"op\":\"append\",\"label\":\"notes\",\"content\":\"z\"}}"),
            executor);
    String id = waiting(server).string("id").orElseThrow();
    TestServer.Got ended =
        how.equals("erase")
            ? server.send("DELETE", TestServer.C, null)
            : server.post(TestServer.C + "/turns/t1/finish", "{\"completion\":\"ok\"}");
    assertThat(ended.status()).as(ended.text()).isIn(200, 202, 204);
    TestServer.Got late = decide(server, "human:pat", id, GRANT); // before or after it noticed
    assertThat(late.status()).as(late.text()).isIn(200, 404);
    refused(tool.get(), 409, "turn_closed");
    assertThat(server.get(A + "/blocks/notes").string("rendered")).isEqualTo("x");
  }
}
