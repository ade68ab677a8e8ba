package dev.contexture.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.ContextBrowser;
import dev.contexture.Contexture;
import dev.contexture.Turn;
import dev.contexture.block.Block;
import dev.contexture.block.BlockType;
import dev.contexture.block.Scope;
import dev.contexture.block.TurnId;
import dev.contexture.model.ModelAnswer;
import dev.contexture.model.ModelRef;
import dev.contexture.model.ReplyCall;
import dev.contexture.model.ReplyText;
import dev.contexture.model.Stop;
import dev.contexture.render.RenderOptions;
import dev.contexture.seeds.TestSeed;
import dev.contexture.store.ChangeRecord;
import dev.contexture.store.StoredBlock;
import dev.contexture.store.StoredTurn;
import dev.contexture.testkit.KilledProcess;
import dev.contexture.timeline.TurnStatus;
import dev.contexture.turn.AppendResult;
import dev.contexture.turn.Finish;
import dev.contexture.turn.ToolCall;
import dev.contexture.turn.TurnStart;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * An agent's process that is killed at any moment loses nothing that it was told is done (T-99).
 */
class EngineCrashTest {
  private static final Scope.OfUser OWNER = Scope.of("acme", "shop").user("u42");
  private static final ModelRef CLAUDE = new ModelRef("anthropic", "claude-opus-5");
  private static final int CHATS = 4;
  private static final int PAGE = 1_000;

  @TempDir Path directory;

  /**
   * What is killed: runs turns in some conversations at once and prints what was acknowledged. A
   * turn that an earlier process left open is gone on with in every other conversation, and left
   * behind in the rest.
   */
  static final class Child {
    private final ContextBrowser chat;
    private final String name;
    private final PrintStream out;

    private Child(ContextBrowser chat, String name, PrintStream out) {
      this.chat = chat;
      this.name = name;
      this.out = out;
    }

    public static void main(String[] args) throws InterruptedException {
      Contexture engine = Contexture.open(Path.of(args[0])); // never closed: it is killed before
      PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < CHATS; i++) {
        String name = "c" + i;
        Child child = new Child(engine.browser(OWNER.conversation(name)), name, out);
        boolean resumes = i % 2 == 0;
        threads.add(Thread.ofVirtual().start(() -> child.work(resumes, args[1])));
      }
      for (Thread thread : threads) {
        thread.join();
      }
    }

    private void work(boolean resumes, String run) {
      if (resumes && chat.head().filter(head -> head.openTurn() != null).isPresent()) {
        finish(chat.openTurn());
      }
      for (int i = 0; ; i++) {
        TurnId id = TurnId.of(name + "_" + run + "_" + i);
        Turn turn = chat.startTurn(TurnStart.prompt("prompt of " + id).id(id));
        say("start", id, 0, "-");
        AppendResult two = turn.contribute(note("a " + id), note("b " + id));
        say("block", id, two.seqs().getFirst().orElseThrow(), "a");
        say("block", id, two.seqs().getLast().orElseThrow(), "b");
        turn.record("call-" + id, CLAUDE, calling(), false);
        say("record", id, 0, "-");
        finish(turn);
      }
    }

    private void finish(Turn turn) {
      for (ToolCall call : turn.waitingCalls()) {
        AppendResult result = turn.answer(call, "result " + turn.id());
        say("block", turn.id(), result.seqs().getFirst().orElseThrow(), "result");
      }
      turn.record("say-" + turn.id(), CLAUDE, saying(turn.id()), false);
      turn.finish(Finish.recorded());
      say("finish", turn.id(), 0, "-");
    }

    private void say(String what, TurnId turn, long seq, String text) {
      synchronized (out) {
        out.println(name + " " + what + " " + turn + " " + seq + " " + text + " .");
      }
    }
  }

  private record Line(String chat, String what, TurnId turn, long seq, String text) {}

  @Test
  void everythingAcknowledgedIsThereInOrderOnce() throws Exception {
    int runs = Integer.getInteger("contexture.crash.runs", 8);
    long seed = TestSeed.of(42);
    Random random = new Random(seed);
    List<Line> lines = new ArrayList<>();
    for (int run = 0; run < runs; run++) {
      runAndKill(run, random, lines);
    }
    assertThat(lines).as("seed %d", seed).isNotEmpty();
    try (Contexture engine = Contexture.open(directory)) {
      for (int i = 0; i < CHATS; i++) {
        String name = "c" + i;
        ContextBrowser chat = engine.browser(OWNER.conversation(name));
        List<Line> mine = lines.stream().filter(line -> line.chat.equals(name)).toList();
        verify(engine, chat, mine);
        verifyTurns(chat, i % 2 == 0);
        goOn(chat, i % 2 == 0);
      }
    }
  }

  private void runAndKill(int run, Random random, List<Line> acknowledged)
      throws IOException, InterruptedException {
    List<String> lines =
        KilledProcess.run(Child.class, random.nextInt(250), directory.toString(), "r" + run);
    for (String line : lines) {
      String[] parts = line.split(" ", -1);
      if (parts.length == 6) { // the last one may be cut
        TurnId turn = TurnId.of(parts[2]);
        acknowledged.add(new Line(parts[0], parts[1], turn, Long.parseLong(parts[3]), parts[4]));
      }
    }
  }

  private static void verify(Contexture engine, ContextBrowser chat, List<Line> lines) {
    Map<Long, String> bySeq = new HashMap<>();
    long blocks = chat.head().orElseThrow().blocks();
    for (long from = 1; from <= blocks; from += PAGE) {
      for (StoredBlock block : chat.readRange(from, from + PAGE - 1, PAGE)) {
        bySeq.put(block.seq(), block.block().text().orElse(""));
      }
    }
    assertThat(bySeq.keySet())
        .containsExactlyInAnyOrderElementsOf(LongStream.rangeClosed(1, blocks).boxed().toList());
    long last = 0;
    for (Line line : lines) {
      switch (line.what) {
        case "start" -> assertThat(chat.turnLog(line.turn).userText()).contains(line.turn.value());
        case "record" ->
            assertThat(chat.turnLog(line.turn).blocks())
                .filteredOn(block -> block.block().type().isCall())
                .hasSize(1);
        case "finish" ->
            assertThat(chat.turnLog(line.turn).turn().status()).isEqualTo(TurnStatus.COMPLETE);
        default -> {
          assertThat(line.seq).isGreaterThan(last);
          assertThat(bySeq.get(line.seq)).isEqualTo(line.text + " " + line.turn);
          last = line.seq;
        }
      }
    }
    List<Long> versions = new ArrayList<>();
    for (long after = 0; after < chat.version(); after += PAGE) {
      engine.store().changes(chat.scope(), after, PAGE).stream()
          .map(ChangeRecord::version)
          .forEach(versions::add);
    }
    assertThat(versions).isEqualTo(LongStream.rangeClosed(1, chat.version()).boxed().toList());
  }

  /** A turn is whole once it is complete; others are the last one, or were left behind (T-91). */
  private static void verifyTurns(ContextBrowser chat, boolean resumed) {
    List<StoredTurn> turns = new ArrayList<>();
    List<StoredTurn> page = chat.turns(null, PAGE);
    while (!page.isEmpty()) {
      turns.addAll(page);
      page = chat.turns(page.getLast().turn(), PAGE);
    }
    for (StoredTurn turn : turns) {
      boolean last = turn.equals(turns.getLast());
      if (turn.status() == TurnStatus.COMPLETE) {
        List<String> types =
            chat.turnLog(turn.turn()).blocks().stream().map(b -> b.block().type().name()).toList();
        assertThat(types).startsWith("turn.header", "user.prompt").endsWith("assistant.completion");
        assertThat(types.stream().filter("react.tool.call"::equals).count())
            .isEqualTo(types.stream().filter("react.tool.result"::equals).count());
        assertThat(chat.turnLog(turn.turn()).answer()).contains("answer of " + turn.turn());
      } else if (last) {
        assertThat(turn.status()).isEqualTo(TurnStatus.OPEN);
      } else {
        assertThat(resumed).isFalse();
        assertThat(turn.status()).isEqualTo(TurnStatus.INCOMPLETE);
      }
    }
  }

  /** What the last process left open is gone on with, or out of context. */
  private static void goOn(ContextBrowser chat, boolean resumes) {
    TurnId left = chat.head().orElseThrow().openTurn();
    if (left == null) {
      return;
    }
    if (resumes) {
      Turn turn = chat.startTurn(TurnStart.resume(left));
      turn.waitingCalls().forEach(call -> turn.answer(call, "late"));
      turn.finish("after all");
      assertThat(chat.turnLog(left).turn().status()).isEqualTo(TurnStatus.COMPLETE);
    } else {
      chat.startTurn("next");
      assertThat(chat.turnLog(left).turn().status()).isEqualTo(TurnStatus.INCOMPLETE);
      assertThat(chat.render(RenderOptions.defaults()).text()).doesNotContain("prompt of " + left);
    }
  }

  private static ModelAnswer calling() {
    ReplyCall call = new ReplyCall(0, "toolu_1", "look", "{}");
    return reply(List.of(), List.of(call), Stop.TOOL_USE);
  }

  private static ModelAnswer saying(TurnId turn) {
    return reply(List.of(new ReplyText(0, "answer of " + turn)), List.of(), Stop.END);
  }

  private static ModelAnswer reply(List<ReplyText> texts, List<ReplyCall> calls, Stop stop) {
    return new ModelAnswer(
        "anthropic", "m", "msg", texts, calls, List.of(), stop, null, null, null, List.of());
  }

  private static Block.Builder note(String text) {
    return Block.builder(BlockType.REACT_NOTE).text(text);
  }
}
