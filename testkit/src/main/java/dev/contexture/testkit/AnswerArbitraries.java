package dev.contexture.testkit;

import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonNull;
import dev.contexture.json.JsonNumber;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonValue;
import dev.contexture.json.SendableText;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import org.apiguardian.api.API;

/** Random answers as the providers would give them. */
@API(status = API.Status.INTERNAL)
public final class AnswerArbitraries {
  private AnswerArbitraries() {}

  /** The content of an Anthropic answer. */
  public static Arbitrary<List<JsonObject>> anthropicContent() {
    return anthropicPart().list().ofMaxSize(6).map(AnswerArbitraries::withUniqueIds);
  }

  private static Arbitrary<JsonObject> anthropicPart() {
    Arbitrary<JsonObject> text =
        Combinators.combine(texts(), Arbitraries.of("", "null", "[]", "[{\"cited_text\":\"a\"}]"))
            .as(
                (value, citations) -> {
                  JsonObject part = typed("text").put("text", value).build();
                  return citations.isEmpty()
                      ? part
                      : part.with("citations", JsonValue.parse(citations));
                });
    Arbitrary<JsonObject> thinking =
        Combinators.combine(texts(), texts())
            .as(
                (said, sign) ->
                    typed("thinking").put("thinking", said).put("signature", "s" + sign).build());
    Arbitrary<JsonObject> unknown =
        objects().map(inner -> typed("server_novelty").put("payload", inner).build());
    Arbitrary<JsonObject> call =
        Combinators.combine(objects(), Arbitraries.of(true, false))
            .as(
                (input, caller) -> {
                  JsonObject part =
                      typed("tool_use")
                          .put("id", "")
                          .put("name", "f_1")
                          .put("input", input)
                          .build();
                  return caller ? part.with("caller", typed("direct").build()) : part;
                });
    return Arbitraries.oneOf(text, thinking, unknown, call);
  }

  /** The message of a chat completion. */
  public static Arbitrary<JsonObject> chatMessage() {
    Arbitrary<JsonValue> content =
        Arbitraries.oneOf(
            texts().map(JsonString::new),
            Arbitraries.of("", "\n").map(JsonString::new),
            Arbitraries.just(JsonNull.NULL));
    return Combinators.combine(
            content, chatCall().list().ofMaxSize(4), Arbitraries.of("", "no"), objects())
        .as(
            (said, calls, refusal, other) -> {
              JsonObject.Builder message =
                  JsonObject.builder().put("role", "assistant").put("content", said);
              message.put("refusal", refusal.isEmpty() ? JsonNull.NULL : JsonValue.of(refusal));
              if (!calls.isEmpty()) {
                message.put("tool_calls", new JsonArray(List.copyOf(withUniqueIds(calls))));
              }
              return message.put("annotations", JsonArray.of()).put("novelty", other).build();
            });
  }

  private static Arbitrary<JsonObject> chatCall() {
    Arbitrary<String> arguments =
        Arbitraries.oneOf(
            objects().map(JsonValue::toJson),
            objects().map(JsonValue::toPrettyJson),
            texts(),
            Arbitraries.of("", " {\"a\": 1} ", "[1]"));
    return Combinators.combine(arguments, Arbitraries.of(true, false))
        .as(
            (text, extra) -> {
              JsonObject function =
                  JsonObject.builder().put("name", "f_1").put("arguments", text).build();
              JsonObject call =
                  JsonObject.builder()
                      .put("id", "")
                      .put("type", "function")
                      .put("function", function)
                      .build();
              return extra ? call.with("extra_content", typed("x").build()) : call;
            });
  }

  /** The items of a response. */
  public static Arbitrary<List<JsonObject>> responsesOutput() {
    Arbitrary<JsonObject> message =
        Combinators.combine(texts().list().ofMinSize(1).ofMaxSize(2), Arbitraries.of(true, false))
            .as(
                (said, refused) -> {
                  List<JsonValue> content = new ArrayList<>();
                  said.forEach(text -> content.add(typed("output_text").put("text", text).build()));
                  if (refused) {
                    content.add(typed("refusal").put("refusal", "no").build());
                  }
                  return typed("message")
                      .put("id", "")
                      .put("role", "assistant")
                      .put("content", new JsonArray(content))
                      .build();
                });
    Arbitrary<JsonObject> reasoning =
        texts()
            .map(
                text ->
                    typed("reasoning")
                        .put("id", "")
                        .put("summary", JsonArray.of())
                        .put("encrypted_content", "e" + text)
                        .build());
    Arbitrary<JsonObject> call =
        Arbitraries.oneOf(
                objects().map(JsonValue::toJson),
                objects().map(JsonValue::toPrettyJson),
                texts(),
                Arbitraries.of("", " {\"a\": 1} "))
            .map(
                text ->
                    typed("function_call")
                        .put("id", "")
                        .put("status", "completed")
                        .put("call_id", "")
                        .put("name", "f_1")
                        .put("arguments", text)
                        .build());
    Arbitrary<JsonObject> other =
        objects().map(inner -> typed("server_novelty").put("id", "").put("payload", inner).build());
    return Arbitraries.oneOf(message, reasoning, call, other)
        .list()
        .ofMaxSize(6)
        .map(AnswerArbitraries::withUniqueIds);
  }

  /** The parts of a Gemini answer. */
  public static Arbitrary<List<JsonObject>> geminiParts() {
    Arbitrary<JsonObject> said =
        Combinators.combine(texts(), Arbitraries.of("", "thought", "thoughtSignature"))
            .as(
                (text, more) -> {
                  JsonObject part = JsonObject.of("text", new JsonString(text));
                  return switch (more) {
                    case "thought" -> part.with("thought", JsonValue.of(true));
                    case "thoughtSignature" -> part.with("thoughtSignature", JsonValue.of("c2ln"));
                    default -> part;
                  };
                });
    Arbitrary<JsonObject> call =
        Combinators.combine(objects(), Arbitraries.of(0, 1, 2, 3))
            .as(
                (args, form) -> {
                  JsonObject.Builder inner = JsonObject.builder();
                  if (form != 1) {
                    inner.put("id", "");
                  }
                  inner.put("name", "f_1");
                  if (form != 2) {
                    inner.put("args", args);
                  }
                  JsonObject part = JsonObject.of("functionCall", inner.build());
                  return form == 3 ? part.with("thoughtSignature", JsonValue.of("c2ln")) : part;
                });
    Arbitrary<JsonObject> other =
        texts()
            .map(
                text ->
                    JsonObject.of(
                        "executableCode",
                        JsonObject.builder().put("language", "PYTHON").put("code", text).build()));
    return Arbitraries.oneOf(said, call, other)
        .list()
        .ofMaxSize(6)
        .map(AnswerArbitraries::withCallIds);
  }

  private static List<JsonObject> withCallIds(List<JsonObject> parts) {
    List<JsonObject> named = new ArrayList<>();
    for (JsonObject part : parts) {
      JsonObject call = part.object("functionCall").orElse(JsonObject.EMPTY);
      JsonValue id = JsonValue.of("call_" + named.size());
      JsonObject one = call.has("id") ? part.with("functionCall", call.with("id", id)) : part;
      boolean first = named.stream().noneMatch(before -> before.has("functionCall"));
      named.add(
          first && part.has("functionCall")
              ? one.with("thoughtSignature", JsonValue.of("c2ln"))
              : one);
    }
    return named;
  }

  private static List<JsonObject> withUniqueIds(List<JsonObject> parts) {
    List<JsonObject> named = new ArrayList<>();
    for (int i = 0; i < parts.size(); i++) {
      JsonObject part = parts.get(i);
      JsonObject one = part.has("id") ? part.with("id", JsonValue.of("call_" + i)) : part;
      named.add(one.has("call_id") ? one.with("call_id", JsonValue.of("c_" + i)) : one);
    }
    return named;
  }

  private static JsonObject.Builder typed(String type) {
    return JsonObject.builder().put("type", type);
  }

  private static Arbitrary<JsonObject> objects() {
    Arbitrary<JsonValue> values =
        Arbitraries.oneOf(
            texts().map(JsonString::new),
            Arbitraries.of("1.0", "-0", "1e5", "12345678901234567890").map(JsonNumber::new),
            texts().list().ofMaxSize(2).map(JsonArray::ofStrings));
    Arbitrary<String> keys = Arbitraries.strings().withChars("ab \"\\\n\u00e4").ofMaxLength(4);
    return Arbitraries.maps(keys, values).ofMaxSize(3).map(JsonObject::new);
  }

  private static Arbitrary<String> texts() {
    return Arbitraries.oneOf(
            Arbitraries.strings().ofMinLength(1).ofMaxLength(12),
            Arbitraries.strings().withChars("a\"\\\n\r\t \u00e4\u2028\ud83d\ude00").ofMaxLength(8),
            Arbitraries.of("Hello.", "line\n", "  "))
        .map(SendableText::of); // any other text is cleaned when it comes
  }
}
