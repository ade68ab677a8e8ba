package dev.contexture.provider.anthropic;

import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.provider.wire.AskedMembers;
import dev.contexture.request.Effort;
import dev.contexture.request.OutputSchema;
import dev.contexture.request.RequestParams;
import dev.contexture.request.ThinkingChoice;

/** Writes the parameters of a model call in Anthropic's format. */
final class AnthropicAsk {
  private AnthropicAsk() {}

  static JsonObject of(RequestParams params) {
    JsonObject.Builder asked = JsonObject.builder();
    ThinkingChoice thinking = params.thinking();
    if (thinking != null) {
      asked.put("thinking", thinking(thinking));
    }
    JsonObject.Builder output = JsonObject.builder();
    Effort effort = params.effort();
    if (effort != null) {
      if (effort.compareTo(Effort.LOW) < 0) {
        throw AskedMembers.rejected(
            "effort", effort.wireName(), "low, medium, high, xhigh or max on anthropic");
      }
      output.put("effort", effort.wireName());
    }
    OutputSchema schema = params.outputSchema();
    if (schema != null) {
      output.put(
          "format",
          JsonObject.builder().put("type", "json_schema").put("schema", schema.schema()).build());
    }
    JsonObject config = output.build();
    return config.isEmpty() ? asked.build() : asked.put("output_config", config).build();
  }

  private static JsonObject thinking(ThinkingChoice thinking) {
    return switch (thinking) {
      case ThinkingChoice.Budget budget ->
          JsonObject.builder().put("type", "enabled").put("budget_tokens", budget.tokens()).build();
      case ThinkingChoice.Mode mode ->
          switch (mode) {
            case OFF -> JsonObject.of("type", JsonValue.of("disabled"));
            case ADAPTIVE -> JsonObject.of("type", JsonValue.of("adaptive"));
          };
    };
  }
}
