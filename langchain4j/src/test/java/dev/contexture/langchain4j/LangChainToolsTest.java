package dev.contexture.langchain4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.contexture.Contexture;
import dev.contexture.block.Scope;
import dev.contexture.search.SearchOptions;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.memory.ChatMemory;
import dev.langchain4j.memory.chat.MessageWindowChatMemory;
import dev.langchain4j.memory.chat.TokenWindowChatMemory;
import dev.langchain4j.rag.content.Content;
import dev.langchain4j.rag.content.ContentMetadata;
import dev.langchain4j.rag.query.Metadata;
import dev.langchain4j.rag.query.Query;
import dev.langchain4j.service.AiServices;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The tools of an agent, retrieval and the store, each as LangChain4j uses them. */
class LangChainToolsTest {
  private static final Scope SCOPE = Scope.of("acme", "shop");

  @TempDir Path directory;
  private Contexture engine;
  private LangChainContext context;

  @BeforeEach
  void open() {
    engine = Contexture.open(directory);
    engine.memory(SCOPE).putAgent("atlas", "Atlas", null);
    context = LangChainContext.builder(engine, SCOPE).model("claude-opus-5").agent("atlas").build();
  }

  @AfterEach
  void close() {
    engine.close();
  }

  /** A model that keeps what the user says with a tool, then says that it did. */
  private ScriptedChatModel keeper() {
    return new ScriptedChatModel(
        request ->
            ScriptedChatModel.begins(request)
                ? AiMessage.from(
                    ScriptedChatModel.call(
                        "k", "recall", "{\"op\":\"insert\",\"content\":\"Ann wears wool.\"}"))
                : AiMessage.from("Noted."));
  }

  @Test
  void theAgentKeepsSomethingForItsUserThroughTheLoop() {
    ScriptedChatModel model = keeper();
    ShopTalk.Assistant assistant =
        context
            .wire(AiServices.builder(ShopTalk.Assistant.class).chatModel(model))
            .tools(context.tools().all())
            .build();
    assertThat(assistant.chat("ann/c1", "I wear wool.")).isEqualTo("Noted.");
    assertThat(((ToolExecutionResultMessage) model.last().getLast()).text())
        .doesNotContain("error");

    assertThat(found("ann/c2", "wool")).anyMatch(text -> text.contains("Ann wears wool."));
    assertThat(found("bob/c1", "wool")).isEmpty();
  }

  private List<String> found(String memoryId, String words) {
    return context.retriever(SearchOptions.DEFAULT).retrieve(query(memoryId, words)).stream()
        .peek(content -> assertThat(content.metadata()).containsKey(ContentMetadata.SCORE))
        .map(content -> content.textSegment().text())
        .toList();
  }

  private static Query query(Object memoryId, String words) {
    return Query.from(words, Metadata.from(UserMessage.from(words), memoryId, List.of()));
  }

  @Test
  void memoryOfTheAgentIsInTheRequest() {
    engine
        .memory(SCOPE)
        .createBlock(
            "atlas",
            dev.contexture.engine.memory.BlockSpec.of(
                    "hours", dev.contexture.memory.schema.MemoryBlockType.CORE)
                .content("The shop is open until 18:00."));
    ScriptedChatModel model = new ScriptedChatModel(request -> AiMessage.from("Until six."));
    context
        .wire(AiServices.builder(ShopTalk.Assistant.class).chatModel(model))
        .build()
        .chat("ann/c1", "How long are you open?");
    assertThat(ShopTalk.texts(model.last()).getFirst())
        .startsWith("system: You are Atlas, who answers for a shop.")
        .contains("until 18:00");
  }

  @Test
  void toolsHaveNamesAndSchemasThatProvidersTake() {
    assertThat(context.tools().all().keySet())
        .extracting(ToolSpecification::name)
        .containsExactlyInAnyOrder(
            "block",
            "block_edit",
            "recall",
            "search",
            "react_read",
            "react_hide",
            "react_memsearch")
        .allMatch(name -> name.matches("[a-z_]+"));
    for (ToolSpecification tool : context.tools().all().keySet()) {
      assertThat(ToolSchemas.json(tool.parameters()).toJson())
          .contains("\"type\":\"object\"", "\"required\":[");
    }
    LangChainContext without =
        LangChainContext.builder(engine, SCOPE).model("claude-opus-5").build();
    assertThat(without.tools().all().keySet())
        .extracting(ToolSpecification::name)
        .containsExactlyInAnyOrder("react_read", "react_hide", "react_memsearch");
  }

  @Test
  void toolsAndRetrievalNeedAMemoryId() {
    ToolExecutionRequest search =
        ToolExecutionRequest.builder().name("search").arguments("{\"query\":\"wool\"}").build();
    context
        .tools()
        .all()
        .values()
        .forEach(
            tool ->
                assertThatThrownBy(() -> tool.execute(search, "default"))
                    .hasMessageContaining("@MemoryId"));
    assertThatThrownBy(() -> context.retriever(SearchOptions.DEFAULT).retrieve(Query.from("wool")))
        .hasMessageContaining("@MemoryId");
  }

  @Test
  void whatWasSaidIsFoundInOtherConversationsOfTheSameUser() {
    context.memory("ann/c1").add(UserMessage.from(ShopTalk.FACTS));
    context.memory("ann/c1").add(AiMessage.from("Welcome."));
    List<Content> hits =
        context.retriever(SearchOptions.DEFAULT).retrieve(query("ann/c2", "customer number"));
    assertThat(hits.getFirst().textSegment().text()).contains("K-4711");
    assertThat(hits.getFirst().textSegment().metadata().getString("conversation")).isEqualTo("c1");
    assertThat(found("bob/c1", "customer number")).isEmpty();
  }

  @Test
  void theStoreKeepsWhatAWindowEvictsAlsoOverARestart() {
    for (int turn = 1; turn <= 4; turn++) {
      ChatMemory window = window();
      window.add(dev.langchain4j.data.message.SystemMessage.from("You are Atlas."));
      window.add(UserMessage.from("Where is O-" + turn + "?"));
      window.add(AiMessage.from(ScriptedChatModel.call("c" + turn, "order", "{}")));
      window.add(
          ToolExecutionResultMessage.builder()
              .id("c" + turn)
              .toolName("order")
              .text("sent " + turn)
              .build());
      window.add(AiMessage.from("O-" + turn + " is sent."));
      assertThat(window.messages().size()).isLessThanOrEqualTo(6);
      close();
      open();
    }
    assertThat(ShopTalk.texts(context.store().getMessages("ann/c1")))
        .hasSize(1 + 4 * 4)
        .contains("user: Where is O-1?", "result of c1: sent 1", "user: Where is O-4?");
    assertThat(engine.browser(SCOPE.user("ann").conversation("c1")).turns(null, 10)).hasSize(4);
    assertThatThrownBy(() -> context.store().deleteMessages("ann/c1"))
        .hasMessageContaining("onClear");
  }

  private ChatMemory window() {
    return MessageWindowChatMemory.builder()
        .id("ann/c1")
        .maxMessages(6)
        .chatMemoryStore(context.store())
        .build();
  }

  private List<String> storedTexts() {
    return ShopTalk.texts(context.store().getMessages("ann/c1"));
  }

  /** A window of tokens keeps nothing but a message that fills it. */
  @Test
  void aWindowThatEvictsEverythingLosesNothing() {
    ChatMemory window =
        TokenWindowChatMemory.builder()
            .id("ann/c1")
            .maxTokens(200, ShopTalk.ESTIMATOR)
            .chatMemoryStore(context.store())
            .build();
    window.add(UserMessage.from("Where is O-1?"));
    window.add(AiMessage.from("O-1 is sent."));
    String large = "The wool is grey. ".repeat(39).strip();
    window.add(UserMessage.from(large));
    assertThat(window.messages()).containsExactly(UserMessage.from(large));
    window.add(AiMessage.from("I see."));
    assertThat(storedTexts())
        .containsExactly(
            "user: Where is O-1?", "model: {}O-1 is sent.", "user: " + large, "model: {}I see.");
  }

  @Test
  void aStoredMessageIsNotChangedByTheStore() {
    LangChainMemoryStore store = context.store();
    List<ChatMessage> said = List.of(UserMessage.from("One?"), AiMessage.from("Two."));
    store.updateMessages("ann/c1", said);
    assertThatThrownBy(
            () ->
                store.updateMessages(
                    "ann/c1", List.of(UserMessage.from("Three?"), AiMessage.from("Two."))))
        .hasMessageContaining("append-only");
    assertThat(store.getMessages("ann/c1")).isEqualTo(said);
  }

  @Test
  void theSameListFromSeveralThreadsIsAddedOnce() throws Exception {
    LangChainMemoryStore store = context.store();
    List<ChatMessage> said = List.of(UserMessage.from("One?"), AiMessage.from("Two."));
    try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
      for (int round = 0; round < 20; round++) {
        String id = "ann/r" + round;
        CyclicBarrier together = new CyclicBarrier(4);
        Callable<Boolean> update =
            () -> {
              together.await(1, TimeUnit.MINUTES);
              store.updateMessages(id, said);
              return true;
            };
        for (Future<Boolean> done : threads.invokeAll(List.of(update, update, update, update))) {
          assertThat(done.get()).isTrue();
        }
        assertThat(store.getMessages(id)).isEqualTo(said);
      }
    }
  }
}
