package dev.contexture.embedded;

import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonNull;
import dev.contexture.json.JsonNumber;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonValue;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

/** Random answers as the providers would give them. */
final class AnswerArbitraries {
  private AnswerArbitraries() {}

  /** The content of an Anthropic answer. */
  static Arbitrary<List<JsonObject>> anthropicContent() {
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
  static Arbitrary<JsonObject> chatMessage() {
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

  private static List<JsonObject> withUniqueIds(List<JsonObject> parts) {
    List<JsonObject> named = new ArrayList<>();
    for (int i = 0; i < parts.size(); i++) {
      JsonObject part = parts.get(i);
      named.add(part.has("id") ? part.with("id", JsonValue.of("call_" + i)) : part);
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
        Arbitraries.of("Hello.", "line\n", "  ", "\u0000"));
  }
}
