package dev.contexture.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.json.JsonNumber;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;

/**
 * Two servers on one database, and clients that send each step to the other one than the step
 * before. Thread-safe.
 */
final class NodePair implements AutoCloseable {
  static final String USER = "/v1/users/ann/conversations/";

  private static final int MAX_ATTEMPTS = 900;
  private static final long PAUSE_MILLIS = 100;
  private static final int PAGE = 500;

  private final List<ServedNode> nodes;

  /** Turns that were finished. */
  final AtomicInteger done = new AtomicInteger();

  /** Whether a server may be gone now; else each answers every request. */
  volatile boolean mayBeGone;

  /** Answers of 503, each of which said when to come again. */
  final AtomicInteger refused = new AtomicInteger();

  NodePair(Path directory, PostgresSettings database, String... options) throws IOException {
    ServedNode first = new ServedNode(directory.resolve("one"), database, options);
    this.nodes = List.of(first, new ServedNode(directory.resolve("two"), database, options));
  }

  ServedNode node(int number) {
    return nodes.get(number % nodes.size());
  }

  /**
   * Asks one server after the other, with the same ids, until one answers that it is done. A server
   * that is there answers so, or 503 and when to come again, or that another client has a turn.
   */
  String post(int first, String path, String body) throws Exception {
    String last = "";
    for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      try {
        HttpResponse<String> answer = node(first + attempt).send("POST", path, body);
        if (answer.statusCode() / 100 == 2) {
          return answer.body();
        }
        last = answer.body();
        if (answer.statusCode() != 409 || !last.contains("turn_in_progress")) { // of another client
          assertThat(answer.statusCode()).as(last).isEqualTo(503);
          assertThat(answer.headers().firstValue("Retry-After")).isPresent();
          refused.incrementAndGet();
        }
      } catch (HttpTimeoutException silent) {
        throw new AssertionError("a server does not answer " + path, silent);
      } catch (IOException gone) {
        if (!mayBeGone) {
          throw new AssertionError("a server that is there does not answer " + path, gone);
        }
        last = gone.toString();
      }
      Thread.sleep(PAUSE_MILLIS);
    }
    throw new AssertionError("no server does it: " + last);
  }

  /** Takes a turn, each step on the other server, and returns the texts it was told are kept. */
  List<String> turn(int client, String conversation, int number) throws Exception {
    return turn(client + number, conversation, Integer.toString(number));
  }

  /** The same in a conversation that several clients share, with a name of the turn. */
  List<String> turn(int first, String conversation, String number) throws Exception {
    String path = USER + conversation;
    String turn = "t" + number;
    int step = first;
    List<String> texts = new ArrayList<>();
    post(
        step++, path + "/turns", "{\"turn_id\":\"" + turn + "\",\"prompt\":\"do " + number + "\"}");
    texts.add("do " + number);
    for (int n = 0; n < 2; n++) {
      String text = "note " + n + " of " + number;
      String id = "n" + number + "-" + n;
      post(step++, path + "/blocks", "{\"blocks\":[" + block(id, text) + "]}");
      texts.add(text);
    }
    String end = "done " + number;
    post(step, path + "/turns/" + turn + "/finish", "{\"completion\":\"" + end + "\"}");
    texts.add(end);
    done.incrementAndGet();
    return texts;
  }

  static String block(String id, String text) {
    return "{\"type\":\"react.note\",\"id\":\"" + id + "\",\"text\":\"" + text + "\"}";
  }

  /** The stored blocks as a server tells them. */
  List<JsonObject> blocks(int node, String conversation) throws IOException {
    List<JsonObject> all = new ArrayList<>();
    List<JsonObject> page;
    do {
      long from = all.isEmpty() ? 1 : seq(all.getLast()) + 1;
      String path = USER + conversation + "/timeline?limit=" + PAGE + "&from_seq=" + from;
      page =
          node(node).json("GET", path, null).array("blocks").orElseThrow().items().stream()
              .map(JsonObject.class::cast)
              .toList();
      all.addAll(page);
    } while (page.size() == PAGE);
    return all;
  }

  static long seq(JsonObject block) {
    return number(block, "seq");
  }

  /**
   * Both servers tell the same, without a gap in blocks and versions, with all that each client was
   * acknowledged once and in its order; and render the same bytes.
   */
  void assertWhole(String conversation, List<List<String>> acknowledged) throws IOException {
    List<JsonObject> blocks = blocks(0, conversation);
    assertThat(blocks(1, conversation)).isEqualTo(blocks);
    assertThat(blocks.stream().map(NodePair::seq))
        .containsExactlyElementsOf(LongStream.rangeClosed(1, blocks.size()).boxed().toList());
    List<String> texts = blocks.stream().flatMap(b -> b.string("text").stream()).toList();
    for (List<String> client : acknowledged) {
      assertThat(texts.stream().filter(client::contains)).containsExactlyElementsOf(client);
    }
    assertVersions(conversation);
    assertSameBytes(conversation);
  }

  /** Each tells every version, from the first to the last. */
  private void assertVersions(String conversation) throws IOException {
    String path = USER + conversation;
    long last = version(conversation);
    for (ServedNode node : nodes) {
      Set<Long> told = new LinkedHashSet<>();
      try (BufferedReader lines =
          new BufferedReader(
              new InputStreamReader(
                  node.stream(path + "/events?after=0").body(), StandardCharsets.UTF_8))) {
        while (!told.contains(last)) {
          String line = lines.readLine();
          assertThat(line).as("events up to version " + last).isNotNull();
          if (line.startsWith("data: ")) {
            JsonObject event = (JsonObject) JsonValue.parse(line.substring("data: ".length()));
            told.add(number(event, "version"));
          }
        }
      }
      assertThat(told).containsExactlyElementsOf(LongStream.rangeClosed(1, last).boxed().toList());
    }
  }

  long version(String conversation) throws IOException {
    return number(node(0).json("GET", USER + conversation, null), "version");
  }

  private static long number(JsonObject object, String name) {
    return ((JsonNumber) object.find(name).orElseThrow()).decimal().longValueExact();
  }

  /** Both servers render the same, to the byte, and know the same version. */
  void assertSameBytes(String conversation) throws IOException {
    String path = USER + conversation + "/render";
    String rendered = node(0).ok("POST", path, "{\"dialect\":\"native\"}");
    assertThat(node(1).ok("POST", path, "{\"dialect\":\"native\"}")).isEqualTo(rendered);
  }

  @Override
  public void close() {
    nodes.forEach(ServedNode::close);
  }
}
