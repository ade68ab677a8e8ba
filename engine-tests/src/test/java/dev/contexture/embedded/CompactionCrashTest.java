package dev.contexture.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.contexture.ContextBrowser;
import dev.contexture.Contexture;
import dev.contexture.Turn;
import dev.contexture.block.Block;
import dev.contexture.block.BlockPath;
import dev.contexture.block.BlockType;
import dev.contexture.block.CallId;
import dev.contexture.block.Scope;
import dev.contexture.block.TurnId;
import dev.contexture.compaction.CompressionStrategy;
import dev.contexture.compaction.HistoryLimits;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonString;
import dev.contexture.render.RenderOptions;
import dev.contexture.render.RenderedContext;
import dev.contexture.seeds.TestSeed;
import dev.contexture.store.ChangeRecord;
import dev.contexture.store.Store;
import dev.contexture.store.sqlite.InMemoryStore;
import dev.contexture.testkit.FakeClock;
import dev.contexture.testkit.Faults;
import dev.contexture.timeline.Summary;
import dev.contexture.timeline.TimelineEntry;
import dev.contexture.turn.TurnStart;
import dev.contexture.view.Dialect;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * A compaction that is interrupted leaves the state before it or the state after it, never a mix
 * (T-99, M-106).
 */
class CompactionCrashTest {
  private static final Scope.OfUser OWNER = Scope.of("acme", "shop").user("u42");
  private static final int SIGKILLED = 137;
  private static final int PAGE = 1_000;

  /** By conversation: how it is made shorter. */
  private static final Map<String, RenderOptions> WAYS =
      Map.of(
          "cut", RenderOptions.defaults().withDialect(Dialect.NATIVE).withMaxTokens(3_000),
          "truncate", archiving(new CompressionStrategy.Truncate(4)),
          "recursive", archiving(new CompressionStrategy.RecursiveSummarization(4, null, null)));

  @TempDir Path directory;

  private static RenderOptions archiving(CompressionStrategy strategy) {
    return RenderOptions.defaults()
        .withDialect(Dialect.NATIVE)
        .withStrategy(strategy)
        .withHistory(HistoryLimits.ofMessages(12));
  }

  /** What is killed: talks and compacts, and prints what it was told is done. */
  static final class Child {
    public static void main(String[] args) throws InterruptedException {
      Contexture engine = Contexture.open(Path.of(args[0])); // never closed: it is killed before
      PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
      List<Thread> threads = new ArrayList<>();
      WAYS.forEach(
          (name, options) -> {
            ContextBrowser chat = engine.browser(OWNER.conversation(name));
            threads.add(Thread.ofVirtual().start(() -> work(chat, options, name, args[1], out)));
          });
      for (Thread thread : threads) {
        thread.join();
      }
    }

    private static void work(
        ContextBrowser chat, RenderOptions options, String name, String run, PrintStream out) {
      for (int i = 0; ; i++) {
        talk(chat, TurnId.of(name + "_" + run + "_" + i), i);
        chat.compact(options);
        synchronized (out) {
          out.println(name + " " + chat.version() + " .");
        }
      }
    }
  }

  /** A turn with a call; now and then its result is larger than the whole budget. */
  private static void talk(ContextBrowser chat, TurnId id, int number) {
    Turn turn =
        chat.startTurn(TurnStart.prompt("ask " + ("word" + number + " ").repeat(60)).id(id));
    CallId call = CallId.of("tc_" + number);
    turn.contribute(
        Block.builder(BlockType.REACT_TOOL_CALL)
            .toolCallId(call.value())
            .path(BlockPath.call(id, call))
            .text("{\"tool_id\":\"t\",\"params\":{}}"),
        Block.builder(BlockType.REACT_TOOL_RESULT)
            .toolCallId(call.value())
            .path(BlockPath.result(id, call))
            .text("found " + "item ".repeat(number % 5 == 4 ? 4_000 : 60)));
    turn.finish("answer " + id);
  }

  @Test
  void aKilledProcessLeavesTheOldOrTheNewState() throws Exception {
    int runs = Integer.getInteger("contexture.crash.runs", 8);
    long seed = TestSeed.of(4);
    Random random = new Random(seed);
    Map<String, Long> acknowledged = new HashMap<>();
    for (int run = 0; run < runs; run++) {
      runAndKill(run, random, acknowledged);
    }
    try (Contexture engine = Contexture.open(directory)) {
      for (String name : WAYS.keySet()) {
        ContextBrowser chat = engine.browser(OWNER.conversation(name));
        assertThat(chat.version())
            .as("seed %d, %s", seed, name)
            .isGreaterThanOrEqualTo(acknowledged.getOrDefault(name, 0L));
        verify(engine, chat);
      }
    }
  }

  private void runAndKill(int run, Random random, Map<String, Long> acknowledged)
      throws IOException, InterruptedException {
    Process child =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                Child.class.getName(),
                directory.toString(),
                "r" + run)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    try (BufferedReader lines = child.inputReader(StandardCharsets.UTF_8)) {
      int wanted = 5 + random.nextInt(60);
      String line = lines.readLine();
      for (int seen = 0; line != null; seen++) {
        String[] parts = line.split(" ", -1);
        if (parts.length == 3) { // the last one may be cut
          acknowledged.put(parts[0], Long.parseLong(parts[1]));
        }
        if (seen == wanted) {
          Thread.sleep(random.nextInt(20)); // somewhere inside the next one
          child.toHandle().destroyForcibly(); // leaves what it printed readable
        }
        line = lines.readLine();
      }
    }
    assertThat(child.waitFor(2, TimeUnit.MINUTES)).isTrue();
    assertThat(child.exitValue()).isEqualTo(SIGKILLED);
  }

  /** What the notes of the commits say is what the tables hold, and what is shown is whole. */
  private static void verify(Contexture engine, ContextBrowser chat) {
    List<JsonObject> notes = new ArrayList<>();
    for (long after = 0; after < chat.version(); after += PAGE) {
      engine.store().changes(chat.scope(), after, PAGE).stream()
          .map(ChangeRecord::note)
          .filter(
              note -> note != null && note.string("type").filter("compaction"::equals).isPresent())
          .forEach(notes::add);
    }
    assertThat(notes).isNotEmpty();
    Set<String> noted =
        notes.stream()
            .flatMap(note -> note.string("summary_id").stream())
            .collect(Collectors.toSet());
    assertThat(chat.summaries().stream().map(Summary::id).collect(Collectors.toSet()))
        .isEqualTo(noted);
    Set<TurnId> shown =
        chat.timeline().window().entries().stream()
            .map(TimelineEntry::turn)
            .collect(Collectors.toSet());
    for (JsonObject note : notes) {
      for (TurnId turn : archived(note)) {
        assertThat(shown).doesNotContain(turn);
        assertThat(chat.turnLog(turn).answer()).as("stays stored").contains("answer " + turn);
      }
    }
    chat.timeline()
        .openingSummary()
        .ifPresent(
            summary ->
                assertThat(chat.timeline().window().entries().getFirst().seq().orElseThrow())
                    .isGreaterThanOrEqualTo(summary.cutSeq()));
    RenderedContext context =
        chat.render(RenderOptions.defaults().withDialect(Dialect.NATIVE).withReadOnly(true));
    assertThat(context.report().dropped())
        .noneMatch(dropped -> dropped.reason().wireName().equals("orphan_result"));
  }

  private static List<TurnId> archived(JsonObject note) {
    return note.array("archived_turn_ids").map(JsonArray::items).orElse(List.of()).stream()
        .map(id -> TurnId.of(((JsonString) id).value()))
        .toList();
  }

  @TestFactory
  Stream<DynamicTest> aFailingWriteLeavesTheOldOrTheNewState() {
    return Stream.of("commit", "commit.done")
        .flatMap(
            point ->
                Stream.concat(
                        WAYS.keySet().stream(),
                        Stream.of("withdraw", "preview", "pin", "unpin", "arguments", "undo"))
                    .map(
                        name ->
                            DynamicTest.dynamicTest(
                                name + " fails at " + point, () -> check(name, point))));
  }

  private static void check(String name, String point) {
    Faults faults = new Faults();
    Store store = faults.around(new InMemoryStore());
    ContextBrowser chat = prepared(store, name);
    Consumer<ContextBrowser> operation = operation(name);
    String before = state(store);
    faults.failAt(point, 1);
    assertThatExceptionOfType(ContextureException.class)
        .isThrownBy(() -> operation.accept(chat))
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.STORE_UNAVAILABLE));
    faults.clear();
    InMemoryStore other = new InMemoryStore();
    operation.accept(prepared(other, name));
    String wanted = state(other);
    assertThat(wanted).isNotEqualTo(before);
    assertThat(state(store)).isEqualTo(point.equals("commit") ? before : wanted);
    if (!isWithdrawal(name)) { // there is no second summary to withdraw
      operation.accept(chat);
      assertThat(state(store)).isEqualTo(wanted);
    }
  }

  private static Consumer<ContextBrowser> operation(String name) {
    if (isWithdrawal(name)) {
      return chat -> chat.withdrawSummary(chat.summaries().getFirst().id());
    }
    BlockPath pinned = BlockPath.userPrompt(TurnId.of("t0"));
    if (name.equals("pin")) {
      return chat -> assertThat(chat.pin(pinned).path()).isEqualTo(pinned);
    }
    if (name.equals("unpin")) {
      return chat -> assertThat(chat.unpin(pinned) || chat.pins().isEmpty()).isTrue();
    }
    RenderOptions options = way(WAYS.containsKey(name) ? name : "cut");
    return chat -> chat.compact(options);
  }

  /** Of archived turns, or of a compaction that came with a preview. */
  private static boolean isWithdrawal(String name) {
    return name.equals("withdraw") || name.equals("undo");
  }

  private static RenderOptions way(String name) {
    return Objects.requireNonNull(WAYS.get(name));
  }

  private static ContextBrowser prepared(Store store, String name) {
    ContextBrowser chat = opened(store);
    int turns = name.equals("preview") ? 1 : 10;
    for (int i = 0; i < turns; i++) {
      talk(chat, TurnId.of("t" + i), name.equals("preview") ? 4 : i);
    }
    if (name.equals("arguments") || name.equals("undo")) {
      boolean inArguments = name.equals("arguments");
      round(chat.startTurn(TurnStart.prompt("go").id(TurnId.of("t_open"))), inArguments);
    }
    if (isWithdrawal(name)) {
      chat.compact(way(name.equals("undo") ? "cut" : "recursive"));
    }
    if (name.equals("unpin")) {
      assertThat(chat.pin(BlockPath.userPrompt(TurnId.of("t0"))).tokens()).isPositive();
    }
    return chat;
  }

  /** A round that is too large by its arguments, or by its result. */
  private static void round(Turn turn, boolean inArguments) {
    String huge = "word ".repeat(6_000);
    turn.contribute(
        Block.builder(BlockType.REACT_TOOL_CALL)
            .toolCallId("tc_1")
            .path(BlockPath.parse("tc:t_open.tc_1.call"))
            .text(
                "{\"tool_id\":\"run\",\"params\":{\"text\":\""
                    + (inArguments ? huge : "short")
                    + "\"}}"),
        Block.builder(BlockType.REACT_TOOL_RESULT)
            .toolCallId("tc_1")
            .path(BlockPath.parse("tc:t_open.tc_1.result"))
            .text(inArguments ? "short" : huge));
  }

  private static String state(Store store) {
    ContextBrowser chat = opened(store);
    return chat.version()
        + chat.summaries().stream().map(s -> s.text() + s.withdrawn()).toList().toString()
        + chat.timeline().visibilityRecords().all().stream()
            .map(r -> r.seq() + " " + r.reason() + " " + r.maxTokens() + " " + r.replacement())
            .toList()
        + chat.pins()
        + chat.render(RenderOptions.defaults()).text();
  }

  private static ContextBrowser opened(Store store) {
    return Contexture.builder(store)
        .exclusive(true)
        .owner("node")
        .clock(FakeClock.atStart())
        .build()
        .browser(OWNER.conversation("c1"));
  }
}
