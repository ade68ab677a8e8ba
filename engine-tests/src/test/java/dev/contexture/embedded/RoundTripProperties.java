package dev.contexture.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.ContextBrowser;
import dev.contexture.ContextRequest;
import dev.contexture.Contexture;
import dev.contexture.Turn;
import dev.contexture.block.Scope;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonNull;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonText;
import dev.contexture.json.JsonValue;
import dev.contexture.provider.BuiltInProviders;
import dev.contexture.provider.catalogue.ModelCatalogue;
import dev.contexture.request.ToolDef;
import dev.contexture.store.sqlite.InMemoryStore;
import dev.contexture.testkit.AnswerArbitraries;
import dev.contexture.testkit.FakeClock;
import dev.contexture.turn.Reply;
import dev.contexture.turn.ToolCall;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** P-83 through the engine: recorded, stored, rendered and sent again, an answer is unchanged. */
class RoundTripProperties {
  private static final List<ToolDef> TOOLS =
      Stream.of("get_weather", "get_time", "f_1")
          .map(name -> new ToolDef(name, "", "{\"type\":\"object\"}"))
          .toList();

  private static final String CLAUDE = "claude-opus-5";
  private static final String GPT = "gpt-5.6-terra";
  private static final String MARK = ",\"cache_control\":{\"type\":\"ephemeral\",\"ttl\":\"5m\"}";
  private static final BuiltInProviders PROVIDERS = BuiltInProviders.of(ModelCatalogue.shipped());

  @Property(tries = 1000)
  void anthropicGetsItsPartsBack(@ForAll("anthropicContents") List<JsonObject> content) {
    JsonObject answer =
        JsonObject.builder()
            .put("model", "claude-opus-5-20260501")
            .put("content", new JsonArray(List.copyOf(content)))
            .put(
                "stop_reason",
                content.stream().anyMatch(p -> p.has("id")) ? "tool_use" : "end_turn")
            .build();
    Sent sent = sentAfter(CLAUDE, answer.toJson());
    List<JsonObject> expected = new ArrayList<>();
    for (JsonObject part : content) {
      boolean text = part.string("type").orElse("").equals("text");
      if (!text || !part.string("text").orElse("").isBlank()) {
        expected.add(part);
      }
    }
    List<String> parts = sent.assistant("content");
    assertThat(parts.stream().map(part -> bare(JsonValue.parse(part))).toList())
        .isEqualTo(expected.stream().map(RoundTripProperties::bare).toList());
    assertThat(parts.stream().filter(part -> !isText(part)).toList())
        .isEqualTo(expected.stream().map(JsonValue::toJson).filter(part -> !isText(part)).toList());
    assertThat(sent.ids("tool_use_id")).isEqualTo(sent.providerIds());
  }

  /** Thinking may repeat itself, word for word and with the same signature. */
  @Example
  void equalThinkingGoesBackInEachOfItsPlaces() {
    JsonObject first = thinking("a");
    JsonObject other = thinking("b");
    JsonObject call =
        JsonObject.builder()
            .put("type", "tool_use")
            .put("id", "c1")
            .put("name", "f_1")
            .put("input", JsonObject.EMPTY)
            .build();
    anthropicGetsItsPartsBack(List.of(first));
    anthropicGetsItsPartsBack(List.of(first, first));
    anthropicGetsItsPartsBack(List.of(first, other, first));
    anthropicGetsItsPartsBack(List.of(first, other, call, other, first));
  }

  private static JsonObject thinking(String signature) {
    return JsonObject.builder()
        .put("type", "thinking")
        .put("thinking", "")
        .put("signature", signature)
        .build();
  }

  private static boolean isText(String part) {
    return JsonText.member(part, "type").orElse("").equals("\"text\"");
  }

  @Property(tries = 1000)
  void openAiGetsItsPartsBack(@ForAll("chatMessages") JsonObject message) {
    JsonObject choice =
        JsonObject.builder()
            .put("index", 0)
            .put("message", message)
            .put("finish_reason", message.has("tool_calls") ? "tool_calls" : "stop")
            .build();
    JsonObject answer =
        JsonObject.builder().put("model", GPT).put("choices", JsonArray.of(choice)).build();
    Sent sent = sentAfter(GPT, answer.toJson());
    List<String> said =
        Stream.of("content", "refusal")
            .flatMap(member -> message.string(member).stream())
            .filter(text -> !text.isBlank())
            .toList();
    assertThat(sent.assistant("content"))
        .extracting(part -> ((JsonObject) JsonValue.parse(part)).string("text").orElseThrow())
        .isEqualTo(said);
    List<JsonValue> calls = message.array("tool_calls").map(JsonArray::items).orElse(List.of());
    assertThat(sent.assistant("tool_calls").stream().map(JsonValue::parse).toList())
        .isEqualTo(calls);
    assertThat(sent.ids("tool_call_id")).isEqualTo(sent.providerIds());
  }

  @Example
  void goldenAnswersGoBackAsTheyCame() {
    // P-84 A and C
    String claude = golden("anthropic-answer.json");
    List<String> parts =
        JsonText.items(JsonText.member(claude, "content").orElseThrow()).stream()
            .map(JsonText::minify)
            .toList();
    Sent toClaude = sentAfter(CLAUDE, claude);
    assertThat(toClaude.assistant("content")).isEqualTo(parts);
    assertThat(toClaude.ids("tool_use_id")).containsExactly("toolu_01A", "toolu_01B");

    Sent toGpt = sentAfter(GPT, golden("chat-answer.json"));
    assertThat(toGpt.assistant("tool_calls"))
        .containsExactly(
            "{\"id\":\"call_a1\",\"type\":\"function\",\"function\":{\"name\":\"get_weather\","
                + "\"arguments\":\"{\\\"city\\\":\\\"Oslo\\\"}\"}}",
            "{\"id\":\"call_b2\",\"type\":\"function\",\"function\":{\"name\":\"get_time\","
                + "\"arguments\":\"{\\\"city\\\": \\\"Oslo\\\", \\\"utc_offset\\\": 1.0}\"}}");
    assertThat(toGpt.ids("tool_call_id")).containsExactly("call_a1", "call_b2");
  }

  private record Sent(String body, List<String> providerIds) {
    /** The items of an array of the assistant's message, marks aside; none if it has none. */
    List<String> assistant(String member) {
      for (String message : JsonText.items(JsonText.member(body, "messages").orElseThrow())) {
        if (JsonText.member(message, "role").orElse("").equals("\"assistant\"")) {
          return JsonText.items(JsonText.member(message, member).orElse("[]")).stream()
              .map(part -> part.replace(MARK, ""))
              .toList();
        }
      }
      return List.of();
    }

    List<String> ids(String key) {
      List<String> ids = new ArrayList<>();
      collect(JsonValue.parse(body), key, ids);
      return ids;
    }

    private static void collect(JsonValue value, String key, List<String> ids) {
      if (value instanceof JsonObject object) {
        object.string(key).ifPresent(ids::add);
        object.members().values().forEach(inner -> collect(inner, key, ids));
      } else if (value instanceof JsonArray array) {
        array.items().forEach(inner -> collect(inner, key, ids));
      }
    }
  }

  /** Records an answer, answers its calls or finishes, loads it again and asks anew. */
  private static Sent sentAfter(String model, String answer) {
    InMemoryStore store = new InMemoryStore();
    List<ToolCall> calls;
    Turn turn = chat(store).startTurn("hi");
    ContextRequest request = turn.request(model).tools(TOOLS).build();
    Reply reply = turn.record(request, answer);
    calls = reply.calls();
    calls.forEach(call -> turn.answer(call, "ok"));
    ContextBrowser again = chat(store);
    if (calls.isEmpty()) {
      again.openTurn().finish(reply);
      again.startTurn("go on");
    }
    String body = again.openTurn().request(model).tools(TOOLS).build().body();
    return new Sent(body, calls.stream().map(call -> call.providerCallId()).toList());
  }

  private static ContextBrowser chat(InMemoryStore store) {
    return Contexture.builder(store)
        .clock(FakeClock.atStart())
        .providers(PROVIDERS)
        .build()
        .browser(Scope.of("acme", "shop").user("u42").conversation("c1"));
  }

  /** A part without null members and empty arrays (P-76). */
  private static JsonObject bare(JsonValue part) {
    JsonObject.Builder kept = JsonObject.builder();
    ((JsonObject) part)
        .members()
        .forEach(
            (key, value) -> {
              if (value != JsonNull.NULL && !value.equals(JsonArray.of())) {
                kept.put(key, value);
              }
            });
    return kept.build();
  }

  private static String golden(String name) {
    try (InputStream in =
        RoundTripProperties.class.getResourceAsStream("/dev/contexture/provider/golden/" + name)) {
      return new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  @Provide
  Arbitrary<List<JsonObject>> anthropicContents() {
    return AnswerArbitraries.anthropicContent();
  }

  @Provide
  Arbitrary<JsonObject> chatMessages() {
    return AnswerArbitraries.chatMessage();
  }
}
