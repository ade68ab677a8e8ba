package dev.contexture.cli;

import dev.contexture.block.Scope;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.store.sqlite.DirectoryLock;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The server that has a data directory open. Only one process may own a directory, so a command
 * that meets a server asks that instead.
 *
 * @param address where it listens
 */
record RunningServer(String address) {
  private static final Duration CONNECT = Duration.ofSeconds(5);
  private static final Duration ANSWER = Duration.ofSeconds(60);

  /** The server of a directory, if one runs. */
  static Optional<RunningServer> of(Path directory) {
    return DirectoryLock.owner(directory).map(DirectoryLock.Owner::server).map(RunningServer::new);
  }

  /**
   * Posts a body and returns the answer.
   *
   * @throws ContextureException what the server refused with, or {@code store_unavailable} if it
   *     does not answer
   */
  JsonObject post(Scope scope, String path, JsonObject body) {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(address + path))
            .timeout(ANSWER)
            .header("Content-Type", "application/json")
            .header("X-Tenant", scope.tenant())
            .header("X-Project", scope.project())
            .POST(HttpRequest.BodyPublishers.ofString(body.toJson()))
            .build();
    try (HttpClient client = HttpClient.newBuilder().connectTimeout(CONNECT).build()) {
      HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());
      if (!(JsonValue.parse(answer.body()) instanceof JsonObject read)) {
        throw unavailable("it answered " + answer.statusCode() + " without an object", null);
      }
      if (answer.statusCode() / 100 != 2) {
        throw refused(read, answer.statusCode());
      }
      return read;
    } catch (IOException silent) {
      throw unavailable(silent.toString(), silent);
    } catch (InterruptedException early) {
      Thread.currentThread().interrupt();
      throw unavailable("interrupted", early);
    }
  }

  private ContextureException refused(JsonObject problem, int status) {
    String code = problem.string("code").orElse("");
    String detail = problem.string("detail").orElse("");
    for (ErrorCode known : ErrorCode.values()) {
      if (known.wireName().equals(code)) {
        return new ContextureException(known, detail);
      }
    }
    return unavailable("it answered " + status + " " + detail, null);
  }

  private ContextureException unavailable(String why, @Nullable Exception cause) {
    return new ContextureException(
        ErrorCode.STORE_UNAVAILABLE,
        "the server at " + address + " has the store open, but did not answer: " + why,
        Map.of("server", address),
        cause);
  }
}
