package dev.contexture.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.json.JsonNumber;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The index that each server keeps: what is erased leaves it, and a new server builds its own. */
@Timeout(600)
class NodeIndexTest {
  private static final String WORD = "wolpertinger";
  private static final String STEM = "wolperting"; // as it stands in the files
  private static final String CHAT = NodePair.USER + "c1";

  @TempDir Path directory;

  private final PostgresServer database = PostgresServer.newest();
  private PostgresSettings settings;
  private NodePair nodes;

  @BeforeEach
  void startServers() throws IOException {
    settings = database.empty("indexes");
    nodes = new NodePair(directory, settings);
  }

  @AfterEach
  void stopServers() {
    nodes.close();
  }

  private static String found(ServedNode node) throws IOException {
    return node.ok(
        "POST", "/v1/search", "{\"query\":\"" + WORD + "\",\"mode\":\"fts\",\"limit\":9}");
  }

  private boolean holds(String node) throws IOException {
    try (Stream<Path> files = Files.walk(directory.resolve(node).resolve("index-postgres"))) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        try {
          if (Files.readString(file, StandardCharsets.ISO_8859_1).contains(STEM)) {
            return true;
          }
        } catch (NoSuchFileException merged) {
          assertThat(merged).isNotNull(); // into one that is looked at, too
        }
      }
    }
    return false;
  }

  private void awaitHeld(String node, ServedNode served) throws Exception {
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
    while (!found(served).contains(WORD) || !holds(node)) {
      assertThat(System.nanoTime()).as(node + " indexes it").isLessThan(end);
      Thread.sleep(100);
    }
  }

  @Test
  void whatOneErasedIsInNoFileOfTheOtherWhenItAnswers() throws Exception {
    nodes.turn(0, "c0", 0);
    nodes.node(0).ok("POST", CHAT + "/turns", "{\"turn_id\":\"t0\",\"prompt\":\"a " + WORD + "\"}");
    nodes.node(0).ok("POST", CHAT + "/turns/t0/finish", "{\"completion\":\"done\"}");
    awaitHeld("one", nodes.node(0));
    awaitHeld("two", nodes.node(1));
    HttpResponse<String> erased = nodes.node(0).send("DELETE", CHAT, null);
    assertThat(erased.statusCode()).as(erased.body()).isIn(200, 204);
    assertThat(holds("two")).isFalse();
    assertThat(holds("one")).isFalse();
    assertThat(found(nodes.node(1))).doesNotContain("a " + WORD);
  }

  @Test
  void aServerThatWasKilledDropsItBeforeTheOthersSayThatItIsGone() throws Exception {
    nodes.node(0).ok("POST", CHAT + "/turns", "{\"turn_id\":\"t0\",\"prompt\":\"a " + WORD + "\"}");
    nodes.node(0).ok("POST", CHAT + "/turns/t0/finish", "{\"completion\":\"done\"}");
    awaitHeld("two", nodes.node(1));
    nodes.node(1).kill();
    assertThat(holds("two")).isTrue();
    HttpResponse<String> pending = nodes.node(0).send("DELETE", CHAT, null);
    assertThat(pending.statusCode()).as(pending.body()).isEqualTo(202); // it lived just now
    nodes.node(1).startAgain();
    HttpResponse<String> erased = pending;
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
    while (erased.statusCode() == 202) {
      assertThat(System.nanoTime()).as("erased").isLessThan(end);
      erased = nodes.node(0).send("DELETE", CHAT, null);
    }
    assertThat(erased.statusCode()).as(erased.body()).isIn(200, 204);
    assertThat(holds("two")).isFalse();
  }

  /** A transaction that stays open keeps what is written meanwhile from every index. */
  @Test
  void aNewServerWritesAndRendersAtOnceAndSaysThatItsIndexIsBehind() throws Exception {
    try (Connection open = database.connect("indexes", PostgresServer.ROLE);
        Statement statement = open.createStatement()) {
      open.setAutoCommit(false);
      statement.execute("SELECT pg_current_xact_id()");
      nodes
          .node(0)
          .ok("POST", CHAT + "/turns", "{\"turn_id\":\"t0\",\"prompt\":\"a " + WORD + "\"}");
      try (ServedNode third = new ServedNode(directory.resolve("three"), settings)) {
        third.ok("POST", CHAT + "/turns/t0/finish", "{\"completion\":\"by the third\"}");
        assertThat(third.ok("POST", CHAT + "/render", "{\"dialect\":\"native\"}"))
            .contains(WORD, "by the third");
        awaitLag(third, true);
        assertThat(found(third)).contains("index_lag").doesNotContain("a " + WORD);
        open.rollback();
        awaitLag(third, false);
        assertThat(found(third)).contains("a " + WORD);
        CommandLine.assertWorks(directory.resolve("three"), settings);
      }
    }
  }

  private static void awaitLag(ServedNode node, boolean behind) throws Exception {
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
    while (lag(node) > 0 != behind) {
      assertThat(System.nanoTime()).as("index_lag").isLessThan(end);
      Thread.sleep(50);
    }
  }

  private static long lag(ServedNode node) throws IOException {
    return ((JsonNumber) node.json("GET", "/healthz", null).find("index_lag").orElseThrow())
        .decimal()
        .longValueExact();
  }
}
