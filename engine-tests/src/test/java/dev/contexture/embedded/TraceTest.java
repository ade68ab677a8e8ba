package dev.contexture.embedded;

import static dev.contexture.simulator.CacheUse.Cause.EXPIRED;
import static dev.contexture.simulator.CacheUse.Cause.LOOKBACK;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.contexture.error.ContextureException;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.model.ModelProfile;
import dev.contexture.model.ModelRef;
import dev.contexture.provider.catalogue.ModelCatalogue;
import dev.contexture.simulator.CacheReport;
import dev.contexture.simulator.CacheReports;
import dev.contexture.simulator.SentBlock;
import dev.contexture.simulator.Trace;
import dev.contexture.simulator.WhatIf;
import dev.contexture.testkit.TraceAssert;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** P-37, P-45 and P-49 on bodies. */
class TraceTest {
  private static final String MARK = ",\"cache_control\":{\"type\":\"ephemeral\",\"ttl\":\"5m\"}";

  /** A conversation of so many messages, marked at its system prompt and its end. */
  private static JsonObject body(int messages) {
    StringBuilder text = new StringBuilder("{\"model\":\"claude-opus-5\",\"system\":[{");
    text.append("\"type\":\"text\",\"text\":\"").append("You are Atlas. ".repeat(400));
    text.append('"').append(MARK).append("}],\"messages\":[");
    for (int i = 0; i < messages; i++) {
      text.append(i == 0 ? "" : ",").append("{\"role\":\"");
      text.append(i % 2 == 0 ? "user" : "assistant");
      text.append("\",\"content\":[{\"type\":\"text\",\"text\":\"word ").append(i);
      text.append(" and more\"").append(i == messages - 1 ? MARK : "").append("}]}");
    }
    return (JsonObject) JsonValue.parse(text + "]}");
  }

  private static ModelProfile model(String provider, String name) {
    return ModelCatalogue.shipped().profile(new ModelRef(provider, name));
  }

  @Test
  void aConversationThatGrowsReadsWhatItWrote() {
    List<JsonObject> bodies = new ArrayList<>();
    for (int i = 1; i < 40; i += 2) {
      bodies.add(body(i));
    }
    Trace trace = Trace.ofGaps(bodies, List.of());
    CacheReport report =
        TraceAssert.assertThat(trace)
            .on(model("anthropic", "claude-opus-5"))
            .hasEfficiencyAbove(0.99)
            .hasNoMiss(LOOKBACK)
            .hasNoMiss(EXPIRED)
            .report();
    assertThat(report.cost()).isLessThan(report.costNoCache() / 3);
  }

  @Test
  void anAssertionThatFailsSaysWhy() {
    Trace far = Trace.ofGaps(List.of(body(1), body(41)), List.of());
    TraceAssert.Sent sent = TraceAssert.assertThat(far);
    assertThatThrownBy(() -> sent.on(model("anthropic", "claude-opus-5")).hasNoMiss(LOOKBACK))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("request 1: lookback");
    Trace late = Trace.ofGaps(List.of(body(1), body(3)), List.of(301.0));
    TraceAssert lateOn = TraceAssert.assertThat(late).on(model("anthropic", "claude-opus-5"));
    assertThatThrownBy(() -> lateOn.hasEfficiencyAbove(2))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("expired");
  }

  /** P-49: a longer life pays where requests come every ten minutes. */
  @Test
  void comparesChoices() {
    List<JsonObject> bodies = List.of(body(1), body(3), body(5), body(7));
    Trace slow = Trace.ofGaps(bodies, List.of(600.0, 600.0, 600.0));
    ModelProfile opus = model("anthropic", "claude-opus-5");
    assertThat(WhatIf.withLife(slow, opus, SentBlock.Ttl.ONE_HOUR).difference()).isNegative();
    Trace quick = Trace.ofGaps(bodies, List.of(5.0, 5.0, 5.0));
    assertThat(WhatIf.withLife(quick, opus, SentBlock.Ttl.ONE_HOUR).difference()).isPositive();
    ModelProfile smallMinimum = model("anthropic", "claude-haiku-4-5");
    assertThat(WhatIf.withModel(quick, opus, smallMinimum).difference())
        .as("below the other model's minimum nothing is cached")
        .isPositive();
  }

  /** P-49: the rules of another provider, on the same blocks. */
  @Test
  void comparesProviders() {
    List<JsonObject> bodies = List.of(body(1), body(3), body(5), body(7));
    Trace trace = Trace.ofGaps(bodies, List.of(5.0, 5.0, 5.0));
    WhatIf other =
        WhatIf.withModel(
            trace, model("anthropic", "claude-opus-5"), model("gemini", "gemini-3.5-flash"));
    assertThat(other.actual().written()).isPositive();
    assertThat(other.other().written()).as("an automatic cache has no price for writes").isZero();
  }

  @Test
  void readsLinesWithAndWithoutTimes() {
    String plain = body(1).toJson();
    Trace trace = Trace.read(List.of(plain, "", "{\"t\":12.5,\"request\":" + plain + "}"));
    assertThat(trace.bodies()).containsExactly(body(1), body(1));
    assertThat(trace.starts()).containsExactly(0.0, 12.5);
    assertThatThrownBy(() -> Trace.read(List.of(plain, "[]")))
        .isInstanceOf(ContextureException.class)
        .hasMessageContaining("line 2");
    assertThatThrownBy(() -> Trace.ofGaps(List.of(body(1)), List.of(1.0)))
        .isInstanceOf(ContextureException.class)
        .hasMessageContaining("gaps_seconds");
  }

  @Test
  void writesReports() {
    JsonObject json =
        CacheReports.write(
            Trace.ofGaps(List.of(body(1), body(3)), List.of())
                .on(model("anthropic", "claude-opus-5")));
    assertThat(json.object("total").orElseThrow().keys())
        .containsExactly(
            "read",
            "write",
            "uncached",
            "cost",
            "cost_no_cache",
            "cost_ideal",
            "efficiency",
            "rewritten",
            "rewrite_cost",
            "money");
    assertThat(json.string("cost_unit")).contains("plain_input_tokens");
    assertThat(json.object("total").orElseThrow().object("money").orElseThrow().string("currency"))
        .contains("USD");
    assertThat(json.array("requests").orElseThrow().items().getFirst().toJson())
        .contains("\"cause\":\"first-request\"");
  }
}
