package dev.contexture.provider.embedding;

import dev.contexture.error.ContextureException;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonNumber;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonValue;
import dev.contexture.search.Embedder;
import dev.contexture.search.EmbedderException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Asks a service that speaks OpenAI's embeddings format: OpenAI itself, and most servers for models
 * of one's own. Thread-safe. It does not retry; what it throws says whether that may help.
 *
 * <pre>{@code
 * Embedder embedder = OpenAiEmbedder.of("text-embedding-3-small", URI.create("https://api.openai.com/v1"), key);
 * }</pre>
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class OpenAiEmbedder implements Embedder {
  private static final Map<String, Integer> KNOWN =
      Map.of(
          "text-embedding-3-small", 1_536,
          "text-embedding-3-large", 3_072,
          "text-embedding-ada-002", 1_536);
  private static final int BATCH = 128;
  private static final int MAX_SHOWN = 300;
  private static final Duration CONNECT = Duration.ofSeconds(10);
  private static final Duration ANSWER = Duration.ofSeconds(60);
  private static final int TOO_MANY_REQUESTS = 429;
  private static final int TIMED_OUT = 408;
  private static final int TOO_LARGE = 413;

  private final String model;
  private final URI address;
  private final @Nullable String key;
  private final Duration timeout;
  private final HttpClient http;
  private volatile int dimensions;

  private OpenAiEmbedder(String model, URI address, @Nullable String key, Duration timeout) {
    this.model = model;
    this.address = address;
    this.key = key;
    this.timeout = timeout;
    this.http = HttpClient.newBuilder().connectTimeout(CONNECT).build();
    this.dimensions = KNOWN.getOrDefault(model, 0);
  }

  /**
   * An embedder for a model of a service.
   *
   * @param base where the service is, such as {@code https://api.openai.com/v1}
   * @param key null: the service wants none
   */
  public static OpenAiEmbedder of(String model, URI base, @Nullable String key) {
    return of(model, base, key, ANSWER);
  }

  static OpenAiEmbedder of(String model, URI base, @Nullable String key, Duration timeout) {
    String text = base.toString().replaceAll("/+$", "");
    URI address = URI.create(text.endsWith("/embeddings") ? text : text + "/embeddings");
    return new OpenAiEmbedder(model, address, key, timeout);
  }

  @Override
  public String modelId() {
    return model;
  }

  /** Known for OpenAI's models, else found out by embedding one word. */
  @Override
  public int dimensions() {
    if (dimensions == 0) {
      dimensions = embed(List.of("dimensions"), Purpose.QUERY).getFirst().length;
    }
    return dimensions;
  }

  @Override
  public int maxBatch() {
    return BATCH;
  }

  @Override
  public List<float[]> embed(List<String> texts, Purpose purpose) {
    List<JsonValue> input = new ArrayList<>();
    texts.forEach(text -> input.add(new JsonString(text)));
    JsonObject body =
        JsonObject.builder()
            .put("model", model)
            .put("input", new JsonArray(input))
            .put("encoding_format", "float")
            .build();
    HttpRequest.Builder request =
        HttpRequest.newBuilder(address)
            .timeout(timeout)
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body.toJson()));
    if (key != null && !key.isBlank()) {
      request.header("Authorization", "Bearer " + key);
    }
    HttpResponse<String> answer = send(request.build());
    if (answer.statusCode() != 200) {
      throw failure(answer);
    }
    return vectors(answer.body(), texts.size());
  }

  private HttpResponse<String> send(HttpRequest request) {
    try {
      return http.send(request, HttpResponse.BodyHandlers.ofString());
    } catch (IOException failed) { // with timeouts
      throw EmbedderException.passing("no answer from " + address + ": " + failed, null, failed);
    } catch (InterruptedException early) {
      Thread.currentThread().interrupt();
      throw EmbedderException.passing("interrupted while waiting for " + address, null, early);
    }
  }

  private EmbedderException failure(HttpResponse<String> answer) {
    int status = answer.statusCode();
    String said = answer.body().strip();
    String shown = said.length() > MAX_SHOWN ? said.substring(0, MAX_SHOWN) + "…" : said;
    String message = address + " answered " + status + ": " + shown;
    if (status == TOO_MANY_REQUESTS || status == TIMED_OUT || status >= 500) {
      return EmbedderException.passing(message, retryAfter(answer), null);
    }
    String lower = said.toLowerCase(Locale.ROOT);
    boolean tooLong =
        status == TOO_LARGE
            || lower.contains("context length")
            || lower.contains("context_length")
            || lower.contains("too long")
            || lower.contains("maximum input");
    return tooLong
        ? EmbedderException.tooLarge(message)
        : EmbedderException.permanent(message, null);
  }

  private static @Nullable Duration retryAfter(HttpResponse<String> answer) {
    try {
      String millis = answer.headers().firstValue("retry-after-ms").orElse("");
      if (!millis.isEmpty()) {
        return Duration.ofMillis((long) Double.parseDouble(millis));
      }
      String seconds = answer.headers().firstValue("retry-after").orElse("");
      return seconds.isEmpty()
          ? null
          : Duration.ofMillis((long) (1_000 * Double.parseDouble(seconds)));
    } catch (NumberFormatException aDate) {
      return null; // then the usual pause
    }
  }

  private List<float[]> vectors(String body, int count) {
    try {
      if (!(JsonValue.parse(body) instanceof JsonObject answer)) {
        throw malformed("no object");
      }
      List<JsonValue> data = answer.array("data").map(JsonArray::items).orElse(List.of());
      if (data.size() != count) {
        throw malformed(data.size() + " vectors for " + count + " texts");
      }
      List<float[]> vectors = new ArrayList<>(Collections.nCopies(count, new float[0]));
      for (int i = 0; i < count; i++) {
        if (!(data.get(i) instanceof JsonObject item)) {
          throw malformed("an entry that is no object");
        }
        int place = item.find("index").map(OpenAiEmbedder::number).map(Float::intValue).orElse(i);
        if (place < 0 || place >= count) {
          throw malformed("index " + place + " for " + count + " texts");
        }
        vectors.set(place, vector(item));
      }
      return vectors;
    } catch (ContextureException notJson) {
      throw EmbedderException.permanent(
          address + " answered no JSON: " + notJson.getMessage(), notJson);
    }
  }

  private float[] vector(JsonObject item) {
    List<JsonValue> numbers = item.array("embedding").map(JsonArray::items).orElse(List.of());
    float[] vector = new float[numbers.size()];
    for (int i = 0; i < vector.length; i++) {
      vector[i] = number(numbers.get(i));
    }
    return vector;
  }

  /** Not a number if it is none, which is refused by who checks vectors. */
  private static float number(JsonValue value) {
    return value instanceof JsonNumber number ? Float.parseFloat(number.text()) : Float.NaN;
  }

  private EmbedderException malformed(String what) {
    return EmbedderException.permanent(address + " answered " + what, null);
  }
}
