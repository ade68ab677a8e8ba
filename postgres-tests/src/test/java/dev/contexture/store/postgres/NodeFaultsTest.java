package dev.contexture.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.Contexture;
import dev.contexture.Turn;
import dev.contexture.block.Scope;
import dev.contexture.store.jdbc.Db;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What servers acknowledged is there, whatever dies: one of them, all connections, the database.
 * How often is a property of the build; the long form is for a night.
 */
@Timeout(3_600)
class NodeFaultsTest {
  private static final int CLIENTS = 16;
  private static final int MANY_TURNS = 100_000;
  private static final String FOLLOWED = "followed";

  @TempDir Path directory;

  private static int property(String name) {
    return Integer.getInteger("contexture.postgres." + name);
  }

  @Test
  void aServerIsKilledUnderLoadAndTheOtherGoesOn() throws Exception {
    int kills = property("kills");
    PostgresServer database = PostgresServer.newest();
    try (NodePair nodes = new NodePair(directory, database.empty("killed"));
        NodeLoad load = new NodeLoad(nodes, CLIENTS, MANY_TURNS);
        EventFollower follower = followed(nodes)) {
      nodes.mayBeGone = true;
      for (int kill = 0; kill < kills; kill++) {
        load.awaitTurns(CLIENTS);
        nodes.node(kill).kill();
        load.awaitTurns(CLIENTS); // by the other one alone
        if (kill % 5 == 4) {
          database.admin(
              "postgres",
              "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'killed'");
        }
        nodes.turn(0, FOLLOWED, kill + 1);
        nodes.node(kill).startAgain();
      }
      assertFollowed(follower, nodes);
      assertThat(follower.begun.get()).as("streams, as servers died").isGreaterThan(1);
      load.assertNothingLost();
      assertThat(nodes.done.get()).isGreaterThanOrEqualTo(2 * CLIENTS * kills);
      tell("kills", kills, nodes);
    }
  }

  @Test
  void theDatabaseIsStoppedUnderLoadAndServersGoOnByThemselves() throws Exception {
    int stops = property("stops");
    try (StoppableDatabase database = new StoppableDatabase(directory.resolve("database"));
        NodePair nodes = new NodePair(directory, database.settings());
        NodeLoad load = new NodeLoad(nodes, CLIENTS, MANY_TURNS);
        EventFollower follower = followed(nodes)) {
      for (int stop = 0; stop < stops; stop++) {
        load.awaitTurns(CLIENTS);
        int before = nodes.refused.get();
        if (stop % 2 == 0) {
          database.crash();
        } else {
          database.stop();
        }
        awaitRefusal(nodes, before);
        database.startAgain();
        nodes.turn(0, FOLLOWED, stop + 1);
      }
      assertFollowed(follower, nodes);
      load.awaitTurns(CLIENTS);
      assertReady(nodes.node(0));
      assertReady(nodes.node(1));
      load.assertNothingLost();
      tell("stops", stops, nodes);
    }
  }

  private static EventFollower followed(NodePair nodes) throws Exception {
    nodes.turn(0, FOLLOWED, 0);
    return new EventFollower(nodes, FOLLOWED);
  }

  /** A reader that goes on from its last id lost nothing. */
  private static void assertFollowed(EventFollower follower, NodePair nodes) throws Exception {
    follower.assertToldUpTo(
        nodes.version(FOLLOWED), NodePair.seq(nodes.blocks(0, FOLLOWED).getLast()));
  }

  private static void awaitRefusal(NodePair nodes, int before) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
    while (nodes.refused.get() == before) {
      assertThat(System.nanoTime()).as("503 within two minutes").isLessThan(end);
      Thread.sleep(20);
    }
  }

  private static void assertReady(ServedNode node) throws Exception {
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
    HttpResponse<String> answer = node.send("GET", "/readyz", null);
    while (answer.statusCode() != 200 && System.nanoTime() < end) {
      Thread.sleep(100);
      answer = node.send("GET", "/readyz", null);
    }
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    assertThat(node.isRunning()).isTrue();
  }

  /** For whoever runs the long form. */
  private static void tell(String what, int times, NodePair nodes) {
    System.getLogger(NodeFaultsTest.class.getName())
        .log(
            System.Logger.Level.WARNING,
            "{0} {1}: {2} turns acknowledged and found, {3} answers of 503",
            times,
            what,
            nodes.done.get(),
            nodes.refused.get());
  }

  @Test
  void aCommitThatComesLateIsPassedOverByNobody() throws Exception {
    int seconds = property("held");
    PostgresServer database = PostgresServer.newest();
    PostgresSettings settings = database.empty("held");
    CountDownLatch reached = new CountDownLatch(1);
    CountDownLatch mayCommit = new CountDownLatch(1);
    AtomicBoolean holds = new AtomicBoolean();
    Db.FaultPoint held =
        point -> {
          if (point.equals("COMMIT") && holds.compareAndSet(true, false)) {
            reached.countDown();
            await(mayCommit);
          }
        };
    PostgresSettings patient =
        settings.timeouts(Duration.ofMinutes(5), Duration.ofMinutes(5), Duration.ofSeconds(10));
    try (NodePair nodes = new NodePair(directory, settings);
        Contexture late =
            Contexture.builder(PostgresStore.open(patient, held, new PostgresSchema("held")))
                .build();
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      try {
        Scope.OfConversation chat = Scope.of("local", "local").user("ann").conversation("late");
        Turn turn = late.browser(chat).startTurn("the zebra was late");
        holds.set(true);
        Future<?> finish = threads.submit(() -> turn.finish("the okapi waited"));
        assertThat(reached.await(1, TimeUnit.MINUTES)).isTrue();
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        String agent = "/v1/agents/atlas";
        HttpResponse<InputStream> memory = nodes.node(0).stream(agent + "/events");
        nodes.node(1).ok("POST", agent + "/archival", "{\"content\":\"a quagga\"}");
        String label = "{\"label\":\"notes\",\"block_type\":\"core\",\"content\":\"x\"}";
        nodes.node(1).ok("POST", agent + "/blocks", label); // it waits for nobody
        int number = 0;
        while (number < 4 || System.nanoTime() < end) {
          nodes.turn(number, "meanwhile", number); // nobody waits for it
          assertThat(found(nodes.node(number), "okapi")).doesNotContain("okapi waited");
          number++;
        }
        assertThat(finish.isDone()).isFalse();
        assertThat(memory.body().available()).as("its beginning").isLessThan(100);
        mayCommit.countDown();
        finish.get();
        awaitLine(memory.body(), "event: created");
        for (int node = 0; node < 2; node++) {
          awaitFound(nodes.node(node), "okapi", "the okapi waited");
          awaitFound(nodes.node(node), "done " + (number - 1), "done " + (number - 1));
        }
      } finally {
        mayCommit.countDown(); // so that the threads end, also where the test fails
      }
    }
  }

  private static void awaitLine(InputStream body, String wanted) throws IOException {
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8))) {
      String line = lines.readLine();
      while (line != null && !line.equals(wanted)) {
        line = lines.readLine();
      }
      assertThat(line).isEqualTo(wanted);
    }
  }

  private static void await(CountDownLatch latch) throws SQLException {
    try {
      latch.await();
    } catch (InterruptedException stopped) {
      throw new SQLException(stopped);
    }
  }

  private static String found(ServedNode node, String words) throws IOException {
    return node.ok(
        "POST", "/v1/search", "{\"query\":\"" + words + "\",\"mode\":\"fts\",\"limit\":20}");
  }

  private static void awaitFound(ServedNode node, String words, String text) throws Exception {
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
    String answer = found(node, words);
    while (!answer.contains(text) && System.nanoTime() < end) {
      Thread.sleep(100);
      answer = found(node, words);
    }
    assertThat(answer).contains(text);
  }
}
