package dev.contexture.cli.support;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpServer;
import dev.contexture.cli.Main;
import dev.contexture.cli.Run;
import dev.contexture.cli.output.Printer;
import dev.contexture.store.sqlite.SqliteStore;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a server is told, and what becomes of its refusals. */
class ApiTest {
  private static final String[] LIST = {"conversations", "list", "--user", "u v"};

  @TempDir Path directory;

  private final AtomicReference<Headers> told = new AtomicReference<>();
  private final AtomicReference<String> path = new AtomicReference<>();
  private volatile int status = 200;
  private volatile String answer = "{\"conversations\":[],\"next_cursor\":null}";
  private HttpServer server;
  private SqliteStore store;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          told.set(exchange.getRequestHeaders());
          path.set(exchange.getRequestURI().getRawPath());
          byte[] body = answer.getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(status, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
    store = SqliteStore.open(directory);
    store.announceServer("http://127.0.0.1:" + server.getAddress().getPort());
  }

  @AfterEach
  void stop() {
    server.stop(0);
    store.close();
  }

  private Run run(Map<String, String> variables, String... more) {
    String[] args = new String[LIST.length + 2 + more.length];
    System.arraycopy(LIST, 0, args, 0, LIST.length);
    args[LIST.length] = "--data";
    args[LIST.length + 1] = directory.toString();
    System.arraycopy(more, 0, args, LIST.length + 2, more.length);
    return Run.with(variables, args);
  }

  @Test
  void sendsAKeyOnlyIfThereIsOne() {
    run(Map.of());
    assertThat(path.get()).isEqualTo("/v1/users/u%20v/conversations");
    assertThat(told.get()).doesNotContainKeys("Authorization", "X-tenant", "X-project");
    run(Map.of("CONTEXTURE_KEY", "k-1"));
    assertThat(told.get().getFirst("Authorization")).isEqualTo("Bearer k-1");
    run(Map.of("CONTEXTURE_KEY", "k-1"), "--key", "k-2", "--tenant", "t", "--project", "p");
    assertThat(told.get().getFirst("Authorization")).isEqualTo("Bearer k-2");
    assertThat(told.get().getFirst("X-Tenant")).isEqualTo("t");
    assertThat(told.get().getFirst("X-Project")).isEqualTo("p");
  }

  @Test
  void repeatsWhatTheServerRefusedWith() {
    status = 404;
    answer = "{\"code\":\"not_found\",\"detail\":\"no such user\",\"field\":\"user\",\"limit\":3}";
    Run run = run(Map.of(), "--json");
    assertThat(run.exitCode()).isEqualTo(Main.FAILED);
    assertThat(run.json().string("code")).contains("not_found");
    assertThat(run.json().string("field")).contains("user");
    assertThat(Printer.number(run.json(), "limit")).isEqualTo(3);
  }

  @Test
  void hintsAtAKeyThatIsMissing() {
    status = 401;
    answer = "{\"code\":\"unauthenticated\",\"detail\":\"who are you?\"}";
    Run run = run(Map.of("CONTEXTURE_KEY", "secret-key"));
    assertThat(run.err())
        .contains("who are you?", "hint: ", "CONTEXTURE_KEY")
        .doesNotContain("secret-key");
  }

  @Test
  void saysThatAnAnswerIsNone() {
    answer = "<html>";
    assertThat(run(Map.of()).err()).contains("without JSON", "code: store_unavailable");
    answer = "[]";
    assertThat(run(Map.of()).err()).contains("without an object");
    status = 418;
    answer = "{\"code\":\"teapot\",\"detail\":\"short and stout\"}";
    assertThat(run(Map.of()).err()).contains("418 teapot: short and stout");
    server.stop(0);
    assertThat(run(Map.of()).err()).contains("did not answer", "contexture doctor");
  }
}
