package dev.contexture.turn;

import dev.contexture.block.CallId;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonNull;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonValue;
import dev.contexture.model.AnswerOutcome;
import dev.contexture.model.Stop;
import dev.contexture.model.Usage;
import dev.contexture.prompt.Omission;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The result of recording an answer: the model's text and the calls that it asks for.
 *
 * @param text all text, joined
 * @param calls the calls to answer, in order
 * @param stop why the model stopped: {@code end}, {@code tool_use}, {@code max_tokens}, {@code
 *     context_limit}, {@code refusal}, {@code content_filter}, {@code pause}, {@code other} or
 *     {@code cancelled}
 * @param tokens what it cost, if the provider said so
 * @param version of the conversation with the answer
 * @param outcome what it means for the loop
 * @param dropped what is not recorded of it: parts that had not ended, further answers
 */
@API(status = API.Status.STABLE, since = "0.1")
public record Reply(
    String text,
    List<ToolCall> calls,
    String stop,
    @Nullable Usage tokens,
    long version,
    AnswerOutcome outcome,
    List<Omission> dropped) {
  /** The most answers in a row in which a model pauses; the last of them counts as truncated. */
  public static final int MAX_PAUSES = 20;

  /** The stop of an answer that was cancelled, or whose stream broke. */
  public static final String CANCELLED = "cancelled";

  public Reply {
    calls = List.copyOf(calls);
    dropped = List.copyOf(dropped);
  }

  public Optional<Usage> usage() {
    return Optional.ofNullable(tokens);
  }

  /** Whether the loop ends: for every outcome but calls and a pause. */
  public boolean done() {
    return outcome.done();
  }

  /** The wire form (H-4, responses). */
  public JsonObject write() {
    List<JsonValue> listed = new ArrayList<>();
    for (ToolCall call : calls) {
      listed.add(
          JsonObject.builder()
              .put("tool_call_id", call.id().value())
              .putIfPresent("provider_call_id", call.providerCallId())
              .put("tool", call.tool())
              .put("arguments", JsonValue.parse(call.arguments()))
              .build());
    }
    JsonObject.Builder json =
        JsonObject.builder()
            .put("version", version)
            .put("text", text)
            .put("calls", new JsonArray(listed))
            .put("stop", stop)
            .put("usage", tokens == null ? JsonNull.NULL : usage(tokens))
            .put("outcome", outcome.wireName())
            .put("done", done());
    putDropped(json);
    return json.build();
  }

  private void putDropped(JsonObject.Builder json) {
    if (!dropped.isEmpty()) {
      json.put(
          "dropped", new JsonArray(dropped.stream().<JsonValue>map(Omission::toJson).toList()));
    }
  }

  private static JsonObject usage(Usage usage) {
    return JsonObject.builder()
        .put("total_input", usage.totalInput())
        .put("cache_read", usage.cacheRead())
        .put("cache_write_5m", usage.cacheWrite5m())
        .put("cache_write_1h", usage.cacheWrite1h())
        .put("cache_write", usage.cacheWrite())
        .put("uncached", usage.uncached())
        .put("output", usage.output())
        .build();
  }

  /** The form in which a first answer is kept for repeats: arguments as text. */
  public JsonObject keep() {
    List<JsonValue> listed = new ArrayList<>();
    for (ToolCall call : calls) {
      listed.add(
          JsonObject.builder()
              .put("id", call.id().value())
              .putIfPresent("provider_call_id", call.providerCallId())
              .put("tool", call.tool())
              .put("arguments", call.arguments())
              .build());
    }
    JsonObject.Builder json = JsonObject.builder();
    json.put("text", text).put("calls", new JsonArray(listed)).put("stop", stop);
    if (tokens != null) {
      json.put("usage", usage(tokens));
    }
    json.put("version", version).put("outcome", outcome.wireName());
    putDropped(json);
    return json.build();
  }

  public static Reply read(JsonObject json) {
    List<ToolCall> calls = new ArrayList<>();
    for (JsonValue item : json.array("calls").orElse(JsonArray.of()).items()) {
      JsonObject call = (JsonObject) item;
      calls.add(
          new ToolCall(
              new CallId(call.string("id").orElseThrow()),
              call.string("provider_call_id").orElse(null),
              call.string("tool").orElse(""),
              call.string("arguments").orElse("{}")));
    }
    String text = json.string("text").orElse("");
    String stop = json.string("stop").orElse("other");
    return new Reply(
        text,
        calls,
        stop,
        json.object("usage").map(Reply::readUsage).orElse(null),
        number(json, "version"),
        json.string("outcome")
            .map(AnswerOutcome::named)
            .orElseGet(() -> outcome(!calls.isEmpty(), stop, text)),
        json.array("dropped").orElse(JsonArray.of()).items().stream()
            .map(item -> Omission.fromJson((JsonObject) item))
            .toList());
  }

  /** The outcome of a reply that was stored without it. */
  private static AnswerOutcome outcome(boolean calls, String stop, String text) {
    return AnswerOutcome.of(calls, Stop.named(stop), stop.equals(CANCELLED), text, true);
  }

  private static Usage readUsage(JsonObject json) {
    return new Usage(
        number(json, "cache_read"),
        number(json, "cache_write_5m"),
        number(json, "cache_write_1h"),
        number(json, "cache_write"),
        number(json, "uncached"),
        number(json, "output"));
  }

  private static long number(JsonObject json, String key) {
    JsonValue value = json.find(key).orElse(new JsonString("0"));
    return value instanceof dev.contexture.json.JsonNumber number ? number.asLong().orElse(0) : 0;
  }
}
