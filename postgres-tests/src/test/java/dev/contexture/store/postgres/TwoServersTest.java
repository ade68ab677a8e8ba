package dev.contexture.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.Contexture;
import dev.contexture.Turn;
import dev.contexture.block.Scope;
import dev.contexture.json.JsonNumber;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonText;
import dev.contexture.json.JsonValue;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Two servers, each a process, on one database. */
@Timeout(600)
class TwoServersTest {
  private static final int CLIENTS = 64;
  private static final String AGENT = "/v1/agents/atlas";
  private static final Scope.OfUser ANN = Scope.of("local", "local").user("ann");

  @TempDir Path directory;

  private final PostgresServer database = PostgresServer.newest();
  private NodePair nodes;

  @BeforeEach
  void startServers() throws IOException {
    nodes = new NodePair(directory, database.empty("servers"));
  }

  @AfterEach
  void stopServers() {
    nodes.close();
  }

  @Test
  void clientsThatAlternateFindWhatTheyWroteWholeAndInOrder() throws Exception {
    try (NodeLoad load = new NodeLoad(nodes, CLIENTS, 2, 2)) {
      load.awaitTurns(CLIENTS * 2);
      load.assertNothingLost();
    }
    assertThat(nodes.done.get()).isEqualTo(CLIENTS * 2);
  }

  /** Not the text alone: keys of provider caches come from a secret that both have. */
  @Test
  void requestsToAProviderAreTheSameBytes() throws Exception {
    String path = NodePair.USER + "c0";
    nodes.turn(0, "c0", 0);
    nodes.post(0, path + "/turns", "{\"turn_id\":\"open\",\"prompt\":\"and now?\"}");
    String ask =
        "{\"provider\":\"openai_chat\",\"model\":\"gpt-5.2\",\"base_instructions\":\"Be brief.\"}";
    String first = nodes.node(0).ok("POST", path + "/request", ask);
    String second = nodes.node(1).ok("POST", path + "/request", ask);
    assertThat(JsonText.member(first, "request"))
        .isPresent()
        .isEqualTo(JsonText.member(second, "request"));
    assertThat(first).contains("prompt_cache_key");
  }

  @Test
  void bothCompactAConversationAtOnceWhileItIsWritten() throws Exception {
    String chat = "long";
    List<String> acknowledged = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      acknowledged.addAll(nodes.turn(i, chat, i));
    }
    String ask = "{\"force\":true,\"keep_recent_turns\":2}";
    List<Future<Integer>> compactions = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 6; i++) {
        int node = i;
        compactions.add(
            threads.submit(
                () ->
                    nodes
                        .node(node)
                        .send("POST", NodePair.USER + chat + "/compact", ask)
                        .statusCode()));
      }
      for (int i = 8; i < 14; i++) {
        acknowledged.addAll(nodes.turn(i, chat, i));
      }
    }
    for (Future<Integer> compaction : compactions) {
      assertThat(compaction.get()).isIn(200, 409); // another one was first
    }
    String path = NodePair.USER + chat;
    assertThat(nodes.node(0).ok("GET", path + "/summaries", null))
        .isEqualTo(nodes.node(1).ok("GET", path + "/summaries", null))
        .contains("summary_id");
    nodes.assertSameBytes(chat);
    List<String> stored =
        nodes.blocks(0, chat).stream().flatMap(block -> block.string("text").stream()).toList();
    assertThat(stored.stream().filter(acknowledged::contains))
        .containsExactlyElementsOf(acknowledged);
    assertThat(nodes.blocks(1, chat)).isEqualTo(nodes.blocks(0, chat));
  }

  @Test
  void bothEditOneMemoryBlockAndEachSeesTheOthersEditAtItsNextAccess() throws Exception {
    String notes = AGENT + "/blocks/notes";
    nodes.node(0).ok("PUT", AGENT, "{\"name\":\"Atlas\"}");
    nodes
        .node(0)
        .ok(
            "POST",
            AGENT + "/blocks",
            "{\"label\":\"notes\",\"block_type\":\"core\",\"content\":\"begin\",\"permission\":\"admin\"}");
    int edits = 24;
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<String>> running = new ArrayList<>();
      for (int i = 0; i < edits; i++) {
        int number = i;
        String op = "{\"ops\":[{\"op\":\"append_text\",\"text\":\"[edit " + number + "]\"}]}";
        running.add(threads.submit(() -> nodes.node(number).ok("POST", notes + "/ops", op)));
      }
      for (Future<String> edit : running) {
        edit.get();
      }
    }
    String merged = rendered(0, notes);
    assertThat(rendered(1, notes)).isEqualTo(merged).startsWith("begin");
    assertThat(IntStream.range(0, edits).mapToObj(n -> "[edit " + n + "]"))
        .allSatisfy(edit -> assertThat(merged).containsOnlyOnce(edit));
    for (int i = 0; i < 4; i++) {
      String text = "[next " + i + "]";
      nodes
          .node(i)
          .ok(
              "POST",
              notes + "/ops",
              "{\"ops\":[{\"op\":\"append_text\",\"text\":\"" + text + "\"}]}");
      assertThat(rendered(i + 1, notes)).endsWith(text);
    }
  }

  private String rendered(int node, String block) throws IOException {
    return nodes.node(node).json("GET", block, null).string("rendered").orElseThrow();
  }

  @Test
  void theEventsOfOneShowWhatTheOtherWrote() throws Exception {
    String path = NodePair.USER + "c0";
    nodes.node(1).ok("POST", path + "/turns", "{\"turn_id\":\"t0\",\"prompt\":\"go\"}");
    HttpResponse<InputStream> events = nodes.node(0).stream(path + "/events?after=0");
    int written = 40;
    List<Long> versions = new ArrayList<>();
    List<Long> seqs = new ArrayList<>();
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(events.body(), StandardCharsets.UTF_8))) {
      for (int i = 0; i < written; i++) {
        String block = NodePair.block("n" + i, "note " + i);
        nodes.node(i % 4 == 3 ? 0 : 1).ok("POST", path + "/blocks", "{\"blocks\":[" + block + "]}");
      }
      String data = "data: ";
      boolean last = false;
      while (!last) {
        String line = lines.readLine();
        assertThat(line).isNotNull();
        if (line.startsWith(data)) {
          JsonObject event = (JsonObject) JsonValue.parse(line.substring(data.length()));
          versions.add(number(event, "version"));
          if (event.has("seq")) {
            seqs.add(number(event, "seq"));
          }
          last = line.contains("\"note " + (written - 1) + "\"");
        }
      }
    }
    assertThat(seqs)
        .containsExactlyElementsOf(LongStream.rangeClosed(1, seqs.size()).boxed().toList());
    assertThat(versions.stream().distinct())
        .containsExactlyElementsOf(LongStream.rangeClosed(1, written + 1).boxed().toList());
  }

  private static long number(JsonObject event, String name) {
    return ((JsonNumber) event.find(name).orElseThrow()).asLong().orElseThrow();
  }

  @Test
  void eventsAndErasuresReachTheOtherServer() throws Exception {
    nodes.turn(0, "c0", 0);
    String path = NodePair.USER + "c0";
    HttpResponse<InputStream> events = nodes.node(0).stream(path + "/events?after=9999");
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(events.body(), StandardCharsets.UTF_8))) {
      assertThat(lines.readLine()).startsWith(": events of c0");
      HttpResponse<String> erased = nodes.node(1).send("DELETE", path, null);
      assertThat(erased.statusCode()).as(erased.body()).isIn(200, 204);
      String line = lines.readLine();
      while (line != null && !line.equals("event: erase")) {
        line = lines.readLine();
      }
      assertThat(line).isEqualTo("event: erase");
    }
    assertThat(nodes.node(0).send("GET", path + "/timeline", null).statusCode()).isEqualTo(404);
  }

  @Test
  void theEventsOfAProjectTellWhatBothDo() throws Exception {
    nodes.turn(0, "c0", 0);
    HttpResponse<InputStream> events = nodes.node(0).stream("/v1/events");
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(events.body(), StandardCharsets.UTF_8))) {
      assertThat(lines.readLine()).startsWith(": changes of");
      String turns = NodePair.USER + "c1/turns";
      nodes.node(1).ok("POST", turns, "{\"turn_id\":\"t0\",\"prompt\":\"there\"}");
      nodes.node(0).ok("POST", turns + "/t0/finish", "{\"completion\":\"here\"}");
      Set<String> told = new TreeSet<>();
      while (told.size() < 2) {
        String line = lines.readLine();
        assertThat(line).isNotNull();
        if (line.startsWith("data: ")) {
          JsonObject event = (JsonObject) JsonValue.parse(line.substring("data: ".length()));
          told.add(event.string("conversation").orElse("") + " " + number(event, "version"));
        }
      }
      assertThat(told).containsExactly("c1 1", "c1 2");
      nodes.node(1).ok("DELETE", NodePair.USER + "c1", null);
      String line = lines.readLine();
      while (line != null && !line.contains("\"erase\"")) {
        line = lines.readLine();
      }
      assertThat(line).contains("\"conversation\":\"c1\"", "\"version\":0");
    }
  }

  /** An engine whose clock stood still stands for a node that died so long ago. */
  @Test
  void theTurnOfANodeThatDiedIsTakenOverAfterItsLease() throws Exception {
    Instant now = InstantSource.system().instant();
    die("recently", now.minus(Duration.ofMinutes(14)));
    die("long-ago", now.minus(Duration.ofMinutes(16)));
    String turn = "{\"turn_id\":\"t1\",\"prompt\":\"taken over\"}";
    HttpResponse<String> early = nodes.node(1).send("POST", NodePair.USER + "recently/turns", turn);
    assertThat(early.statusCode()).as(early.body()).isEqualTo(409);
    assertThat(early.body()).contains("turn_in_progress");
    String path = NodePair.USER + "long-ago";
    nodes.node(1).ok("POST", path + "/turns", turn);
    nodes.node(0).ok("POST", path + "/turns/t1/finish", "{\"completion\":\"done\"}");
    assertThat(nodes.node(1).ok("GET", path + "/timeline", null))
        .contains("left alone", "taken over", "done");
    assertThat(nodes.node(0).ok("GET", path + "/turns", null)).contains("incomplete");
  }

  private void die(String conversation, Instant then) {
    try (Contexture engine =
        Contexture.builder(PostgresStore.open(database.settings("servers")))
            .clock(InstantSource.fixed(then))
            .build()) {
      Turn left = engine.browser(ANN.conversation(conversation)).startTurn("left alone");
      assertThat(left.id()).isNotNull(); // nobody closes it
    }
  }
}
