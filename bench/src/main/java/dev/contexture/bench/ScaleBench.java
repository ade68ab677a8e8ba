package dev.contexture.bench;

import dev.contexture.ContextBrowser;
import dev.contexture.Contexture;
import dev.contexture.Turn;
import dev.contexture.bench.support.BenchArgs;
import dev.contexture.bench.support.BenchReport;
import dev.contexture.bench.support.Samples;
import dev.contexture.bench.support.StoreSamples;
import dev.contexture.bench.support.UsageException;
import dev.contexture.block.Author;
import dev.contexture.block.Block;
import dev.contexture.block.BlockPath;
import dev.contexture.block.BlockType;
import dev.contexture.block.Scope;
import dev.contexture.block.TurnId;
import dev.contexture.json.JsonValue;
import dev.contexture.store.NewBlock;
import dev.contexture.store.Row;
import dev.contexture.store.Store;
import dev.contexture.store.TurnRow;
import dev.contexture.store.WriteSet;
import dev.contexture.store.sqlite.SqliteStore;
import dev.contexture.timeline.TurnStatus;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * What one node costs while its data grows sixteenfold: start, heap, first step, append, load. The
 * figures are those of the whole size; those of a sixteenth and a fourth of it stand beside them.
 */
final class ScaleBench {
  private static final int CONVERSATIONS = 4_000;
  private static final int BLOCKS = 400_000;
  private static final int MAX = 1_000_000_000;
  private static final int PER_USER = 100; // conversations
  private static final int TURN = 20; // blocks
  private static final int OPENINGS = 5;
  private static final int STEPS = 16; // how often the whole is larger than its smallest part
  private static final int STRIDE = 1_000_003; // a prime

  private final Path directory;
  private final BenchReport report;
  private final int perConversation;
  private final int repetitions;
  private int filled;
  private int picked;

  private ScaleBench(Path directory, BenchReport report, int perConversation, int repetitions) {
    this.directory = directory;
    this.report = report;
    this.perConversation = perConversation;
    this.repetitions = repetitions;
  }

  /**
   * @param args {@code --conversations N} and {@code --blocks N} for other sizes, {@code --json},
   *     {@code --quick}
   */
  static int run(List<String> args, PrintStream out) {
    List<String> others = new ArrayList<>(args);
    boolean quick = args.contains("--quick");
    int conversations = take(others, "--conversations", quick ? CONVERSATIONS / 20 : CONVERSATIONS);
    int blocks = take(others, "--blocks", quick ? BLOCKS / 20 : BLOCKS);
    BenchArgs options = BenchArgs.parse(others);
    if (!options.files().isEmpty()) {
      throw new UsageException("scale makes its own data and takes no files");
    }
    if (conversations < STEPS) {
      throw new UsageException("--conversations needs at least " + STEPS);
    }
    int perConversation = Math.max(TURN, blocks / conversations / TURN * TURN);
    int mostAtFirst = conversations / STEPS * 4 / 5; // each conversation is loaded once
    int repetitions = Math.max(1, Math.min(quick ? 20 : 200, mostAtFirst));
    BenchReport report = new BenchReport("scale", quick).repetitions(repetitions);
    try {
      Path directory = Files.createTempDirectory("contexture-scale");
      try {
        ScaleBench bench = new ScaleBench(directory, report, perConversation, repetitions);
        bench.measure(conversations / STEPS, (name, value, unit) -> {}); // warms up
        bench.measure(conversations / STEPS, bench.peer(conversations / STEPS));
        bench.measure(conversations / 4, bench.peer(conversations / 4));
        bench.measure(conversations, report::figure);
      } finally {
        StoreSamples.delete(directory);
      }
    } catch (IOException failed) {
      throw new IllegalStateException("the measurement failed", failed);
    }
    report
        .fact("conversations", JsonValue.of(conversations))
        .fact("blocks", JsonValue.of((long) conversations * perConversation))
        .print(out, options.json());
    return 0;
  }

  private static int take(List<String> args, String option, int unset) {
    int at = args.indexOf(option);
    if (at < 0) {
      return unset;
    }
    String given = at + 1 < args.size() ? args.get(at + 1) : "";
    boolean number = given.matches("[1-9][0-9]{0,9}") && Long.parseLong(given) <= MAX;
    if (!number) {
      throw new UsageException(option + " needs a number of 1 to " + MAX + ", not '" + given + "'");
    }
    args.subList(at, at + 2).clear();
    return Integer.parseInt(given);
  }

  /** Figures of a part stand beside those of the whole. */
  private Figures peer(int conversations) {
    String part = conversations + " conversations";
    return (name, value, unit) -> report.peer(part, name, value, unit);
  }

  private void measure(int conversations, Figures figures) throws IOException {
    try (Store store = SqliteStore.open(directory)) {
      IntStream.range(filled, conversations).parallel().forEach(number -> fill(store, number));
    }
    filled = conversations;
    Samples start = Samples.measure(2, OPENINGS, this::openAndClose);
    figures.add("start of the engine", start.medianMillis(), "ms");
    try (Contexture engine = open()) {
      figures.add("heap after the start", heapMegabytes(), "MB");
      steps(engine, figures);
      figures.add("heap after the steps", heapMegabytes(), "MB");
    }
    figures.add(
        "files for each block", bytes() / ((double) conversations * perConversation), "bytes");
  }

  /** Takes a figure of one size. */
  private interface Figures {
    void add(String name, double value, String unit);
  }

  private void steps(Contexture engine, Figures figures) {
    Samples load = Samples.measure(repetitions / 4, repetitions, () -> load(engine.store()));
    figures.add("load a conversation", load.medianMillis(), "ms");
    Samples page = Samples.measure(repetitions / 4, repetitions, () -> page(engine.store()));
    figures.add("list conversations of a user", page.medianMillis(), "ms");
    Samples first = Samples.measure(repetitions / 4, repetitions, () -> turn(engine));
    figures.add("turn in a conversation that is not loaded", first.medianMillis(), "ms");
    figures.add("turn in a conversation that is not loaded, p99", first.percentileMillis(99), "ms");
    try (Turn turn = engine.browser(any()).startTurn("go on")) {
      int[] next = {0};
      Samples append = Samples.measure(repetitions / 4, repetitions, () -> append(turn, next[0]++));
      figures.add("append, durable", append.medianMillis(), "ms");
      figures.add("append, durable, p99", append.percentileMillis(99), "ms");
      turn.finish("done");
    }
  }

  private Contexture open() {
    return Contexture.builder(SqliteStore.open(directory)).exclusive(true).build();
  }

  private long openAndClose() {
    try (Contexture engine = open()) {
      return engine.hashCode();
    }
  }

  private Scope.OfConversation any() {
    return conversation((int) ((long) picked++ * STRIDE % filled)); // none twice, for long
  }

  private static Scope.OfConversation conversation(int number) {
    return Scope.of("bench", "scale").user("u" + number / PER_USER).conversation("c" + number);
  }

  private long load(Store store) {
    return store.load(any()).orElseThrow().blocks().size();
  }

  private long page(Store store) {
    Scope.OfUser user = Scope.of("bench", "scale").user("u" + picked++ % filled / PER_USER);
    return store.conversations(user, null, PER_USER / 2).size();
  }

  private long turn(Contexture engine) {
    ContextBrowser browser = engine.browser(any());
    try (Turn turn = browser.startTurn("what was that?")) {
      turn.finish("this");
      return turn.id().hashCode();
    }
  }

  private static long append(Turn turn, int number) {
    turn.contribute(
        Block.builder(BlockType.AGENT_BLOCK).text(StoreSamples.text(String.valueOf(number))));
    return number;
  }

  private void fill(Store store, int number) {
    WriteSet.Builder set = WriteSet.of(conversation(number), StoreSamples.NOW);
    List<NewBlock> blocks = new ArrayList<>();
    for (int turn = 0; turn < perConversation / TURN; turn++) {
      TurnId id = StoreSamples.turn(turn);
      TurnRow row = TurnRow.open(id, StoreSamples.NOW);
      set.add(new Row.PutTurn(row.closed(TurnStatus.COMPLETE, StoreSamples.NOW)));
      blocks.add(NewBlock.of(Block.builder(BlockType.TURN_HEADER).build(id, StoreSamples.NOW)));
      Block.Builder prompt =
          Block.builder(BlockType.USER_PROMPT)
              .author(Author.USER)
              .path(BlockPath.userPrompt(id))
              .text("what comes next?");
      blocks.add(NewBlock.of(prompt.build(id, StoreSamples.NOW)));
      for (int i = 2; i < TURN; i++) {
        blocks.add(NewBlock.of(StoreSamples.block(id, turn * (long) TURN + i)));
      }
    }
    StoreSamples.commit(store, set.append(blocks).build());
  }

  private static double heapMegabytes() {
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() / 1e6;
  }

  private long bytes() throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      return files.filter(Files::isRegularFile).mapToLong(file -> file.toFile().length()).sum();
    }
  }
}
