package dev.contexture.springai;

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
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.ai.chat.client.advisor.MessageChatMemoryAdvisor;
import org.springframework.ai.chat.client.advisor.api.Advisor;
import org.springframework.ai.chat.memory.ChatMemory;
import org.springframework.ai.chat.memory.ChatMemoryRepository;
import org.springframework.ai.chat.memory.InMemoryChatMemoryRepository;
import org.springframework.ai.chat.memory.MessageWindowChatMemory;
import org.springframework.ai.chat.memory.repository.jdbc.JdbcChatMemoryRepository;
import org.springframework.ai.chat.memory.repository.jdbc.SqliteChatMemoryRepositoryDialect;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.messages.SystemMessage;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;

/** Twenty turns of the ChatClient's own tool loop, with a restart in the middle. */
class SpringAiLoopTest {
  private static final Scope SCOPE = Scope.of("acme", "shop");
  private static final Scope.OfConversation CHAT = SCOPE.user("ann").conversation("orders");
  private static final int RESTART = SpringShop.TURNS / 2;
  private static final String SCHEMA =
      "org/springframework/ai/chat/memory/repository/jdbc/schema-sqlite.sql";
  private static final Instant NOW = Instant.parse("2026-11-16T12:00:00Z");

  @TempDir Path directory;

  private final IdGenerator ids = new IdGenerator(new Random(7));
  private final SpringShop shop = new SpringShop();

  private static SpringAiContext context(Contexture engine) {
    return SpringAiContext.builder(engine, SCOPE)
        .model("claude-opus-5")
        .maxTokens(SpringShop.BUDGET)
        .build();
  }

  /** Ids and times are the same in every run, so that counts of tokens are. */
  private Contexture open() {
    return Contexture.open(directory, settings -> settings.ids(ids).clock(() -> NOW));
  }

  private void run(int from, int to, boolean stream) {
    try (Contexture engine = open()) {
      shop.run("ann/orders", from, to, stream, client -> context(engine).wire(client));
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void nothingIsLostOverARestart(boolean stream) {
    run(1, RESTART, stream);
    run(RESTART + 1, SpringShop.TURNS, stream);

    try (Contexture engine = open()) {
      ContextBrowser chat = engine.browser(CHAT);
      List<StoredTurn> turns = chat.turns(null, 100);
      assertThat(turns).hasSize(SpringShop.TURNS);
      assertThat(turns).allMatch(turn -> turn.status() == TurnStatus.COMPLETE);
      for (int i = 0; i < turns.size(); i++) {
        List<Block> blocks = blocks(chat, turns.get(i));
        int turn = i + 1;
        assertThat(texts(blocks, BlockType.USER_PROMPT)).containsExactly(SpringShop.prompt(turn));
        assertThat(texts(blocks, BlockType.ASSISTANT_COMPLETION))
            .containsExactly("O-" + turn + " is sent.");
        assertThat(texts(blocks, BlockType.REACT_TOOL_CALL)).hasSize(SpringShop.callsOf(turn));
        assertThat(texts(blocks, BlockType.REACT_TOOL_RESULT))
            .hasSize(SpringShop.callsOf(turn))
            .anyMatch(text -> text.contains(SpringShop.result("O-" + turn)));
        assertThat(texts(blocks, BlockType.MODEL_OPAQUE))
            .hasSize(2)
            .allMatch(json -> json.contains("Turn " + turn + ": "));
      }
      assertThat(chat.summaries()).isNotEmpty(); // the budget was small enough to matter
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatIsSentIsWholeAndFitsAndKeepsReasoning(boolean stream) {
    run(1, RESTART, stream);
    run(RESTART + 1, SpringShop.TURNS, stream);

    assertThat(shop.model.sent).hasSize(2 * SpringShop.TURNS);
    for (List<Message> messages : shop.model.sent) {
      assertThat(SpringShop.orphans(messages)).isZero();
      assertThat(SpringShop.tokens(messages)).isLessThanOrEqualTo(SpringShop.HISTORY);
      assertThat(messages.stream().filter(SystemMessage.class::isInstance)).hasSize(1);
      assertThat(messages.getFirst()).isInstanceOf(SystemMessage.class);
      assertThat(messages.stream().filter(AssistantMessage.class::isInstance))
          .allMatch(said -> said.getMetadata().get(SpringShop.REASONING) instanceof String);
    }
    assertThat(String.join("\n", SpringShop.texts(shop.model.last()))).contains("K-4711", "Oslo");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void thePrefixChangesOnlyWithACompaction(boolean stream) {
    int known = 0;
    long changes = 0;
    for (int turn = 1; turn <= SpringShop.TURNS; turn++) {
      int before = shop.model.sent.size();
      run(turn, turn, stream); // a restart before every turn
      long broken =
          IntStream.range(Math.max(1, before), shop.model.sent.size())
              .filter(index -> !shop.goesOn(index))
              .count();
      int now = countSummaries();
      assertThat(broken)
          .as("turn %d made %d summaries", turn, now - known)
          .isLessThanOrEqualTo(now - known);
      known = now;
      changes += broken;
    }
    assertThat(changes).isEqualTo(known); // each compaction changed it, nothing else did
    assertThat(known).isPositive().isLessThan(SpringShop.TURNS / 2);
  }

  private int countSummaries() {
    try (Contexture engine = open()) {
      return engine.browser(CHAT).summaries().size();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void usageStandsInTheLedger(boolean stream) {
    try (Contexture engine = open()) {
      shop.run("ann/orders", 1, 2, stream, client -> context(engine).wire(client));
      List<RequestRow> rows = engine.browser(CHAT).requests().list(null, 10);
      assertThat(rows).hasSize(4);
      assertThat(rows)
          .allMatch(row -> row.record().object("usage").isPresent())
          .anyMatch(row -> row.record().toJson().contains("\"total_input\":1308")); // 1001+300+7
      assertThat(engine.browser(CHAT).requests().body(rows.getFirst().id()))
          .contains("O-1 is sent.")
          .doesNotContain("Turn 1: "); // only Spring AI reads that
    }
  }

  @Test
  void theTableOfTheDocumentationIsWhatARunGives() throws IOException {
    List<String> rows = new ArrayList<>();
    run(1, RESTART, false);
    run(RESTART + 1, SpringShop.TURNS, false);
    try (Contexture engine = open()) {
      rows.add(shop.row("`contexture-spring-ai`", stored(engine.browser(CHAT))));
    }
    int usual = Advisor.DEFAULT_CHAT_MEMORY_PRECEDENCE_ORDER;
    rows.add(window("`MessageWindowChatMemory`, 20 messages, as it comes", usual, heap(), heap()));
    ChatMemoryRepository kept = heap();
    rows.add(window("the same, with a repository that survives", usual, kept, kept));
    ChatMemoryRepository inside = heap();
    rows.add(window("the same, inside the tool loop", SpringAiAdvisor.ORDER, inside, inside));
    ChatMemoryRepository jdbc = jdbc();
    rows.add(
        window("the same, over `JdbcChatMemoryRepository`", SpringAiAdvisor.ORDER, jdbc, jdbc));

    String page =
        Files.readString(Path.of(System.getProperty("contexture.root"), "docs", "spring-ai.md"));
    String table = String.join("\n", rows);
    assertThat(page.contains(table)).as("docs/spring-ai.md; a run gives\n%s\n", table).isTrue();
  }

  private static ChatMemoryRepository heap() {
    return new InMemoryChatMemoryRepository();
  }

  private ChatMemoryRepository jdbc() {
    DataSource database =
        new DriverManagerDataSource("jdbc:sqlite:" + directory.resolve("memory.db"));
    new ResourceDatabasePopulator(new ClassPathResource(SCHEMA)).execute(database);
    return JdbcChatMemoryRepository.builder()
        .dataSource(database)
        .dialect(new SqliteChatMemoryRepositoryDialect())
        .build();
  }

  /** The same conversation with a memory of Spring AI. */
  private static String window(
      String name, int order, ChatMemoryRepository before, ChatMemoryRepository after) {
    SpringShop other = new SpringShop();
    other.run("ann", 1, RESTART, false, client -> client.defaultAdvisors(theirs(before, order)));
    other.run(
        "ann",
        RESTART + 1,
        SpringShop.TURNS,
        false,
        client -> client.defaultAdvisors(theirs(after, order)));
    return other.row(name, after.findByConversationId("ann"));
  }

  private static Advisor theirs(ChatMemoryRepository repository, int order) {
    ChatMemory memory =
        MessageWindowChatMemory.builder().chatMemoryRepository(repository).maxMessages(20).build();
    return MessageChatMemoryAdvisor.builder(memory).order(order).build();
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
