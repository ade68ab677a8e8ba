package dev.contexture.server;

import static dev.contexture.server.TestServer.C;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.contexture.json.JsonArray;
import dev.contexture.model.RequestViolation;
import dev.contexture.request.Providers;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Runs {@code examples/agent.py}, and the same agent with the client, against a server and a
 * scripted model: 30 turns with tools, parallel calls, a refusal, a truncation and a full window.
 */
class PythonAgentTest {
  private static final int TURNS = 30;
  private static final int REFUSED = 7;
  private static final int TRUNCATED = 12;
  private static final int FULL = 18;

  @TempDir Path directory;
  private final Queue<String> script = new ConcurrentLinkedQueue<>();
  private final List<String> bodies = new CopyOnWriteArrayList<>();
  private final List<String> expected = new ArrayList<>();
  private HttpServer model;
  private TestServer served;
  private int calls;

  @BeforeEach
  void start() throws IOException {
    model = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    model.createContext("/v1/messages", this::answer);
    model.start();
    served = new TestServer(directory.resolve("data"));
  }

  @AfterEach
  void stop() {
    model.stop(0);
    served.close();
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      bodies.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
      String next = script.poll();
      byte[] body = String.valueOf(next).getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(next == null ? 500 : 200, body.length);
      exchange.getResponseBody().write(body);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"examples/agent.py", "clients/python/examples/agent.py"})
  void playsThirtyTurnsWithOneRoundTripForEachCallOfTheModel(String program) throws Exception {
    String python = python();
    write();
    Path questions = directory.resolve("questions.txt");
    List<String> lines = new ArrayList<>();
    for (int turn = 0; turn < TURNS; turn++) {
      lines.add("question " + turn + " " + "about the weather ".repeat(40));
    }
    Files.write(questions, lines);
    String agent = root().resolve(program).toString();
    ProcessBuilder process = new ProcessBuilder(python, "-B", agent);
    process.environment().put("PYTHONPATH", root().resolve("clients/python").toString());
    process.command().addAll(List.of("--contexture", served.server().address()));
    process.command().addAll(List.of("--user", "u1", "--conversation", "c1"));
    process
        .command()
        .addAll(
            List.of(
                "--endpoint", "http://127.0.0.1:" + model.getAddress().getPort() + "/v1/messages"));
    Path printed = directory.resolve("printed.txt");
    Process running =
        process
            .redirectErrorStream(true)
            .redirectInput(questions.toFile())
            .redirectOutput(printed.toFile())
            .start();
    assertThat(running.waitFor(4, TimeUnit.MINUTES)).isTrue();
    List<String> said = Files.readAllLines(printed);
    assertThat(running.exitValue()).as(String.join("\n", said)).isZero();
    assertThat(script).isEmpty();
    assertThat(said.subList(0, TURNS)).isEqualTo(expected);
    assertThat(said.getLast())
        .isEqualTo(
            TURNS
                + " turns, "
                + calls
                + " calls of the model, "
                + (calls + TURNS)
                + " round trips");
    assertThat(steps()).isEqualTo(calls + TURNS);
    assertThat(served.get(C + "/summaries").json().array("summaries").map(JsonArray::items))
        .hasValueSatisfying(summaries -> assertThat(summaries).hasSize(1));
    everyBodyIsTaken();
  }

  @Test
  void loopsWhileNotDone() throws IOException {
    String source = Files.readString(root().resolve("examples/agent.py"));
    String turn = source.substring(source.indexOf("def turn("), source.indexOf("def main("));
    assertThat(turn).containsOnlyOnce("while ").contains("while not done:");
    assertThat(Pattern.compile("(?m)^(import|from) (.*)$").matcher(source).results())
        .extracting(found -> found.group(2))
        .containsExactly("argparse", "json", "os", "sys", "urllib.error", "urllib.request");
  }

  /** Every request that the model got would be taken by its provider. */
  private void everyBodyIsTaken() {
    Providers.Target target = served.engine().providers().resolve("anthropic", "claude-opus-5");
    assertThat(bodies).hasSize(calls);
    for (String body : bodies) {
      assertThat(target.format().check(target.model(), body))
          .as(body)
          .allMatch(RequestViolation::warning);
    }
  }

  /** How many steps the server counted. */
  private long steps() {
    Matcher counted =
        Pattern.compile("(?m)^contexture_http_requests_seconds_count.*/step\".* ([0-9.]+)$")
            .matcher(served.get("/metrics").text());
    assertThat(counted.find()).as(served.get("/metrics").text()).isTrue();
    return (long) Double.parseDouble(counted.group(1));
  }

  /** What the model will say. */
  private void write() {
    for (int turn = 0; turn < TURNS; turn++) {
      int calling = turn % 3;
      for (int round = 0; round < calling; round++) {
        StringBuilder parts = new StringBuilder(text("Let me look, round " + round + "."));
        for (int call = 0; call <= round; call++) {
          String tool = turn == 4 && call == 0 ? "get_tides" : "get_weather";
          parts.append(",{\"type\":\"tool_use\",\"id\":\"toolu_" + turn + "_" + round + call);
          parts.append("\",\"name\":\"" + tool + "\",\"input\":{\"city\":\"Oslo\"}}");
        }
        say("tool_use", parts.toString());
      }
      switch (turn) {
        case REFUSED -> end("refusal", "refused", "I would rather not.");
        case TRUNCATED -> end("max_tokens", "truncated", "It is going to");
        case FULL -> {
          say("model_context_window_exceeded", text("It will"));
          end("end_turn", "answered", "It will rain.");
        }
        default -> end("end_turn", "answered", "Answer " + turn + ".");
      }
    }
  }

  private void end(String stop, String outcome, String text) {
    say(stop, text(text));
    expected.add(outcome + ": " + text);
  }

  private void say(String stop, String content) {
    calls++;
    script.add(
        "{\"id\":\"msg_"
            + calls
            + "\",\"type\":\"message\",\"role\":\"assistant\",\"model\":\"claude-opus-5\","
            + "\"stop_reason\":\""
            + stop
            + "\",\"stop_sequence\":null,\"content\":["
            + content
            + "],\"usage\":{\"input_tokens\":100,\"output_tokens\":10}}");
  }

  private static String text(String text) {
    return "{\"type\":\"text\",\"text\":\"" + text + "\"}";
  }

  /** The interpreter; without one the test is skipped, but not where everything has to run. */
  private static String python() throws IOException, InterruptedException {
    String found = "";
    try {
      Process asked = new ProcessBuilder("python3", "--version").start();
      found = asked.waitFor() == 0 ? "python3" : "";
    } catch (IOException none) {
      assertThat(System.getenv("CI")).as("python3 is needed: %s", none).isNull();
    }
    assumeTrue(!found.isEmpty(), "there is no python3 to run examples/agent.py with");
    return found;
  }

  private static Path root() {
    return Path.of(Objects.requireNonNull(System.getProperty("contexture.root")));
  }
}
