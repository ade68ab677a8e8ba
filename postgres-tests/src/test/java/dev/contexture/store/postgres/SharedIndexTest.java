package dev.contexture.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.json.JsonObject;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Two servers, each a process, whose search index is in the database. */
@Timeout(600)
class SharedIndexTest {
  private static final String SEARCH = "/v1/agents/atlas/search";

  @TempDir Path directory;

  private NodePair nodes;

  @BeforeEach
  void start() throws IOException {
    nodes =
        new NodePair(directory, PostgresServer.newest().empty("node_index"), "--index", "postgres");
  }

  @AfterEach
  void stop() {
    nodes.close();
  }

  private void say(int node, String conversation, String prompt) throws Exception {
    String path = NodePair.USER + conversation + "/turns";
    nodes.post(
        node, path, "{\"turn_id\":\"t0\",\"agent\":\"atlas\",\"prompt\":\"" + prompt + "\"}");
    nodes.post(node, path + "/t0/finish", "{\"completion\":\"done\"}");
  }

  private int hits(int node, String query) throws IOException {
    JsonObject found = nodes.node(node).json("POST", SEARCH, "{\"query\":\"" + query + "\"}");
    return found.array("hits").orElseThrow().items().size();
  }

  /** A busy machine may answer before the index is there, and says so then. */
  private void awaitHits(int node, String query, int expected) throws Exception {
    int found = hits(node, query);
    while (found != expected) { // bounded by the time of the test
      Thread.sleep(100);
      found = hits(node, query);
    }
    assertThat(found).isEqualTo(expected);
  }

  @Test
  void oneFindsWhatTheOtherWasToldUntilItIsErasedAndNoDirectoryHoldsAnIndex() throws Exception {
    say(0, "c0", "a narwhal in Oslo");
    say(1, "c1", "a walrus in Bergen");
    for (int node = 0; node < 2; node++) {
      awaitHits(node, "narwhal", 1);
      awaitHits(node, "walrus", 1);
      assertThat(nodes.node(node).json("GET", "/healthz", null).string("index"))
          .contains("postgres");
    }
    HttpResponse<String> erased = nodes.node(1).send("DELETE", NodePair.USER + "c0", null);
    while (erased.statusCode() == 202) { // asking again tells
      Thread.sleep(100);
      erased = nodes.node(1).send("DELETE", NodePair.USER + "c0", null);
    }
    assertThat(erased.statusCode()).as(erased.body()).isIn(200, 204);
    assertThat(
            PostgresServer.newest()
                .query("node_index", "postgres", "SELECT term FROM search_terms"))
        .contains("walru")
        .doesNotContain("narwhal");
    assertThat(hits(0, "narwhal")).isZero();
    awaitHits(1, "walrus", 1);
    for (String data : new String[] {"one", "two"}) {
      try (Stream<Path> files = Files.list(directory.resolve(data))) {
        assertThat(files.filter(Files::isDirectory)).isEmpty();
      }
    }
  }
}
