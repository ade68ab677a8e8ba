package dev.contexture.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.cli.Main;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A server in a process of its own, which may be killed and started again. Thread-safe. */
final class ServedNode implements AutoCloseable {
  private static final Duration TIMEOUT = Duration.ofMinutes(2);

  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final List<String> command;
  private volatile Process process;
  private volatile String address;

  /**
   * Starts it.
   *
   * @param data the directory of its own
   * @param options of the command line, beside those of the store
   */
  ServedNode(Path data, PostgresSettings database, String... options) throws IOException {
    this.command = command(data, database, options);
    this.process = launch();
    this.address = awaitReady();
  }

  private static List<String> command(Path data, PostgresSettings database, String... options) {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "serve"));
    command.addAll(List.of("--port", "0", "--data", data.toString(), "--log", "off"));
    command.addAll(List.of("--store", "postgres", "--jdbc-url", database.url()));
    command.addAll(List.of("--jdbc-user", PostgresServer.ROLE, "--jdbc-connections", "6"));
    command.addAll(List.of(options));
    return command;
  }

  private Process launch() throws IOException {
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
  }

  private String awaitReady() throws IOException {
    String ready = Objects.requireNonNullElse(process.inputReader().readLine(), "");
    assertThat(ready).startsWith("contexture ready on ").endsWith(" store=postgres");
    return ready.split(" ", -1)[3];
  }

  /** Ends it without a chance to finish anything (SIGKILL). */
  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  void startAgain() throws IOException {
    process = launch();
    address = awaitReady();
  }

  boolean isRunning() {
    return process.isAlive();
  }

  HttpResponse<String> send(String method, String path, @Nullable String body, String... headers)
      throws IOException {
    try {
      return http.send(request(method, path, body, headers), HttpResponse.BodyHandlers.ofString());
    } catch (InterruptedException stopped) {
      throw new IOException(stopped);
    }
  }

  /** An answer that comes bit by bit. */
  HttpResponse<InputStream> stream(String path, String... headers) throws IOException {
    try {
      return http.send(
          request("GET", path, null, headers), HttpResponse.BodyHandlers.ofInputStream());
    } catch (InterruptedException stopped) {
      throw new IOException(stopped);
    }
  }

  private HttpRequest request(
      String method, String path, @Nullable String body, String... headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(address + path))
            .timeout(TIMEOUT)
            .method(
                method,
                body == null
                    ? HttpRequest.BodyPublishers.noBody()
                    : HttpRequest.BodyPublishers.ofString(body));
    return headers.length == 0 ? request.build() : request.headers(headers).build();
  }

  /** What a request that must succeed answers. */
  String ok(String method, String path, @Nullable String body) throws IOException {
    HttpResponse<String> answer = send(method, path, body);
    assertThat(answer.statusCode())
        .as(method + " " + path + ": " + answer.body())
        .isBetween(200, 299);
    return answer.body();
  }

  JsonObject json(String method, String path, @Nullable String body) throws IOException {
    return (JsonObject) JsonValue.parse(ok(method, path, body));
  }

  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
    http.close();
  }
}
