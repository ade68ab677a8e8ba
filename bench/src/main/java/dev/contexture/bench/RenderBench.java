package dev.contexture.bench;

import dev.contexture.bench.support.Bench;
import dev.contexture.bench.support.BenchArgs;
import dev.contexture.bench.support.BenchReport;
import dev.contexture.bench.support.ProviderBytes;
import dev.contexture.bench.support.SampleConversations;
import dev.contexture.bench.support.Samples;
import dev.contexture.block.Block;
import dev.contexture.render.RenderOptions;
import dev.contexture.render.Renderer;
import dev.contexture.timeline.Timeline;
import dev.contexture.view.Dialect;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;

/**
 * A render after one new block, at several numbers of visible blocks, against formatting and
 * counting all blocks each time.
 */
final class RenderBench implements Bench {
  private static final long SEED = 42;
  private static final int[] SIZES = {100, 2_000, 20_000};

  @Override
  public String name() {
    return "render";
  }

  @Override
  public String summary() {
    return "a render after one new block, against formatting all blocks each time";
  }

  @Override
  public int run(List<String> args, PrintStream out) {
    BenchArgs options = BenchArgs.parse(args);
    BenchReport report = new BenchReport(name(), options.quick()).seed(SEED);
    int repetitions = options.quick() ? 5 : 200;
    for (int size : SIZES) {
      for (Dialect dialect : Dialect.values()) {
        measure(report, size, dialect, repetitions);
      }
      providerBytes(report, size, repetitions);
      stableStream(report, size, repetitions);
    }
    report.repetitions(repetitions).print(out, options.json());
    return 0;
  }

  private static void measure(BenchReport report, int size, Dialect dialect, int repetitions) {
    RenderOptions options = RenderOptions.defaults().withDialect(dialect);
    SampleConversations conversation = new SampleConversations(SEED);
    Timeline timeline = conversation.ofBlocks(size);
    String figure = dialect.wireName() + ", " + size + " blocks";
    Renderer renderer = new Renderer();
    Growing growing =
        new Growing(
            conversation, timeline, next -> renderer.render(next, options).messages().size());
    Samples warm = Samples.measure(repetitions * 5, repetitions, growing);
    int fullRepetitions = Math.max(3, repetitions / 20);
    LongSupplier full = () -> new Renderer().render(timeline, options).report().stableTokens();
    Samples cold = Samples.measure(fullRepetitions, fullRepetitions, full);
    report.figure(figure, warm.medianMillis(), "ms");
    report.peer("formatting all blocks", figure, cold.medianMillis(), "ms");
  }

  private static void providerBytes(BenchReport report, int size, int repetitions) {
    SampleConversations conversation = new SampleConversations(SEED);
    Timeline timeline = conversation.ofBlocks(size);
    String figure = "native to provider bytes (anthropic), " + size + " blocks";
    ProviderBytes kept = new ProviderBytes();
    Growing growing = new Growing(conversation, timeline, next -> kept.write(next).length);
    Samples warm = Samples.measure(repetitions * 5, repetitions, growing);
    int fullRepetitions = Math.max(3, repetitions / 20);
    LongSupplier full = () -> new ProviderBytes().write(timeline).length;
    Samples cold = Samples.measure(fullRepetitions, fullRepetitions, full);
    report.figure(figure, warm.medianMillis(), "ms");
    report.peer("formatting all blocks", figure, cold.medianMillis(), "ms");
  }

  private static void stableStream(BenchReport report, int size, int repetitions) {
    RenderOptions options = RenderOptions.defaults().withDialect(Dialect.NATIVE);
    SampleConversations conversation = new SampleConversations(SEED);
    Renderer renderer = new Renderer();
    Growing growing =
        new Growing(
            conversation,
            conversation.ofBlocks(size),
            timeline -> renderer.view(timeline, options).cost());
    Samples samples = Samples.measure(repetitions * 5, repetitions, growing);
    report.figure("stable stream alone, " + size + " blocks", samples.medianMillis(), "ms");
  }

  /** Appends one block and works, again and again; back to the start before it grows by much. */
  private static final class Growing implements LongSupplier {
    private static final int MAX_GROWTH = 100;

    private final Timeline start;
    private final Block[] blocks = new Block[MAX_GROWTH];
    private final ToLongFunction<Timeline> work;
    private Timeline timeline;
    private int grown;

    Growing(SampleConversations conversation, Timeline start, ToLongFunction<Timeline> work) {
      this.start = start;
      this.work = work;
      this.timeline = start;
      Arrays.setAll(blocks, unused -> conversation.nextNote());
    }

    @Override
    public long getAsLong() {
      if (grown == MAX_GROWTH) {
        timeline = start;
        grown = 0;
      }
      timeline = timeline.append(blocks[grown++]);
      return work.applyAsLong(timeline);
    }
  }
}
