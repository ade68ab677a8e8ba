package dev.contexture.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.ContextBrowser;
import dev.contexture.Turn;
import dev.contexture.block.TurnId;
import dev.contexture.json.JsonObject;
import dev.contexture.render.RenderOptions;
import dev.contexture.timeline.TurnLimit;
import dev.contexture.turn.Attachment;
import dev.contexture.turn.ToolAnswer;
import dev.contexture.turn.TurnSettings;
import dev.contexture.turn.TurnStart;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The search in turns of one's own conversation: T-105, timeline checklist 68. */
class MemsearchTest extends ReactToolFixture {
  @BeforeEach
  void talk() {
    turn.finish("hello");
    said("a", "the violet umbrella", "an umbrella, indeed");
    clock.advance(Duration.ofDays(7));
    said("b", "another umbrella", "yes");
    try (Turn next =
        chat.startTurn(
            TurnStart.prompt("see the list")
                .id(TurnId.of("c"))
                .attach(Attachment.text("list.txt", "text/plain", "umbrella and boots")))) {
      next.finish("thanks");
    }
    clock.advance(Duration.ofDays(1));
    turn = chat.startTurn(TurnStart.prompt("which umbrella?").id(TurnId.of("d")));
  }

  private void said(String id, String prompt, String answer) {
    try (Turn next = chat.startTurn(TurnStart.prompt(prompt).id(TurnId.of(id)))) {
      next.finish(answer);
    }
  }

  private static List<String> turns(JsonObject result) {
    return rows(result, "hits").stream().map(hit -> hit.string("turn_id").orElseThrow()).toList();
  }

  @Test
  void findsClosedTurnsOnceEach() { // T-105, 68
    JsonObject result = status(perform("react.memsearch", "{'query':'umbrella'}"));
    assertThat(result.keys())
        .contains("query", "targets", "top_k", "days", "hits", "tokens")
        .containsSubsequence("query", "targets", "top_k", "days", "hits", "tokens");
    assertThat(turns(result)).containsExactlyInAnyOrder("a", "b", "c");
    JsonObject best = rows(result, "hits").getFirst();
    assertThat(best.keys())
        .containsExactly(
            "turn_id",
            "ts",
            "score",
            "sim_score",
            "recency_score",
            "matched_via_role",
            "visible",
            "snippets");
    assertThat(best.isTrue("visible")).isTrue();
    assertThat(rows(best, "snippets").getFirst().keys())
        .containsExactly("role", "path", "ts", "text");
    List<Double> scores =
        rows(result, "hits").stream()
            .map(hit -> Double.valueOf(hit.find("score").orElseThrow().toJson()))
            .toList();
    assertThat(scores).isSortedAccordingTo((x, y) -> Double.compare(y, x));
    for (JsonObject hit : rows(result, "hits")) {
      double sim = Double.parseDouble(hit.find("sim_score").orElseThrow().toJson());
      double recency = Double.parseDouble(hit.find("recency_score").orElseThrow().toJson());
      double score = Double.parseDouble(hit.find("score").orElseThrow().toJson());
      assertThat(sim).isBetween(0.0, 1.0);
      assertThat(score)
          .isCloseTo(0.8 * sim + 0.2 * recency, org.assertj.core.data.Offset.offset(1e-4));
    }
  }

  @Test
  void knowsTargetsTimesAndNumbers() { // T-105
    JsonObject attached =
        run(tools, "react.memsearch", "{'query':'umbrella','targets':['attachment']}").json();
    assertThat(turns(attached)).containsExactly("c");
    assertThat(rows(attached, "hits").getFirst().string("matched_via_role")).contains("attachment");
    assertThat(
            turns(
                run(tools, "react.memory_read", "{'query':'umbrella','targets':['assistant']}")
                    .json()))
        .containsExactly("a");
    assertThat(turns(run(tools, "react.memsearch", "{'query':'umbrella','days':3}").json()))
        .containsExactlyInAnyOrder("b", "c");
    assertThat(turns(run(tools, "react.memsearch", "{'query':'umbrella','top_k':1}").json()))
        .hasSize(1);
    JsonObject none = run(tools, "react.memsearch", "{'query':'zeppelin'}").json();
    assertThat(turns(none)).isEmpty();
    assertThat(none.has("error")).isFalse();
    JsonObject cut =
        run(tools, "react.memsearch", "{'query':'umbrella " + "x".repeat(300) + "'}").json();
    assertThat(cut.string("query").orElseThrow()).hasSize(256);
  }

  /** What is not asked for takes no place of what is. */
  @Test
  void looksFurtherThanWhatItLeavesOut() { // T-105
    turn.finish("that one");
    for (int i = 0; i < 30; i++) {
      said("p" + i, "umbrella umbrella " + i, "yes");
    }
    turn = chat.startTurn("and now?");
    JsonObject attached =
        run(tools, "react.memsearch", "{'query':'umbrella','targets':['attachment'],'top_k':1}")
            .json();
    assertThat(turns(attached)).containsExactly("c");
  }

  @Test
  void refusesAsAStatus() { // T-105, T-100
    ToolAnswer blank = run(tools, "react.memsearch", "{'query':'  '}");
    assertThat(blank.json().object("error").orElseThrow().string("code"))
        .contains("query_required");
    for (String wrong : List.of("'top_k':0", "'top_k':51", "'days':3651", "'targets':['tool']")) {
      ToolAnswer answer = run(tools, "react.memsearch", "{'query':'x'," + wrong + "}");
      assertThat(answer.json().object("error").orElseThrow().string("code"))
          .as(wrong)
          .contains("invalid_argument");
    }
  }

  /** Turns that the settings leave out are not visible; what is found fits the next render. */
  @Test
  void obeysTheSettingsOfTheTurn() {
    turn.finish("that one");
    for (int i = 0; i < 20; i++) {
      said("p" + i, "umbrella " + i + " of many words ".repeat(40), "yes");
    }
    TurnSettings settings =
        TurnSettings.NONE
            .withMaxTokens(3_000)
            .withTurnLimit(new TurnLimit(OptionalInt.of(2), OptionalInt.empty()));
    turn = chat.startTurn(TurnStart.prompt("and now?").settings(settings));
    JsonObject found = run(tools, "react.memsearch", "{'query':'umbrella','top_k':20}").json();
    assertThat(rows(found, "hits")).hasSizeBetween(1, 10);
    assertThat(found.has("left_out")).isTrue();
    assertThat(RenderOptions.defaults().meter().texts(List.of(found.toJson()))).isLessThan(750);
    for (JsonObject hit : rows(found, "hits")) {
      assertThat(hit.isTrue("visible"))
          .isEqualTo(List.of("p18", "p19").contains(hit.string("turn_id").orElseThrow()));
    }
  }

  @Test
  void seesNoOtherConversation() { // M-83
    ContextBrowser other = engine.browser(SHOP.user("u1").conversation("c2"));
    other.startTurn("hello there");
    JsonObject result =
        run(engine.agentTools(other, "atlas"), "react.memsearch", "{'query':'umbrella'}").json();
    assertThat(turns(result)).isEmpty();
  }

  /** The days of a turn's settings hold unless the call names others. */
  @Test
  void memsearchTakesTheDaysOfItsTurn() {
    turn.finish("The umbrella is broken.");
    chat.startTurn(
        TurnStart.prompt("again")
            .settings(
                TurnSettings.NONE.withTurnLimit(
                    new TurnLimit(OptionalInt.empty(), OptionalInt.of(7)))));
    assertThat(status(perform("react.memsearch", "{'query':'umbrella'}")).toJson())
        .contains("\"days\":7");
    assertThat(status(perform("react.memsearch", "{'query':'umbrella','days':9}")).toJson())
        .contains("\"days\":9");
  }
}
