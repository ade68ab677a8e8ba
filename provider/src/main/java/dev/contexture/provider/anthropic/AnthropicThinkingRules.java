package dev.contexture.provider.anthropic;

import dev.contexture.json.JsonNumber;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.model.RequestRule;
import dev.contexture.provider.wire.BodyView;
import dev.contexture.provider.wire.Findings;
import java.math.BigDecimal;
import java.util.Optional;

/** V37 and V28: a budget for thinking, and what cannot stand beside thinking. */
record AnthropicThinkingRules(BodyView body, Findings findings) {
  private static final long LEAST_BUDGET = 1_024;

  void check() {
    JsonObject thinking = body.settings().object("thinking").orElse(JsonObject.EMPTY);
    String type = thinking.string("type").orElse("");
    boolean budgeted = type.equals("enabled");
    if (budgeted) {
      budget(thinking.find("budget_tokens"));
    }
    if (budgeted || type.equals("adaptive")) {
      body.format()
          .forced(body.settings())
          .ifPresent(
              forced ->
                  beside(
                      "a forced call", "let the model choose its tools, or switch thinking off"));
      body.settings()
          .find("temperature")
          .filter(AnthropicThinkingRules::isNotOne)
          .ifPresent(other -> beside("a temperature other than 1", "leave the temperature out"));
      if (body.settings().has("top_k")) {
        beside("top_k", "leave it out");
      }
    }
  }

  private void budget(Optional<JsonValue> given) {
    long tokens = given.flatMap(AnthropicThinkingRules::whole).orElse(0L);
    Optional<Long> limit =
        body.settings().find("max_tokens").flatMap(AnthropicThinkingRules::whole);
    boolean whole = limit.isPresent() && tokens >= limit.orElseThrow();
    if (tokens < LEAST_BUDGET || whole) {
      findings.error(
          RequestRule.V37,
          "/thinking/budget_tokens",
          "the thinking budget is "
              + given.map(JsonValue::toJson).orElse("missing")
              + ", allowed is from "
              + LEAST_BUDGET
              + " to below the output limit ("
              + limit.map(String::valueOf).orElse("missing")
              + "): change the budget, or raise the output limit");
    }
  }

  private static Optional<Long> whole(JsonValue value) {
    return value instanceof JsonNumber number && number.asLong().isPresent()
        ? Optional.of(number.asLong().getAsLong())
        : Optional.empty();
  }

  private static boolean isNotOne(JsonValue value) {
    return !(value instanceof JsonNumber number && number.decimal().compareTo(BigDecimal.ONE) == 0);
  }

  private void beside(String what, String remedy) {
    findings.error(RequestRule.V28, "/thinking", "thinking conflicts with " + what + ": " + remedy);
  }
}
