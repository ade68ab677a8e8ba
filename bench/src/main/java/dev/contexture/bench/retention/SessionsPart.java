package dev.contexture.bench.retention;

import dev.contexture.bench.replay.CostTable;
import dev.contexture.bench.replay.EngineReplay;
import dev.contexture.bench.replay.PeerPolicy;
import dev.contexture.bench.support.BenchReport;
import dev.contexture.compaction.CompactionPolicy;
import dev.contexture.simulator.replay.RecordedSession;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * What recorded sessions keep of the user's sentences and of the references that their agents use,
 * by group, next to what the same requests cost.
 */
final class SessionsPart {
  private static final List<Long> LIMITS = List.of(8_000L, 16_000L, 32_000L, 128_000L);
  private static final Pattern GROUP = Pattern.compile("[-_.]");
  private static final String ALL = "all";

  private final Map<Path, RecordedSession> sessions = new LinkedHashMap<>();
  private final BenchReport report;
  private final List<List<String>> table = new ArrayList<>();

  private SessionsPart(List<Path> files, BenchReport report) {
    files.forEach(file -> sessions.put(file, RecordedSession.read(file)));
    this.report = report;
  }

  /** Adds the figures to the report; returns the rows of a table. */
  static List<List<String>> run(RetentionOptions options, List<Path> files, BenchReport report) {
    SessionsPart part = new SessionsPart(files, report);
    List<String> groups =
        part.sessions.keySet().stream().map(SessionsPart::group).distinct().sorted().toList();
    List<String> head = new ArrayList<>(List.of("limit", "policy"));
    groups.forEach(group -> head.add("sentences " + group));
    head.addAll(List.of("sentences all", "references all", "ktok/request"));
    part.table.add(head);
    for (long limit : options.limitsOr(LIMITS)) {
      options.presets().forEach((name, policy) -> part.preset(limit, name, policy));
      options.peers().forEach(peer -> part.peer(limit, peer));
    }
    return part.table;
  }

  /** The beginning of a file's name: who recorded it. */
  private static String group(Path file) {
    return GROUP.split(String.valueOf(file.getFileName()), 2)[0];
  }

  /** What the sessions of a group kept, and what they cost. */
  private static final class Group {
    private SessionRetention.Count words = SessionRetention.Count.NONE;
    private SessionRetention.Count references = SessionRetention.Count.NONE;
    private final CostTable costs = new CostTable();

    void add(SessionRetention session) {
      words = words.plus(session.words());
      references = references.plus(session.references());
      costs.add(session.requests());
    }
  }

  private void preset(long limit, String name, CompactionPolicy policy) {
    Map<String, Group> groups =
        measure(
            (session, kept) ->
                EngineReplay.run(
                    session,
                    EngineReplay.settings(limit, policy),
                    parts -> kept.request(CostTable.request(parts))));
    row(limit, name, groups);
    groups.forEach(
        (group, kept) -> {
          String of = "sessions " + limit + " " + name + " " + group + " ";
          report.figure(of + "sentences", kept.words.percent(), "%");
          report.figure(of + "references", kept.references.percent(), "%");
          report.figure(of + "cost", kept.costs.perRequest(), "ktok/request");
        });
  }

  private void peer(long limit, PeerPolicy peer) {
    Map<String, Group> groups =
        measure(
            (session, kept) ->
                peer.requests(session, limit, EngineReplay::tokens).forEach(kept::request));
    row(limit, RetentionOptions.nameOf(peer), groups);
    groups.forEach(
        (group, kept) -> {
          String of = "sessions " + limit + " " + group + " ";
          String who = peer.shown();
          report.peer(who, of + "sentences", kept.words.percent(), "%");
          report.peer(who, of + "references", kept.references.percent(), "%");
          report.peer(who, of + "cost", kept.costs.perRequest(), "ktok/request");
        });
  }

  /** Makes the requests of a session. */
  private interface Replay {
    void run(RecordedSession session, SessionRetention kept);
  }

  private Map<String, Group> measure(Replay replay) {
    Map<String, Group> groups = new TreeMap<>();
    sessions.forEach(
        (file, session) -> {
          SessionRetention kept = new SessionRetention(session);
          replay.run(session, kept);
          kept.finish();
          groups.computeIfAbsent(group(file), group -> new Group()).add(kept);
          groups.computeIfAbsent(ALL, group -> new Group()).add(kept);
        });
    return groups;
  }

  private void row(long limit, String policy, Map<String, Group> groups) {
    Group all = Objects.requireNonNull(groups.get(ALL));
    List<String> row = new ArrayList<>(List.of(Long.toString(limit), policy));
    groups.forEach(
        (group, kept) -> {
          if (!group.equals(ALL)) {
            row.add(percent(kept.words));
          }
        });
    row.add(percent(all.words));
    row.add(percent(all.references));
    row.add(String.format(Locale.ROOT, "%.3f", all.costs.perRequest()));
    table.add(row);
  }

  private static String percent(SessionRetention.Count count) {
    return String.format(Locale.ROOT, "%.1f %%", count.percent());
  }
}
