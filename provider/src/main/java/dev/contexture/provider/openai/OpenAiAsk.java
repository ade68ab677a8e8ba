package dev.contexture.provider.openai;

import dev.contexture.json.JsonBoolean;
import dev.contexture.json.JsonObject;
import dev.contexture.provider.wire.AskedMembers;
import dev.contexture.request.Effort;
import dev.contexture.request.OutputSchema;
import dev.contexture.request.RequestParams;
import dev.contexture.request.ThinkingChoice;
import java.util.Optional;

/**
 * Writes the parameters of a model call in OpenAI's format, where the effort decides how hard the
 * model thinks.
 */
final class OpenAiAsk {
  private OpenAiAsk() {}

  /** The word for the effort. */
  static Optional<String> effort(RequestParams params) {
    Effort effort = params.effort();
    ThinkingChoice thinking = params.thinking();
    if (thinking instanceof ThinkingChoice.Budget budget) {
      throw AskedMembers.rejected(
          "thinking",
          "a budget of " + budget.tokens(),
          "off or adaptive on OpenAI: give an effort");
    }
    boolean off = thinking == ThinkingChoice.OFF;
    if (off && effort != null && effort != Effort.NONE) {
      throw AskedMembers.rejected("effort", effort.wireName(), "none with thinking off");
    }
    return off
        ? Optional.of(Effort.NONE.wireName())
        : Optional.ofNullable(effort).map(Effort::wireName);
  }

  /** The members that say which form an answer has. */
  static JsonObject schema(OutputSchema schema) {
    return JsonObject.builder()
        .put("name", schema.name())
        .put("strict", true)
        .put("schema", schema.schema())
        .build();
  }

  /** The path of the schema that the provider enforces; empty if the format at a path has none. */
  static Optional<String> enforcedSchema(JsonObject settings, String format) {
    return AskedMembers.at(settings, format + ".strict")
        .filter(JsonBoolean.TRUE::equals)
        .map(strict -> format + ".schema");
  }
}
