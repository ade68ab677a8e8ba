package dev.contexture.bench.retention;

import dev.contexture.ContextRequest;
import dev.contexture.bench.replay.CostTable;
import dev.contexture.bench.replay.EngineReplay;
import dev.contexture.bench.replay.PeerPolicy;
import dev.contexture.bench.retrieval.RetrievalBench;
import dev.contexture.bench.retrieval.RetrievalSet;
import dev.contexture.bench.support.BenchReport;
import dev.contexture.bench.support.UsageException;
import dev.contexture.compaction.CompactionPolicy;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonValue;
import dev.contexture.simulator.SentBlock;
import dev.contexture.simulator.SentRequest;
import dev.contexture.simulator.replay.RecordedSession;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * For how many questions about a dialogue the messages that answer them stand in its last context,
 * or are found by a search with the question. The first who speaks is the user.
 */
final class DialoguesPart {
  private static final List<Long> LIMITS = List.of(4_000L, 8_000L, 16_000L, 32_000L);
  private static final int HITS = 10;

  private final RetrievalSet set;
  private final Map<String, RecordedSession> sessions = new LinkedHashMap<>();
  private final Map<String, Set<String>> found = new HashMap<>();
  private final Map<String, String> texts = new HashMap<>();

  private DialoguesPart(Path folder, boolean quick) {
    set = RetrievalSet.read(folder);
    set.corpora()
        .forEach(
            (corpus, docs) -> {
              if (docs.stream().noneMatch(doc -> doc.speaker().isBlank())
                  && (sessions.isEmpty() || !quick)) {
                sessions.put(corpus, session(docs));
                docs.forEach(doc -> texts.put(key(corpus, doc.id()), doc.text()));
              }
            });
    if (sessions.isEmpty()) {
      throw new UsageException("'" + folder + "' holds no dialogue: documents have no speaker");
    }
    RetrievalBench.ranked(set)
        .forEach((id, hits) -> found.put(id, new HashSet<>(hits.stream().limit(HITS).toList())));
  }

  /** Adds the figures to the report; returns the rows of a table. */
  static List<List<String>> run(RetentionOptions options, List<Path> folders, BenchReport report) {
    List<List<String>> table = new ArrayList<>();
    table.add(List.of("set", "limit", "policy", "in the context", "in the context or found"));
    for (Path folder : folders) {
      DialoguesPart part = new DialoguesPart(folder, options.quick());
      String name = String.valueOf(folder.getFileName());
      for (long limit : options.limitsOr(LIMITS)) {
        options
            .presets()
            .forEach(
                (preset, policy) -> {
                  Answers answers = part.answers(session -> last(session, limit, policy));
                  table.add(answers.row(name, limit, preset));
                  String of = "dialogues " + name + " " + limit + " " + preset + " ";
                  report.figure(of + "in context", answers.shown.percent(), "%");
                  report.figure(of + "in context or found", answers.reached.percent(), "%");
                });
        for (PeerPolicy peer : options.peers()) {
          Answers answers = part.answers(session -> last(session, limit, peer));
          table.add(answers.row(name, limit, RetentionOptions.nameOf(peer)));
          String of = "dialogues " + name + " " + limit + " ";
          report.peer(peer.shown(), of + "in context", answers.shown.percent(), "%");
          report.peer(peer.shown(), of + "in context or found", answers.reached.percent(), "%");
        }
      }
    }
    return table;
  }

  private static String key(String corpus, String doc) {
    return corpus + "\n" + doc;
  }

  /** A turn for each message of the user; the model is called behind it, and at the end. */
  static RecordedSession session(List<RetrievalSet.Doc> docs) {
    String user = docs.getFirst().speaker();
    List<RecordedSession.Event> events = new ArrayList<>();
    long turn = 0;
    for (RetrievalSet.Doc doc : docs) {
      boolean asks = doc.speaker().equals(user);
      turn += asks ? 1 : 0;
      String role = asks ? "user" : "assistant";
      events.add(new RecordedSession.Event.Said(role, "text", doc.content(), null, turn));
      if (asks) {
        events.add(new RecordedSession.Event.Request());
      }
    }
    events.add(new RecordedSession.Event.Request());
    return new RecordedSession(JsonValue.of("You talk with a friend."), JsonArray.of(), events);
  }

  /** The texts of the last context that the engine makes. */
  private static List<String> last(RecordedSession session, long limit, CompactionPolicy policy) {
    Last last = new Last();
    EngineReplay.runWhile(session, EngineReplay.settings(limit, policy), last::see);
    return EngineReplay.parts(Objects.requireNonNull(last.request).request()).stream()
        .map(EngineReplay.SentPart::text)
        .toList();
  }

  /** Remembers the last request. Confined to one thread. */
  private static final class Last {
    private @Nullable ContextRequest request;

    boolean see(ContextRequest next) {
      request = next;
      return true;
    }
  }

  private static List<String> last(RecordedSession session, long limit, PeerPolicy peer) {
    List<SentRequest> requests = peer.requests(session, limit, EngineReplay::tokens);
    return requests.getLast().blocks().stream()
        .filter(block -> block.tier() == SentBlock.Tier.MESSAGES)
        .map(CostTable::text)
        .toList();
  }

  /**
   * How many questions have all their messages.
   *
   * @param shown in the context
   * @param reached in the context or among the first hits
   */
  private record Answers(SessionRetention.Count shown, SessionRetention.Count reached) {
    List<String> row(String set, long limit, String policy) {
      return List.of(set, Long.toString(limit), policy, percent(shown), percent(reached));
    }

    private static String percent(SessionRetention.Count count) {
      return String.format(Locale.ROOT, "%.1f %% of %d", count.percent(), count.looked());
    }
  }

  private Answers answers(Function<RecordedSession, List<String>> context) {
    Map<String, List<String>> contexts =
        sessions.entrySet().stream()
            .collect(Collectors.toMap(Map.Entry::getKey, entry -> context.apply(entry.getValue())));
    SessionRetention.Count shown = SessionRetention.Count.NONE;
    SessionRetention.Count reached = SessionRetention.Count.NONE;
    for (RetrievalSet.Query query : set.queries()) {
      Set<String> needed = set.relevant().getOrDefault(query.id(), Set.of());
      List<String> parts = contexts.get(query.corpus());
      if (parts == null || needed.isEmpty()) {
        continue;
      }
      Set<String> missing =
          needed.stream()
              .filter(doc -> !stands(texts.getOrDefault(key(query.corpus(), doc), ""), parts))
              .collect(Collectors.toSet());
      boolean all = found.getOrDefault(query.id(), Set.of()).containsAll(missing);
      shown = shown.plus(new SessionRetention.Count(1, missing.isEmpty() ? 1 : 0));
      reached = reached.plus(new SessionRetention.Count(1, all ? 1 : 0));
    }
    return new Answers(shown, reached);
  }

  private static boolean stands(String text, List<String> parts) {
    return !text.isEmpty() && parts.stream().anyMatch(part -> part.contains(text));
  }
}
