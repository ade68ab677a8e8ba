package dev.contexture.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.server.FuzzClient.Reply;
import dev.contexture.server.http.Route;
import dev.contexture.server.openapi.RouteDocs;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Hostile requests to all routes: nothing is answered with 500, 503 comes with {@code Retry-After},
 * every refusal is a problem, nothing hangs, and the server is well afterwards.
 *
 * <p>The same seed sends the same requests. {@code -Dcontexture.fuzz=100000} sends so many in all,
 * {@code -Dcontexture.fuzz.seed=7} others.
 */
class ServerFuzzTest {
  private static final int BODIES = 5_500;
  private static final int GETS = 2_500;
  private static final int PER_CONVERSATION = 100;
  private static final long SEED = Long.getLong("contexture.fuzz.seed", 20_260);
  private static final long TOTAL = Long.getLong("contexture.fuzz", BODIES + GETS);

  @TempDir Path directory;
  private final List<String> log = new CopyOnWriteArrayList<>();
  private final Map<Integer, Integer> statuses = new TreeMap<>();
  private final List<String> wrong = new ArrayList<>();
  private TestServer served;
  private FuzzClient client;

  @BeforeEach
  void start() {
    served = new TestServer(directory, ServerOptions.local("test").withLog(log::add, false));
    client = new FuzzClient(served.server().port());
  }

  @AfterEach
  void stop() throws IOException {
    client.close();
    served.close();
  }

  @Test
  void noBodyBreaksARoute() throws IOException {
    RandomGenerator random = new Random(SEED);
    HostileBodies bodies = new HostileBodies(random);
    Map<String, RouteDocs> docs = RouteDocs.read();
    List<Route> writing =
        served.server().routes().stream()
            .filter(route -> route.method() != Route.Method.GET)
            .toList();
    long count = TOTAL * BODIES / (BODIES + GETS);
    for (int i = 0; i < count; i++) {
      String conversation = "c" + i / PER_CONVERSATION;
      if (i % PER_CONVERSATION == 0) {
        populate(conversation);
      }
      Route route = writing.get(random.nextInt(writing.size()));
      while (route.path().equals("/v1/reindex") && random.nextInt(10) > 0) {
        route = writing.get(random.nextInt(writing.size())); // it costs more than all others
      }
      RouteDocs table = java.util.Objects.requireNonNull(docs.get(route.title()), route.title());
      String target = target(route, conversation, random, 12);
      String body = bodies.next(table);
      send(i, route.method().name(), target, random.nextInt(8) == 0 ? header(random) : "", body);
    }
    assertWell(count);
  }

  @Test
  void noGetBreaksARoute() throws IOException {
    RandomGenerator random = new Random(SEED);
    List<Route> reading =
        served.server().routes().stream()
            .filter(route -> route.method() == Route.Method.GET)
            .toList();
    populate("c0");
    long count = TOTAL * GETS / (BODIES + GETS);
    for (int i = 0; i < count; i++) {
      Route route = reading.get(random.nextInt(reading.size()));
      String target = target(route, "c0", random, 3);
      String headers = random.nextInt(3) == 0 ? header(random) : "";
      String method = random.nextInt(20) == 0 ? method(random) : "GET";
      send(i, method, target + queries(route, random), headers, "");
    }
    assertWell(count);
  }

  private static String method(RandomGenerator random) {
    List<String> odd =
        List.of("HEAD", "OPTIONS", "POST", "TRACE", "BEFORE", "AFTER", "get", "CONNECT", "X");
    return odd.get(random.nextInt(odd.size()));
  }

  private static String header(RandomGenerator random) {
    return HostileValues.header(random) + "\r\n";
  }

  /**
   * The path of a route, with names that exist.
   *
   * @param spoiled one of so many has another one
   */
  private static String target(
      Route route, String conversation, RandomGenerator random, int spoiled) {
    StringBuilder path = new StringBuilder();
    for (String part : route.path().substring(1).split("/", -1)) {
      boolean named = part.startsWith("{");
      String filled =
          switch (part) {
            case "{user}" -> "u1";
            case "{conversation}" -> conversation;
            case "{agent}" -> random.nextInt(6) == 0 ? "hermes" : "atlas";
            case "{turn}" -> "t" + random.nextInt(1, 4);
            case "{label}" -> List.of("notes", "facts", "log", "list").get(random.nextInt(4));
            case "{tool}" ->
                List.of(
                        "react.read",
                        "react.hide",
                        "react.memsearch",
                        "block",
                        "block_edit",
                        "recall",
                        "search")
                    .get(random.nextInt(7));
            case "{with}" -> "hermes";
            default -> named ? "x1" : part;
          };
      boolean spoil = random.nextInt(named ? spoiled : spoiled * 40) == 0;
      path.append('/').append(spoil ? HostileValues.part(random) : filled);
    }
    return path.toString();
  }

  private static String queries(Route route, RandomGenerator random) {
    List<String> queries = new ArrayList<>();
    for (String name : new java.util.TreeSet<>(route.queries())) {
      if (random.nextInt(3) > 0) {
        queries.add(name + "=" + HostileValues.part(random));
      }
    }
    if (random.nextInt(8) == 0) {
      queries.add(HostileValues.part(random));
    }
    if (random.nextInt(12) == 0 && !queries.isEmpty()) {
      queries.add(queries.getFirst()); // twice
    }
    return queries.isEmpty() ? "" : "?" + String.join("&", queries);
  }

  /** What hostile calls meet: an open turn with a call, memory of each shape, two agents. */
  private void populate(String conversation) {
    String c = "/v1/users/u1/conversations/" + conversation;
    String a = "/v1/agents/atlas";
    served.send("PUT", "/v1/agents/hermes", "{}");
    served.post(c + "/turns", "{\"prompt\":\"storm\",\"turn_id\":\"t1\",\"agent\":\"atlas\"}");
    served.post(
        c + "/blocks",
        "{\"blocks\":[{\"type\":\"react.note\",\"text\":\"n\",\"path\":\"ar:t1.n\"}]}");
    served.post(
        c + "/responses",
        "{\"provider\":\"anthropic\",\"model\":\"claude-opus-5\",\"response\":{\"id\":\"m\",\"type\":"
            + "\"message\",\"role\":\"assistant\",\"model\":\"claude-opus-5\",\"content\":[{\"type\":"
            + "\"tool_use\",\"id\":\"toolu_1\",\"name\":\"look\",\"input\":{}}],\"stop_reason\":"
            + "\"tool_use\",\"usage\":{\"input_tokens\":5,\"output_tokens\":7}}}");
    String block = "{\"block_type\":\"core\",\"permission\":\"admin\",\"label\":";
    served.post(a + "/blocks", block + "\"notes\",\"content\":\"walrus\"}");
    served.post(
        a + "/blocks",
        block
            + "\"facts\",\"schema\":{\"type\":\"map\",\"fields\":[{\"name\":\"a\",\"type\":\"text\"},"
            + "{\"name\":\"n\",\"type\":\"counter\"}]}}");
    served.post(a + "/blocks", block + "\"list\",\"schema\":{\"type\":\"list\"}}");
    served.post(a + "/blocks", block + "\"log\",\"schema\":{\"type\":\"log\"}}");
  }

  private void send(int number, String method, String target, String headers, String body)
      throws IOException {
    byte[] content = body.getBytes(StandardCharsets.UTF_8);
    String head =
        method
            + " "
            + target
            + " HTTP/1.1\r\nHost: localhost\r\n"
            + headers
            + (content.length == 0 ? "" : "Content-Length: " + content.length + "\r\n")
            + "\r\n";
    byte[] start = head.getBytes(StandardCharsets.ISO_8859_1);
    byte[] request = java.util.Arrays.copyOf(start, start.length + content.length);
    System.arraycopy(content, 0, request, start.length, content.length);
    Reply reply = client.send(request, method.equals("HEAD"));
    statuses.merge(reply.status(), 1, Integer::sum);
    complaint(method, reply)
        .ifPresent(
            why -> {
              String shown = head.strip() + " " + body.substring(0, Math.min(600, body.length()));
              wrong.add(
                  "#" + number + " seed " + SEED + " " + why + "\n  " + shown + "\n  " + reply);
            });
    assertThat(wrong).as("stops at 20").hasSizeLessThan(20);
  }

  private static java.util.Optional<String> complaint(String method, Reply reply) {
    int status = reply.status();
    if (status == 0 || (status >= 500 && status != 503)) {
      return java.util.Optional.of("answered " + status);
    }
    if (status == 503 && reply.header("Retry-After").isEmpty()) {
      return java.util.Optional.of("503 without Retry-After");
    }
    boolean problem = reply.header("Content-Type").startsWith("application/problem+json");
    if (status >= 400 && !problem && !method.equals("HEAD")) {
      return java.util.Optional.of(status + " is no problem");
    }
    return status >= 400 && reply.body().contains("Exception")
        ? java.util.Optional.of("names an exception")
        : java.util.Optional.empty();
  }

  /** Nothing was wrong, and the server still does all that it did before. */
  private void assertWell(long count) throws IOException {
    System.getLogger(ServerFuzzTest.class.getName())
        .log(System.Logger.Level.INFO, count + " requests: " + statuses);
    assertThat(wrong).as(statuses.toString()).isEmpty();
    assertThat(log).as("failures in the log").isEmpty();
    assertThat(served.get("/healthz").string("status")).isEqualTo("ok");
    assertThat(served.get("/metrics").text())
        .as("only this request runs")
        .contains("contexture_http_active 1");
    String after = "/v1/users/u1/conversations/after";
    assertThat(served.post(after + "/turns", "{\"prompt\":\"still there\"}").status())
        .isEqualTo(201);
    assertThat(served.post(after + "/render", "{}").text()).contains("still there");
  }
}
