package dev.contexture.langchain4j;

import static org.assertj.core.api.Assertions.assertThat;

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
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.memory.ChatMemory;
import dev.langchain4j.memory.chat.ChatMemoryProvider;
import dev.langchain4j.memory.chat.MessageWindowChatMemory;
import dev.langchain4j.memory.chat.TokenWindowChatMemory;
import dev.langchain4j.store.memory.chat.InMemoryChatMemoryStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Twenty turns of AiServices' own loop, with a restart in the middle. */
class LangChainLoopTest {
  private static final Scope SCOPE = Scope.of("acme", "shop");
  private static final Scope.OfConversation CHAT = SCOPE.user("ann").conversation("orders");
  private static final int RESTART = ShopTalk.TURNS / 2;

  private static final Instant NOW = Instant.parse("2026-11-16T12:00:00Z");

  @TempDir Path directory;

  private final IdGenerator ids = new IdGenerator(new Random(7));
  private final ShopTalk talk = new ShopTalk();

  private static LangChainContext context(Contexture engine) {
    return LangChainContext.builder(engine, SCOPE)
        .model("claude-opus-5")
        .maxTokens(ShopTalk.BUDGET)
        .build();
  }

  /** Ids and times are the same in every run, so that counts of tokens are. */
  private Contexture open() {
    return Contexture.open(directory, settings -> settings.ids(ids).clock(() -> NOW));
  }

  private void run(int from, int to) {
    try (Contexture engine = open()) {
      talk.run("ann/orders", from, to, services -> context(engine).wire(services));
    }
  }

  @Test
  void nothingIsLostOverARestart() {
    run(1, RESTART);
    run(RESTART + 1, ShopTalk.TURNS);

    try (Contexture engine = open()) {
      ContextBrowser chat = engine.browser(CHAT);
      List<StoredTurn> turns = chat.turns(null, 100);
      assertThat(turns).hasSize(ShopTalk.TURNS);
      assertThat(turns).allMatch(turn -> turn.status() == TurnStatus.COMPLETE);
      for (int i = 0; i < turns.size(); i++) {
        List<Block> blocks = blocks(chat, turns.get(i));
        int turn = i + 1;
        assertThat(texts(blocks, BlockType.USER_PROMPT)).containsExactly(ShopTalk.prompt(turn));
        assertThat(texts(blocks, BlockType.ASSISTANT_COMPLETION))
            .containsExactly("O-" + turn + " is sent.");
        assertThat(texts(blocks, BlockType.REACT_TOOL_CALL)).hasSize(ShopTalk.callsOf(turn));
        assertThat(texts(blocks, BlockType.REACT_TOOL_RESULT))
            .hasSize(ShopTalk.callsOf(turn))
            .contains(ShopTalk.result("O-" + turn));
        assertThat(texts(blocks, BlockType.MODEL_OPAQUE))
            .hasSize(2)
            .allMatch(json -> json.contains("signed Turn " + turn));
      }
      assertThat(chat.summaries()).isNotEmpty(); // the budget was small enough to matter
    }
  }

  @Test
  void whatIsSentIsWholeAndFitsAndKeepsThinking() {
    run(1, RESTART);
    run(RESTART + 1, ShopTalk.TURNS);

    assertThat(talk.model.sent).hasSize(2 * ShopTalk.TURNS);
    talk.model.sent.forEach(
        request -> {
          List<ChatMessage> messages = request.messages();
          assertThat(ShopTalk.orphans(messages)).isZero();
          assertThat(ShopTalk.tokens(messages)).isLessThanOrEqualTo(ShopTalk.HISTORY);
          assertThat(messages.stream().filter(LangChainLoopTest::isSystem)).hasSize(1);
          messages.stream()
              .filter(AiMessage.class::isInstance)
              .map(AiMessage.class::cast)
              .forEach(
                  said ->
                      assertThat(said.attributes())
                          .containsEntry("thinking_signature", "signed " + said.thinking()));
        });
    assertThat(String.join("\n", ShopTalk.texts(talk.model.last()))).contains("K-4711", "Oslo");
  }

  private static boolean isSystem(ChatMessage message) {
    return message instanceof dev.langchain4j.data.message.SystemMessage;
  }

  @Test
  void callsGoBackWithTheIdsAndArgumentsThatTheModelGave() {
    run(1, 3);

    List<ChatMessage> last = talk.model.last();
    AiMessage first = (AiMessage) last.get(2);
    assertThat(first.toolExecutionRequests())
        .containsExactly(ScriptedChatModel.call("call_1", "order", "{\"number\": \"O-1\"}"));
    AiMessage third = (AiMessage) last.get(last.size() - 2);
    assertThat(third.toolExecutionRequests().getFirst().id()).isNull();
    assertThat(((ToolExecutionResultMessage) last.getLast()).id()).isNull();
    assertThat(((ToolExecutionResultMessage) last.getLast()).toolName()).isEqualTo("order");
  }

  @Test
  void thePrefixChangesOnlyWithACompaction() {
    int known = 0;
    long changes = 0;
    for (int turn = 1; turn <= ShopTalk.TURNS; turn++) {
      int before = talk.model.sent.size();
      run(turn, turn); // a restart before every turn
      long broken =
          IntStream.range(Math.max(1, before), talk.model.sent.size())
              .filter(index -> !talk.goesOn(index))
              .count();
      int now = countSummaries();
      assertThat(broken)
          .as("turn %d made %d summaries", turn, now - known)
          .isLessThanOrEqualTo(now - known);
      known = now;
      changes += broken;
    }
    assertThat(changes).isEqualTo(known); // each compaction changed it, nothing else did
    assertThat(known).isPositive().isLessThan(ShopTalk.TURNS / 2);
  }

  private int countSummaries() {
    try (Contexture engine = open()) {
      return engine.browser(CHAT).summaries().size();
    }
  }

  @Test
  void usageStandsInTheLedger() {
    try (Contexture engine = open()) {
      talk.run("ann/orders", 1, 2, services -> context(engine).wire(services));
      List<RequestRow> rows = engine.browser(CHAT).requests().list(null, 10);
      assertThat(rows).hasSize(4);
      assertThat(rows)
          .allMatch(row -> row.record().object("usage").isPresent())
          .anyMatch(row -> row.record().toJson().contains("\"total_input\":1001"));
      assertThat(engine.browser(CHAT).requests().body(rows.getFirst().id()))
          .contains("O-1 is sent.")
          .doesNotContain("signed Turn"); // only LangChain4j reads that
    }
  }

  @Test
  void theTableOfTheDocumentationIsWhatARunGives() throws IOException {
    List<String> rows = new ArrayList<>();
    run(1, RESTART);
    run(RESTART + 1, ShopTalk.TURNS);
    try (Contexture engine = open()) {
      rows.add(talk.losses("`contexture-langchain4j`", stored(engine.browser(CHAT))).row());
    }
    rows.add(window("`MessageWindowChatMemory`, 20 messages", this::messageWindow, false));
    rows.add(window("the same, with a store that survives", this::messageWindow, true));
    rows.add(window("`TokenWindowChatMemory`, 2,400 tokens", this::tokenWindow, false));
    rows.add(window("the same, with a store that survives", this::tokenWindow, true));

    String page =
        Files.readString(Path.of(System.getProperty("contexture.root"), "docs", "langchain4j.md"));
    String table = String.join("\n", rows);
    assertThat(page.contains(table)).as("docs/langchain4j.md; a run gives\n%s\n", table).isTrue();
  }

  private ChatMemory messageWindow(Window window) {
    return MessageWindowChatMemory.builder()
        .id(window.id)
        .maxMessages(20)
        .chatMemoryStore(window.store)
        .build();
  }

  private ChatMemory tokenWindow(Window window) {
    return TokenWindowChatMemory.builder()
        .id(window.id)
        .maxTokens(ShopTalk.HISTORY, ShopTalk.ESTIMATOR)
        .chatMemoryStore(window.store)
        .build();
  }

  private record Window(Object id, InMemoryChatMemoryStore store) {}

  /** The same conversation with a memory of LangChain4j. */
  private static String window(
      String name, Function<Window, ChatMemory> memory, boolean storeSurvives) {
    ShopTalk other = new ShopTalk();
    InMemoryChatMemoryStore first = new InMemoryChatMemoryStore();
    InMemoryChatMemoryStore second = storeSurvives ? first : new InMemoryChatMemoryStore();
    ChatMemoryProvider before = id -> memory.apply(new Window(id, first));
    ChatMemoryProvider after = id -> memory.apply(new Window(id, second));
    other.run("ann", 1, RESTART, services -> services.chatMemoryProvider(before));
    other.run("ann", RESTART + 1, ShopTalk.TURNS, services -> services.chatMemoryProvider(after));
    return other.losses(name, second.getMessages("ann")).row();
  }

  private static Map<String, Long> stored(ContextBrowser chat) {
    Map<String, Long> counts = new HashMap<>();
    Map<BlockType, String> names =
        Map.of(
            BlockType.USER_PROMPT, "prompts",
            BlockType.REACT_TOOL_CALL, "calls",
            BlockType.REACT_TOOL_RESULT, "results",
            BlockType.MODEL_OPAQUE, "thoughts");
    for (StoredTurn turn : chat.turns(null, 100)) {
      for (Block block : blocks(chat, turn)) {
        counts.merge(names.getOrDefault(block.type(), "other"), 1L, Long::sum);
      }
    }
    return counts;
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
