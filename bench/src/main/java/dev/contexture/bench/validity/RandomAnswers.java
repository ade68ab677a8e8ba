package dev.contexture.bench.validity;

import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Random answers of models in the form of each provider. Confined to one thread. */
final class RandomAnswers {
  private static final List<String> WORDS =
      List.of(
          "tea", "\n", " ", "</block:x>", "\u00e4\u2028", "😀", "{\"a\":1}", "word ".repeat(40));
  private static final List<String> ARGUMENTS =
      List.of("{}", "{\"n\":1}", "{\"a\":[1.0,{}],\"b\":\"x\\\"y\"}");

  private final SplittableRandom random;
  private int ids;

  RandomAnswers(SplittableRandom random) {
    this.random = random;
  }

  /** Some words, or none. */
  String text() {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(5); i > 0; i--) {
      text.append(pick(WORDS));
    }
    return text.toString();
  }

  <T> T pick(List<T> from) {
    return from.get(random.nextInt(from.size()));
  }

  /**
   * An answer.
   *
   * @param tools the names of what may be called, as the request has them; none: nothing is called
   */
  String of(String format, String model, List<String> tools) {
    int calls = tools.isEmpty() ? 0 : random.nextInt(4);
    return (switch (format) {
          case "anthropic" -> anthropic(model, tools, calls);
          case "openai_chat" -> chat(model, tools, calls);
          case "openai_responses" -> responses(model, tools, calls);
          default -> gemini(model, tools, calls);
        })
        .toJson();
  }

  private JsonObject anthropic(String model, List<String> tools, int calls) {
    List<JsonValue> content = new ArrayList<>();
    if (random.nextInt(3) == 0) {
      content.add(object("thinking").put("thinking", text()).put("signature", "s" + ids++).build());
    }
    String said = text();
    if (!said.isBlank()) {
      content.add(object("text").put("text", said).build());
    }
    boolean pauses = random.nextInt(6) == 0 && searched(content);
    for (int i = 0; i < calls; i++) {
      content.add(
          object("tool_use")
              .put("id", "toolu_" + ids++)
              .put("name", pick(tools))
              .put("input", JsonValue.parse(pick(ARGUMENTS)))
              .build());
    }
    return JsonObject.builder()
        .put("id", "msg_" + ids++)
        .put("type", "message")
        .put("role", "assistant")
        .put("model", model)
        .put("content", new JsonArray(content))
        .put(
            "stop_reason",
            pauses && calls == 0
                ? "pause_turn"
                : stop(calls, "tool_use", List.of("end_turn", "max_tokens", "refusal")))
        .build();
  }

  /** Adds a search that the provider runs itself; returns whether it is still under way. */
  private boolean searched(List<JsonValue> content) {
    String id = "srvtoolu_" + ids++;
    JsonObject query = JsonObject.builder().put("query", text()).build();
    content.add(
        object("server_tool_use")
            .put("id", id)
            .put("name", "web_search")
            .put("input", query)
            .build());
    if (random.nextBoolean()) {
      return true;
    }
    content.add(
        object("web_search_tool_result")
            .put("tool_use_id", id)
            .put("content", new JsonArray(List.of()))
            .build());
    return false;
  }

  private JsonObject chat(String model, List<String> tools, int calls) {
    List<JsonValue> made = new ArrayList<>();
    for (int i = 0; i < calls; i++) {
      JsonObject function =
          JsonObject.builder().put("name", pick(tools)).put("arguments", pick(ARGUMENTS)).build();
      made.add(object("function").put("id", "call_" + ids++).put("function", function).build());
    }
    JsonObject.Builder message =
        JsonObject.builder().put("role", "assistant").put("content", text());
    if (calls > 0) {
      message.put("tool_calls", new JsonArray(made));
    }
    JsonObject choice =
        JsonObject.builder()
            .put("index", 0)
            .put("message", message.build())
            .put("finish_reason", stop(calls, "tool_calls", List.of("stop", "length")))
            .build();
    return JsonObject.builder()
        .put("id", "c" + ids++)
        .put("model", model)
        .put("choices", JsonArray.of(choice))
        .build();
  }

  private JsonObject responses(String model, List<String> tools, int calls) {
    List<JsonValue> output = new ArrayList<>();
    if (random.nextInt(3) == 0) {
      output.add(
          object("reasoning")
              .put("id", "rs_" + ids++)
              .put("summary", new JsonArray(List.of()))
              .put("encrypted_content", "e" + ids)
              .build());
    }
    String said = text();
    if (!said.isBlank()) {
      JsonObject part =
          object("output_text")
              .put("text", said)
              .put("annotations", new JsonArray(List.of()))
              .build();
      output.add(
          object("message")
              .put("id", "msg_" + ids++)
              .put("role", "assistant")
              .put("status", "completed")
              .put("content", JsonArray.of(part))
              .build());
    }
    for (int i = 0; i < calls; i++) {
      output.add(
          object("function_call")
              .put("id", "fc_" + ids++)
              .put("call_id", "call_" + ids++)
              .put("name", pick(tools))
              .put("arguments", pick(ARGUMENTS))
              .put("status", "completed")
              .build());
    }
    return JsonObject.builder()
        .put("id", "resp_" + ids++)
        .put("model", model)
        .put("status", "completed")
        .put("output", new JsonArray(output))
        .build();
  }

  private JsonObject gemini(String model, List<String> tools, int calls) {
    List<JsonValue> parts = new ArrayList<>();
    String said = text();
    if (!said.isBlank()) {
      parts.add(JsonObject.of("text", JsonValue.of(said)));
    }
    for (int i = 0; i < calls; i++) {
      JsonObject call =
          JsonObject.builder()
              .put("name", pick(tools))
              .put("args", JsonValue.parse(pick(ARGUMENTS)))
              .build();
      JsonObject.Builder part = JsonObject.builder().put("functionCall", call);
      if (random.nextBoolean()) {
        part.put("thoughtSignature", "c2lnbmVk");
      }
      parts.add(part.build());
    }
    JsonObject content =
        JsonObject.builder().put("role", "model").put("parts", new JsonArray(parts)).build();
    JsonObject candidate =
        JsonObject.builder().put("content", content).put("finishReason", "STOP").build();
    return JsonObject.builder()
        .put("modelVersion", model)
        .put("candidates", JsonArray.of(candidate))
        .build();
  }

  private static JsonObject.Builder object(String type) {
    return JsonObject.builder().put("type", type);
  }

  private String stop(int calls, String called, List<String> others) {
    return calls > 0 ? called : pick(others);
  }
}
