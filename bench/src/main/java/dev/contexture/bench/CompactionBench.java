package dev.contexture.bench;

import dev.contexture.bench.support.Bench;
import dev.contexture.bench.support.BenchArgs;
import dev.contexture.bench.support.BenchReport;
import dev.contexture.bench.support.RecordedTimeline;
import dev.contexture.bench.support.Samples;
import dev.contexture.bench.support.UsageException;
import dev.contexture.compaction.CompactionBudget;
import dev.contexture.compaction.CompactionOutcome;
import dev.contexture.compaction.CompactionPlan;
import dev.contexture.compaction.CompactionPolicy;
import dev.contexture.compaction.Compactor;
import dev.contexture.compaction.summary.SummaryContent;
import dev.contexture.compaction.summary.SummaryDraft;
import dev.contexture.json.JsonValue;
import dev.contexture.simulator.replay.RecordedSession;
import dev.contexture.timeline.Timeline;
import dev.contexture.token.TokenCounter;
import dev.contexture.token.TokenMeter;
import dev.contexture.view.ContributionFilters;
import dev.contexture.view.Dialect;
import dev.contexture.view.Emitter;
import dev.contexture.view.Reader;
import dev.contexture.view.View;
import java.io.PrintStream;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** How long compaction takes without the summariser: to plan, and to apply what it wrote. */
final class CompactionBench implements Bench {
  private static final int BLOCKS = 10_000;
  private static final int QUICK_BLOCKS = 1_000;
  private static final int BLOCKS_PER_TURN = 20;
  private static final int RESULT_CHARS = 600;
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  @Override
  public String name() {
    return "compaction";
  }

  @Override
  public String summary() {
    return "plans and applies a compaction of 10,000 visible blocks, without the summariser";
  }

  @Override
  public int run(List<String> args, PrintStream out) {
    BenchArgs options = BenchArgs.parse(args);
    if (!options.files().isEmpty()) {
      throw new UsageException("compaction makes its own data and takes no files");
    }
    int blocks = options.quick() ? QUICK_BLOCKS : BLOCKS;
    int repetitions = options.quick() ? 5 : 50;
    Timeline timeline = conversation(blocks);
    BenchReport report = new BenchReport(name(), options.quick()).repetitions(repetitions);
    for (Dialect dialect : Dialect.values()) {
      measure(timeline, dialect, repetitions, report);
    }
    report.fact("blocks", JsonValue.of(blocks)).print(out, options.json());
    return 0;
  }

  /** A conversation of prompts, calls with results, and answers. */
  private static Timeline conversation(int blocks) {
    RecordedTimeline replayed = new RecordedTimeline();
    for (int turn = 1; replayed.timeline().entries().size() < blocks; turn++) {
      replayed.add(said("user", "text", "prompt " + turn, null, turn));
      for (int call = 0; call < BLOCKS_PER_TURN / 2 - 2; call++) {
        String id = "call_" + turn + "_" + call;
        replayed.add(said("assistant", "tool_use", "read src/file_" + call + ".py", id, turn));
        String text = ("value_" + turn + "_" + call + " ").repeat(RESULT_CHARS / 12);
        replayed.add(said("tool", "tool_result", text, id, turn));
      }
      replayed.add(said("assistant", "text", "answer " + turn, null, turn));
    }
    return replayed.timeline();
  }

  private static RecordedSession.Event.Said said(
      String role, String kind, String text, @Nullable String id, int turn) {
    return new RecordedSession.Event.Said(role, kind, text, id, turn);
  }

  private static void measure(
      Timeline timeline, Dialect dialect, int repetitions, BenchReport report) {
    Emitter emitter = new Emitter(dialect, Reader.ANY, TokenMeter.of(TokenCounter.CHARS4));
    long total =
        View.of(timeline, ContributionFilters.NONE, emitter)
            .cost(); // as a render leaves it: counted
    CompactionBudget budget = CompactionBudget.of(CompactionPolicy.STANDARD, total);
    Compactor compactor = Compactor.of(emitter, ContributionFilters.NONE, budget);
    SummaryDraft written =
        new SummaryDraft.Written(
            "summary", "beginning of the turn", SummaryContent.Writer.MODEL, "");
    Samples samples =
        Samples.measure(
            repetitions / 2,
            repetitions,
            () -> {
              CompactionPlan.Cut cut = (CompactionPlan.Cut) compactor.plan(timeline, NOW);
              CompactionOutcome outcome = compactor.apply(cut, written, "su_1", NOW);
              return outcome.report().tokensAfter();
            });
    String what = "plan and apply, " + dialect.name().toLowerCase(Locale.ROOT);
    report.figure(what, samples.medianMillis(), "ms");
    report.figure(what + ", p99", samples.percentileMillis(99), "ms");
  }
}
