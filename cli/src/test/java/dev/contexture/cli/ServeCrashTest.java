package dev.contexture.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A server that ends under load, asked or killed, has lost nothing that it acknowledged (H-1). */
@Timeout(300)
class ServeCrashTest {
  private static final int CLIENTS = 6;
  private static final int TURNS_BEFORE_THE_END = 40;

  @TempDir Path directory;

  /** How a server ends. */
  enum End {
    SIGTERM(0),
    SIGKILL(137); // 128 + 9

    private final int exitCode;

    End(int exitCode) {
      this.exitCode = exitCode;
    }
  }

  /** A server in a process of its own. */
  private record Served(Process process, BufferedReader out, String address)
      implements AutoCloseable {
    static Served start(Path data) throws IOException {
      Process process =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-Xmx256m",
                  "-XX:TieredStopAtLevel=1",
                  "--enable-native-access=ALL-UNNAMED",
                  "-cp",
                  System.getProperty("java.class.path"),
                  Main.class.getName(),
                  "serve",
                  "--port",
                  "0",
                  "--data",
                  data.toString())
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
      String ready = Objects.requireNonNullElse(out.readLine(), "");
      assertThat(ready).startsWith("contexture ready on ");
      return new Served(process, out, ready.split(" ", -1)[3]);
    }

    void end(End how) throws InterruptedException {
      if (how == End.SIGTERM) {
        process.toHandle().destroy();
      } else {
        process.toHandle().destroyForcibly();
      }
      assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
      assertThat(process.exitValue()).isEqualTo(how.exitCode);
    }

    @Override
    public void close() throws IOException {
      process.destroyForcibly();
      out.close();
    }
  }

  /** What was acknowledged of a turn. */
  private record Acknowledged(String path, List<String> texts, boolean finished) {}

  /** Works on one conversation until the server is gone. Confined to its thread until that ends. */
  private static final class Client implements Runnable {
    private final HttpClient http;
    private final String base;
    private final AtomicBoolean ending;
    private final CountDownLatch warm;
    private final List<Acknowledged> turns = new ArrayList<>();
    private String refused = "";

    Client(HttpClient http, String base, AtomicBoolean ending, CountDownLatch warm) {
      this.http = http;
      this.base = base;
      this.ending = ending;
      this.warm = warm;
    }

    @Override
    public void run() {
      for (int i = 0; turn("t" + i); i++) {
        warm.countDown();
      }
    }

    private boolean turn(String id) {
      if (!done("/turns", "{\"turn_id\":\"" + id + "\",\"prompt\":\"do " + id + "\"}")) {
        return false;
      }
      List<String> texts = new ArrayList<>(List.of("do " + id));
      boolean finished = false;
      for (int i = 0; i < 3; i++) {
        String text = "note " + i + " of " + id;
        String block = "{\"type\":\"react.note\",\"text\":\"" + text + "\"}";
        if (!done("/blocks", "{\"blocks\":[" + block + "]}")) {
          break;
        }
        texts.add(text);
      }
      if (texts.size() == 4) {
        finished = done("/turns/" + id + "/finish", "{\"completion\":\"ok\"}");
      }
      turns.add(new Acknowledged(base + "/turns/" + id, texts, finished));
      return finished;
    }

    /** Whether the server said that it is done. */
    private boolean done(String path, String body) {
      try {
        HttpResponse<String> answer = send(http, base + path, body);
        if (answer.statusCode() / 100 == 2) {
          return true;
        }
        refused(answer.statusCode() + " " + answer.body());
      } catch (IOException gone) {
        refused(gone.toString());
      }
      return false;
    }

    /** Keeps what went wrong while the server was to work. */
    private void refused(String why) {
      refused = ending.get() ? refused : why;
    }
  }

  private static HttpResponse<String> send(HttpClient http, String uri, String body)
      throws IOException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(uri)).timeout(Duration.ofMinutes(2));
    if (!body.isEmpty()) {
      request.POST(HttpRequest.BodyPublishers.ofString(body));
    }
    try {
      return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
    } catch (InterruptedException early) {
      throw new IOException(early);
    }
  }

  @ParameterizedTest
  @EnumSource
  void losesNothingAcknowledged(End how) throws Exception {
    List<Client> clients;
    String first;
    try (HttpClient http = HttpClient.newHttpClient();
        Served served = Served.start(directory)) {
      first = served.address();
      clients = load(http, served, how);
    }
    List<Acknowledged> turns = clients.stream().flatMap(c -> c.turns.stream()).toList();
    assertThat(turns).hasSizeGreaterThan(TURNS_BEFORE_THE_END - 1);
    try (HttpClient http = HttpClient.newHttpClient();
        Served again = Served.start(directory)) {
      for (Acknowledged turn : turns) {
        HttpResponse<String> found = send(http, turn.path().replace(first, again.address()), "");
        assertThat(found.body()).contains(turn.texts());
        if (turn.finished()) {
          assertThat(((JsonObject) JsonValue.parse(found.body())).string("status"))
              .contains("complete");
        }
      }
    }
  }

  private static List<Client> load(HttpClient http, Served served, End how)
      throws InterruptedException {
    AtomicBoolean ending = new AtomicBoolean();
    CountDownLatch warm = new CountDownLatch(TURNS_BEFORE_THE_END);
    List<Client> clients = new ArrayList<>();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < CLIENTS; i++) {
      String base = served.address() + "/v1/users/u" + i + "/conversations/c";
      clients.add(new Client(http, base, ending, warm));
      threads.add(Thread.ofPlatform().start(clients.getLast()));
    }
    assertThat(warm.await(2, TimeUnit.MINUTES)).isTrue();
    ending.set(true);
    served.end(how);
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(clients).allSatisfy(client -> assertThat(client.refused).isEmpty());
    return clients;
  }
}
