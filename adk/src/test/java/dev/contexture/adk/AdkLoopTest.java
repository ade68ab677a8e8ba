package dev.contexture.adk;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.adk.agents.LlmAgent;
import com.google.adk.apps.App;
import com.google.adk.events.Event;
import com.google.adk.memory.InMemoryMemoryService;
import com.google.adk.runner.Runner;
import com.google.adk.sessions.InMemorySessionService;
import com.google.adk.sessions.Session;
import com.google.adk.summarizer.EventsCompactionConfig;
import com.google.adk.summarizer.LlmEventSummarizer;
import com.google.genai.types.Content;
import com.google.genai.types.Part;
import dev.contexture.ContextBrowser;
import dev.contexture.Contexture;
import dev.contexture.block.Block;
import dev.contexture.block.BlockType;
import dev.contexture.block.Scope;
import dev.contexture.engine.session.IdGenerator;
import dev.contexture.store.RequestRow;
import dev.contexture.store.StoredBlock;
import dev.contexture.store.StoredTurn;
import dev.contexture.timeline.TurnStatus;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Twenty turns of ADK's own Runner, with a restart in the middle. */
class AdkLoopTest {
  private static final Scope.OfConversation CHAT =
      Scope.of("acme", ShopRuns.APP).user(ShopRuns.USER).conversation(ShopRuns.SESSION);
  private static final int RESTART = ShopRuns.TURNS / 2;
  private static final Instant NOW = Instant.parse("2026-11-16T12:00:00Z");

  @TempDir Path directory;

  private final IdGenerator ids = new IdGenerator(new Random(7));
  private final ShopRuns runs = new ShopRuns();

  private static AdkContext context(Contexture engine) {
    return AdkContext.builder(engine, "acme")
        .model("gemini-3.7-flash")
        .maxTokens(ShopRuns.BUDGET)
        .build();
  }

  /** Ids and times of the engine are the same in every run, so that counts of tokens are. */
  private Contexture open() {
    return Contexture.open(directory, settings -> settings.ids(ids).clock(() -> NOW));
  }

  private void run(int from, int to) {
    try (Contexture engine = open()) {
      AdkContext context = context(engine);
      if (engine.browser(CHAT).head().isEmpty()) {
        Session made =
            context
                .sessions()
                .createSession(
                    ShopRuns.APP, ShopRuns.USER, (Map<String, Object>) null, ShopRuns.SESSION)
                .blockingGet();
        assertThat(made.events()).isEmpty();
      }
      runs.run(
          from,
          to,
          agent ->
              Runner.builder()
                  .agent(agent)
                  .appName(ShopRuns.APP)
                  .sessionService(context.sessions())
                  .memoryService(context.memory())
                  .plugins(context.plugin()));
    }
  }

  private void runAll() {
    run(1, RESTART);
    run(RESTART + 1, ShopRuns.TURNS);
  }

  private static List<Event> events(AdkContext context) {
    return context
        .sessions()
        .listEvents(ShopRuns.APP, ShopRuns.USER, ShopRuns.SESSION)
        .blockingGet()
        .events();
  }

  @Test
  void nothingIsLostOverARestart() {
    runAll();

    try (Contexture engine = open()) {
      ContextBrowser chat = engine.browser(CHAT);
      List<StoredTurn> turns = chat.turns(null, 100).stream().skip(1).toList(); // its creation
      assertThat(turns).hasSize(ShopRuns.TURNS);
      assertThat(turns).allMatch(turn -> turn.status() == TurnStatus.COMPLETE);
      for (int i = 0; i < turns.size(); i++) {
        List<Block> blocks = blocks(chat, turns.get(i));
        int turn = i + 1;
        assertThat(texts(blocks, BlockType.USER_PROMPT)).containsExactly(ShopRuns.prompt(turn));
        assertThat(texts(blocks, BlockType.ASSISTANT_COMPLETION))
            .containsExactly("O-" + turn + " is sent.");
        assertThat(texts(blocks, BlockType.REACT_TOOL_CALL)).hasSize(ShopRuns.callsOf(turn));
        assertThat(texts(blocks, BlockType.REACT_TOOL_RESULT))
            .hasSize(ShopRuns.callsOf(turn))
            .contains("{\"order\":\"" + ShopRuns.result("O-" + turn) + "\"}");
      }
      assertThat(chat.summaries()).isNotEmpty(); // the budget was small enough to matter

      List<Event> all = events(context(engine));
      assertThat(all).hasSize(4 * ShopRuns.TURNS);
      Event last = all.getLast();
      Part said = last.content().flatMap(Content::parts).orElseThrow().getLast();
      assertThat(said.text()).contains("O-20 is sent.");
      assertThat(said.thoughtSignature().map(s -> new String(s, StandardCharsets.UTF_8)))
          .contains("signed Turn 20: tell");
      Session window =
          requireNonNull(
              context(engine)
                  .sessions()
                  .getSession(ShopRuns.APP, ShopRuns.USER, ShopRuns.SESSION, Optional.empty())
                  .blockingGet());
      assertThat(window.events()).isNotEmpty().hasSizeLessThan(all.size());
      assertThat(window.events().getLast().id()).isEqualTo(last.id());
    }
  }

  @Test
  void whatIsSentIsWholeAndFitsAndKeepsThoughts() {
    runAll();

    assertThat(runs.model.sent).hasSize(2 * ShopRuns.TURNS);
    runs.model.sent.forEach(
        request -> {
          assertThat(ShopRuns.orphans(request.contents())).isZero();
          assertThat(ShopRuns.tokens(request)).isLessThanOrEqualTo(ShopRuns.HISTORY);
          assertThat(request.getSystemInstructions()).hasSize(1);
          request.contents().stream()
              .filter(content -> content.role().orElse("").equals("model"))
              .forEach(AdkLoopTest::assertSigned);
        });
    assertThat(String.join("\n", ShopRuns.prefix(runs.model.sent.getLast())))
        .contains("K-4711", "Oslo");
  }

  private static void assertSigned(Content said) {
    List<Part> parts = said.parts().orElseThrow();
    String thought = parts.getFirst().text().orElseThrow();
    assertThat(parts.getFirst().thought()).contains(true);
    assertThat(parts.stream().skip(1))
        .isNotEmpty()
        .allMatch(
            part ->
                part.thoughtSignature()
                    .map(bytes -> new String(bytes, StandardCharsets.UTF_8))
                    .orElse("")
                    .equals("signed " + thought));
  }

  @Test
  void callsGoBackAsTheModelMadeThem() {
    run(1, 3);

    List<Content> last = runs.model.last();
    Part first = last.get(1).parts().orElseThrow().get(1);
    assertThat(first.functionCall().orElseThrow().id()).contains("call_1");
    assertThat(first.functionCall().orElseThrow().args()).contains(Map.of("number", "O-1"));
    Part given = last.get(2).parts().orElseThrow().getFirst();
    assertThat(given.functionResponse().orElseThrow().id()).contains("call_1");
    assertThat(given.functionResponse().orElseThrow().response())
        .contains(Map.of("order", ShopRuns.result("O-1")));
    Part third = last.get(last.size() - 2).parts().orElseThrow().getLast();
    assertThat(third.functionCall().orElseThrow().id()).isEmpty();
    Part result = last.getLast().parts().orElseThrow().getFirst();
    assertThat(result.functionResponse().orElseThrow().id()).isEmpty();
    assertThat(result.functionResponse().orElseThrow().name()).contains("order");
  }

  @Test
  void thePrefixChangesOnlyWithACompaction() {
    int known = 0;
    long changes = 0;
    for (int turn = 1; turn <= ShopRuns.TURNS; turn++) {
      int before = runs.model.sent.size();
      run(turn, turn); // a restart before every turn
      long broken =
          IntStream.range(Math.max(1, before), runs.model.sent.size())
              .filter(index -> !runs.goesOn(index))
              .count();
      int now = countSummaries();
      assertThat(broken)
          .as("turn %d made %d summaries", turn, now - known)
          .isLessThanOrEqualTo(now - known);
      known = now;
      changes += broken;
    }
    assertThat(changes).isEqualTo(known); // each compaction changed it, nothing else did
    assertThat(known).isPositive().isLessThan(ShopRuns.TURNS / 2);
  }

  private int countSummaries() {
    try (Contexture engine = open()) {
      return engine.browser(CHAT).summaries().size();
    }
  }

  @Test
  void usageStandsInTheLedger() {
    run(1, 2);

    try (Contexture engine = open()) {
      List<RequestRow> rows = engine.browser(CHAT).requests().list(null, 10);
      assertThat(rows).hasSize(4);
      assertThat(rows)
          .allMatch(row -> row.record().object("usage").isPresent())
          .anyMatch(
              row -> row.record().toJson().contains("\"total_input\":1001,\"cache_read\":900"));
      assertThat(engine.browser(CHAT).requests().body(rows.getFirst().id()))
          .contains("O-1 is sent.");
    }
  }

  @Test
  void theTableOfTheDocumentationIsWhatARunGives() throws IOException {
    List<String> rows = new ArrayList<>();
    runAll();
    try (Contexture engine = open()) {
      rows.add(runs.row("`contexture-adk`", events(context(engine))));
    }
    rows.add(inMemory("`InMemorySessionService`", false, false));
    rows.add(inMemory("the same in a process that never ends", true, false));
    rows.add(inMemory("the same with `EventsCompactionConfig`, 5 turns, overlap 1", true, true));

    String page =
        Files.readString(Path.of(System.getProperty("contexture.root"), "docs", "adk.md"));
    String table = String.join("\n", rows);
    assertThat(page.contains(table)).as("docs/adk.md; a run gives\n%s\n", table).isTrue();
  }

  /** The same conversation with services of ADK. */
  private static String inMemory(String name, boolean survives, boolean compacts) {
    ShopRuns other = new ShopRuns();
    InMemorySessionService first = new InMemorySessionService();
    InMemorySessionService second = survives ? first : new InMemorySessionService();
    make(first);
    other.run(1, RESTART, agent -> runner(agent, compacts).sessionService(first));
    if (!survives) {
      make(second);
    }
    other.run(RESTART + 1, ShopRuns.TURNS, agent -> runner(agent, compacts).sessionService(second));
    return other.row(
        name,
        second.listEvents(ShopRuns.APP, ShopRuns.USER, ShopRuns.SESSION).blockingGet().events());
  }

  private static Runner.Builder runner(LlmAgent agent, boolean compacts) {
    App.Builder app = App.builder().name(ShopRuns.APP).rootAgent(agent);
    if (compacts) {
      ScriptedLlm writer =
          new ScriptedLlm(
              unused -> List.of(Part.fromText("The user asked for orders; all of them are sent.")));
      app.eventsCompactionConfig(
          EventsCompactionConfig.builder()
              .compactionInterval(5)
              .overlapSize(1)
              .summarizer(new LlmEventSummarizer(writer))
              .build());
    }
    return Runner.builder().app(app.build()).memoryService(new InMemoryMemoryService());
  }

  private static void make(InMemorySessionService sessions) {
    Session made =
        sessions
            .createSession(
                ShopRuns.APP, ShopRuns.USER, (Map<String, Object>) null, ShopRuns.SESSION)
            .blockingGet();
    assertThat(made.events()).isEmpty();
  }

  /** What memory of ADK makes of such a session. */
  @Test
  void memoryOfAdkFailsOnCalls() {
    ShopRuns other = new ShopRuns();
    InMemorySessionService sessions = new InMemorySessionService();
    InMemoryMemoryService memory = new InMemoryMemoryService();
    make(sessions);
    other.run(1, 1, agent -> runner(agent, false).sessionService(sessions));
    Session session =
        sessions
            .getSession(ShopRuns.APP, ShopRuns.USER, ShopRuns.SESSION, Optional.empty())
            .blockingGet();
    memory.addSessionToMemory(session).blockingAwait();
    assertThatThrownBy(
            () -> memory.searchMemory(ShopRuns.APP, ShopRuns.USER, "customer").blockingGet())
        .isInstanceOf(NoSuchElementException.class);
  }

  private static List<Block> blocks(ContextBrowser chat, StoredTurn turn) {
    return chat.turnLog(turn.turn()).blocks().stream().map(StoredBlock::block).toList();
  }

  private static List<String> texts(List<Block> blocks, BlockType type) {
    return blocks.stream()
        .filter(block -> block.type().equals(type))
        .map(block -> block.text().orElse(""))
        .toList();
  }
}
