package dev.contexture.server;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.engine.retention.RetentionRules;
import dev.contexture.json.JsonObject;
import dev.contexture.server.TestServer.Got;
import dev.contexture.server.audit.AuditLog;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is older or more than rules say is erased for good, and nothing else. */
class ServerRetentionTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private static final String OLD = "zebraold";

  @TempDir Path directory;
  private final AtomicReference<Instant> now = new AtomicReference<>(START);
  private final List<String> log = new CopyOnWriteArrayList<>();
  private @Nullable TestServer running;

  private TestServer served() {
    return requireNonNull(running);
  }

  private void start(ServerDuties duties) {
    running =
        new TestServer(
            directory.resolve("data"),
            ServerOptions.local("test").withDuties(duties).withLog(log::add, false),
            settings -> settings.clock(now::get));
  }

  private void start() {
    start(ServerDuties.NONE.withAudit(new AuditLog(directory.resolve("audit.jsonl"))));
  }

  @AfterEach
  void stop() {
    if (running != null) {
      running.close();
    }
  }

  private static String path(String user, String conversation) {
    return "/v1/users/" + user + "/conversations/" + conversation;
  }

  private void talk(String user, String conversation, String text, String... headers) {
    String turn = "{\"prompt\":\"" + text + "\",\"turn_id\":\"t1\",\"agent\":\"atlas\"}";
    String at = path(user, conversation);
    assertThat(served().send("POST", at + "/turns", turn, headers).status()).isEqualTo(201);
    String request = "{\"provider\":\"anthropic\",\"model\":\"claude-opus-5\",\"agent\":\"atlas\"}";
    assertThat(served().send("POST", at + "/request", request, headers).status()).isEqualTo(200);
    String end = "{\"completion\":\"done\"}";
    assertThat(served().send("POST", at + "/turns/t1/finish", end, headers).status())
        .isEqualTo(200);
  }

  private JsonObject run(String rules, boolean dryRun, String... headers) {
    String body = "{\"rules\":\"" + rules + "\",\"dry_run\":" + dryRun + "}";
    Got got = served().send("POST", "/v1/retention", body, headers);
    assertThat(got.status()).as(got.text()).isEqualTo(200);
    return got.json();
  }

  private void later(Duration time) {
    now.set(now.get().plus(time));
  }

  private static void await(BooleanSupplier met) {
    long end = System.nanoTime() + Duration.ofMinutes(2).toNanos();
    while (!met.getAsBoolean()) {
      assertThat(System.nanoTime()).as("in two minutes").isLessThan(end);
      LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
    }
  }

  private boolean isInFiles(String text) {
    try (Stream<Path> files = Files.walk(directory.resolve("data"))) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        String content = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
        if (content.contains(text)) {
          return true;
        }
      }
      return false;
    } catch (IOException gone) {
      return true; // a file that goes while it is read: look again
    }
  }

  @Test
  void erasesOldConversationsOnceItIsNoDryRun() throws IOException {
    start();
    talk("u1", "old", OLD);
    talk("u2", "old", OLD);
    later(Duration.ofDays(10));
    talk("u1", "new", "hello");
    JsonObject dry = run("conversations=5d", true);
    assertThat(dry.object("counts").orElseThrow().toJson())
        .isEqualTo("{\"conversations\":2,\"requests\":0,\"events\":0}");
    assertThat(dry.toJson()).contains("\"conversation\":\"old\"", "\"user\":\"u2\"");
    assertThat(served().get(path("u1", "old")).status()).isEqualTo(200);
    assertThat(run("conversations=11d", false).object("counts").orElseThrow().toJson())
        .contains("\"conversations\":0");
    JsonObject real = run("conversations=5d", false);
    assertThat(real.object("counts")).isEqualTo(dry.object("counts"));
    assertThat(served().get(path("u1", "old")).status()).isEqualTo(404);
    assertThat(served().get(path("u2", "old")).status()).isEqualTo(404);
    assertThat(served().get(path("u1", "new")).status()).isEqualTo(200);
    await(() -> !isInFiles(OLD));
    assertThat(Files.readString(directory.resolve("audit.jsonl")))
        .contains("\"action\":\"retention\"", "\"conversation\":\"old\"", "\"user\":\"u2\"")
        .doesNotContain("\"conversation\":\"new\"");
  }

  @Test
  void keepsTheNewestOfAUserAndWhatIsBeingWorkedOn() {
    start();
    String open = "{\"prompt\":\"hi\",\"turn_id\":\"t1\"}";
    assertThat(served().post(path("u1", "open") + "/turns", open).status()).isEqualTo(201);
    for (int i = 1; i <= 4; i++) {
      later(Duration.ofMinutes(1));
      talk("u1", "c" + i, "hello");
      talk("u2", "only", "hello", "X-Project", "p" + i);
    }
    assertThat(run("conversations=2", false).object("counts").orElseThrow().toJson())
        .contains("\"conversations\":2");
    assertThat(
            Stream.of("open", "c1", "c2", "c3", "c4")
                .map(c -> served().get(path("u1", c)).status()))
        .containsExactly(200, 404, 404, 200, 200);
    later(Duration.ofDays(2));
    assertThat(run("conversations=1d", false).object("counts").orElseThrow().toJson())
        .as("all projects, also where a turn was left open")
        .contains("\"conversations\":7");
  }

  @Test
  void erasesOnlyOfTheProjectThatIsNamed() {
    start();
    talk("u1", "c1", "hello");
    talk("u1", "c1", "hello", "X-Tenant", "acme", "X-Project", "shop");
    later(Duration.ofDays(2));
    assertThat(
            run("conversations=1d", false, "X-Tenant", "acme", "X-Project", "shop")
                .object("counts")
                .orElseThrow()
                .toJson())
        .contains("\"conversations\":1");
    assertThat(served().get(path("u1", "c1")).status()).isEqualTo(200);
  }

  @Test
  void erasesRequestRecordsAndEventsAndLeavesTheRest() throws IOException {
    start();
    talk("u1", "c1", "hello");
    String block = "{\"label\":\"notes\",\"block_type\":\"core\",\"content\":\"a\"}";
    assertThat(served().post("/v1/agents/atlas/blocks", block).status()).isEqualTo(201);
    later(Duration.ofDays(2));
    String requests = path("u1", "c1") + "/requests";
    assertThat(served().get(requests).json().array("requests").orElseThrow().items()).hasSize(1);
    JsonObject gone = run("requests=1d,events=1d", false);
    assertThat(gone.object("counts").orElseThrow().toJson())
        .matches("\\{\"conversations\":0,\"requests\":1,\"events\":[1-9][0-9]*\\}");
    assertThat(served().get(requests).json().array("requests").orElseThrow().items()).isEmpty();
    assertThat(served().get(path("u1", "c1") + "/turns").text()).contains("t1");
    assertThat(served().get("/v1/agents/atlas/blocks/notes").status()).isEqualTo(200);
    assertThat(run("requests=1d,events=1d", false).object("counts").orElseThrow().toJson())
        .isEqualTo("{\"conversations\":0,\"requests\":0,\"events\":0}");
    assertThat(Files.readString(directory.resolve("audit.jsonl"))).contains("\"requests\":1");
    String next = "{\"prompt\":\"more\",\"turn_id\":\"t2\",\"agent\":\"atlas\"}";
    assertThat(served().post(path("u1", "c1") + "/turns", next).status()).isEqualTo(201);
    String request = "{\"provider\":\"anthropic\",\"model\":\"claude-opus-5\",\"agent\":\"atlas\"}";
    assertThat(served().post(path("u1", "c1") + "/request", request).status())
        .as("what the last request was is not known any more")
        .isEqualTo(200);
  }

  @Test
  void runsByItselfWithTheRulesOfTheServer() {
    start(
        ServerDuties.NONE
            .withRetention(RetentionRules.parse("conversations=1d"))
            .withRetentionEvery(Duration.ofMillis(50)));
    talk("u1", "c1", "hello");
    talk("u1", "c2", "hello");
    await(() -> log.stream().anyMatch(line -> line.contains("\"event\":\"retention\"")));
    assertThat(served().get(path("u1", "c1")).status()).isEqualTo(200);
    later(Duration.ofDays(2));
    await(() -> served().get(path("u1", "c1")).status() == 404);
    await(() -> served().get(path("u1", "c2")).status() == 404);
    assertThat(log).noneMatch(line -> line.contains("task_failed"));
  }

  @Test
  void refusesToRunWithoutRules() {
    start();
    Got got = served().post("/v1/retention", "{}");
    assertThat(got.status()).isEqualTo(400);
    assertThat(got.text()).contains("there are no rules");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "conversations",
        "conversations=",
        "conversations=0",
        "conversations=5x",
        "chats=5d",
        "conversations=5d,conversations=6d",
        "requests=1,requests=2"
      })
  void refusesRulesThatAreNone(String rules) {
    start();
    Got got = served().post("/v1/retention", "{\"rules\":\"" + rules + "\"}");
    assertThat(got.status()).as(got.text()).isEqualTo(400);
    assertThat(got.code()).isEqualTo("invalid_argument");
  }
}
