package dev.contexture.examples;

import dev.contexture.ContextRequest;
import dev.contexture.model.AnswerStream;
import dev.contexture.model.ModelAnswer;
import dev.contexture.request.Providers;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.Set;

/**
 * Sends requests to a provider. What is busy or overloaded is asked again; any other error comes
 * back as the body that it is, and reading it throws an {@link
 * dev.contexture.model.AnswerException} with the provider's own code and message.
 */
public final class ModelClient {
  private static final Set<Integer> WORTH_ANOTHER_TRY = Set.of(429, 500, 502, 503, 529);
  private static final int MAX_TRIES = 5;
  private static final int OK = 200;
  private static final int CHUNK = 8_192;

  private final HttpClient http = HttpClient.newHttpClient();
  private final URI endpoint;
  private final Map<String, String> headers;
  private final boolean streams;
  private final Duration pause;

  /**
   * A client.
   *
   * @param endpoint such as {@code https://api.anthropic.com/v1/messages}
   * @param headers such as the key
   * @param streams whether answers are streamed
   * @param pause how long to wait before the second try; it doubles with each
   */
  public ModelClient(URI endpoint, Map<String, String> headers, boolean streams, Duration pause) {
    this.endpoint = endpoint;
    this.headers = Map.copyOf(headers);
    this.streams = streams;
    this.pause = pause;
  }

  public boolean streams() {
    return streams;
  }

  /** The body of the answer. */
  public String post(String body) throws IOException, InterruptedException {
    return send(body, HttpResponse.BodyHandlers.ofString()).body();
  }

  /** The answer, read while it comes in; one that breaks off is what had come until then. */
  public ModelAnswer stream(ContextRequest request) throws IOException, InterruptedException {
    Providers.Target target = request.target();
    HttpResponse<InputStream> response =
        send(request.body(), HttpResponse.BodyHandlers.ofInputStream());
    try (InputStream body = response.body()) {
      if (response.statusCode() != OK) {
        return target.format().readAnswer(body.readAllBytes(), target.model());
      }
      AnswerStream answer = target.format().openStream(target.model());
      byte[] chunk = new byte[CHUNK];
      for (int n = body.read(chunk); n >= 0; n = body.read(chunk)) {
        answer.accept(chunk, 0, n);
      }
      return answer.end();
    }
  }

  private <T> HttpResponse<T> send(String body, HttpResponse.BodyHandler<T> handler)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(endpoint)
            .header("content-type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body));
    headers.forEach(request::header);
    HttpResponse<T> response = http.send(request.build(), handler);
    Duration wait = pause;
    for (int tries = 1; tries < MAX_TRIES && isWorthAnotherTry(response); tries++) {
      Thread.sleep(wait);
      wait = wait.multipliedBy(2);
      response = http.send(request.build(), handler);
    }
    return response;
  }

  private static boolean isWorthAnotherTry(HttpResponse<?> response) {
    return WORTH_ANOTHER_TRY.contains(response.statusCode());
  }
}
