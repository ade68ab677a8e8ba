package dev.contexture.bench;

import dev.contexture.ContextBrowser;
import dev.contexture.Contexture;
import dev.contexture.bench.peer.ContextureMemory;
import dev.contexture.bench.peer.MemoryPeer;
import dev.contexture.bench.peer.SpringMemory;
import dev.contexture.bench.support.Bench;
import dev.contexture.bench.support.BenchArgs;
import dev.contexture.bench.support.BenchReport;
import dev.contexture.bench.support.Circumstances;
import dev.contexture.bench.support.PostgresDatabase;
import dev.contexture.bench.support.SampleMessage;
import dev.contexture.bench.support.Samples;
import dev.contexture.bench.support.StoreSamples;
import dev.contexture.bench.support.UsageException;
import dev.contexture.block.Scope;
import dev.contexture.json.JsonValue;
import dev.contexture.render.RenderOptions;
import dev.contexture.store.Store;
import dev.contexture.store.postgres.PostgresSettings;
import dev.contexture.store.postgres.PostgresStore;
import dev.contexture.view.Dialect;
import java.io.IOException;
import java.io.PrintStream;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * One and two nodes over a PostgreSQL server of its own: durable appends of 64 writers against
 * plain pgjdbc that inserts the same rows 64 in a batch, and the step of a loaded conversation
 * against Spring AI's JDBC memory, and renders of it, all on one server and in one run.
 */
final class PostgresBench implements Bench {
  private static final int WRITERS = 64;
  private static final int MESSAGES = 5_000;
  private static final double TARGET_OF_RAW = 0.6;
  private static final double TARGET_STEP = 20;
  private static final long SEED = 42;
  private static final RenderOptions OPTIONS = RenderOptions.defaults().withDialect(Dialect.NATIVE);
  private static final String RAW = "pgjdbc, batches of " + WRITERS;

  /** How much is measured. */
  private record Effort(int repetitions, int each, int conversations, int steps) {
    private static final Effort FULL = new Effort(7, 60, 4, 50);
    private static final Effort QUICK = new Effort(2, 10, 1, 6);
  }

  @Override
  public String name() {
    return "postgres";
  }

  @Override
  public String summary() {
    return "one and two nodes on PostgreSQL, against batched inserts and Spring AI's JDBC memory";
  }

  @Override
  public int run(List<String> args, PrintStream out) {
    BenchArgs options = BenchArgs.parse(args);
    if (!options.files().isEmpty()) {
      throw new UsageException("postgres makes its own data and takes no files");
    }
    Effort effort = options.quick() ? Effort.QUICK : Effort.FULL;
    BenchReport report = new BenchReport(name(), options.quick()).seed(SEED);
    boolean met;
    try (PostgresDatabase database = PostgresDatabase.start()) {
      double ofRaw = appends(database.fresh("appends"), effort, report);
      double faster = steps(database, effort, report);
      renders(database, effort, report);
      report.fact("fsync", JsonValue.of(database.setting("fsync")));
      report.fact("synchronous_commit", JsonValue.of(database.setting("synchronous_commit")));
      met = ofRaw >= TARGET_OF_RAW && faster >= TARGET_STEP;
    } catch (IOException | SQLException | InterruptedException | ExecutionException failed) {
      throw new IllegalStateException("the measurement failed", failed);
    }
    report
        .repetitions(effort.repetitions())
        .fact("writers", JsonValue.of(WRITERS))
        .fact("block_bytes", JsonValue.of(StoreSamples.BLOCK_BYTES))
        .fact("target_of_raw", JsonValue.of(String.valueOf(TARGET_OF_RAW)))
        .fact("target_times_faster_than_spring_ai", JsonValue.of((long) TARGET_STEP))
        .fact("targets_met", JsonValue.of(String.valueOf(met)))
        .fact("postgresql", JsonValue.of(Circumstances.version("postgresql")))
        .fact("pgjdbc", JsonValue.of(Circumstances.version("pgjdbc")))
        .print(out, options.json());
    return met ? 0 : 1;
  }

  private static PostgresStore open(String url) {
    return PostgresStore.open(PostgresSettings.of(url));
  }

  /** Returns the share of the raw rate that one node reaches, the median of the repetitions. */
  private static double appends(String url, Effort effort, BenchReport report)
      throws SQLException, InterruptedException, ExecutionException {
    try (Store first = open(url);
        Store second = open(url)) {
      List<Store> one = List.of(first);
      List<Store> two = List.of(first, second);
      int turn = 0;
      round(one, ++turn, effort.each(), new ArrayList<>()); // warms up both sides' code
      RawPostgres.run(url, WRITERS * effort.each(), WRITERS);
      int repetitions = effort.repetitions();
      double[] raw = new double[repetitions];
      double[] alone = new double[repetitions];
      double[] both = new double[repetitions];
      List<Long> nanos = new ArrayList<>();
      for (int i = 0; i < repetitions; i++) { // each side goes first every other time
        raw[i] = i % 2 == 0 ? RawPostgres.run(url, WRITERS * effort.each(), WRITERS) : 0;
        alone[i] = round(one, ++turn, effort.each(), nanos);
        both[i] = round(two, ++turn, effort.each(), new ArrayList<>());
        raw[i] = i % 2 == 0 ? raw[i] : RawPostgres.run(url, WRITERS * effort.each(), WRITERS);
      }
      double ofRaw = share(alone, raw);
      Samples waits = Samples.of(nanos.stream().mapToLong(Long::longValue).toArray());
      report
          .figure("appends", StoreSamples.median(alone), "1/s")
          .figure("appends, 2 nodes", StoreSamples.median(both), "1/s")
          .peer(RAW, "appends", StoreSamples.median(raw), "1/s")
          .figure("share of raw", ofRaw, "")
          .figure("share of raw, 2 nodes", share(both, raw), "")
          .figure("append, p50", waits.medianMillis(), "ms")
          .figure("append, p99", waits.percentileMillis(99), "ms");
      return ofRaw;
    }
  }

  private static double share(double[] ours, double[] raw) {
    double[] ratios = new double[ours.length];
    for (int i = 0; i < ours.length; i++) {
      ratios[i] = ours[i] / raw[i];
    }
    return StoreSamples.median(ratios);
  }

  /** Appends to conversations of its own, each at one node, and returns blocks per second. */
  private static double round(List<Store> nodes, int round, int each, List<Long> latencies)
      throws InterruptedException, ExecutionException {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < WRITERS; i++) {
        StoreSamples.open(nodes.getFirst(), conversation(round, i), StoreSamples.turn(1));
      }
      long start = System.nanoTime();
      List<Future<List<Long>>> running = new ArrayList<>();
      for (int i = 0; i < WRITERS; i++) {
        Store node = nodes.get(i % nodes.size());
        Scope.OfConversation conversation = conversation(round, i);
        running.add(threads.submit(() -> AppendBench.append(node, conversation, each)));
      }
      for (Future<List<Long>> writer : running) {
        latencies.addAll(writer.get());
      }
      return WRITERS * (double) each / ((System.nanoTime() - start) / 1e9);
    }
  }

  private static Scope.OfConversation conversation(int round, int writer) {
    return StoreSamples.conversation(round * WRITERS + writer);
  }

  /** Returns how many times faster than Spring AI's a step of one node is. */
  private static double steps(PostgresDatabase database, Effort effort, BenchReport report)
      throws SQLException {
    String alone = database.fresh("alone");
    String shared = database.fresh("shared");
    try (MemoryPeer one = ContextureMemory.nodes(List.of(engine(alone)));
        MemoryPeer two = ContextureMemory.nodes(List.of(engine(shared), engine(shared)));
        MemoryPeer spring = SpringMemory.postgres(database.fresh("spring"))) {
      List<StepTimes> all = List.of(new StepTimes(one), new StepTimes(two), new StepTimes(spring));
      converse(all, "warm", effort.steps());
      all.forEach(StepTimes::forget);
      for (int number = 0; number < effort.conversations(); number++) {
        List<StepTimes> order = new ArrayList<>(all);
        Collections.rotate(order, number);
        converse(order, "c" + number, effort.steps());
      }
      double ours = all.getFirst().median();
      double theirs = all.getLast().median();
      String step = "step at " + MESSAGES + " messages";
      report
          .figure(step, ours, "ms")
          .figure(step + ", 2 nodes in turn", all.get(1).median(), "ms")
          .peer(spring.name(), step, theirs, "ms")
          .figure("times faster than Spring AI", theirs / ours, "");
      return theirs / ours;
    }
  }

  private static Contexture engine(String url) {
    return Contexture.builder(open(url)).storedCacheSecret(true).build();
  }

  /** Measures renders of conversations of one size: loaded, and read from the database first. */
  private static void renders(PostgresDatabase database, Effort effort, BenchReport report)
      throws SQLException {
    String url = database.fresh("renders");
    RenderSamples loaded = new RenderSamples(effort.steps());
    RenderSamples other = new RenderSamples(effort.steps());
    RenderSamples fresh = new RenderSamples(effort.conversations());
    try (Contexture one = engine(url);
        Contexture two = engine(url)) {
      MemoryPeer writer = ContextureMemory.nodes(List.of(one)); // closed with its engine
      for (int number = 0; number < effort.conversations(); number++) {
        String conversation = "r" + number;
        SplittableRandom random = new SplittableRandom(SEED + number);
        writer.fill(conversation, SampleMessage.list(0, MESSAGES, random));
        Scope.OfConversation scope = ContextureMemory.scope(conversation);
        fresh.add(two.browser(scope));
        one.browser(scope).render(OPTIONS);
      }
      for (int step = 0; step < effort.steps(); step++) {
        Scope.OfConversation scope = ContextureMemory.scope("r" + step % effort.conversations());
        loaded.add(one.browser(scope));
        other.add(two.browser(scope));
      }
    }
    String render = "render of " + MESSAGES + " messages";
    report
        .figure(render + ", loaded, p50", loaded.median(), "ms")
        .figure(render + ", loaded, p99", loaded.slowest(), "ms")
        .figure(render + ", loaded, second node, p50", other.median(), "ms")
        .figure(render + ", not loaded, p50", fresh.median(), "ms");
  }

  /** How long renders took. */
  private static final class RenderSamples {
    private final long[] nanos;
    private int count;

    RenderSamples(int most) {
      this.nanos = new long[most];
    }

    void add(ContextBrowser chat) {
      long start = System.nanoTime();
      int messages = chat.render(OPTIONS).messages().size();
      nanos[count++] = System.nanoTime() - start;
      if (messages == 0) {
        throw new IllegalStateException("nothing was rendered of " + chat.scope());
      }
    }

    double median() {
      return Samples.of(nanos).medianMillis();
    }

    double slowest() {
      return Samples.of(nanos).percentileMillis(99);
    }
  }

  /** The measured steps of a side. */
  private record StepTimes(MemoryPeer side, List<Long> nanos) {
    StepTimes(MemoryPeer side) {
      this(side, new ArrayList<>());
    }

    void forget() {
      nanos.clear();
    }

    double median() {
      return Samples.of(nanos.stream().mapToLong(Long::longValue).toArray()).medianMillis();
    }
  }

  /** One conversation, with every side in turn; the steps that load it are not counted. */
  private static void converse(List<StepTimes> order, String conversation, int steps) {
    SplittableRandom random = new SplittableRandom(SEED + conversation.hashCode());
    List<SampleMessage> before = SampleMessage.list(0, MESSAGES, random);
    List<SampleMessage> added = SampleMessage.list(MESSAGES, 2 + steps, random);
    for (StepTimes times : order) {
      times.side().fill(conversation, before);
      for (int i = 0; i < added.size(); i++) {
        long start = System.nanoTime();
        times.side().add(conversation, added.get(i));
        if (i >= 2) { // both nodes have it loaded
          times.nanos().add(System.nanoTime() - start);
        }
      }
    }
  }
}
