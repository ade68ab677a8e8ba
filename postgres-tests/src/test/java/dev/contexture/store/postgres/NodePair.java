package dev.contexture.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.json.JsonNumber;
import dev.contexture.json.JsonObject;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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
   * that is there answers so, or 503 and when to come again.
   */
  String post(int first, String path, String body) throws Exception {
    String last = "";
    for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      try {
        HttpResponse<String> answer = node(first + attempt).send("POST", path, body);
        if (answer.statusCode() / 100 == 2) {
          return answer.body();
        }
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(503);
        assertThat(answer.headers().firstValue("Retry-After")).isPresent();
        refused.incrementAndGet();
        last = answer.body();
      } catch (IOException gone) {
        last = gone.toString();
      }
      Thread.sleep(PAUSE_MILLIS);
    }
    throw new AssertionError("no server does it: " + last);
  }

  /** Takes a turn, each step on the other server, and returns the texts it was told are kept. */
  List<String> turn(int client, String conversation, int number) throws Exception {
    String path = USER + conversation;
    String turn = "t" + number;
    int step = client + number;
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
    return ((JsonNumber) block.find("seq").orElseThrow()).decimal().longValueExact();
  }

  /**
   * Both servers tell the same, without a gap, with all that was acknowledged once and in its
   * order; and render the same bytes.
   */
  void assertWhole(String conversation, List<String> acknowledged) throws IOException {
    List<JsonObject> blocks = blocks(0, conversation);
    assertThat(blocks(1, conversation)).isEqualTo(blocks);
    assertThat(blocks.stream().map(NodePair::seq))
        .containsExactlyElementsOf(LongStream.rangeClosed(1, blocks.size()).boxed().toList());
    List<String> texts = blocks.stream().flatMap(b -> b.string("text").stream()).toList();
    assertThat(texts.stream().filter(acknowledged::contains))
        .containsExactlyElementsOf(acknowledged);
    assertSameBytes(conversation);
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
