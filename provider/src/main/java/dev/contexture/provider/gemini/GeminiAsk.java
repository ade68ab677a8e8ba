package dev.contexture.provider.gemini;

import dev.contexture.json.JsonObject;
import dev.contexture.provider.wire.AskedMembers;
import dev.contexture.request.Effort;
import dev.contexture.request.OutputSchema;
import dev.contexture.request.RequestParams;
import dev.contexture.request.ThinkingChoice;
import java.util.Locale;

/** Writes the parameters of a model call in Gemini's format. */
final class GeminiAsk {
  private static final int DYNAMIC = -1;

  private GeminiAsk() {}

  static JsonObject of(RequestParams params) {
    JsonObject.Builder config = JsonObject.builder();
    JsonObject thinking = thinking(params);
    if (!thinking.isEmpty()) {
      config.put("thinkingConfig", thinking);
    }
    OutputSchema schema = params.outputSchema();
    if (schema != null) {
      config.put("responseMimeType", "application/json");
      config.put("responseJsonSchema", schema.schema());
    }
    JsonObject all = config.build();
    return all.isEmpty() ? all : JsonObject.of(GeminiFormat.CONFIG, all);
  }

  private static JsonObject thinking(RequestParams params) {
    JsonObject.Builder thinking = JsonObject.builder();
    ThinkingChoice asked = params.thinking();
    Effort effort = params.effort();
    if (asked != null && effort != null && asked != ThinkingChoice.ADAPTIVE) {
      throw AskedMembers.rejected(
          "effort",
          effort.wireName(),
          "none beside thinking " + asked.toJson().toJson() + " on gemini: give one of them");
    }
    if (asked != null && effort == null) { // a level is adaptive by itself
      thinking.put("thinkingBudget", budget(asked));
    }
    if (effort != null) {
      if (effort == Effort.NONE || effort.compareTo(Effort.HIGH) > 0) {
        throw AskedMembers.rejected(
            "effort", effort.wireName(), "minimal, low, medium or high on gemini");
      }
      thinking.put("thinkingLevel", effort.name().toUpperCase(Locale.ROOT));
    }
    return thinking.build();
  }

  private static int budget(ThinkingChoice thinking) {
    return switch (thinking) {
      case ThinkingChoice.Budget budget -> budget.tokens();
      case ThinkingChoice.Mode mode ->
          switch (mode) {
            case OFF -> 0;
            case ADAPTIVE -> DYNAMIC;
          };
    };
  }
}
