package dev.contexture.bench.validity;

import dev.contexture.Contexture;
import dev.contexture.bench.support.Bench;
import dev.contexture.bench.support.BenchArgs;
import dev.contexture.bench.support.BenchReport;
import dev.contexture.bench.support.UsageException;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.provider.BuiltInProviders;
import dev.contexture.provider.catalogue.ModelCatalogue;
import dev.contexture.request.LedgerSettings;
import dev.contexture.store.sqlite.InMemoryStore;
import java.io.PrintStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Builds requests of random conversations, settings and providers, and judges each of them by the
 * rules of its provider: none may be invalid.
 */
public final class ValidityBench implements Bench {
  private static final long TRIES = 1_000_000;
  private static final long QUICK_TRIES = 1_000;
  private static final long SEED = 18;
  private static final int PER_ENGINE = 100; // conversations; then a new store
  private static final int MOST_SHOWN = 20;
  private static final BuiltInProviders PROVIDERS = BuiltInProviders.of(ModelCatalogue.shipped());

  @Override
  public String name() {
    return "validity";
  }

  @Override
  public String summary() {
    return "requests of random conversations that their provider would refuse: [--tries N]";
  }

  @Override
  public int run(List<String> args, PrintStream out) {
    List<String> rest = new ArrayList<>();
    long tries = -1;
    long seed = SEED;
    for (int i = 0; i < args.size(); i++) {
      switch (args.get(i)) {
        case "--tries" -> tries = number(args, ++i);
        case "--seed" -> seed = number(args, ++i);
        default -> rest.add(args.get(i));
      }
    }
    BenchArgs options = BenchArgs.parse(rest);
    if (!options.files().isEmpty()) {
      throw new UsageException("validity makes its own data and takes no files");
    }
    long wanted = tries < 0 ? (options.quick() ? QUICK_TRIES : TRIES) : tries;
    long begun = System.nanoTime();
    Result result = run(wanted, seed);
    double seconds = (System.nanoTime() - begun) / 1e9;
    BenchReport report = new BenchReport(name(), options.quick()).seed(seed).repetitions(wanted);
    report.figure("requests", (double) result.built, "requests");
    report.figure("invalid", result.invalid.size(), "requests");
    report.figure("time", seconds, "s");
    report.figure("requests per second", result.built / seconds, "1/s");
    JsonObject.Builder refused = JsonObject.builder();
    result.refused.forEach(refused::put);
    report.fact("conversations", JsonValue.of(result.conversations));
    report.fact("refused", refused.build());
    int shown = Math.min(MOST_SHOWN, result.invalid.size());
    report.fact("first_invalid", JsonArray.ofStrings(result.invalid.subList(0, shown)));
    report.print(out, options.json());
    return result.invalid.isEmpty() ? 0 : 1;
  }

  private static long number(List<String> args, int index) {
    try {
      return Long.parseLong(args.get(index));
    } catch (IndexOutOfBoundsException | NumberFormatException wrong) {
      throw new UsageException("validity: --tries and --seed take a number");
    }
  }

  /** What came of all conversations. Thread-safe while they are played. */
  static final class Result {
    long built;
    long conversations;
    final Map<String, Long> refused = new TreeMap<>();
    final List<String> invalid = new ArrayList<>();

    private synchronized boolean isShortOf(long tries) {
      return built < tries;
    }

    private synchronized void add(long seed, RandomConversation played) {
      conversations++;
      built += played.built;
      played.refused.forEach((code, count) -> refused.merge(code, (long) count, Long::sum));
      played.invalid.forEach(wrong -> invalid.add("seed " + seed + ": " + wrong));
    }
  }

  /** Plays conversations, on all processors, until so many requests were built. */
  static Result run(long tries, long seed) {
    Result result = new Result();
    AtomicLong next = new AtomicLong(seed);
    int workers = Runtime.getRuntime().availableProcessors();
    try (ExecutorService pool = Executors.newFixedThreadPool(workers)) {
      for (int i = 0; i < workers; i++) {
        pool.execute(() -> work(tries, next, result));
      }
    }
    return result;
  }

  private static void work(long tries, AtomicLong next, Result result) {
    while (result.isShortOf(tries)) {
      AtomicLong millis = new AtomicLong(Instant.parse("2026-01-01T00:00:00Z").toEpochMilli());
      try (Contexture engine =
          Contexture.builder(new InMemoryStore())
              .clock(() -> Instant.ofEpochMilli(millis.addAndGet(250)))
              .providers(PROVIDERS)
              .ledger(LedgerSettings.DEFAULT.withMode(LedgerSettings.Mode.WARN))
              .build()) {
        for (int i = 0; i < PER_ENGINE && result.isShortOf(tries); i++) {
          play(engine, next.getAndIncrement(), result);
        }
      }
    }
  }

  private static void play(Contexture engine, long seed, Result result) {
    RandomConversation conversation = new RandomConversation(engine, seed);
    try {
      conversation.play();
    } catch (RuntimeException failed) {
      conversation.invalid.add("the conversation failed: " + failed);
    }
    result.add(seed, conversation);
  }
}
