package dev.contexture.bench.retrieval;

import dev.contexture.Contexture;
import dev.contexture.Turn;
import dev.contexture.bench.support.Bench;
import dev.contexture.bench.support.BenchReport;
import dev.contexture.bench.support.Samples;
import dev.contexture.bench.support.SearchedEngine;
import dev.contexture.bench.support.TextTable;
import dev.contexture.bench.support.UsageException;
import dev.contexture.bench.support.VectorFile;
import dev.contexture.block.Author;
import dev.contexture.block.Block;
import dev.contexture.block.BlockType;
import dev.contexture.block.Scope;
import dev.contexture.block.TurnId;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.search.Embedder;
import dev.contexture.search.EmbedderProvider;
import dev.contexture.search.MemorySearchResult;
import dev.contexture.search.SearchMode;
import dev.contexture.search.SearchOptions;
import dev.contexture.store.StoredBlock;
import dev.contexture.turn.Finish;
import dev.contexture.turn.TurnStart;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * How well search answers questions: a set's documents are stored as a user would store them, what
 * somebody said as messages of a conversation with one turn for each session, other texts as
 * archival entries; each question is one search of the agent, in each of the modes that are asked
 * for.
 */
public final class RetrievalBench implements Bench {
  private static final Scope SCOPE = Scope.of("bench", "retrieval");
  private static final Set<String> INDEXES = Set.of("lucene", "postgres");
  private static final int DEPTH = 100;
  private static final int BATCH = 200;
  private static final SearchOptions OPTIONS = SearchOptions.builder().limit(DEPTH).build();
  private static final long VECTOR_LOOK_MILLIS = 200;

  @Override
  public String name() {
    return "retrieval";
  }

  @Override
  public String summary() {
    return "how well search answers the questions of a set: SET-DIR [--run OUT] [--even|--odd]"
        + " [--embedder local[=MODEL]] [--vectors FILE] [--mode MODE,...]"
        + " [--index lucene|postgres]";
  }

  @Override
  public int run(List<String> args, PrintStream out) {
    Options options = Options.parse(args);
    RetrievalSet set = options.half.of(RetrievalSet.read(options.folder));
    List<Answered> answers = measure(set, options.search);
    report(options, set, answers, FullTextAnswers.of(set, DEPTH), out);
    return 0;
  }

  /** The documents that each question finds, best first, by the question's id. */
  public static Map<String, List<String>> ranked(RetrievalSet set) {
    return measure(set, new How(false, null, List.of(SearchMode.FTS))).getFirst().ranked;
  }

  /** How questions are answered. */
  private record How(boolean postgres, @Nullable Embedder embedder, List<SearchMode> modes) {
    SearchedEngine open() throws IOException {
      return postgres ? SearchedEngine.postgres(embedder) : SearchedEngine.lucene(embedder);
    }
  }

  private static List<Answered> measure(RetrievalSet set, How how) {
    try (SearchedEngine searched = how.open()) {
      List<Answered> answers = measure(searched.engine(), set, how);
      long bytes = searched.indexBytes();
      return answers.stream().map(answered -> answered.withIndexBytes(bytes)).toList();
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  private static List<Answered> measure(Contexture engine, RetrievalSet set, How how) {
    Map<String, String> docs = new HashMap<>();
    int number = 0;
    Map<String, String> agents = new HashMap<>();
    for (Map.Entry<String, List<RetrievalSet.Doc>> corpus : set.corpora().entrySet()) {
      String agent = "a" + ++number;
      agents.put(corpus.getKey(), agent);
      store(engine, agent, corpus.getValue(), docs);
    }
    engine.search().rebuild(SCOPE, changes -> {}); // so that no answer comes from half an index
    awaitVectors(engine);
    List<Answered> answers =
        how.modes.stream().map(mode -> answer(engine, set, agents, docs, mode)).toList();
    long start = System.nanoTime();
    engine.search().rebuild(SCOPE, changes -> {}); // once more, with a warm machine
    double seconds = (System.nanoTime() - start) / 1e9;
    return answers.stream().map(answered -> answered.withIndexSeconds(seconds)).toList();
  }

  private static void awaitVectors(Contexture engine) {
    try {
      while (engine.search().indexStatus(SCOPE).vectorLag() > 0) {
        Thread.sleep(VECTOR_LOOK_MILLIS);
      }
    } catch (InterruptedException early) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while vectors were made", early);
    }
  }

  private static void store(
      Contexture engine, String agent, List<RetrievalSet.Doc> corpus, Map<String, String> docs) {
    Map<Long, List<RetrievalSet.Doc>> sessions = new LinkedHashMap<>();
    for (RetrievalSet.Doc doc : corpus) {
      if (doc.speaker().isBlank()) {
        archive(engine, agent, doc, docs);
      } else {
        sessions.computeIfAbsent(doc.session(), session -> new ArrayList<>()).add(doc);
      }
    }
    Scope.OfConversation conversation = SCOPE.user("u-" + agent).conversation("c-" + agent);
    sessions.values().forEach(session -> say(engine, conversation, agent, session, docs));
  }

  private static void archive(
      Contexture engine, String agent, RetrievalSet.Doc doc, Map<String, String> docs) {
    String id = engine.memory(SCOPE).insertArchival(agent, doc.content(), null);
    docs.put(id, doc.id());
  }

  /** One session as one turn without a prompt. */
  private static void say(
      Contexture engine,
      Scope.OfConversation conversation,
      String agent,
      List<RetrievalSet.Doc> session,
      Map<String, String> docs) {
    TurnStart start = TurnStart.prompt("").agent(agent);
    TurnId id;
    try (Turn turn = engine.browser(conversation).startTurn(start)) {
      id = turn.id();
      for (int from = 0; from < session.size(); from += BATCH) {
        List<Block.Builder> blocks = new ArrayList<>();
        for (RetrievalSet.Doc doc : session.subList(from, Math.min(session.size(), from + BATCH))) {
          Block.Builder block =
              Block.builder(BlockType.AGENT_BLOCK)
                  .author(Author.of(doc.speaker()))
                  .text(doc.content());
          doc.at().ifPresent(block::ts);
          blocks.add(block);
        }
        turn.contribute(blocks.toArray(Block.Builder[]::new));
      }
      turn.finish(Finish.recorded());
    }
    int at = 0;
    for (StoredBlock block : engine.store().turnBlocks(conversation, id)) {
      if (block.block().type().equals(BlockType.AGENT_BLOCK)) {
        String hit = conversation.user() + "/" + conversation.conversation() + "/" + block.seq();
        docs.put(hit, session.get(at++).id());
      }
    }
  }

  private record Answered(
      SearchMode mode,
      Map<String, List<String>> ranked,
      Samples times,
      double indexSeconds,
      long indexBytes) {
    Answered withIndexSeconds(double seconds) {
      return new Answered(mode, ranked, times, seconds, indexBytes);
    }

    Answered withIndexBytes(long bytes) {
      return new Answered(mode, ranked, times, indexSeconds, bytes);
    }
  }

  private static Answered answer(
      Contexture engine,
      RetrievalSet set,
      Map<String, String> agents,
      Map<String, String> docs,
      SearchMode mode) {
    Map<String, List<String>> ranked = new LinkedHashMap<>();
    long[] nanos = new long[set.queries().size()];
    for (RetrievalSet.Query query : set.queries()) {
      String text = query.text();
      int chars = Math.min(text.codePointCount(0, text.length()), SearchOptions.MAX_QUERY_CHARS);
      String cut = text.substring(0, text.offsetByCodePoints(0, chars));
      Scope.OfAgent agent = SCOPE.agent(agents.getOrDefault(query.corpus(), "nobody"));
      long start = System.nanoTime();
      List<String> ids = new ArrayList<>();
      for (MemorySearchResult hit :
          engine.search().search(agent, cut, OPTIONS.toBuilder().mode(mode).build())) {
        ids.add(docs.get(hit.id()));
      }
      nanos[ranked.size()] = System.nanoTime() - start;
      ranked.put(query.id(), ids);
    }
    return new Answered(mode, ranked, Samples.of(nanos), 0, 0);
  }

  private static void report(
      Options options,
      RetrievalSet set,
      List<Answered> answers,
      Map<String, List<String>> fullText,
      PrintStream out) {
    RetrievalScores peer = scores(set, fullText);
    for (Answered answered : answers) {
      RetrievalScores scores = scores(set, answered.ranked);
      if (options.run != null) {
        boolean alone = answers.size() == 1;
        write(alone ? options.run : named(options.run, answered.mode), answered.ranked);
      }
      if (options.json) {
        out.println(json(set, scores, peer, answered).toJson());
      } else {
        out.println(answered.mode.wireName());
        TextTable.print(scores.table(), out);
        out.println(
            String.format(
                Locale.ROOT,
                "%d hits of a query read from the store in %.1f ms (median), %.1f ms (p99)",
                DEPTH,
                answered.times.medianMillis(),
                answered.times.percentileMillis(99)));
      }
    }
    if (!options.json) {
      printSummary(options, set, answers, fullText, out);
    }
  }

  private static Path named(Path file, SearchMode mode) {
    return file.resolveSibling(file.getFileName() + "." + mode.wireName());
  }

  /** R@10 and MRR of all modes and of the peer, also by halves unless one half was asked for. */
  private static void printSummary(
      Options options,
      RetrievalSet set,
      List<Answered> answers,
      Map<String, List<String>> fullText,
      PrintStream out) {
    List<Half> halves = options.half == Half.BOTH ? List.of(Half.values()) : List.of(Half.BOTH);
    Map<String, Map<String, List<String>>> ranked = new LinkedHashMap<>();
    answers.forEach(answered -> ranked.put(answered.mode.wireName(), answered.ranked));
    ranked.put("SQLite FTS5, two tables", fullText);
    ranked.forEach(
        (name, lists) -> {
          StringBuilder line = new StringBuilder(name + ": R@10 / MRR");
          for (Half half : halves) {
            RetrievalScores scores = scores(half.of(set), lists);
            line.append(
                String.format(
                    Locale.ROOT,
                    "%s %.1f / %.1f",
                    half == Half.BOTH ? "" : ", " + half.name().toLowerCase(Locale.ROOT),
                    scores.percent(RetrievalScores.ALL, "R@10"),
                    scores.percent(RetrievalScores.ALL, "MRR")));
          }
          out.println(line);
        });
    out.println(
        String.format(
            Locale.ROOT,
            "indexed in %.2f s, %.2f MB",
            answers.getFirst().indexSeconds,
            answers.getFirst().indexBytes / 1e6));
  }

  private static RetrievalScores scores(RetrievalSet set, Map<String, List<String>> ranked) {
    RetrievalScores scores = new RetrievalScores();
    for (RetrievalSet.Query query : set.queries()) {
      Set<String> relevant = set.relevant().getOrDefault(query.id(), Set.of());
      scores.add(query.category(), ranked.getOrDefault(query.id(), List.of()), relevant);
    }
    return scores;
  }

  private static JsonObject json(
      RetrievalSet set, RetrievalScores scores, RetrievalScores peer, Answered answered) {
    BenchReport report = new BenchReport("retrieval", false);
    for (String category : scores.categories()) {
      for (String column : RetrievalScores.COLUMNS) {
        report.figure(category + " " + column, scores.percent(category, column), "%");
      }
    }
    for (String column : List.of("R@10", "MRR")) {
      report.figure("sqlite fts5 " + column, peer.percent(RetrievalScores.ALL, column), "%");
    }
    report.figure("search p50", answered.times.medianMillis(), "ms");
    report.figure("search p99", answered.times.percentileMillis(99), "ms");
    report.figure("index", answered.indexSeconds, "s");
    report.figure("index size", answered.indexBytes / 1e6, "MB");
    return report
        .fact("queries", JsonValue.of(set.queries().size()))
        .fact("mode", JsonValue.of(answered.mode.wireName()))
        .toJson();
  }

  private static void write(Path file, Map<String, List<String>> ranked) {
    List<String> lines = new ArrayList<>();
    ranked.forEach(
        (id, docs) ->
            lines.add(
                JsonObject.builder()
                    .put("id", id)
                    .put(
                        "ranked",
                        new JsonArray(docs.stream().<JsonValue>map(JsonValue::of).toList()))
                    .build()
                    .toJson()));
    try {
      Files.write(file, lines);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /** Questions by their place in the file, so that one half can be kept for the last run. */
  private enum Half {
    BOTH,
    EVEN,
    ODD;

    RetrievalSet of(RetrievalSet set) {
      List<RetrievalSet.Query> queries = new ArrayList<>();
      for (int i = 0; i < set.queries().size(); i++) {
        if (this == BOTH || (this == EVEN) == (i % 2 == 0)) {
          queries.add(set.queries().get(i));
        }
      }
      return new RetrievalSet(set.corpora(), queries, set.relevant());
    }
  }

  private record Options(Path folder, @Nullable Path run, Half half, How search, boolean json) {
    static Options parse(List<String> args) {
      List<String> rest = new ArrayList<>(args);
      boolean json = rest.remove("--json");
      boolean ignored = rest.remove("--quick"); // there is nothing to leave out
      String run = value(rest, "--run");
      String model = value(rest, "--embedder");
      String vectors = value(rest, "--vectors");
      String modes = value(rest, "--mode");
      String index = value(rest, "--index");
      if (index != null && !INDEXES.contains(index)) {
        throw new UsageException("there is no index '" + index + "'; lucene and postgres are");
      }
      Embedder embedder = model == null ? null : embedder(model);
      if (embedder != null && vectors != null) {
        embedder = new VectorFile(embedder, Path.of(vectors));
      }
      SearchMode usual = embedder == null ? SearchMode.FTS : SearchMode.AUTO;
      List<SearchMode> wanted = modes == null ? List.of(usual) : modes(modes);
      Half half = rest.remove("--even") ? Half.EVEN : rest.remove("--odd") ? Half.ODD : Half.BOTH;
      if (rest.size() != 1 || rest.getFirst().startsWith("-")) {
        throw new UsageException(
            "give one folder: retrieval SET-DIR [--run OUT] [--even|--odd] [--embedder NAME]"
                + " [--vectors FILE] [--mode MODE,...] [--index lucene|postgres] [--json]");
      }
      return new Options(
          Path.of(rest.getFirst()),
          run == null ? null : Path.of(run),
          half,
          new How("postgres".equals(index), embedder, wanted),
          json);
    }

    private static List<SearchMode> modes(String names) {
      return Stream.of(names.split(","))
          .map(
              name ->
                  SearchMode.of(name)
                      .orElseThrow(() -> new UsageException("there is no mode '" + name + "'")))
          .toList();
    }

    /** Takes an option and its value out of the arguments; null: it is not there. */
    private static @Nullable String value(List<String> rest, String option) {
      int at = rest.indexOf(option);
      if (at < 0) {
        return null;
      }
      if (at + 1 >= rest.size()) {
        throw new UsageException(option + " needs a value");
      }
      String value = rest.get(at + 1);
      rest.subList(at, at + 2).clear();
      return value;
    }

    private static Embedder embedder(String name) {
      return ServiceLoader.load(EmbedderProvider.class).stream()
          .flatMap(provider -> provider.get().open(name).stream())
          .findFirst()
          .orElseThrow(
              () -> new UsageException("there is no embedder '" + name + "'; local is one"));
    }
  }
}
