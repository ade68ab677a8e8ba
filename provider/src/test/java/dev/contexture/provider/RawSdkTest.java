package dev.contexture.provider;

import static org.assertj.core.api.Assertions.assertThat;

import com.anthropic.backends.AnthropicBackend;
import com.anthropic.core.ClientOptions;
import com.openai.client.okhttp.OkHttpClient;
import com.openai.core.RequestOptions;
import com.sun.net.httpserver.HttpServer;
import dev.contexture.request.ProviderRequest;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What arrives at a provider is what was written, byte for byte, where the raw path of an SDK is
 * used. Typed objects write other bytes.
 */
@Timeout(120)
class RawSdkTest {
  /** What arrived. */
  private record Arrived(String path, String body, String version) {}

  private final List<Arrived> arrived = Collections.synchronizedList(new ArrayList<>());
  private HttpServer server;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          byte[] body = exchange.getRequestBody().readAllBytes();
          String version = exchange.getRequestHeaders().getFirst("anthropic-version");
          arrived.add(
              new Arrived(
                  exchange.getRequestURI().toString(),
                  new String(body, StandardCharsets.UTF_8),
                  version == null ? "" : version));
          boolean busy = arrived.size() == 1 && body.length > 0 && version != null;
          byte[] answer = "{}".getBytes(StandardCharsets.UTF_8);
          exchange.getResponseHeaders().add("retry-after-ms", "1");
          exchange.sendResponseHeaders(busy ? 529 : 200, answer.length);
          exchange.getResponseBody().write(answer);
          exchange.close();
        });
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private String address() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  @Test
  void anthropicSendsTheStringAndKeepsItsRetries() throws Exception {
    ProviderRequest request = Requests.anthropic(Requests.golden(Requests.CLAUDE));
    var backend = AnthropicBackend.builder().apiKey("none").baseUrl(address()).build();
    ClientOptions options = // what client.options() gives
        ClientOptions.builder()
            .httpClient(com.anthropic.client.okhttp.OkHttpClient.builder().backend(backend).build())
            .baseUrl(address())
            .build();
    var raw =
        com.anthropic.core.http.HttpRequest.builder()
            .method(com.anthropic.core.http.HttpMethod.POST)
            .baseUrl(options.baseUrl())
            .addPathSegments("v1", "messages")
            .putAllHeaders(options.headers());
    request.endpoint().headers().forEach(raw::replaceHeaders);
    RawBody body = new RawBody(request.body().text());
    try (var answer = options.httpClient().execute(raw.body(body).build())) {
      assertThat(answer.statusCode()).isEqualTo(200);
    }
    options.httpClient().close();
    assertThat(arrived)
        .containsExactly(
            new Arrived("/v1/messages", request.body().text(), "2026-10-21"),
            new Arrived("/v1/messages", request.body().text(), "2026-10-21"));
  }

  @Test
  void openAiSendsTheString() throws Exception {
    for (ProviderRequest request :
        List.of(
            Requests.chat(Requests.golden(Requests.GPT)),
            Requests.responses(Requests.golden(Requests.GPT)))) {
      arrived.clear();
      var raw =
          com.openai.core.http.HttpRequest.builder()
              .method(com.openai.core.http.HttpMethod.POST)
              .baseUrl(address())
              .addPathSegments(request.endpoint().path().substring(1).split("/"))
              .putHeader("authorization", "Bearer none")
              .body(new OpenAiRawBody(request.body().text()))
              .build();
      OkHttpClient client = OkHttpClient.builder().build();
      try (var answer = client.execute(raw, RequestOptions.none())) {
        assertThat(answer.statusCode()).isEqualTo(200);
      }
      client.close();
      assertThat(arrived)
          .containsExactly(new Arrived(request.endpoint().path(), request.body().text(), ""));
    }
  }

  @Test
  void theClientOfTheJdkSendsTheStringToGemini() throws Exception {
    ProviderRequest request = Requests.gemini(Requests.golden(Requests.GEMINI));
    HttpRequest.Builder post =
        HttpRequest.newBuilder(URI.create(address() + request.endpoint().path()))
            .header("x-goog-api-key", "none")
            .POST(HttpRequest.BodyPublishers.ofString(request.body().text()));
    request.endpoint().headers().forEach(post::header);
    try (HttpClient client = HttpClient.newHttpClient()) {
      assertThat(client.send(post.build(), HttpResponse.BodyHandlers.ofString()).statusCode())
          .isEqualTo(200);
    }
    assertThat(arrived)
        .containsExactly(new Arrived(request.endpoint().path(), request.body().text(), ""));
  }

  /** Why the docs say to send the string. */
  @Test
  void typedObjectsWriteOtherBytes() throws Exception {
    String body =
        "{\"model\":\"claude-opus-5\",\"max_tokens\":5,\"tools\":[{\"name\":\"a\",\"input_schema\":"
            + "{\"type\":\"object\",\"required\":[\"x\"],\"properties\":{\"x\":{\"maximum\":1.50}}}}],"
            + "\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]}";
    Object typed =
        SdkTypes.anthropic(body, com.anthropic.models.messages.MessageCreateParams.Body.class);
    String again = com.anthropic.core.ObjectMappers.jsonMapper().writeValueAsString(typed);
    assertThat(again).isNotEqualTo(body);
  }

  /** A body of Anthropic's SDK that is a string. */
  private record RawBody(String text) implements com.anthropic.core.http.HttpRequestBody {
    @Override
    public void writeTo(OutputStream out) {
      write(text, out);
    }

    @Override
    public String contentType() {
      return "application/json";
    }

    @Override
    public long contentLength() {
      return text.getBytes(StandardCharsets.UTF_8).length;
    }

    @Override
    public boolean repeatable() {
      return true;
    }

    @Override
    public void close() {}
  }

  /** A body of OpenAI's SDK that is a string. */
  private record OpenAiRawBody(String text) implements com.openai.core.http.HttpRequestBody {
    @Override
    public void writeTo(OutputStream out) {
      write(text, out);
    }

    @Override
    public String contentType() {
      return "application/json";
    }

    @Override
    public long contentLength() {
      return text.getBytes(StandardCharsets.UTF_8).length;
    }

    @Override
    public boolean repeatable() {
      return true;
    }

    @Override
    public void close() {}
  }

  private static void write(String text, OutputStream out) {
    try {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }
}
