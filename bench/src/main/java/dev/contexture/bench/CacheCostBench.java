package dev.contexture.bench;

import dev.contexture.bench.support.BenchArgs;
import dev.contexture.bench.support.BenchReport;
import dev.contexture.bench.support.UsageException;
import dev.contexture.compaction.CompactionPolicy;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.provider.cache.SentBlock;
import dev.contexture.provider.cache.SentRequest;
import dev.contexture.provider.replay.RecordedSession;
import dev.contexture.provider.replay.SessionReplay;
import dev.contexture.render.Message;
import dev.contexture.request.CachePolicy;
import dev.contexture.view.Part;
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
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * What recorded sessions cost with prompt caching: our presets and placements of marks, what others
 * do, and situations that break caches. The figures do not depend on the machine.
 */
final class CacheCostBench {
  private static final List<Long> LIMITS = List.of(16_000L, 32_000L);
  private static final int MEMORY_TOKENS = 200;
  private static final int HIDE_EVERY = 5;
  private static final String COST = "ktok/request";

  private CacheCostBench() {}

  static int run(List<String> args, PrintStream out) {
    BenchArgs read = BenchArgs.parse(args);
    report(read).print(out, read.json());
    return 0;
  }

  private static BenchReport report(BenchArgs args) {
    List<RecordedSession> sessions = sessions(args);
    BenchReport report = new BenchReport("cache-cost", args.quick());
    report.fact("sessions", JsonValue.of(sessions.size()));
    for (long limit : LIMITS) {
      SessionReplay.Settings economical =
          SessionReplay.Settings.of(limit, CompactionPolicy.ECONOMICAL);
      figures(report, "economical, " + limit, sessions, economical);
      situations(economical)
          .forEach(
              (what, settings) ->
                  figures(report, "economical, " + limit + ", " + what, sessions, settings));
      SessionReplay.Settings standard = SessionReplay.Settings.of(limit, CompactionPolicy.STANDARD);
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
    all.put("a result hidden every " + HIDE_EVERY + " requests", plain.withHideEvery(HIDE_EVERY));
    all.put("model called every 10 rounds", plain.withEvery(10));
    all.put("model called every 20 rounds", plain.withEvery(20));
    all.put("memory of " + MEMORY_TOKENS + " tokens that changes", plain.withMemory(MEMORY_TOKENS));
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
      costs.put(placement, new CostTable());
    }
    for (RecordedSession session : sessions) {
      Map<CachePolicy.Placement, List<SentRequest>> sent =
          new EnumMap<>(CachePolicy.Placement.class);
      Map<CachePolicy.Placement, Consumer<SessionReplay.Sent>> outs =
          new EnumMap<>(CachePolicy.Placement.class);
      costs
          .keySet()
          .forEach(
              placement -> {
                List<SentRequest> requests = new ArrayList<>();
                sent.put(placement, requests);
                outs.put(placement, each -> requests.add(request(session, each)));
              });
      SessionReplay.run(session, settings, outs);
      sent.forEach(
          (placement, requests) -> Objects.requireNonNull(costs.get(placement)).add(requests));
    }
    return costs;
  }

  private static SentRequest request(RecordedSession session, SessionReplay.Sent sent) {
    List<SentBlock> blocks = new ArrayList<>();
    Function<JsonValue, SentBlock> tool =
        each -> CostTable.block(SentBlock.Tier.TOOLS, "tool", "tool", each.toJson(), false);
    if (session.tools() instanceof dev.contexture.json.JsonArray tools) {
      tools.items().stream().map(tool).forEach(blocks::add);
    }
    blocks.add(
        CostTable.block(
            SentBlock.Tier.SYSTEM, "text", "system", sent.system(), sent.isSystemMarked()));
    for (int m = 0; m < sent.messages().size(); m++) {
      Message message = sent.messages().get(m);
      for (int p = 0; p < message.parts().size(); p++) {
        Part part = message.parts().get(p);
        JsonObject shown = ReplayBench.part(part);
        blocks.add(
            CostTable.block(
                SentBlock.Tier.MESSAGES,
                shown.string("type").orElse(""),
                message.role().wireName(),
                shown.string("text").orElse(""),
                sent.isMarked(m, p)));
      }
    }
    return SentRequest.at(0, blocks);
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
