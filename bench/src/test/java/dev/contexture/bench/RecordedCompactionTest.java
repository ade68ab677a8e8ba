package dev.contexture.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.bench.support.RecordedTimeline;
import dev.contexture.block.BlockPath;
import dev.contexture.block.BlockType;
import dev.contexture.block.TurnId;
import dev.contexture.compaction.CompactionBudget;
import dev.contexture.compaction.CompactionOutcome;
import dev.contexture.compaction.CompactionPolicy;
import dev.contexture.compaction.CompactionReport.Status;
import dev.contexture.compaction.Compactor;
import dev.contexture.compaction.ExtractiveSummarizer;
import dev.contexture.simulator.replay.RecordedSession;
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
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * What holds for every compaction of real sessions, where they are at hand ({@code
 * -Dcontexture.data=DIR} or beside the project), and of the small one that is always there. Every
 * fifth session, to stay quick; {@code -Dcontexture.sessions=all} takes all of them, and {@code
 * -Dcontexture.report=FILE} writes how many references of the users are where.
 */
class RecordedCompactionTest {
  private static final int STRIDE = 5;
  private static final long MAX_TOKENS = 16_000;
  private static final Pattern REFERENCE =
      Pattern.compile(
          "https?://[^\\s\"'`<>()\\[\\]{}]+|[A-Za-z0-9_][A-Za-z0-9_./:@-]{2,}[A-Za-z0-9_]");
  private static final Pattern TELLING = Pattern.compile(".*(?:[0-9_/]|[a-z][A-Z]).*");
  private static final Pattern PATH = Pattern.compile("\\b(?:ar|fi|tc|su):[A-Za-z0-9_./-]+");

  private final Emitter emitter =
      new Emitter(Dialect.NATIVE, Reader.ANY, TokenMeter.of(TokenCounter.CHARS4));

  @TestFactory
  Stream<DynamicTest> fitAndKeepTheThread() throws IOException {
    List<DynamicTest> tests = new ArrayList<>();
    for (Path session : sessions()) {
      for (String policy : CompactionPolicy.names()) {
        String name = session.getFileName() + " " + policy;
        tests.add(DynamicTest.dynamicTest(name, () -> check(session, policy)));
      }
    }
    return tests.stream();
  }

  private static List<Path> sessions() throws IOException {
    String root = Objects.requireNonNull(System.getProperty("contexture.root"));
    String data = System.getProperty("contexture.data");
    Path folder = data == null ? Path.of(root, "../shared/data") : Path.of(data);
    List<Path> found = new ArrayList<>();
    try (Stream<Path> fixtures = Files.list(Path.of(root, "bench/src/test/resources"))) {
      fixtures.filter(file -> file.toString().endsWith(".events.jsonl")).forEach(found::add);
    }
    if (Files.isDirectory(folder.resolve("sessions"))) {
      int stride = "all".equals(System.getProperty("contexture.sessions")) ? 1 : STRIDE;
      try (Stream<Path> files = Files.list(folder.resolve("sessions"))) {
        List<Path> all =
            files.filter(file -> file.toString().endsWith(".events.jsonl.gz")).sorted().toList();
        for (int i = stride - 1; i < all.size(); i += stride) {
          found.add(all.get(i));
        }
      }
    }
    return found;
  }

  private void check(Path file, String policy) throws IOException {
    RecordedSession session = RecordedSession.read(file);
    boolean small = file.toString().endsWith(".jsonl");
    long max = small ? 2_000 : MAX_TOKENS;
    CompactionBudget budget =
        CompactionBudget.of(CompactionPolicy.named(policy), max).system(small ? 0 : 1_500);
    RecordedTimeline replayed = new RecordedTimeline();
    int made = 0;
    for (RecordedSession.Event event : session.events()) {
      switch (event) {
        case RecordedSession.Event.Said said -> replayed.add(said);
        case RecordedSession.Event.Request unused -> {
          Timeline before = replayed.timeline();
          CompactionOutcome outcome = compact(before, budget, made);
          Timeline after = outcome.applyTo(before);
          checkOne(before, outcome, after, budget);
          replayed.replace(after);
          made += outcome.summary().isPresent() ? 1 : 0;
        }
      }
    }
    share(file + " " + policy, replayed.timeline(), made);
  }

  private CompactionOutcome compact(Timeline timeline, CompactionBudget budget, int number) {
    return Compactor.of(emitter, ContributionFilters.NONE, budget)
        .compact(
            timeline,
            new ExtractiveSummarizer(),
            "su_" + number,
            RecordedTimeline.START.plusSeconds(number));
  }

  private void checkOne(
      Timeline before, CompactionOutcome outcome, Timeline after, CompactionBudget budget) {
    View view = View.of(after, ContributionFilters.NONE, emitter);
    long total = budget.around() + view.cost();
    Status status = outcome.report().status();
    if (total > budget.maxTokens()) {
      assertThat(status).as("says why it does not fit").isIn(Status.NO_CUT, Status.SKIPPED);
    }
    assertThat(broken(view)).isSubsetOf(broken(View.of(before, ContributionFilters.NONE, emitter)));
    assertThat(new HashSet<>(after.window().entries())).containsAll(waiting(before));
    if (outcome.summary().isPresent()) {
      assertThat(after.window().entries().getFirst().block().type().isResult()).isFalse();
    }
    if (status == Status.COMPLETED && total <= budget.limit()) {
      CompactionOutcome again = compact(after, budget, -1);
      assertThat(again.report().status()).isEqualTo(Status.NOT_NEEDED);
      assertThat(again.changes()).isFalse();
    }
  }

  private static Set<TimelineEntry> broken(View view) {
    Set<TimelineEntry> broken = new HashSet<>();
    for (DroppedBlock dropped : view.dropped()) {
      if (dropped.reason() == DroppedBlock.Reason.ORPHAN_RESULT
          || dropped.reason() == DroppedBlock.Reason.UNANSWERED_CALL) {
        broken.add(dropped.entry());
      }
    }
    return broken;
  }

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

  /** Every reference of the user's blocks: in what is shown, or where the summary points to. */
  private static void share(String name, Timeline timeline, int compactions) throws IOException {
    Window window = timeline.window();
    Set<String> shown = new HashSet<>();
    window.entries().forEach(entry -> read(shown, entry));
    window.carried().forEach(entry -> read(shown, entry));
    Summary summary = window.summary().orElse(null);
    Set<String> named = new HashSet<>();
    Set<String> covered = new HashSet<>();
    if (summary != null) {
      read(shown, summary.text());
      Matcher path = PATH.matcher(summary.text());
      while (path.find()) {
        follow(timeline, path.group(), named);
      }
      for (TurnId turn : summary.coveredTurns()) {
        follow(timeline, BlockPath.userPrompt(turn).text(), covered);
      }
    }
    Set<String> wanted = new HashSet<>();
    timeline.entries().stream()
        .filter(entry -> entry.block().type().equals(BlockType.USER_PROMPT))
        .forEach(entry -> read(wanted, entry));
    long inContext = wanted.stream().filter(shown::contains).count();
    long byPath = wanted.stream().filter(ref -> shown.contains(ref) || named.contains(ref)).count();
    Set<String> lost = new HashSet<>(wanted);
    lost.removeAll(shown);
    lost.removeAll(named);
    lost.removeAll(covered);
    String line =
        name
            + " compactions="
            + compactions
            + " references="
            + wanted.size()
            + " in_context="
            + inContext
            + " or_behind_a_named_path="
            + byPath
            + " lost="
            + lost.size()
            + "\n";
    String report = System.getProperty("contexture.report");
    if (report != null) {
      Files.writeString(
          Path.of(report), line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }
    assertThat(lost).isEmpty();
  }

  private static void follow(Timeline timeline, String path, Set<String> found) {
    if (BlockPath.isValid(path)) {
      Artifact.resolve(timeline, BlockPath.parse(path), false)
          .flatMap(Artifact::text)
          .ifPresent(text -> read(found, text));
    }
  }

  private static void read(Set<String> found, TimelineEntry entry) {
    read(found, entry.block().text().orElse(""));
  }

  private static void read(Set<String> found, String text) {
    Matcher reference = REFERENCE.matcher(text);
    while (reference.find()) {
      if (TELLING.matcher(reference.group()).matches()) {
        found.add(reference.group());
      }
    }
  }
}
