package dev.contexture.bench.retrieval;

import dev.contexture.bench.peer.FullTextPeer;
import dev.contexture.bench.support.BenchArgs;
import dev.contexture.bench.support.BenchReport;
import dev.contexture.bench.support.Samples;
import dev.contexture.bench.support.StoreSamples;
import dev.contexture.bench.support.UsageException;
import dev.contexture.block.Scope;
import dev.contexture.json.JsonValue;
import dev.contexture.search.IndexChange;
import dev.contexture.search.IndexDocument;
import dev.contexture.search.IndexEntry;
import dev.contexture.search.IndexFilter;
import dev.contexture.search.IndexHit;
import dev.contexture.search.IndexPosition;
import dev.contexture.search.ScoreFusion;
import dev.contexture.search.SearchContentType;
import dev.contexture.search.SearchIndex;
import dev.contexture.search.SearchIndex.KeywordQuery;
import dev.contexture.search.SearchOptions;
import dev.contexture.search.lucene.LuceneIndexes;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * How fast search is on a million messages of 50 agents: five-word queries with and without the
 * filter of an agent, vectors of 384 numbers around generated centres with their recall against an
 * exact search, both joined; and SQLite's own full-text index with the same texts and queries.
 */
public final class SearchScaleBench {
  private static final long SEED = 20_260_209;
  private static final int AGENTS = 50;
  private static final int WORDS = 25;
  private static final int VOCABULARY = 60_000;
  private static final int DIMENSIONS = 384;
  private static final int CENTRES = 2_000;
  private static final int QUERY_WORDS = 5;
  private static final int BATCH = 5_000;
  private static final int LIMIT = 10;
  private static final int MANY = 100;
  private static final int WARM_UP = 3;
  private static final Instant NOW = Instant.parse("2026-02-09T00:00:00Z");
  private static final Scope SCOPE = Scope.of("bench", "scale");

  private final int entries;
  private final int vectors;
  private final int queries;
  private final float[][] centres = new float[CENTRES][];

  private SearchScaleBench(boolean quick, int entries, int vectors) {
    this.entries = entries;
    this.vectors = vectors;
    this.queries = quick ? 50 : 300;
    SplittableRandom random = new SplittableRandom(SEED);
    for (int i = 0; i < CENTRES; i++) {
      centres[i] = unit(gaussian(random, new float[DIMENSIONS], 1));
    }
  }

  public static int run(List<String> args, PrintStream out) {
    List<String> rest = new ArrayList<>(args);
    boolean quick = rest.contains("--quick");
    int entries = number(rest, "--entries", quick ? 20_000 : 1_000_000);
    int vectors = Math.min(entries, number(rest, "--vectors", 200_000));
    BenchArgs parsed = BenchArgs.parse(rest);
    try {
      Path directory = Files.createTempDirectory("contexture-search");
      try {
        new SearchScaleBench(quick, entries, vectors)
            .measure(directory, parsed)
            .print(out, parsed.json());
        return 0;
      } finally {
        StoreSamples.delete(directory);
      }
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    } catch (SQLException failed) {
      throw new IllegalStateException(failed);
    }
  }

  /** Takes an option with a number out of the arguments. */
  private static int number(List<String> args, String option, int otherwise) {
    int at = args.indexOf(option);
    if (at < 0) {
      return otherwise;
    }
    String text = at + 1 < args.size() ? args.get(at + 1) : "";
    args.subList(at, Math.min(at + 2, args.size())).clear();
    if (!text.matches("[1-9][0-9]{3,7}")) {
      throw new UsageException(
          option + " is '" + text + "', and must be a number from 1000 to 99999999");
    }
    return Integer.parseInt(text);
  }

  private BenchReport measure(Path directory, BenchArgs args) throws SQLException {
    BenchReport report = new BenchReport("search-scale", args.quick());
    try (LuceneIndexes indexes = LuceneIndexes.in(directory.resolve("lucene"));
        SearchIndex index = indexes.open(SCOPE)) {
      report.figure("index entries", seconds(() -> indexTexts(index)), "s");
      report.figure("size of words", index.sizeBytes().orElse(0) / 1e6, "MB");
      keyword(index, report);
      report.figure("index vectors", seconds(() -> indexVectors(index)), "s");
      vectors(index, report);
    }
    stored(directory.resolve("store"), report);
    peer(directory.resolve("fts5.db"), report);
    return report
        .seed(SEED)
        .repetitions(queries)
        .fact("entries", JsonValue.of(entries))
        .fact("vectors", JsonValue.of(vectors))
        .fact("stored_messages", JsonValue.of(stored()))
        .fact("agents", JsonValue.of(AGENTS));
  }

  private int stored() {
    return Math.min(entries, 100_000) / 1_000 * 1_000;
  }

  /** The same through the engine, over fewer messages: they are written to a store first. */
  private void stored(Path directory, BenchReport report) {
    try (EngineSearchPart engine = new EngineSearchPart(directory, AGENTS)) {
      engine.fill(stored(), SearchScaleBench::text);
      report.figure("index messages of a store", seconds(engine::index), "s");
      add(report, "search of stored messages", sampled(i -> engine.search(query(i), LIMIT)));
      add(
          report,
          "search of stored messages, 100 hits",
          sampled(i -> engine.search(query(i), MANY)));
      add(
          report,
          "search of one agent's stored messages",
          sampled(i -> engine.searchAgent("a" + i % AGENTS, query(i))));
    }
  }

  private static double seconds(Runnable work) {
    long start = System.nanoTime();
    work.run();
    return (System.nanoTime() - start) / 1e9;
  }

  private void indexTexts(SearchIndex index) {
    List<IndexChange> changes = new ArrayList<>();
    String[] near = {text(0), text(1), text(2)};
    for (int i = 0; i < entries; i++) {
      String own = text(i);
      String context = near[0] + "\n" + near[1] + "\n" + near[2];
      near[i % 3] = own;
      changes.add(new IndexChange.Put(new IndexDocument(entry(i), own, "", context, "", "")));
      if (changes.size() == BATCH || i == entries - 1) {
        index.write(changes, new IndexPosition(i + 1L, 0, "m"));
        changes.clear();
      }
    }
    index.commit();
  }

  private static IndexEntry entry(int number) {
    int agent = number % AGENTS;
    return new IndexEntry(
        "u" + agent + "/c/" + number,
        "t" + number / 2,
        SearchContentType.MESSAGES,
        "a" + agent,
        "u" + agent,
        "c",
        number % 2 == 0 ? "user" : "assistant",
        NOW.plusSeconds(number),
        number,
        "h");
  }

  /** Words by a law of natural language: the n-th most common is about 1/n as common. */
  static String text(int number) {
    SplittableRandom random = new SplittableRandom(SEED * 31 + number);
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < WORDS; i++) {
      text.append(word(random)).append(' ');
    }
    return text.toString();
  }

  private static String word(SplittableRandom random) {
    return "k" + (int) Math.pow(VOCABULARY, random.nextDouble()) + "q";
  }

  /** Five words of one stored text, so that there is something to find. */
  private String query(int number) {
    SplittableRandom random = new SplittableRandom(SEED + 77 + number);
    String[] words = text(random.nextInt(entries)).split(" ");
    StringBuilder query = new StringBuilder();
    for (int i = 0; i < QUERY_WORDS; i++) {
      query.append(words[random.nextInt(words.length)]).append(' ');
    }
    return query.toString();
  }

  private static IndexFilter filter(@Nullable String agent) {
    return IndexFilter.of(SearchOptions.DEFAULT, agent, Set.of());
  }

  /** What a measured query does. */
  private interface Query {
    long run(int number);
  }

  private Samples sampled(Query query) {
    for (int i = 0; i < WARM_UP * queries; i++) {
      query.run(queries + i);
    }
    long[] nanos = new long[queries];
    for (int i = 0; i < queries; i++) {
      long start = System.nanoTime();
      query.run(i);
      nanos[i] = System.nanoTime() - start;
    }
    return Samples.of(nanos);
  }

  private static void add(BenchReport report, String name, Samples samples) {
    report.figure(name + " p50", samples.medianMillis(), "ms");
    report.figure(name + " p99", samples.percentileMillis(99), "ms");
  }

  private void keyword(SearchIndex index, BenchReport report) {
    add(
        report,
        "keyword",
        sampled(i -> index.keyword(new KeywordQuery(query(i), false), filter(null), LIMIT).size()));
    add(
        report,
        "keyword of one agent",
        sampled(
            i ->
                index
                    .keyword(new KeywordQuery(query(i), false), filter("a" + i % AGENTS), LIMIT)
                    .size()));
  }

  private void indexVectors(SearchIndex index) {
    List<IndexChange> changes = new ArrayList<>();
    for (int i = 0; i < vectors; i++) {
      changes.add(new IndexChange.PutVectors(entry(i), List.of(vector(i))));
      if (changes.size() == BATCH || i == vectors - 1) {
        index.write(changes, index.position());
        changes.clear();
      }
    }
    index.commit();
  }

  private float[] vector(long number) {
    SplittableRandom random = new SplittableRandom(SEED * 17 + number);
    float[] vector = centres[random.nextInt(CENTRES)].clone();
    return unit(gaussian(random, vector, 0.04));
  }

  private static float[] gaussian(SplittableRandom random, float[] onto, double width) {
    for (int i = 0; i < onto.length; i++) {
      onto[i] += (float) (random.nextGaussian() * width);
    }
    return onto;
  }

  private static float[] unit(float[] vector) {
    double squares = 0;
    for (float number : vector) {
      squares += (double) number * number;
    }
    for (int i = 0; i < vector.length; i++) {
      vector[i] /= (float) Math.sqrt(squares);
    }
    return vector;
  }

  private void vectors(SearchIndex index, BenchReport report) {
    IndexFilter all = filter(null);
    int depth = ScoreFusion.depth(LIMIT);
    add(report, "vector", sampled(i -> index.vector(vector(-1L - i), all, LIMIT).size()));
    add(
        report,
        "vector of one agent",
        sampled(i -> index.vector(vector(-1L - i), filter("a" + i % AGENTS), LIMIT).size()));
    add(
        report,
        "hybrid",
        sampled(
            i -> {
              String query = query(i);
              List<IndexHit> words = index.keyword(new KeywordQuery(query, false), all, depth);
              List<IndexHit> meanings = index.vector(vector(-1L - i), all, depth);
              return ScoreFusion.fuse(words, meanings, 0, query).size();
            }));
    report.figure("vector recall@10", recall(index, all), "");
  }

  private static List<String> ids(List<IndexHit> hits) {
    return hits.stream().map(IndexHit::id).toList();
  }

  private double recall(SearchIndex index, IndexFilter all) {
    int checked = Math.min(queries, 100);
    List<Nearest> exact = new ArrayList<>();
    for (int q = 0; q < checked; q++) {
      exact.add(new Nearest(vector(-1L - q)));
    }
    for (int i = 0; i < vectors; i++) {
      float[] vector = vector(i);
      for (Nearest nearest : exact) {
        nearest.offer(i, vector);
      }
    }
    double found = 0;
    for (Nearest nearest : exact) {
      Set<String> near = new HashSet<>(ids(index.vector(nearest.query, all, LIMIT)));
      found += nearest.ids().stream().filter(near::contains).count() / (double) LIMIT;
    }
    return found / checked;
  }

  /** The nearest vectors of all that were offered. */
  private static final class Nearest {
    private final float[] query;
    private final int[] best = new int[LIMIT];
    private final double[] scores = new double[LIMIT];

    Nearest(float[] query) {
      this.query = query;
      Arrays.fill(scores, -2);
    }

    void offer(int number, float[] vector) {
      float dot = 0;
      for (int d = 0; d < DIMENSIONS; d++) {
        dot += query[d] * vector[d];
      }
      int at = LIMIT - 1;
      if (dot > scores[at]) {
        while (at > 0 && scores[at - 1] < dot) {
          scores[at] = scores[at - 1];
          best[at] = best[at - 1];
          at--;
        }
        scores[at] = dot;
        best[at] = number;
      }
    }

    List<String> ids() {
      return Arrays.stream(best).mapToObj(number -> entry(number).id()).toList();
    }
  }

  private void peer(Path file, BenchReport report) throws SQLException {
    try (FullTextPeer peer = new FullTextPeer(file)) {
      double time =
          seconds(
              () -> {
                for (int from = 0; from < entries; from += BATCH) {
                  List<String> texts = new ArrayList<>();
                  for (int i = from; i < Math.min(entries, from + BATCH); i++) {
                    texts.add(text(i));
                  }
                  peer.add(texts, AGENTS);
                }
              });
      int asked = Math.min(queries, 50); // it takes a while
      report.peer(peer.name(), "index entries", time, "s");
      long[] nanos = new long[asked];
      long[] filtered = new long[asked];
      for (int i = 0; i < asked; i++) {
        long start = System.nanoTime();
        peer.search(query(i), null, LIMIT);
        nanos[i] = System.nanoTime() - start;
        start = System.nanoTime();
        peer.search(query(i), "a" + i % AGENTS, LIMIT);
        filtered[i] = System.nanoTime() - start;
      }
      report.peer(peer.name(), "keyword p50", Samples.of(nanos).medianMillis(), "ms");
      report.peer(
          peer.name(), "keyword of one agent p50", Samples.of(filtered).medianMillis(), "ms");
      report.peer(peer.name(), "keyword p99", Samples.of(nanos).percentileMillis(99), "ms");
    }
  }
}
