package dev.contexture.bench;

import dev.contexture.bench.peer.ContextureMemory;
import dev.contexture.bench.peer.DiskFloor;
import dev.contexture.bench.peer.LangChainPeer;
import dev.contexture.bench.peer.MemoryPeer;
import dev.contexture.bench.peer.SpringMemory;
import dev.contexture.bench.support.Bench;
import dev.contexture.bench.support.BenchArgs;
import dev.contexture.bench.support.BenchReport;
import dev.contexture.bench.support.Circumstances;
import dev.contexture.bench.support.SampleMessage;
import dev.contexture.bench.support.Samples;
import dev.contexture.bench.support.StoreSamples;
import dev.contexture.json.JsonValue;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/**
 * Adds one message durably and gets what the next model call would be sent, at several numbers of
 * messages already there, against the JDBC memories of LangChain4j and Spring AI on SQLite with the
 * same settings.
 *
 * <p>Every side gets the same messages. A side works through a conversation alone, then comes the
 * next side; who goes first changes with every conversation. Conversations grow by a tenth at most
 * while they are measured. Each first step, for which nothing is loaded, is a figure of its own.
 */
final class PeersBench implements Bench {
  private static final long SEED = 42;
  private static final int[] SIZES = {100, 1_000, 5_000};
  private static final int TARGET_RATIO = 50;

  /**
   * How much is measured.
   *
   * @param steps measured at each size, first steps not counted
   * @param stepsEach at most so many in one conversation
   * @param conversations at least so many at each size
   * @param warmups steps before the measured ones, more for small conversations
   */
  private record Effort(int steps, int stepsEach, int conversations, int warmups) {
    private static final Effort FULL = new Effort(200, 50, 4, 60);
    private static final Effort QUICK = new Effort(20, 10, 2, 10);

    int stepsEach(int size) {
      return Math.min(stepsEach, size / 10);
    }

    int conversations(int size) {
      return Math.max(conversations, steps / stepsEach(size));
    }

    int warmups(int size) {
      return Math.max(warmups, warmups * 1_000 / size);
    }
  }

  /** What was measured of one side at one size. */
  private record Times(MemoryPeer side, List<Long> first, List<Long> next) {
    Times(MemoryPeer side) {
      this(side, new ArrayList<>(), new ArrayList<>());
    }
  }

  @Override
  public String name() {
    return "peers";
  }

  @Override
  public String summary() {
    return "one message more, durable, and the next call's messages, against LangChain4j and Spring"
        + " AI";
  }

  @Override
  public int run(List<String> args, PrintStream out) {
    BenchArgs options = BenchArgs.parse(args);
    Effort effort = options.quick() ? Effort.QUICK : Effort.FULL;
    BenchReport report = new BenchReport(name(), options.quick()).seed(SEED);
    try {
      Path directory = Files.createTempDirectory("contexture-peers");
      try (MemoryPeer ours = ContextureMemory.toMessages(directory);
          MemoryPeer bytes = ContextureMemory.toBytes(directory);
          MemoryPeer langChain = new LangChainPeer(directory);
          MemoryPeer spring = SpringMemory.sqlite(directory);
          MemoryPeer floor = new DiskFloor(directory)) {
        measure(report, List.of(ours, langChain, spring, bytes, floor), effort);
      } finally {
        StoreSamples.delete(directory);
      }
    } catch (IOException | SQLException failed) {
      throw new IllegalStateException("the measurement failed", failed);
    }
    report
        .repetitions(effort.steps())
        .fact("target_ratio", JsonValue.of(TARGET_RATIO))
        .fact("sqlite_jdbc", JsonValue.of(Circumstances.version("sqlite-jdbc")))
        .fact("sqlite_settings", JsonValue.of("WAL, synchronous=FULL, wal_autocheckpoint=4000"))
        .print(out, options.json());
    return 0;
  }

  private static void measure(BenchReport report, List<MemoryPeer> sides, Effort effort) {
    double[] ours = new double[SIZES.length];
    for (int i = 0; i < SIZES.length; i++) {
      int size = SIZES[i];
      converse(times(sides), "warm-" + size, size, effort.warmups(size));
      List<Times> all = times(sides);
      for (int number = 0; number < effort.conversations(size); number++) {
        List<Times> order = new ArrayList<>(all);
        Collections.rotate(order, number);
        converse(order, size + "-" + number, size, effort.stepsEach(size));
      }
      all.forEach(times -> add(report, times, size));
      ours[i] = samples(all.getFirst().next()).medianMillis();
    }
    report.figure(
        SIZES[SIZES.length - 1] + " messages over " + SIZES[0],
        ours[SIZES.length - 1] / ours[0],
        "times");
  }

  private static List<Times> times(List<MemoryPeer> sides) {
    return sides.stream().map(Times::new).toList();
  }

  /** One conversation, with every side in turn. */
  private static void converse(List<Times> order, String conversation, int size, int steps) {
    SplittableRandom random = new SplittableRandom(SEED + conversation.hashCode());
    List<SampleMessage> before = SampleMessage.list(0, size, random);
    List<SampleMessage> added = SampleMessage.list(size, 1 + steps, random);
    for (Times times : order) {
      times.side().fill(conversation, before);
    }
    for (Times times : order) {
      for (int i = 0; i < added.size(); i++) {
        long start = System.nanoTime();
        Supplier<List<String>> sent = times.side().add(conversation, added.get(i));
        long nanos = System.nanoTime() - start;
        (i == 0 ? times.first() : times.next()).add(nanos);
        if (times.side().sends() && (i == 0 || i == added.size() - 1)) {
          check(times.side(), sent.get(), added.get(i), size + 1 + i);
        }
      }
    }
  }

  private static void check(
      MemoryPeer side, List<String> sent, SampleMessage newest, int messages) {
    if (sent.size() < messages || !sent.getLast().contains(newest.text())) {
      throw new IllegalStateException(
          side.name()
              + " sends "
              + sent.size()
              + " texts, not the new one as the last of "
              + messages);
    }
  }

  private static void add(BenchReport report, Times times, int size) {
    String figure = size + " messages" + times.side().figure();
    Samples next = samples(times.next());
    Samples first = samples(times.first());
    add(report, times.side(), figure, next.medianMillis());
    add(report, times.side(), figure + ", p99", next.percentileMillis(99));
    if (times.side().sends()) {
      add(report, times.side(), figure + ", not loaded", first.medianMillis());
    }
  }

  private static void add(BenchReport report, MemoryPeer side, String figure, double millis) {
    if (side.name().equals(BenchReport.SELF)) {
      report.figure(figure, millis, "ms");
    } else {
      report.peer(side.name(), figure, millis, "ms");
    }
  }

  private static Samples samples(List<Long> nanos) {
    return Samples.of(nanos.stream().mapToLong(Long::longValue).toArray());
  }
}
