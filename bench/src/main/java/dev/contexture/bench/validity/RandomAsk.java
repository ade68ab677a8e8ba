package dev.contexture.bench.validity;

import dev.contexture.RequestBuilder;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.request.Effort;
import dev.contexture.request.OutputSchema;
import dev.contexture.request.ThinkingChoice;
import dev.contexture.request.ToolChoice;
import dev.contexture.request.ToolDef;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Asks a model for something, at random: some of it no provider takes, or only another one. */
record RandomAsk(SplittableRandom random) {
  private static final List<ToolChoice> CHOICES =
      List.of(
          ToolChoice.REQUIRED, ToolChoice.NONE, ToolChoice.tool("look"), ToolChoice.tool("nobody"));
  private static final List<String> SCHEMAS =
      List.of(
          "{\"type\":\"object\"}",
          "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string\"},\"b\":{\"type\":\"array\","
              + "\"items\":{\"type\":\"object\",\"properties\":{\"c\":{\"type\":\"integer\"}}}}},"
              + "\"required\":[\"b\"]}",
          "{\"type\":\"object\",\"additionalProperties\":{\"type\":\"string\"}}",
          "{\"type\":\"array\",\"items\":{\"type\":\"string\"}}");
  private static final List<String> PARAMS =
      List.of(
          "{\"temperature\":0.5}",
          "{\"temperature\":\"hot\"}",
          "{\"metadata\":{\"user_id\":\"u\"}}",
          "{\"stop_sequences\":[\"END\"]}",
          "{\"stop_sequences\":5}",
          "{\"generationConfig\":{\"topK\":3}}",
          "{\"tool_choice\":{\"type\":\"any\"}}");
  private static final List<String> TOOLS =
      List.of(
          "{\"type\":\"web_search_20250305\",\"name\":\"web_search\"}",
          "{\"type\":\"web_search\"}",
          "{\"googleSearch\":{}}");

  /** Adds one or two wishes to a request with these tools. */
  void to(RequestBuilder builder, List<ToolDef> tools) {
    for (int wishes = 1 + random.nextInt(2); wishes > 0; wishes--) {
      switch (random.nextInt(7)) {
        case 0 -> builder.toolChoice(pick(CHOICES));
        case 1 -> builder.thinking(thinking());
        case 2 -> builder.effort(pick(List.of(Effort.values())));
        case 3 -> builder.outputSchema(OutputSchema.of("answer", pick(SCHEMAS)));
        case 4 -> builder.params((JsonObject) JsonValue.parse(pick(PARAMS)));
        case 5 -> builder.maxOutputTokens(1 << random.nextInt(20));
        default -> {
          List<ToolDef> all = new ArrayList<>(tools);
          all.add(ToolDef.ofProvider(pick(TOOLS)));
          builder.tools(all);
        }
      }
    }
  }

  private ThinkingChoice thinking() {
    return switch (random.nextInt(3)) {
      case 0 -> ThinkingChoice.OFF;
      case 1 -> ThinkingChoice.ADAPTIVE;
      default -> ThinkingChoice.budget(1 << random.nextInt(14));
    };
  }

  private <T> T pick(List<T> from) {
    return from.get(random.nextInt(from.size()));
  }
}
