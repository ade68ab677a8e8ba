package dev.contexture.bench.retention;

import dev.contexture.ContextRequest;
import dev.contexture.bench.replay.CostTable;
import dev.contexture.bench.replay.EngineReplay;
import dev.contexture.bench.replay.PeerPolicy;
import dev.contexture.bench.support.BenchReport;
import dev.contexture.compaction.CompactionPolicy;
import dev.contexture.request.RequestBlock;
import dev.contexture.simulator.SentBlock;
import dev.contexture.simulator.SentRequest;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Which facts that a user stated once stand verbatim in the context after some compactions, and how
 * often there is one. A peer that never compacts is looked at when the blind summary is.
 */
final class NeedlesPart {
  private static final List<Long> LIMITS = List.of(2_000L, 4_000L, 8_000L, 16_000L, 32_000L);
  private static final List<Integer> POINTS = List.of(1, 5, 20);
  private static final List<Integer> QUICK_POINTS = List.of(1, 5);

  /** What a summary is to have of the limit, and what of it belongs to the user's words. */
  private static final double SUMMARY_RATIO = 0.10;

  private static final long LEAST_SUMMARY = 400;
  private static final long MOST_SUMMARY = 8_000;

  private final RetentionOptions options;
  private final List<Integer> points;
  private final Map<String, Tally> tallies = new LinkedHashMap<>();

  private NeedlesPart(RetentionOptions options) {
    this.options = options;
    this.points = options.quick() ? QUICK_POINTS : POINTS;
  }

  /** Adds the figures to the report; returns the rows of a table. */
  static List<List<String>> run(RetentionOptions options, BenchReport report) {
    report.seed(NeedleDialogue.SEED);
    List<List<String>> table = new ArrayList<>();
    for (long limit : options.limitsOr(LIMITS)) {
      NeedlesPart part = new NeedlesPart(options);
      part.measure(limit);
      if (table.isEmpty()) {
        table.add(part.head());
      }
      part.tallies.forEach((policy, tally) -> table.add(part.row(limit, policy, tally)));
      part.tallies.forEach((policy, tally) -> part.figures(limit, policy, tally, report));
    }
    return table;
  }

  /** What was found for one policy at one limit. Confined to one thread. */
  private static final class Tally {
    private final Map<Integer, Look> looks = new TreeMap<>();
    private long requests;
    private long compactions;

    void add(int point, Look look) {
      looks.merge(point, look, Look::plus);
    }

    double per100() {
      return requests == 0 ? 0 : 100.0 * compactions / requests;
    }
  }

  /**
   * What stands in contexts.
   *
   * @param facts that were stated before
   * @param fitting of them those in dialogues where the user's words fit their share
   * @param cuts lines of summaries that repeat words of the user and are cut inside one
   */
  record Look(SessionRetention.Count facts, SessionRetention.Count fitting, long cuts) {
    private static final Look NONE =
        new Look(SessionRetention.Count.NONE, SessionRetention.Count.NONE, 0);

    private Look plus(Look more) {
      return new Look(facts.plus(more.facts), fitting.plus(more.fitting), cuts + more.cuts);
    }

    /**
     * Looks at one context.
     *
     * @param request its number
     * @param texts of its messages
     * @param share tokens that the user's words may have in a summary
     */
    static Look at(NeedleDialogue dialogue, int request, List<String> texts, long share) {
      List<NeedleDialogue.Words> said =
          dialogue.words().stream().filter(words -> words.before() <= request).toList();
      long gone = 0;
      long looked = 0;
      long present = 0;
      for (NeedleDialogue.Words words : said) {
        gone += texts.contains(words.text()) ? 0 : EngineReplay.tokens(words.text());
        looked += words.facts().size();
        present += words.facts().stream().filter(fact -> stands(fact, texts)).count();
      }
      SessionRetention.Count facts = new SessionRetention.Count(looked, present);
      WordCuts cuts = new WordCuts(said.stream().map(NeedleDialogue.Words::text).toList());
      return new Look(
          facts,
          gone <= share ? facts : SessionRetention.Count.NONE,
          texts.stream().filter(text -> !dialogue.isSaid(text)).mapToLong(cuts::count).sum());
    }

    private static boolean stands(String fact, List<String> texts) {
      return texts.stream().anyMatch(text -> text.contains(fact));
    }
  }

  /** Half of the summary is for the user's words. */
  static long userShare(long limit) {
    long least = 4 * LEAST_SUMMARY <= limit ? LEAST_SUMMARY : 0;
    return Math.min(MOST_SUMMARY, Math.max(least, (long) (SUMMARY_RATIO * limit))) / 2;
  }

  private void measure(long limit) {
    int each = options.quick() ? 1 : NeedleDialogue.PER_LANGUAGE;
    for (String language : NeedleDialogue.LANGUAGES) {
      for (int number = 0; number < each; number++) {
        NeedleDialogue dialogue = NeedleDialogue.of(language, number, limit);
        options.presets().forEach((name, policy) -> preset(dialogue, limit, name, policy));
        peers(dialogue, limit);
      }
    }
  }

  private void preset(NeedleDialogue dialogue, long limit, String name, CompactionPolicy policy) {
    Tally tally = tallies.computeIfAbsent(name, unused -> new Tally());
    Watch watch = new Watch(dialogue, limit, tally);
    EngineReplay.runWhile(dialogue.session(), EngineReplay.settings(limit, policy), watch::see);
    tally.requests += watch.requests;
    tally.compactions += watch.compactions;
  }

  /** Sees the requests of one dialogue until the last point. Confined to one thread. */
  private final class Watch {
    private final NeedleDialogue dialogue;
    private final long limit;
    private final Tally tally;
    private int requests;
    private int compactions;
    private @Nullable String summary;

    Watch(NeedleDialogue dialogue, long limit, Tally tally) {
      this.dialogue = dialogue;
      this.limit = limit;
      this.tally = tally;
    }

    /** Whether more is to be seen. */
    boolean see(ContextRequest request) {
      requests++;
      String now = request.metadata().compression().summaryId();
      if (!Objects.equals(now, summary)) {
        summary = now;
        compactions++;
        if (points.contains(compactions)) {
          List<String> texts = texts(EngineReplay.parts(request.request()));
          tally.add(compactions, Look.at(dialogue, requests, texts, userShare(limit)));
        }
      }
      return compactions < points.getLast();
    }
  }

  private static List<String> texts(List<EngineReplay.SentPart> parts) {
    return parts.stream()
        .filter(part -> part.block().tier() == RequestBlock.Tier.MESSAGES)
        .map(EngineReplay.SentPart::text)
        .toList();
  }

  private void peers(NeedleDialogue dialogue, long limit) {
    if (options.peers().isEmpty()) {
      return;
    }
    List<Integer> compacted =
        compacted(PeerPolicy.KEEP_THIRD.requests(dialogue.session(), limit, EngineReplay::tokens));
    for (PeerPolicy peer : options.peers()) {
      Tally tally = tallies.computeIfAbsent(RetentionOptions.nameOf(peer), unused -> new Tally());
      List<SentRequest> requests = peer.requests(dialogue.session(), limit, EngineReplay::tokens);
      tally.requests += requests.size();
      tally.compactions += compacted(requests).size();
      for (int point : points) {
        if (point <= compacted.size()) {
          int number = compacted.get(point - 1);
          List<String> texts =
              requests.get(number - 1).blocks().stream()
                  .filter(block -> block.tier() == SentBlock.Tier.MESSAGES)
                  .map(CostTable::text)
                  .toList();
          tally.add(point, Look.at(dialogue, number, texts, userShare(limit)));
        }
      }
    }
  }

  /** The numbers of the requests that have a summary which those before had not. */
  private static List<Integer> compacted(List<SentRequest> requests) {
    Set<String> seen = new HashSet<>();
    List<Integer> numbers = new ArrayList<>();
    for (int i = 0; i < requests.size(); i++) {
      for (SentBlock block : requests.get(i).blocks()) {
        String text = CostTable.text(block);
        if (text.startsWith(PeerPolicy.SUMMARY) && seen.add(text)) {
          numbers.add(i + 1);
        }
      }
    }
    return numbers;
  }

  private List<String> head() {
    List<String> head = new ArrayList<>(List.of("limit", "policy"));
    points.forEach(point -> head.add("after " + point));
    points.forEach(point -> head.add("fit, after " + point));
    head.addAll(List.of("cut lines", "compactions / 100 requests"));
    return head;
  }

  private List<String> row(long limit, String policy, Tally tally) {
    List<String> row = new ArrayList<>(List.of(Long.toString(limit), policy));
    points.forEach(point -> row.add(percent(look(tally, point).facts)));
    points.forEach(point -> row.add(percent(look(tally, point).fitting)));
    row.add(Long.toString(tally.looks.values().stream().mapToLong(Look::cuts).sum()));
    row.add(String.format(Locale.ROOT, "%.1f", tally.per100()));
    return row;
  }

  private static Look look(Tally tally, int point) {
    return tally.looks.getOrDefault(point, Look.NONE);
  }

  private static String percent(SessionRetention.Count count) {
    return count.looked() == 0
        ? "-"
        : String.format(Locale.ROOT, "%.1f %% of %d", count.percent(), count.looked());
  }

  private void figures(long limit, String policy, Tally tally, BenchReport report) {
    tally.looks.forEach(
        (point, look) -> {
          String after = " after " + point;
          figure(report, limit, policy, "facts" + after, look.facts.percent(), "%");
          if (look.fitting.looked() > 0) {
            figure(report, limit, policy, "fitting facts" + after, look.fitting.percent(), "%");
          }
          figure(report, limit, policy, "cut lines" + after, (double) look.cuts, "lines");
        });
    figure(report, limit, policy, "compactions", tally.per100(), "per 100 requests");
  }

  private void figure(
      BenchReport report, long limit, String policy, String what, double value, String unit) {
    String of = "needles " + limit + " ";
    if (options.presets().containsKey(policy)) {
      report.figure(of + policy + " " + what, value, unit);
    } else {
      report.peer(policy, of + what, value, unit);
    }
  }
}
