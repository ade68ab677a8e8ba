package dev.contexture.provider.embedding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonValue;
import dev.contexture.search.CheckedEmbedder;
import dev.contexture.search.Embedder.Purpose;
import dev.contexture.search.EmbedderException;
import dev.contexture.search.EmbedderException.Kind;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An embedder over HTTP, against a server that speaks the format (M-85). */
class OpenAiEmbedderTest {
  private record Said(int status, String body, Map<String, String> headers) {
    static Said of(int status, String body) {
      return new Said(status, body, Map.of());
    }
  }

  private final List<JsonObject> asked = new ArrayList<>();
  private final List<String> keys = new ArrayList<>();
  private Function<JsonObject, Said> answers = OpenAiEmbedderTest::lengths;
  private HttpServer server;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/v1/embeddings",
        exchange -> {
          String body =
              new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
          JsonObject request = (JsonObject) JsonValue.parse(body);
          asked.add(request);
          keys.add(exchange.getRequestHeaders().getFirst("Authorization"));
          Said said = answers.apply(request);
          said.headers.forEach(exchange.getResponseHeaders()::set);
          byte[] bytes = said.body.getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(said.status, bytes.length);
          exchange.getResponseBody().write(bytes);
          exchange.close();
        });
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  /** The vector of a text is its length and 1; the last one first, as the format allows. */
  private static Said lengths(JsonObject request) {
    List<String> rows = new ArrayList<>();
    List<JsonValue> input = request.array("input").map(JsonArray::items).orElseThrow();
    for (int i = input.size() - 1; i >= 0; i--) {
      int length = ((JsonString) input.get(i)).value().length();
      rows.add(
          "{\"object\":\"embedding\",\"index\":" + i + ",\"embedding\":[" + length + ",1.5e-1]}");
    }
    return Said.of(
        200,
        "{\"object\":\"list\",\"data\":["
            + String.join(",", rows)
            + "],\"model\":\"m\",\"usage\":{\"prompt_tokens\":8,\"total_tokens\":8}}");
  }

  private OpenAiEmbedder embedder() {
    URI base = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/v1/");
    return OpenAiEmbedder.of("m", base, "key", Duration.ofMinutes(2));
  }

  @Test
  void asksInTheFormatAndPutsVectorsInOrder() {
    assertThat(embedder().embed(List.of("a", "bcd"), Purpose.DOCUMENT))
        .containsExactly(new float[] {1, 0.15f}, new float[] {3, 0.15f});
    assertThat(asked.getFirst().toJson())
        .isEqualTo("{\"model\":\"m\",\"input\":[\"a\",\"bcd\"],\"encoding_format\":\"float\"}");
    assertThat(keys).containsExactly("Bearer key");
  }

  @Test
  void findsTheDimensionsOut() {
    assertThat(embedder().dimensions()).isEqualTo(2);
    assertThat(
            OpenAiEmbedder.of("text-embedding-3-large", URI.create("http://x"), null).dimensions())
        .isEqualTo(3_072);
  }

  @ParameterizedTest
  @CsvSource({
    "429,slow down,TRANSIENT",
    "503,overloaded,TRANSIENT",
    "500,oops,TRANSIENT",
    "401,wrong key,PERMANENT",
    "400,This model's maximum context length is 8192 tokens,INPUT_TOO_LARGE",
    "413,large,INPUT_TOO_LARGE",
    "400,bad request,PERMANENT",
    "200,no json,PERMANENT",
    "200,{},PERMANENT"
  })
  void saysWhatCanBeDone(int status, String body, Kind kind) {
    answers = request -> Said.of(status, body);
    assertThatThrownBy(() -> embedder().embed(List.of("a"), Purpose.QUERY))
        .isInstanceOfSatisfying(
            EmbedderException.class, failed -> assertThat(failed.kind()).isEqualTo(kind));
  }

  @Test
  void waitsAsLongAsTheServiceAsks() throws InterruptedException {
    List<Duration> pauses = new ArrayList<>();
    answers =
        request ->
            asked.size() < 3
                ? new Said(429, "later", Map.of("Retry-After", "7"))
                : lengths(request);
    CheckedEmbedder checked = new CheckedEmbedder(embedder(), pauses::add);
    assertThat(checked.documents(List.of("abc"))).hasSize(1);
    assertThat(pauses).containsExactly(Duration.ofSeconds(7), Duration.ofSeconds(7));
  }

  @Test
  void sendsLargeAmountsInBatches() throws InterruptedException {
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      texts.add("x".repeat(1 + i % 5));
    }
    CheckedEmbedder checked = new CheckedEmbedder(embedder(), unused -> {});
    assertThat(checked.documents(texts)).hasSize(300);
    assertThat(asked.stream().mapToInt(one -> one.array("input").orElseThrow().items().size()))
        .allMatch(size -> size <= 128);
  }

  @Test
  void aServiceThatIsAwayMayComeBack() {
    OpenAiEmbedder away = embedder();
    server.stop(0);
    assertThatThrownBy(() -> away.embed(List.of("a"), Purpose.QUERY))
        .isInstanceOfSatisfying(
            EmbedderException.class, failed -> assertThat(failed.kind()).isEqualTo(Kind.TRANSIENT));
  }
}
