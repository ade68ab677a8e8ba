package dev.contexture.bench.replay;

import dev.contexture.bench.support.BenchArgs;
import dev.contexture.bench.support.BenchReport;
import dev.contexture.bench.support.UsageException;
import dev.contexture.compaction.CompactionPolicy;
import dev.contexture.json.JsonValue;
import dev.contexture.request.CachePolicy;
import dev.contexture.simulator.SentRequest;
import dev.contexture.simulator.replay.RecordedSession;
import dev.contexture.simulator.replay.SessionReplay;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * What recorded sessions cost with prompt caching: our presets and placements of marks, what others
 * do, and situations that break caches. The figures do not depend on the machine.
 */
public final class CacheCostBench {
  private static final List<Long> LIMITS = List.of(16_000L, 32_000L);
  private static final int MEMORY_TOKENS = 200;
  private static final int HIDE_EVERY = 5;
  private static final String COST = "ktok/request";

  private CacheCostBench() {}

  public static int run(List<String> args, PrintStream out) {
    BenchArgs read = BenchArgs.parse(args);
    report(read).print(out, read.json());
    return 0;
  }

  private static BenchReport report(BenchArgs args) {
    List<RecordedSession> sessions = sessions(args);
    BenchReport report = new BenchReport("cache-cost", args.quick());
    report.fact("sessions", JsonValue.of(sessions.size()));
    for (long limit : LIMITS) {
      SessionReplay.Settings economical = EngineReplay.settings(limit, CompactionPolicy.ECONOMICAL);
      figures(report, "economical, " + limit, sessions, economical);
      situations(economical)
          .forEach(
              (what, settings) ->
                  figures(report, "economical, " + limit + ", " + what, sessions, settings));
      SessionReplay.Settings standard = EngineReplay.settings(limit, CompactionPolicy.STANDARD);
      figures(report, "standard, " + limit, sessions, standard);
      for (PeerPolicy peer : PeerPolicy.values()) {
        CostTable costs = new CostTable();
        sessions.forEach(session -> costs.add(peer.requests(session, limit)));
        report.peer(peer.shown(), cost("economical, " + limit), costs.perRequest(), COST);
      }
    }
    return report;
  }

  private static Map<String, SessionReplay.Settings> situations(SessionReplay.Settings plain) {
    Map<String, SessionReplay.Settings> all = new LinkedHashMap<>();
    all.put(
        "a result hidden every " + HIDE_EVERY + " requests",
        plain.with(SessionReplay.Situation.PLAIN.withHideEvery(HIDE_EVERY)));
    all.put(
        "model called every 10 rounds", plain.with(SessionReplay.Situation.PLAIN.withEvery(10)));
    all.put(
        "model called every 20 rounds", plain.with(SessionReplay.Situation.PLAIN.withEvery(20)));
    all.put(
        "memory of " + MEMORY_TOKENS + " tokens that changes",
        plain.with(SessionReplay.Situation.PLAIN.withMemory(MEMORY_TOKENS)));
    return all;
  }

  private static void figures(
      BenchReport report,
      String name,
      List<RecordedSession> sessions,
      SessionReplay.Settings settings) {
    Map<CachePolicy.Placement, CostTable> costs = costs(sessions, settings);
    CostTable own = Objects.requireNonNull(costs.remove(settings.placement()));
    report.figure(cost(name), own.perRequest(), COST);
    report.figure(name + ": cost / ideal", own.overIdeal(), "times");
    costs.forEach(
        (placement, other) -> {
          String shown = "marks: " + placement.name().toLowerCase(Locale.ROOT);
          report.peer(shown, cost(name), other.perRequest(), COST);
        });
  }

  private static String cost(String name) {
    return name + ": cost";
  }

  private static Map<CachePolicy.Placement, CostTable> costs(
      List<RecordedSession> sessions, SessionReplay.Settings settings) {
    Map<CachePolicy.Placement, CostTable> costs = new EnumMap<>(CachePolicy.Placement.class);
    for (CachePolicy.Placement placement : CachePolicy.Placement.values()) {
      CostTable table = new CostTable();
      for (RecordedSession session : sessions) {
        List<SentRequest> sent = new ArrayList<>();
        EngineReplay.run(
            session, settings.with(placement), request -> sent.add(CostTable.request(request)));
        table.add(sent);
      }
      costs.put(placement, table);
    }
    return costs;
  }

  private static List<RecordedSession> sessions(BenchArgs args) {
    List<Path> files = args.files().isEmpty() ? shared() : args.files();
    if (files.isEmpty()) {
      throw new UsageException("cache-cost takes recorded sessions: FILE.events.jsonl.gz…");
    }
    int most = args.quick() ? 2 : files.size();
    return files.stream().limit(most).map(RecordedSession::read).toList();
  }

  private static List<Path> shared() {
    Path folder = Path.of(System.getProperty("contexture.root", "."), "../shared/data/sessions");
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.toString().contains(".events.jsonl")).sorted().toList();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }
}
