package dev.contexture.compaction;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.block.TurnId;
import dev.contexture.compaction.summary.SummaryContent;
import dev.contexture.compaction.summary.SummaryEntry;
import dev.contexture.json.JsonObject;
import dev.contexture.timeline.Chat;
import dev.contexture.timeline.Summary;
import dev.contexture.timeline.Timeline;
import dev.contexture.token.TokenCounter;
import dev.contexture.token.TokenMeter;
import dev.contexture.view.ContributionFilters;
import dev.contexture.view.Dialect;
import dev.contexture.view.Emitter;
import dev.contexture.view.Reader;
import dev.contexture.view.View;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a user said once stays, whatever comes behind it. */
class RememberedWordsTest {
  private static final Instant NOW = Instant.parse("2026-03-01T00:00:00Z");
  private static final List<String> PARTY =
      List.of(
          "I am planning a birthday party for my mother Ingrid on 14 March 2026 at the Seeblick.",
          "We expect 35 guests and have a budget of 2,400 EUR.",
          "She is allergic to hazelnuts and her sister Ruth uses a wheelchair, so the location must"
              + " be accessible.");
  private static final List<String> NUTS =
      List.of(
          "I am Ann, and my brother Jonas is allergic to nuts.",
          "He is vegetarian, and our budget is 900 euros.",
          "Please keep that in mind for everything.");

  private final Emitter emitter =
      new Emitter(Dialect.NATIVE, Reader.ANY, TokenMeter.of(TokenCounter.O200K_BASE));
  private final Chat chat = new Chat();
  private int turns;
  private int compactions;

  private static Stream<CompactionPolicy> presets() {
    return CompactionPolicy.names().stream().map(CompactionPolicy::named);
  }

  private void say(String text) {
    chat.turn("t" + ++turns).prompt(text);
  }

  /** Turns with tools, compacted where that is due. */
  private void work(int count, CompactionPolicy policy, long max) {
    for (int i = 0; i < count; i++) {
      say("And now step " + turns + ", please.");
      String id = "c" + turns;
      chat.call(id, "web.search", "{\"query\":\"step " + turns + "\"}");
      chat.result(id, ("row " + turns + " of a long table with many words; ").repeat(20));
      chat.completion("Step " + turns + " is done.");
      compact(policy, max);
    }
  }

  private CompactionOutcome compact(CompactionPolicy policy, long max) {
    Timeline timeline = chat.timeline();
    CompactionOutcome outcome =
        Compactor.of(emitter, ContributionFilters.NONE, CompactionBudget.of(policy, max))
            .compact(timeline, new ExtractiveSummarizer(), "su_" + turns, NOW);
    compactions += outcome.summary().isPresent() ? 1 : 0;
    chat.with(outcome::applyTo);
    return outcome;
  }

  private String shown() {
    StringBuilder text = new StringBuilder();
    View.of(chat.timeline(), ContributionFilters.NONE, emitter)
        .items()
        .forEach(item -> text.append(item.emission().parts()).append('\n'));
    return text.toString();
  }

  @ParameterizedTest
  @MethodSource("presets")
  void ofAPartyAtTwoThousandTokens(CompactionPolicy policy) {
    PARTY.forEach(this::say);
    work(40, policy, 2_000);
    assertThat(compactions).isGreaterThan(3);
    assertThat(shown()).contains(PARTY);
  }

  @ParameterizedTest
  @MethodSource("presets")
  void ofAnAllergyAtEightThousandTokens(CompactionPolicy policy) {
    say(String.join(" ", NUTS));
    work(90, policy, 8_000);
    assertThat(compactions).isGreaterThan(2);
    assertThat(shown()).contains(NUTS);
  }

  @Test
  void andNothingThatIsDoneIsSaidToBeUnderWay() {
    say(String.join(" ", NUTS));
    work(40, CompactionPolicy.DEFAULT, 4_000);
    Summary summary = chat.timeline().window().summary().orElseThrow();
    assertThat(summary.text()).doesNotContain("## In Progress", "Next Steps");
    assertThat(SummaryContent.entriesOf(summary))
        .noneMatch(entry -> entry.kind() == SummaryEntry.Kind.PROGRESS);
  }

  @Test
  void andAModelCannotLoseThem() {
    say(String.join(" ", NUTS));
    chat.completion("word ".repeat(3_000));
    say("And now, please?");
    Timeline timeline = chat.timeline();
    CompactionBudget budget = CompactionBudget.of(CompactionPolicy.DEFAULT, 3_000);
    CompactionOutcome outcome =
        Compactor.of(emitter, ContributionFilters.NONE, budget)
            .compact(timeline, request -> "Nothing of note happened.", "su_model", NOW);
    assertThat(outcome.summary().orElseThrow().text())
        .contains(NUTS)
        .contains("Nothing of note happened.");
  }

  @Test
  void aSummaryOfTheFirstReleaseGoesOnAsItIs() {
    String old = "## Goal\n- Plan the trip (ar:t0.user.prompt)\n\n## References\nNO-12 Bergen_2";
    say("Now book the hotel in Bergen.");
    chat.with(
        timeline ->
            timeline.withSummary(
                new Summary(
                    "su_old", 1, 1, TurnId.of("t1"), old, old, "", JsonObject.EMPTY, NOW, false)));
    work(12, CompactionPolicy.DEFAULT, 2_000);
    assertThat(compactions).isPositive();
    Summary newest = chat.timeline().window().summary().orElseThrow();
    assertThat(newest.text()).contains(old, "Now book the hotel in Bergen.");
  }

  @Test
  void whatHadNoRoomIsNamedAndCounted() {
    for (int i = 0; i < 60; i++) {
      say(
          "Remark "
              + i
              + ": the colour of door number "
              + i
              + " must be "
              + (i * 7)
              + " percent red.");
    }
    compact(CompactionPolicy.DEFAULT, 1_600);
    Summary newest = chat.timeline().window().summary().orElseThrow();
    assertThat(newest.text())
        .containsPattern(
            "\\(\\d+ messages of the user are not here in full: ar:t\\d+\\.user\\.prompt");
    assertThat(SummaryContent.receiptOf(newest).orElseThrow().toJson())
        .contains(
            "\"writer\":\"built_in\"", "\"pays_after_requests\"", "\"left_out\":[{\"path\":\"ar:");
  }

  @Test
  void andAReferenceOutlivesTheLineThatNamedIt() {
    chat.activeTurn("t1").prompt("Make all of them run.");
    List<String> names = new ArrayList<>();
    for (int i = 1; i <= 30; i++) {
      turns++;
      names.add("special_" + i + ".py");
      chat.call("c" + i, "shell.run", "{\"command\":\"python special_" + i + ".py\"}");
      chat.result("c" + i, "a line without names of things; ".repeat(60));
      compact(CompactionPolicy.BALANCED, 3_000);
    }
    assertThat(compactions).isGreaterThan(2);
    assertThat(shown()).contains(names);
  }
}
