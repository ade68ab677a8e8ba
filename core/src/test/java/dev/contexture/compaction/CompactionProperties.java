package dev.contexture.compaction;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.block.BlockPath;
import dev.contexture.block.BlockType;
import dev.contexture.block.TurnId;
import dev.contexture.compaction.CompactionReport.Status;
import dev.contexture.compaction.summary.References;
import dev.contexture.timeline.Artifact;
import dev.contexture.timeline.Round;
import dev.contexture.timeline.Rounds;
import dev.contexture.timeline.Summary;
import dev.contexture.timeline.Timeline;
import dev.contexture.timeline.TimelineEntry;
import dev.contexture.timeline.Window;
import dev.contexture.token.TokenCounter;
import dev.contexture.token.TokenMeter;
import dev.contexture.view.ContributionFilters;
import dev.contexture.view.Dialect;
import dev.contexture.view.DroppedBlock;
import dev.contexture.view.Emitter;
import dev.contexture.view.Reader;
import dev.contexture.view.View;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** What holds for every compaction of every conversation. */
class CompactionProperties {
  private static final Instant NOW = Instant.parse("2026-03-01T00:00:00Z");

  private static Emitter emitter(Dialect dialect) {
    return new Emitter(dialect, Reader.ANY, TokenMeter.of(TokenCounter.CHARS4));
  }

  private static CompactionPolicy policy(boolean economical) {
    return economical ? CompactionPolicy.ECONOMICAL : CompactionPolicy.STANDARD;
  }

  private static CompactionOutcome compact(
      Timeline timeline, Emitter emitter, CompactionBudget budget, String id) {
    return Compactor.of(emitter, ContributionFilters.NONE, budget)
        .compact(timeline, new ExtractiveSummarizer(), id, NOW);
  }

  @Property(tries = 200)
  void separatesNothingThatBelongsTogether(
      @ForAll long seed,
      @ForAll Dialect dialect,
      @ForAll boolean economical,
      @ForAll boolean force,
      @ForAll @IntRange(min = 300, max = 9_000) int max) {
    // T-63, T-64, T-112, checklist 46
    Timeline before = new Conversations(seed).grow(4, 5).timeline();
    CompactionBudget budget = CompactionBudget.of(policy(economical), max).system(50).force(force);
    CompactionOutcome outcome = compact(before, emitter(dialect), budget, "su_1");
    Timeline after = outcome.applyTo(before);
    if (outcome.summary().isEmpty()) {
      assertThat(after.window().entries()).hasSameSizeAs(before.window().entries());
      return;
    }
    Window kept = after.window();
    assertThat(kept.entries().getFirst().block().type().isResult()).isFalse();
    assertThat(new HashSet<>(kept.entries())).matches(set -> set.containsAll(waiting(before)));
    assertThat(broken(after)).isSubsetOf(broken(before));
    Set<String> answersBefore = answers(before.entries(), outcome.summary().orElseThrow());
    Set<String> answersKept = new HashSet<>();
    kept.entries().forEach(entry -> entry.answerId().ifPresent(answersKept::add));
    assertThat(answersBefore).matches(gone -> Collections.disjoint(gone, answersKept));
    assertThat(outcome.report().tokensAfter()).isLessThan(outcome.report().tokensBefore());
  }

  private static Set<String> answers(List<TimelineEntry> entries, Summary summary) {
    Set<String> answers = new HashSet<>();
    for (TimelineEntry entry : entries) {
      if (entry.seq().orElse(0) < summary.cutSeq()) {
        entry.answerId().ifPresent(answers::add);
      }
    }
    return answers;
  }

  /** Calls of the active turn without a result. */
  private static List<TimelineEntry> waiting(Timeline timeline) {
    Window window = timeline.window();
    Rounds rounds = Rounds.of(window);
    List<TimelineEntry> found = new ArrayList<>();
    for (int i = 0; i < window.entries().size(); i++) {
      TimelineEntry entry = window.entries().get(i);
      Round round = rounds.round(i).orElse(null);
      boolean open = round != null && round.call().isPresent() && !round.answered();
      if (open && entry.block().type().isCall() && timeline.isActive(entry.turn())) {
        found.add(entry);
      }
    }
    return found;
  }

  /** Blocks that a render with messages cannot show because their other half is missing. */
  private static Set<TimelineEntry> broken(Timeline timeline) {
    Set<TimelineEntry> broken = new HashSet<>();
    for (DroppedBlock dropped :
        View.of(timeline, ContributionFilters.NONE, emitter(Dialect.NATIVE)).dropped()) {
      if (dropped.reason() == DroppedBlock.Reason.ORPHAN_RESULT
          || dropped.reason() == DroppedBlock.Reason.UNANSWERED_CALL) {
        broken.add(dropped.entry());
      }
    }
    return broken;
  }

  @Property(tries = 150)
  void fitsOrSaysWhyNotAndRestsAfterwards(
      @ForAll long seed,
      @ForAll Dialect dialect,
      @ForAll boolean economical,
      @ForAll @IntRange(min = 1_000, max = 9_000) int max) {
    // T-59, T-75, T-78, checklist 55
    Timeline before = new Conversations(seed).grow(5, 4).timeline();
    CompactionBudget budget = CompactionBudget.of(policy(economical), max);
    Emitter emitter = emitter(dialect);
    CompactionOutcome outcome = compact(before, emitter, budget, "su_1");
    CompactionReport report = outcome.report();
    Timeline after = outcome.applyTo(before);
    assertThat(View.of(after.forView(max), ContributionFilters.NONE, emitter).cost())
        .isEqualTo(report.tokensAfter());
    if (report.tokensAfter() <= budget.limit()) {
      assertThat(report.status()).isIn(Status.COMPLETED, Status.NOT_NEEDED);
      CompactionOutcome again = compact(after, emitter, budget, "su_2");
      assertThat(again.report().status()).isEqualTo(Status.NOT_NEEDED);
      assertThat(again.changes()).isFalse();
    }
  }

  @Property(tries = 40)
  void keepsTheUsersIdentifiersReachable(@ForAll long seed, @ForAll boolean economical) {
    // T-17, T-22, T-72, T-115: in the summary, visible, or behind a path that the summary names
    Conversations conversations = new Conversations(seed).grow(3, 2);
    CompactionBudget budget = CompactionBudget.of(policy(economical), 4_000);
    Emitter emitter = emitter(Dialect.NATIVE);
    for (int k = 0; k < 6; k++) {
      Timeline timeline = conversations.timeline();
      CompactionOutcome outcome = compact(timeline, emitter, budget, "su_" + k);
      conversations.with(outcome.applyTo(timeline)).grow(2, 3);
    }
    Timeline timeline = conversations.timeline();
    Set<String> reachable = reachable(timeline);
    for (TimelineEntry entry : timeline.entries()) {
      if (entry.block().type().equals(BlockType.USER_PROMPT)) {
        Set<String> missing = References.wordsOf(entry.block().text().orElseThrow());
        missing.removeAll(reachable);
        assertThat(missing).isEmpty();
      }
    }
  }

  private static Set<String> reachable(Timeline timeline) {
    Set<String> found = new HashSet<>();
    Window window = timeline.window();
    window.entries().forEach(entry -> read(found, entry.block().text().orElse("")));
    window.carried().forEach(entry -> read(found, entry.block().text().orElse("")));
    Summary opening = window.summary().orElse(null);
    if (opening == null) {
      return found;
    }
    read(found, opening.text());
    Artifact summary = Artifact.resolve(timeline, opening.path(), false).orElseThrow();
    for (TurnId turn : opening.coveredTurns()) {
      assertThat(summary.meta().array("covered_turn_ids").orElseThrow().toJson())
          .contains("\"" + turn + "\"");
      Artifact.resolve(timeline, BlockPath.userPrompt(turn), false)
          .flatMap(Artifact::text)
          .ifPresent(text -> read(found, text));
    }
    return found;
  }

  private static void read(Set<String> found, String text) {
    found.addAll(References.wordsOf(text));
  }
}
